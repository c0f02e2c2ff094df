"""Where everything of the query-key-value clip stands: one column per word, one lane per role."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scenes.grid import Band, Grid
from scenes.mobjects.word_card import Shape, shapes

WIDEST_COLUMN = 2.4  # manim units
GAP = 0.1  # manim units, between lanes
STRIP = 0.32  # manim units, height of a vector
SUM = 0.34  # manim units, of the lane of what is brought back
NARROWEST_STRIP, WIDEST_STRIP = 0.3, 2.1  # manim units
BEAMS = 0.42  # share of the free height; the bars have the rest
BESIDE = 0.35  # manim units, between names and table
LEAST_BEAMS = 0.35  # manim units


@dataclass(frozen=True)
class Lanes:
    """From top to bottom; `names` is the column at their left."""

    names: Band
    query: Band
    beams: Band
    cards: Band
    keys: Band
    values: Band
    bars: Band
    context: Band
    xs: tuple[float, ...]  # [word]
    pitch: float
    strip: float  # width of a vector under its word; 0 where columns are too narrow
    shapes: tuple[Shape, ...]  # [word]


def make_lanes(grid: Grid, words: Sequence[str], names: float) -> Lanes:
    """Lanes for a row of words; `names` is the width of the column of names."""
    stage = grid.stage
    pitch = min(WIDEST_COLUMN, (stage.width - names - BESIDE) / len(words))
    width = pitch * len(words)
    # Names and table stand in the middle as one; where the names end, the table begins.
    left = float(stage.center[0]) - (names + BESIDE + width) / 2
    table = Band(left + names + BESIDE, left + names + BESIDE + width, stage.bottom, stage.top)
    shaped = shapes(words, pitch, grid.type.body, grid.type.smallest)
    middle = (len(words) - 1) / 2
    xs = tuple(float(table.center[0]) + (j - middle) * pitch for j in range(len(words)))
    strip = min(WIDEST_STRIP, 0.84 * pitch)
    strip = strip if strip >= NARROWEST_STRIP else 0.0
    vector = STRIP if strip else 0.0
    heights = [STRIP, 0.0, max(shape.height for shape in shaped), vector, vector, 0.0, SUM]
    free = table.height - sum(heights) - GAP * (len(heights) - 1)
    beams = max(LEAST_BEAMS, BEAMS * free)
    heights[1], heights[5] = beams, free - beams
    bands, top = [], table.top
    for height in heights:
        bands.append(Band(table.left, table.right, top - height, top))
        top -= height + GAP
    side = Band(left, left + names, stage.bottom, stage.top)
    return Lanes(side, *bands, xs, pitch, strip, tuple(shaped))
