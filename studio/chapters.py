"""Chapters: what each stretch of a film is called, as WebVTT and inside an MP4."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.words import words
from studio.captions import MOST_CHARACTERS, Cue, first_clause, to_vtt

_TICK = Fraction(1, 1000)


@dataclass(frozen=True)
class Chapter:
    """A stretch of a film, in seconds, and its name in every language."""

    start: float
    end: float
    titles: dict[str, str]


def beat_titles(station: str, beat: str, captions: dict[str, str]) -> dict[str, str]:
    """A short name for a beat: `chapters.<station>.<beat>`, else how its caption begins."""
    key = f"chapters.{station}.{beat}"
    return {
        lang: words(lang)(key)
        if key in words(lang)
        else first_clause(caption, MOST_CHARACTERS[lang])
        for lang, caption in captions.items()
    }


def of_beats(station: str, beats: Iterable[dict[str, Any]]) -> list[Chapter]:
    """A chapter for each beat of a clip, as its .beats.json has them."""
    return [
        Chapter(
            float(beat["start"]),
            float(beat["end"]),
            beat_titles(station, beat["name"], beat["captions"]),
        )
        for beat in beats
    ]


def to_chapters_vtt(chapters: Iterable[Chapter], lang: str) -> str:
    """A WebVTT file for `<track kind="chapters">`."""
    return to_vtt([Cue(c.start, c.end, (c.titles[lang],)) for c in chapters], lang)


def for_container(chapters: Sequence[Chapter], languages: Sequence[str]) -> list[dict[str, Any]]:
    """The chapters as PyAV writes them; two languages share a line."""
    return [
        {
            "id": number,
            "start": round(chapter.start / _TICK),
            "end": round(chapter.end / _TICK),
            "time_base": _TICK,
            "metadata": {"title": " · ".join(chapter.titles[lang] for lang in languages)},
        }
        for number, chapter in enumerate(chapters)
    ]
