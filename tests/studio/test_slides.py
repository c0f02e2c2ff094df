"""The slides as python-pptx reads them, and as LibreOffice draws them where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import Image
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE

from engine.lesson import load_lesson
from engine.words import words
from studio.cache import Cache
from studio.page_clips import clips_in
from studio.page_colors import colors
from studio.slides import make_slides
from tests.studio.pages import BEATS, HOSTILE, SECONDS, all_stations, hostile_trace, make_folder

OFFICE = shutil.which("libreoffice") or shutil.which("soffice")


def make(folder: Path, **overrides) -> Path | None:
    return make_slides(folder, load_lesson(overrides=overrides), Cache(folder.parent / "cache"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Two stations; the second has a still and a clip for each beat. Look, do not touch."""
    folder = tmp_path_factory.mktemp("slides") / "第一课 #1"
    two = {station: all_stations()[station] for station in ("relay_game", "looking_back")}
    make_folder(folder, two)
    make_folder(folder, {"looking_back": two["looking_back"]}, stills=True)
    for number, name in enumerate(BEATS, 1):
        film = folder / "looking_back" / f"{number:02}_{name}.mp4"
        film.write_bytes((folder / "looking_back.mp4").read_bytes() + bytes(number))
    make(folder)
    return folder


@pytest.fixture(scope="module")
def slides(folder) -> list:
    return list(Presentation(str(folder / f"{folder.name}.pptx")).slides)


def pictures(slide) -> list:
    kinds = (MSO_SHAPE_TYPE.MEDIA, MSO_SHAPE_TYPE.PICTURE)
    return [shape for shape in slide.shapes if shape.shape_type in kinds]


def test_a_title_for_each_station_and_a_slide_for_each_beat(slides):
    titles = [slide.shapes.title.text_frame.text for slide in slides]
    zh = words("zh")
    assert len(titles) == 2 * (1 + len(BEATS)) and all(titles)
    assert titles[0] == zh("relay_game.title") and titles[5] == zh("looking_back.title")
    assert [t.startswith(f"第 {n} 拍") for n, t in enumerate(titles[6:])] == [True] * 4
    assert [len(pictures(slide)) for slide in slides] == [0, 1, 1, 1, 1] * 2


def test_sentences_stand_on_the_title_slide(slides):
    text = " ".join(shape.text_frame.text for shape in slides[5].shapes)
    for pair in all_stations()["looking_back"].pairs:
        assert " ".join(pair.source) in text and " ".join(pair.target) in text


def test_a_beats_clip_plays_when_its_slide_is_reached(slides, folder):
    for number, slide in enumerate(slides[6:]):
        (movie,) = pictures(slide)
        assert movie.shape_type == MSO_SHAPE_TYPE.MEDIA and movie.media_type is not None
        film = clips_in(folder)[1].beats[number].clip
        assert (folder / film).read_bytes() in [
            rel.target_part.blob for rel in slide.part.rels.values() if "media" in rel.reltype
        ]
        (call,) = slide._element.xpath("//p:cmd")
        assert call.get("cmd") == "playFrom(0.0)"
        assert slide._element.xpath("//p:cmd//p:cTn/@dur") == [str(round(1000 * SECONDS))]
        assert slide._element.xpath("//p:cmd//p:spTgt/@spid") == [str(movie.shape_id)]
        assert len(slide._element.findall(slide._element.tag.replace("}sld", "}timing"))) == 1


def test_its_still_is_the_poster(slides):
    import io

    (movie,) = pictures(slides[6])
    with Image.open(io.BytesIO(movie.poster_frame.blob)) as still:
        assert still.getpixel((5, 5)) == (0x44, 0x66, 0x22)


def test_without_a_clip_there_is_the_beats_last_picture(slides):
    import io

    greys = []
    for slide in slides[1:5]:
        (picture,) = pictures(slide)
        with Image.open(io.BytesIO(picture.image.blob)) as still:
            greys.append(still.convert("L").getpixel((5, 5)))
    # The film grows lighter by ten a frame; a beat has five frames.
    assert greys == pytest.approx([40, 90, 140, 190], abs=4)


def test_notes_and_alt_text_say_what_is_seen(slides):
    notes = slides[7].notes_slide.notes_text_frame.text
    lines = notes.splitlines()
    assert lines[:2] == ["第 1 拍：看。", "Beat 1: 1 < 2 & so on. "]
    assert "pairs[0].weights = 0.500" in lines
    (movie,) = pictures(slides[7])
    properties = movie._element.xpath(".//p:cNvPr")[0]
    assert properties.get("descr") == "第 1 拍：看。"
    assert properties.get("name") == words("zh")("looking_back.title")
    assert "".join(words("en")("looking_back.note").split()) in "".join(
        slides[5].notes_slide.notes_text_frame.text.split()
    )


