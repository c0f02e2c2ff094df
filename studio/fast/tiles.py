"""The frame as a grid of square tiles; a set of tiles is one integer, a bit per tile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

TILE = 32  # pixels; even, so that a tile owns whole chroma samples

Tiles = int  # bit ``row * columns + column`` is set for each tile in the set


class Box(NamedTuple):
    """A half-open rectangle: rows ``top:bottom``, columns ``left:right``."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def window(self) -> tuple[slice, slice]:
        """The same rectangle as an index of an array."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


class TileGrid:
    """Tiles over a picture of ``height`` × ``width`` pixels; the last ones may be cut."""

    def __init__(self, height: int, width: int) -> None:
        self.height, self.width = height, width
        self.rows, self.columns = -(-height // TILE), -(-width // TILE)
        self.all: Tiles = (1 << self.rows * self.columns) - 1
        self._row: Tiles = (1 << self.columns) - 1
        self._below = [  # n → the first tile of each of the first n rows
            sum(1 << row * self.columns for row in range(n)) for n in range(self.rows + 1)
        ]

    @property
    def whole(self) -> Box:
        """The whole picture, in pixels."""
        return Box(0, self.height, 0, self.width)

    def share(self, tiles: Tiles) -> float:
        """How much of the grid a set covers, 0 to 1."""
        return tiles.bit_count() / (self.rows * self.columns)

    def around(self, left: float, right: float, top: float, bottom: float) -> Tiles:
        """The tiles that a rectangle in pixels touches; none when it is off the picture."""
        first_row, last_row = max(0, int(top // TILE)), min(self.rows - 1, int(bottom // TILE))
        first, last = max(0, int(left // TILE)), min(self.columns - 1, int(right // TILE))
        if first_row > last_row or first > last:
            return 0
        run = ((1 << last + 1 - first) - 1) << first
        return run * self._below[last_row + 1 - first_row] << first_row * self.columns

    def rectangles(self, tiles: Tiles) -> list[Box]:
        """A set of tiles as few disjoint rectangles in pixels."""
        return [self._pixels(box) for box in self._merged_runs(tiles)]

    def _merged_runs(self, tiles: Tiles) -> Iterator[Box]:
        """Equal runs in neighbouring rows, joined into one box of tiles."""
        begun: dict[tuple[int, int], int] = {}  # run → the row it began in
        for row in range(self.rows + 1):
            runs = set(_runs(tiles >> row * self.columns & self._row))
            for run in [run for run in begun if run not in runs]:
                yield Box(begun.pop(run), row, *run)
            for run in runs:
                begun.setdefault(run, row)

    def _pixels(self, box: Box) -> Box:
        top, bottom, left, right = (edge * TILE for edge in box)
        return Box(top, min(self.height, bottom), left, min(self.width, right))


def _runs(row: Tiles) -> Iterator[tuple[int, int]]:
    """The runs of set bits in one row, as (left, right)."""
    while row:
        lowest = row & -row
        rest = row & (row + lowest)  # the carry runs through the lowest run and clears it
        yield lowest.bit_length() - 1, (row ^ rest).bit_length()
        row = rest
