"""Where everything of the looking-back clip stands, computed from the stage and the words.

    names and formulas | the table: one column per source word | what is said
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scenes.grid import Band, Grid
from scenes.mobjects.word_card import Shape, flat, shapes

WIDE = 1.2  # width over height of a frame that has room for formulas beside the table
WIDEST_COLUMN = 2.05  # manim units
HIGHEST_ROW = 0.66  # manim units
GAP = 0.08  # manim units, between lanes
STRIP = 0.26  # manim units, height of an annotation
NARROWEST_STRIP = 0.36  # manim units
CONTEXT = 0.5  # manim units, height of the context
SHARES = (0.46, 0.29, 0.25)  # of the free height: beams, scores, weights


@dataclass(frozen=True)
class Desk:
    """The lanes of the table from top to bottom, and what stands beside them."""

    gutter: Band  # names and formulas; later the words written so far
    speech: Band  # the word being said; later its probability
    decoder: Band
    beams: Band
    cards: Band
    strips: Band
    scores: Band
    weights: Band
    context: Band
    xs: tuple[float, ...]  # [source], the middle of each column
    pitch: float
    card_shapes: tuple[Shape, ...]  # [source]

    @property
    def strip_width(self) -> float:
        """Width of an annotation; 0 where a column is too narrow to draw one."""
        return _strip_width(self.pitch)

    @property
    def rows(self) -> Band:
        """Room for the grid under the cards."""
        return Band(self.cards.left, self.cards.right, self.context.bottom, self.cards.bottom - GAP)

    @property
    def risen_rows(self) -> Band:
        """The same when the cards have risen to the top of the stage."""
        top = self.decoder.top - self.cards.height - GAP
        return Band(self.cards.left, self.cards.right, self.context.bottom, top)


def places(band: Band, count: int, most: float = HIGHEST_ROW) -> list[float]:
    """y of each of `count` rows of a band, from its top."""
    step = min(most, band.height / count)
    return [band.top - (i + 0.5) * step for i in range(count)]


def make_desk(grid: Grid, source: Sequence[str], gutter: float, speech: float) -> Desk:
    """The desk for one source sentence. `gutter` and `speech` are widths in manim units."""
    side, table, mouth = _columns(grid.stage, gutter, speech)
    pitch = min(WIDEST_COLUMN, table.width / len(source))
    shaped = shapes(source, pitch, grid.type.body, grid.type.smallest)
    middle = (len(source) - 1) / 2
    xs = tuple(float(table.center[0]) + (j - middle) * pitch for j in range(len(source)))
    strips = STRIP if _strip_width(pitch) else 0.0
    heights = [flat("", grid.type.body).height, 0.0, max(s.height for s in shaped), strips, 0, 0,
               CONTEXT]
    free = table.height - sum(heights) - GAP * (len(heights) - 1)
    for lane, share in zip((1, 4, 5), SHARES, strict=True):
        heights[lane] = share * free
    return Desk(side, mouth, *_stack(table, heights), xs, pitch, tuple(shaped))


def _strip_width(pitch: float) -> float:
    width = min(1.7, 0.86 * pitch)
    return width if width >= NARROWEST_STRIP else 0.0


def _columns(stage: Band, gutter: float, speech: float) -> tuple[Band, Band, Band]:
    gap = 0.2
    left, right = stage.left + gutter, stage.right - speech
    return (
        Band(stage.left, left, stage.bottom, stage.top),
        Band(left + gap, right - gap, stage.bottom, stage.top),
        Band(right, stage.right, stage.bottom, stage.top),
    )


def _stack(table: Band, heights: Sequence[float]) -> list[Band]:
    bands, top = [], table.top
    for height in heights:
        bands.append(Band(table.left, table.right, top - height, top))
        top -= height + GAP
    return bands


def label_lanes(count: int, pitch: float, needed: float) -> list[int]:
    """Which lane each of `count` labels stands in, so that those of one lane do not touch.

    With room enough all stand in lane 0; else neighbours take turns.
    """
    lanes = max(1, int(np.ceil(needed / pitch - 1e-6)))
    return [i % lanes for i in range(count)]
