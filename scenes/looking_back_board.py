"""The controls' board: where the trained grid stands, and the room for what is set beside it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.traces import Lookback
from scenes.base import Station
from scenes.grid import Band
from scenes.looking_back_layout import LOWEST, label_lanes, places
from scenes.looking_back_rows import row_shapes
from scenes.mobjects.word_card import Shape, shapes

WIDEST_STEP = 0.62  # manim units, between columns
GUTTER = 0.55  # manim units, between the trained grid and what stands beside it
EDGE = 0.08  # manim units that the last word may reach over its column


@dataclass(frozen=True)
class Board:
    """Where the trained grid stands and what is left beside it."""

    xs: tuple[float, ...]  # [source]
    ys: tuple[float, ...]  # [target]
    columns: tuple[Shape, ...]  # [source], the words over the grid
    lanes: tuple[int, ...]  # [source], counted upwards
    rows: tuple[Shape, ...]  # [target], the words at its left
    row_lanes: tuple[int, ...]  # [target], counted to the left
    header: float  # y of the lower edge of the words over the grid
    title: float  # y of the grids' names
    beside: Band  # room at the right
    step: float  # between rows


def make_board(scene: Station, pair: Lookback) -> Board:
    """The stage: row words, trained grid, and as much again beside it."""
    stage, sizes, count = scene.grid.stage, scene.grid.type, len(pair.target)
    name, step = 1.5 * sizes.label, stage.height / len(pair.target)
    # The words over the grid decide how low rows are, and these how many lanes row words need.
    for _ in range(3):
        words = row_words(scene, pair, step)
        columns, lanes, pitch = _columns(scene, pair, words)
        tall = max(shape.height for shape in columns) + 0.04
        header = stage.top - name - (max(lanes) + 1) * tall
        ys = places(Band(0, 0, stage.bottom, header - 0.06), count, WIDEST_STEP)
        step = ys[0] - ys[1] if count > 1 else WIDEST_STEP
    left = stage.left + words + pitch / 2
    xs = tuple(left + j * pitch for j in range(len(pair.source)))
    room = Band(xs[-1] + pitch / 2 + _gutter(stage), stage.right, stage.bottom, stage.top)
    rows = row_shapes(scene, pair.target, step)
    row_lanes = label_lanes(count, step, LOWEST * sizes.smallest)
    return Board(xs, tuple(ys), tuple(columns), tuple(lanes), tuple(rows), tuple(row_lanes),
                 header, stage.top - 0.5 * name, room, step)


def _gutter(stage: Band) -> float:
    return min(GUTTER, 0.06 * stage.width)


def row_words(scene: Station, pair: Lookback, step: float) -> float:
    """Width of the words at the left of the grid, in as many lanes as they need."""
    lanes = label_lanes(len(pair.target), step, LOWEST * scene.grid.type.smallest)
    shaped = row_shapes(scene, pair.target, step)
    return (max(lanes) + 1) * (max(shape.width for shape in shaped) + 0.08)


def _columns(
    scene: Station, pair: Lookback, words: float
) -> tuple[list[Shape], list[int], float]:
    """Shapes and lanes of the words over the grid, and the step between columns."""
    sizes, count = scene.grid.type, len(pair.source)
    stage = scene.grid.stage
    room = (stage.width - words - _gutter(stage)) / 2 - EDGE
    pitch = min(WIDEST_STEP, room / count)
    lanes = label_lanes(count, pitch, LOWEST * sizes.smallest)
    shaped = shapes(pair.source, pitch * (max(lanes) + 1), sizes.label, sizes.smallest)
    return shaped, lanes, pitch
