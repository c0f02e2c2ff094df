"""The numbers of one beat in a line each: for whoever speaks beside the clip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from studio.page_clips import Beat
from studio.page_numbers import said

MOST_FIELDS = 10
MOST_VALUES = 6


@dataclass(frozen=True)
class FigureText:
    """One field of the trace and what it says, such as 0.994, 0.005, 0.002."""

    field: str
    text: str


def figures_said(beat: Beat) -> Iterator[FigureText]:
    """The beat's most important numbers, each field shortened to what can be read in passing."""
    for one in beat.figures[:MOST_FIELDS]:
        shown = [said(value) for value in one.values[:MOST_VALUES]]
        more = len(one.values) - len(shown)
        yield FigureText(one.field, ", ".join(shown) + (f" … (+{more})" if more else ""))
