"""Whether a lesson's words can be drawn at all, asked before anything is computed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from pydantic import BaseModel

from engine.errors import InputError, Phrase
from engine.lesson import Lesson
from engine.tokens import is_chinese
from engine.words import LANGUAGES, words

MOST_NAMED = 6


def check_drawable(lesson: Lesson, stations: Sequence[str]) -> None:
    """Raises InputError that names the key, the first letters without a shape and their script."""
    for station in stations:
        for where, text in _texts(getattr(lesson, station), station):
            check_text(text, where)


def check_text(text: str, where: str) -> None:
    """Raises InputError where the shipped font lacks a letter. `where` is a key or a flag."""
    from scenes.fonts import missing_glyphs

    missing = missing_glyphs(text)
    if missing:
        signs = "".join(missing[:MOST_NAMED])
        codes = " ".join(f"U+{ord(sign):04X}" for sign in missing[:MOST_NAMED])
        raise InputError(
            "sentence.undrawable", where=where, signs=signs, codes=codes, script=script(missing[0])
        )


def script(sign: str) -> Phrase:
    """What a character belongs to, as a reader would call it."""
    kind, name = unicodedata.category(sign), unicodedata.name(sign, "SIGN").split()[0].lower()
    if is_chinese(sign):
        return Phrase("script.rare_han")
    if kind.startswith("M"):
        name = "mark" if name in ("combining", "variation") else name
    elif not kind.startswith("L"):
        name = "sign"
    known = all(f"errors.script.{name}" in words(lang) for lang in LANGUAGES)
    return Phrase(f"script.{name}" if known else "script.other", name=name.capitalize())


def _texts(part: object, where: str) -> Iterator[tuple[str, str]]:
    """Every text below a part of a lesson, with its key."""
    if isinstance(part, str):
        yield where, part
    elif isinstance(part, BaseModel):
        for name in type(part).model_fields:
            yield from _texts(getattr(part, name), f"{where}.{name}")
    elif isinstance(part, tuple):
        for index, item in enumerate(part):
            yield from _texts(item, f"{where}.{index}")
