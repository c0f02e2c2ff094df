"""The course kit: every file is opened as the programs of course material open it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
import webvtt
from PIL import Image

from engine.errors import FaultError, InputError
from engine.words import words
from studio.cache import checksum
from studio.clips import image, pictures, starts_at_once
from studio.cutting import CannotCut, cut, frame_count, has_alpha
from studio.moving import FORMS, write_moving
from tests.studio.conftest import OTHER, Studio

BEATS = ("question", "number", "name")


@pytest.fixture(scope="module")
def kit(drawn, tmp_path_factory) -> Studio:
    """All of the kit, of the clip in the cache."""
    made = Studio(tmp_path_factory.mktemp("kit"))
    made.cache = drawn[0].cache
    assert made.draw(kit=True, silent_track=True).error is None
    return made


def frames(film: Path) -> Iterator[np.ndarray]:
    with av.open(str(film)) as container:
        for frame in container.decode(video=0):
            yield frame.to_ndarray(format="rgb24")


def test_the_beats_clips_are_the_clip_frame_by_frame(drawn):
    folder = drawn[0].folder
    parts = [folder / "relay_game" / f"{n:02}_{beat}.mp4" for n, beat in enumerate(BEATS, 1)]
    assert sorted(folder.glob("relay_game/*.mp4")) == parts
    assert all(starts_at_once(part) for part in parts)
    cut_up = [frame for part in parts for frame in frames(part)]
    whole = list(frames(folder / "relay_game.mp4"))
    assert len(cut_up) == len(whole)
    assert all(np.array_equal(a, b) for a, b in zip(cut_up, whole, strict=True))


def test_a_beats_still_is_its_last_picture(drawn):
    folder = drawn[0].folder / "relay_game"
    for n, beat in enumerate(BEATS, 1):
        with Image.open(folder / f"{n:02}_{beat}.png") as still:
            last = list(frames(folder / f"{n:02}_{beat}.mp4"))[-1]
            assert np.array_equal(np.asarray(still.convert("RGB")), last)


def test_plain_manims_clips_can_be_cut_as_well(studio: Studio):
    studio.draw(stock=True)
    folder = studio.folder
    parts = sorted((folder / "relay_game").glob("*.mp4"))
    cut_up = [frame for part in parts for frame in frames(part)]
    whole = list(frames(folder / "relay_game.mp4"))
    assert len(parts) == 3 and len(cut_up) == len(whole)
    assert all(np.array_equal(a, b) for a, b in zip(cut_up, whole, strict=True))


def test_a_film_is_not_cut_where_that_needs_encoding(drawn, tmp_path):
    film = drawn[0].folder / "relay_game.mp4"
    with pytest.raises(CannotCut):
        cut(film, 1, 3, tmp_path / "part.mp4")
    with pytest.raises(CannotCut):
        cut(film, 0, frame_count(film) + 1, tmp_path / "part.mp4")


def test_the_silent_track_is_as_long_as_the_pictures_and_silent(kit: Studio, drawn):
    film = kit.folder / "relay_game.mp4"
    assert starts_at_once(film)
    with av.open(str(film)) as container:
        video, sound = container.streams
        assert (video.codec_context.name, sound.codec_context.name) == ("h264", "aac")
        lengths = [float(one.duration * one.time_base) for one in (video, sound)]
        assert lengths[0] == pytest.approx(lengths[1], abs=0.05)
        loudest = max(np.abs(f.to_ndarray()).max() for f in container.decode(sound))
    assert loudest < 1e-4
    plain = list(frames(drawn[0].folder / "relay_game.mp4"))
    assert all(np.array_equal(a, b) for a, b in zip(frames(film), plain, strict=True))
    assert checksum(film) != checksum(drawn[0].folder / "relay_game.mp4")


def test_the_moving_picture_loops_and_lasts_as_long_as_the_clip(kit: Studio):
    table = json.loads((kit.folder / "relay_game.beats.json").read_text("utf-8"))
    with Image.open(kit.folder / "relay_game.webp") as moving:
        assert moving.size == (128, 72) and moving.info["loop"] == 0 and moving.n_frames > 3
        lasts = 0
        for number in range(moving.n_frames):
            moving.seek(number)
            moving.load()
            lasts += moving.info["duration"]
    assert lasts / 1000 == pytest.approx(table["duration"], abs=0.5)


def test_a_budget_is_kept_or_said_to_be_too_small(drawn, tmp_path, monkeypatch):
    film, target = drawn[0].folder / "relay_game.mp4", tmp_path / "m.webp"
    best = write_moving(film, target, 8)
    assert best.fits and best.best and best.bytes == target.stat().st_size
    small = write_moving(film, target, best.bytes * 0.8 / 1e6)
    assert small.fits and not small.best and small.width * small.rate < best.width * best.rate
    none = write_moving(film, target, 1e-6)
    assert not none.fits and none.bytes == target.stat().st_size
    weights = [form.weight for form in FORMS]
    assert weights == sorted(weights, reverse=True)


def test_what_was_traded_is_said(studio: Studio, monkeypatch):
    monkeypatch.setattr("studio.request.LEAST_BUDGET", 0.001)
    studio.draw(kit=True, budget=0.002)
    said = studio.reporter.err.getvalue()
    assert "relay_game: the moving picture" in said and "0.002" in said


def test_chapters_are_the_beats_in_each_language(drawn):
    folder = drawn[0].folder
    table = json.loads((folder / "relay_game.beats.json").read_text("utf-8"))
    for name, lang in (("chapters", "zh"), ("chapters.en", "en")):
        first = words(lang)("chapters.relay_game.question")
        found = list(webvtt.read(str(folder / f"relay_game.{name}.vtt")))
        assert len(found) == 3 and found[0].text == first
        assert all(a.end == b.start for a, b in pairwise(found))
        for cue, beat in zip(found, table["beats"], strict=True):
            assert cue.start_in_seconds == pytest.approx(beat["start"], abs=1)
            assert "\n" not in cue.text


def test_captions_are_read_by_other_programs(drawn):
    folder = drawn[0].folder
    for name in ("relay_game.vtt", "relay_game.en.vtt"):
        assert any("<b>" in c.text or "&lt;b&gt;" in c.text for c in webvtt.read(folder / name))
    found = list(webvtt.from_srt(str(folder / "relay_game.srt")))
    assert found and found[0].text.startswith("谁离得最远")


def test_transparent_is_webm_with_alpha_in_the_fast_lane(studio: Studio):
    outcome = studio.draw(native={"transparent": True})
    film = outcome.files["clip.webm"]
    assert film == studio.folder / "relay_game.webm" and outcome.main_file == film
    assert "manim's own renderer" not in studio.reporter.err.getvalue()
    with av.open(str(film)) as container:
        (stream,) = container.streams
        assert stream.codec_context.codec.canonical_name == "vp9"
        assert has_alpha(stream)
        rate = stream.average_rate
    assert b"\x53\xc0\x81\x01" in film.read_bytes()[:2000], "AlphaMode, which browsers look for"
    shown = list(pictures(film))
    assert shown[0].format.name == "yuva420p" and rate == 5
    assert len(shown) == round(outcome.duration * 5)
    alpha = np.asarray(image(shown[-1]))[..., 3]
    assert alpha.min() < 5 and alpha.max() > 150, "the ground is gone, the figure is there"
    with Image.open(studio.folder / "relay_game" / "01_question.png") as still:
        assert still.mode == "RGBA" and still.getpixel((0, 0))[3] < 5
    assert (studio.folder / "relay_game" / "03_name.webm").is_file()


def test_both_lanes_draw_the_same_transparent_pictures(studio: Studio):
    fast = studio.draw(native={"transparent": True}).files["clip.webm"]
    one = [np.asarray(image(frame)).astype(int) for frame in pictures(fast)]
    stock = studio.draw(native={"transparent": True}, stock=True).files["clip.webm"]
    other = [np.asarray(image(frame)).astype(int) for frame in pictures(stock)]
    assert len(one) == len(other)
    assert max(np.abs(a - b).mean() for a, b in zip(one, other, strict=True)) < 3


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ({"native": {"transparent": True, "format": "mp4"}}, "flags.mp4_is_opaque"),
        ({"native": {"format": "gif"}, "silent_track": True}, "flags.needs_mp4"),
        ({"native": {"save_last_frame": True}, "stations": ["film"]}, "flags.needs_mp4"),
        ({"native": {"transparent": True}, "stations": ["trailer"]}, "flags.needs_mp4"),
        ({"native": {"output_file": "x"}, "stations": ["film"]}, "flags.one_station"),
    ],
)
def test_what_cannot_be_is_refused_at_once(studio: Studio, asked, key):
    with pytest.raises(InputError) as error:
        studio.request(**asked)
    assert error.value.key == key and error.value.text("zh")


def test_the_kit_needs_no_process_when_it_is_there(kit: Studio, monkeypatch):
    before = {path: checksum(path) for path in kit.folder.glob("relay_game*")}
    monkeypatch.setattr("studio.children.Children.start", None)
    assert kit.draw(kit=True, silent_track=True).status == "unchanged"
    assert before == {path: checksum(path) for path in kit.folder.glob("relay_game*")}


def test_parts_of_another_sentence_do_not_stay(studio: Studio):
    studio.draw(kit=True)
    assert (studio.folder / "relay_game.webp").is_file()
    first = checksum(studio.folder / "relay_game" / "02_number.mp4")
    studio.draw(OTHER)
    assert not (studio.folder / "relay_game.webp").exists()
    assert checksum(studio.folder / "relay_game" / "02_number.mp4") != first


def test_a_failing_kit_leaves_the_clip(studio: Studio, monkeypatch):
    from studio import kit_parts

    monkeypatch.setattr(kit_parts, "_code", lambda part: f"new {part}")
    monkeypatch.setattr(kit_parts, "parts_for", lambda plan, entry: ("texts", "no such part"))
    with pytest.raises(FaultError) as error:
        studio.draw()
    assert error.value.key == "studio.kit_failed"
    assert (studio.folder / "relay_game.mp4").is_file()
    assert (studio.folder / "relay_game.chapters.vtt").is_file()
