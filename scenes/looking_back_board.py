"""The controls' board: where the trained grid stands, and the room for what is set beside it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.traces import Lookback
from scenes.base import Station
from scenes.grid import Band
from scenes.looking_back_layout import label_lanes, places
from scenes.looking_back_rows import row_shapes
from scenes.mobjects.word_card import Shape, shapes

WIDEST_STEP = 0.62  # manim units, between columns
GUTTER = 0.55  # manim units, between the trained grid and what stands beside it


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
    name = 1.5 * sizes.label
    least = (stage.height - name) / count
    rows = row_shapes(scene, pair.target, min(WIDEST_STEP, 0.8 * least))
    row_lanes = label_lanes(count, 0.8 * least, sizes.smallest)
    words = (max(row_lanes) + 1) * (max(shape.width for shape in rows) + 0.08)
    room = (stage.width - words - GUTTER) / 2
    pitch = min(WIDEST_STEP, room / len(pair.source))
    lanes = label_lanes(len(pair.source), pitch, 0.95 * sizes.smallest)
    columns = shapes(pair.source, pitch * (max(lanes) + 1), sizes.label, sizes.smallest)
    tall = max(shape.height for shape in columns) + 0.04
    header = stage.top - name - (max(lanes) + 1) * tall
    ys = places(Band(stage.left, stage.right, stage.bottom, header - 0.06), count, WIDEST_STEP)
    left = stage.left + words + pitch / 2
    xs = tuple(left + j * pitch for j in range(len(pair.source)))
    beside = Band(xs[-1] + pitch / 2 + GUTTER, stage.right, stage.bottom, stage.top)
    step = ys[0] - ys[1] if count > 1 else WIDEST_STEP
    return Board(xs, tuple(ys), tuple(columns), tuple(lanes), tuple(rows), tuple(row_lanes),
                 header, stage.top - 0.5 * name, beside, step)
