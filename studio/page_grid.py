"""The alignment grid as a drawing: where each cell lies, how full it is, what it says."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from engine.traces import Lookback

CELL = 46.0
EM = 16.0  # size of the letters
GAP = 10.0
LONGEST = 9.0  # ems that a word may take beside the grid; what is longer ends in …
FAINT = 0.005  # a weight that would be written 0.00 is not written

#: LOW and HIGH of each theme, for the ink of the figures; a test holds them to the theme's.
SCALES = {"dark": ("#1C2530", "#FFE08A"), "light": ("#F0EEE8", "#766A00")}


@dataclass(frozen=True)
class Cell:
    """One weight."""

    x: float
    y: float
    weight: float
    inks: str  # class names: black or white figures in each theme
    source: str
    target: str

    @property
    def figures(self) -> str:
        return f"{self.weight:.2f}" if self.weight >= FAINT else ""


@dataclass(frozen=True)
class Word:
    """A word beside the grid, at its anchor."""

    x: float
    y: float
    text: str  # as drawn
    whole: str


@dataclass(frozen=True)
class Grid:
    """[target, source] in user units of an SVG drawing."""

    width: float
    height: float
    rows: tuple[tuple[Word, tuple[Cell, ...]], ...]
    columns: tuple[Word, ...]
    turned: bool  # whether the words above are set at an angle


def alignment_grid(pair: Lookback) -> Grid:
    """The grid of a pair: one row for each target word, as in the clip."""
    sources, targets = [_shown(w) for w in pair.source], [_shown(w) for w in pair.target]
    left = max(map(_width, targets)) + GAP
    longest = max(map(_width, sources))
    turned = longest > CELL - 4
    top = (longest * 0.71 + EM if turned else EM) + GAP
    columns = tuple(
        Word(left + (index + 0.5) * CELL, top - GAP, text, whole)
        for index, (text, whole) in enumerate(zip(sources, pair.source, strict=True))
    )
    rows = tuple(
        (
            Word(left - GAP, top + (i + 0.5) * CELL, text, pair.target[i]),
            tuple(_cells(pair, i, left, top + i * CELL)),
        )
        for i, text in enumerate(targets)
    )
    spare = longest * 0.71 if turned else 0.0  # the last turned word reaches beyond the grid
    width = left + len(sources) * CELL + max(2.0, spare - CELL / 2)
    return Grid(width, top + len(targets) * CELL + 2, rows, columns, turned)


def _cells(pair: Lookback, row: int, left: float, y: float) -> Sequence[Cell]:
    return [
        Cell(left + j * CELL, y, float(weight), _inks(float(weight)), word, pair.target[row])
        for j, (word, weight) in enumerate(zip(pair.source, pair.weights[row], strict=True))
    ]


def _inks(weight: float) -> str:
    """Black or white, whichever stands out more from the cell: always more than 4.5 : 1."""
    names = []
    for theme, (low, high) in SCALES.items():
        mixed = [a + (b - a) * weight for a, b in zip(_rgb(low), _rgb(high), strict=True)]
        names.append(f"{theme}-{'black' if _luminance(mixed) > 0.179 else 'white'}")
    return " ".join(names)


def _rgb(color: str) -> list[float]:
    return [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def _luminance(rgb: list[float]) -> float:
    """Relative luminance (WCAG 2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return sum(c * share for c, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def _ems(sign: str) -> float:
    return 1.0 if unicodedata.east_asian_width(sign) in "WF" else 0.6


def _width(text: str) -> float:
    return sum(map(_ems, text)) * EM


def _shown(word: str) -> str:
    """The word, or its beginning where it is too long to stand beside a grid."""
    if _width(word) <= LONGEST * EM:
        return word
    kept = ""
    while _width(kept + word[len(kept)]) <= (LONGEST - 1) * EM:
        kept += word[len(kept)]
    return f"{kept}…"
