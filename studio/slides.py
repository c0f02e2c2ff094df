"""Slides for a lecture: `<lesson>.pptx` beside the clips, one slide for each beat.

A slide fills itself with the beat's clip, which plays when the slide is reached and waits at its
last picture. What to say, in every language, and the numbers are in the speaker notes.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from engine.lesson import Lesson
from engine.words import LANGUAGES, words
from studio import clips as films
from studio.cache import Cache, checksum
from studio.delivery import place, recorded, remember
from studio.digests import ROOT, digest, of_files
from studio.page import sentences
from studio.page_clips import Beat, Clip, clips_in
from studio.page_colors import colors
from studio.page_figures import figures_said
from studio.request import as_fault
from studio.slide_parts import add_clip, add_picture, blank_deck, describe, hide_title, set_theme

SHORT_SIDE = 6858000  # EMU: 7.5 inches, as PowerPoint has it
MARGIN = 0.08  # of the slide's width


def make_slides(folder: Path, lesson: Lesson, cache: Cache) -> Path | None:
    """Writes the slides of the clips in `folder`; None where there is no clip, or where a file
    of that name was written or changed by somebody else.

    Raises FaultError when the folder cannot be written to.
    """
    target = slides_of(folder)
    found = clips_in(folder)
    known, files = recorded(folder, target.name)
    if not found or (target.exists() and checksum(target) != files.get(target.name)):
        return None
    try:
        key = _key(folder, lesson, found)
        if known == key and target.exists():
            return target
        workspace = cache.workspace()
        try:
            made = workspace / "slides.pptx"
            slides(folder, found, lesson, workspace).save(str(made))
            place(made, target)
        finally:
            shutil.rmtree(workspace, ignore_errors=True)
        remember(folder, target.name, key, {target.name: checksum(target) or ""})
    except OSError as error:
        raise as_fault(error, folder) from None
    return target


def slides_of(folder: Path) -> Path:
    """Where the slides of a lesson's folder are."""
    return folder / f"{folder.name}.pptx"


def slides(folder: Path, found: list[Clip], lesson: Lesson, work: Path) -> Any:
    """A python-pptx Presentation; `work` is a folder for pictures on their way into it."""
    lang = LANGUAGES[0] if lesson.lang == "both" else lesson.lang
    deck = blank_deck(*_size(found[0]))
    set_theme(deck, colors(lesson.look.theme))
    deck.core_properties.title = words(lang)("page.title")
    deck.core_properties.author = "Lookback"
    deck.core_properties.language = lang
    for clip in found:
        _add_opening(deck, clip, lang, colors(lesson.look.theme))
        for number, beat in enumerate(clip.beats):
            still = folder / beat.still if beat.still else work / f"{clip.station}_{number}.png"
            if not beat.still:
                films.save_frame(folder / clip.film, beat.end - 0.5 / clip.frame_rate, still)
            _add_beat(deck, clip, beat, lang, still, folder / beat.clip if beat.clip else None)
    return deck


def _key(folder: Path, lesson: Lesson, found: list[Clip]) -> str:
    """What the slides are made from."""
    parts = [_code(), lesson.lang, lesson.look.theme]
    for clip in found:
        parts += [clip.stem, *(checksum(folder / f"{clip.stem}{end}") or "" for end in
                               (".json", ".beats.json", Path(clip.film).suffix))]  # fmt: skip
        own = (path for beat in clip.beats for path in (beat.clip, beat.still) if path)
        parts += [f"{path} {checksum(folder / path)}" for path in own]
    return digest(*parts)


@cache
def _code() -> str:
    studio = ROOT / "studio"
    texts = (words(lang)(key) for lang in LANGUAGES for key in sorted(words(lang).keys())
             if key.startswith("page.") or key.endswith((".title", ".note")))  # fmt: skip
    return digest(of_files([*studio.glob("slide*.py"), *studio.glob("page_*.py")], ROOT), *texts)


def _size(clip: Clip) -> tuple[int, int]:
    """Width and height of a slide in EMU: the clip's proportions."""
    unit = SHORT_SIDE / min(clip.width, clip.height)
    return round(clip.width * unit), round(clip.height * unit)


def _add_opening(deck: Any, clip: Clip, lang: str, ink: Mapping[str, str]) -> None:
    """The station's name and the sentences it shows."""
    from pptx.enum.text import PP_ALIGN

    slide = deck.slides.add_slide(deck.slide_layouts.get_by_name("Title Only"))
    wide, high = deck.slide_width, deck.slide_height
    left, width = round(MARGIN * wide), round((1 - 2 * MARGIN) * wide)
    title = slide.shapes.title
    title.left, title.top, title.width, title.height = left, round(0.26 * high), width, high // 5
    title.text_frame.text = words(lang)(f"{clip.station}.title")
    title.text_frame.paragraphs[0].alignment = PP_ALIGN.LEFT
    box = slide.shapes.add_textbox(left, high // 2, width, high // 3)
    _add_sentences(box.text_frame, clip, ink)
    notes = [words(one)(f"{clip.station}.note").strip() for one in LANGUAGES
             if f"{clip.station}.note" in words(one)]  # fmt: skip
    slide.notes_slide.notes_text_frame.text = "\n\n".join(notes)


def _add_sentences(frame: Any, clip: Clip, ink: Mapping[str, str]) -> None:
    """A paragraph for each sentence or pair, in the colours of source and target."""
    from pptx.util import Pt

    frame.word_wrap = True
    for number, (source, target, _) in enumerate(sentences(clip.trace)):
        paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        paragraph.space_after = Pt(8)
        _add_run(paragraph, " ".join(source), ink["source"])
        if target:
            _add_run(paragraph, f"   → {' '.join(target)}", ink["target"])


def _add_run(paragraph: Any, text: str, color: str) -> None:
    from pptx.dml.color import RGBColor
    from pptx.util import Pt

    run = paragraph.add_run()
    run.text = text
    run.font.size = Pt(20)
    run.font.color.rgb = RGBColor.from_string(color.lstrip("#"))


def _add_beat(deck: Any, clip: Clip, beat: Beat, lang: str, still: Path, film: Path | None) -> None:
    """The beat's clip over the whole slide; its still, where there is no clip."""
    slide = deck.slides.add_slide(deck.slide_layouts.get_by_name("Title Only"))
    hide_title(slide, beat.captions[lang])
    box = _fitted(deck.slide_width, deck.slide_height, clip)
    if film is None:
        shape = add_picture(slide, still, box)
    else:
        shape = add_clip(slide, film, still, box, round(1000 * (beat.end - beat.start)))
    describe(shape, words(lang)(f"{clip.station}.title"), beat.captions[lang])
    slide.notes_slide.notes_text_frame.text = "\n".join(_notes(beat, lang))


def _fitted(wide: int, high: int, clip: Clip) -> tuple[int, int, int, int]:
    """Left, top, width and height of the clip on a slide, as large as it can be."""
    unit = min(wide / clip.width, high / clip.height)
    width, height = round(clip.width * unit), round(clip.height * unit)
    return (wide - width) // 2, (high - height) // 2, width, height


def _notes(beat: Beat, lang: str) -> Iterator[str]:
    """What is said, in every language, and the numbers behind the picture."""
    for one in sorted(LANGUAGES, key=lambda other: other != lang):
        yield beat.captions[one]
    figures = [f"{one.field} = {one.text}" for one in figures_said(beat)]
    if figures:
        yield from ("", words(lang)("page.deck.numbers"), *figures)
