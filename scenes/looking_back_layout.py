"""Where everything of the looking-back clip stands, computed from the stage and the words.

    names and formulas | the table: one column per source word | what is said
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.traces import Lookback
from scenes.grid import Band, Grid
from scenes.mobjects.word_card import Shape, flat, shapes

NARROW = 9.0  # manim units: a narrower stage has no room for formulas beside the table
WIDEST_COLUMN = 2.05  # manim units
LOWEST = 0.95  # em, from one line of words to the next where room is scarce
HIGHEST_ROW = 0.66  # manim units
GAP = 0.08  # manim units, between lanes
STATE = 0.28  # manim units, height of a state of the decoder
STRIP = 0.26  # manim units, height of an annotation
NARROWEST_STRIP, WIDEST_STRIP = 0.36, 1.7  # manim units
FOLLOWERS = 0.95  # manim units, for signs and arrow between the asking state and the word
SIGN = 0.4  # manim units, for the sign before a state
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
    mouth: float  # x of the word that is being said
    asker: float  # x of the state that asks
    strip_width: float  # of an annotation; 0 where columns are too narrow to draw one
    state_width: float  # of a strip of the decoder
    card_shapes: tuple[Shape, ...]  # [source]

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


def make_desk(
    grid: Grid, source: Sequence[str], gutter: float, speech: float, word: float
) -> Desk:
    """The desk for one source sentence; `word` is the width of the widest word said.

    `gutter` and `speech` are the widths of the columns beside the table. All in manim units.
    """
    side, table, mouth = _columns(grid.stage, gutter, speech)
    pitch = min(WIDEST_COLUMN, table.width / len(source))
    shaped = shapes(source, pitch, grid.type.body, grid.type.smallest)
    middle = (len(source) - 1) / 2
    xs = tuple(float(table.center[0]) + (j - middle) * pitch for j in range(len(source)))
    strip = _strip_width(pitch, table.width)
    heights = [flat("", grid.type.body).height, 0.0, max(s.height for s in shaped),
               STRIP if strip else 0.0, 0.0, 0.0,
               CONTEXT]
    free = table.height - sum(heights) - GAP * (len(heights) - 1)
    for lane, share in zip((1, 4, 5), SHARES, strict=True):
        heights[lane] = share * free
    state = max(strip, min(WIDEST_STRIP, 0.22 * table.width))
    said = min(float(mouth.center[0]), grid.stage.right - word / 2)
    # The asking state stands over the middle of the table, or as far left as it must for the
    # context and the word to follow it on the same line.
    asker = min(float(table.center[0]), said - word / 2 - 1.5 * state - FOLLOWERS)
    asker = max(asker, grid.stage.left + state / 2 + SIGN)
    return Desk(side, mouth, *_stack(table, heights), xs, pitch, said, asker, strip, state,
                tuple(shaped))


def _strip_width(pitch: float, table: float) -> float:
    width = min(WIDEST_STRIP, 0.86 * pitch, 0.4 * table)
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


def disputed(pair: Lookback) -> list[int]:
    """The target words that the model itself would not have said, whatever their capitals."""
    return [
        i for i, (given, said) in enumerate(zip(pair.target, pair.said, strict=True))
        if given.casefold() != said.casefold()
    ]


def label_lanes(count: int, pitch: float, needed: float) -> list[int]:
    """Which lane each of `count` labels stands in, so that those of one lane do not touch.

    With room enough all stand in lane 0; else neighbours take turns.
    """
    lanes = max(1, int(np.ceil(needed / pitch - 1e-6)))
    return [i % lanes for i in range(count)]