def test_the_colours_are_the_lessons(tmp_path):
    from pptx.opc.constants import RELATIONSHIP_TYPE

    folder = make_folder(tmp_path / "x", {"looking_back": all_stations()["looking_back"]})
    for theme in ("light", "dark"):
        deck = Presentation(str(make(folder, **{"look.theme": theme, "lang": "en"})))
        blob = deck.slide_master.part.part_related_by(RELATIONSHIP_TYPE.THEME).blob.decode()
        ground = colors(theme)["background"].lstrip("#")
        assert f'<a:lt1><a:srgbClr val="{ground}"/></a:lt1>' in blob
        assert deck.slides[0].shapes.title.text_frame.text == words("en")("looking_back.title")


@pytest.mark.parametrize("size", [(160, 90), (120, 90), (90, 160)])
def test_slides_have_the_clips_proportions(tmp_path, monkeypatch, size):
    import tests.studio.pages as pages

    monkeypatch.setattr(pages, "SIZE", size)
    folder = make_folder(tmp_path / "x", {"looking_back": all_stations()["looking_back"]})
    deck = Presentation(str(make(folder)))
    assert deck.slide_width / deck.slide_height == pytest.approx(size[0] / size[1], rel=1e-4)
    (picture,) = pictures(deck.slides[1])
    assert (picture.width, picture.height) == (deck.slide_width, deck.slide_height)
    for layout in deck.slide_layouts:
        for shape in layout.placeholders:
            assert shape.left + shape.width <= deck.slide_width
            assert shape.top + shape.height <= deck.slide_height


def test_what_people_write_is_text(tmp_path):
    folder = make_folder(tmp_path / "x", {"looking_back": hostile_trace()}, " ".join(HOSTILE))
    deck = Presentation(str(make(folder)))
    text = " ".join(shape.text_frame.text for shape in deck.slides[0].shapes)
    notes = deck.slides[1].notes_slide.notes_text_frame.text
    assert all(word in text and word in notes for word in HOSTILE)


def test_made_again_only_when_something_changed(tmp_path, monkeypatch):
    import studio.slides

    folder = make_folder(tmp_path / "x", {"looking_back": all_stations()["looking_back"]})
    target = make(folder)
    with monkeypatch.context() as patch:
        patch.setattr(studio.slides, "slides", None)  # may not be called
        assert make(folder) == target
    before = target.read_bytes()
    make_folder(folder, {"looking_back": all_stations()["looking_back"]}, "more")
    assert make(folder) == target and target.read_bytes() != before


def test_slides_that_somebody_changed_stay(tmp_path):
    folder = make_folder(tmp_path / "x", {"looking_back": all_stations()["looking_back"]})
    target = make(folder)
    deck = Presentation(str(target))
    deck.slides[0].shapes.title.text_frame.text = "mine"
    deck.save(str(target))
    mine = target.read_bytes()
    make_folder(folder, {"looking_back": all_stations()["looking_back"]}, "more")
    assert make(folder) is None and target.read_bytes() == mine


@pytest.mark.skipif(OFFICE is None, reason="needs LibreOffice Impress")
def test_libreoffice_draws_every_slide(folder, tmp_path):
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    given = shutil.copy(folder / f"{folder.name}.pptx", tmp_path / "slides.pptx")
    subprocess.run(
        [OFFICE, profile, "--headless", "--convert-to", "pdf", "--outdir", tmp_path, given],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    data = (tmp_path / "slides.pdf").read_bytes()
    assert data.count(b"/Type/Page/") + data.count(b"/Type/Page\n") == 2 * (1 + len(BEATS))


def test_the_kit_makes_them_of_its_own_clips(studio):
    """From the drawn clip to slides that hold the beats' parts, and a page that leads there."""
    studio.draw(kit=True)
    (clip,) = clips_in(studio.folder)
    deck = Presentation(str(studio.folder / "default.pptx"))
    beats = list(deck.slides)[1:]
    assert len(beats) == len(clip.beats) > 1 and all(beat.clip for beat in clip.beats)
    for slide, beat in zip(beats, clip.beats, strict=True):
        media = [r.target_part.blob for r in slide.part.rels.values() if "media" in r.reltype]
        assert (studio.folder / beat.clip).read_bytes() in media
    assert 'href="./default.pptx"' in (studio.folder / "index.html").read_text("utf-8")
    assert "default.pptx" in studio.reporter.out.getvalue() + studio.reporter.err.getvalue()
