"""The frame as a grid of square tiles, and the tiles that changed as few rectangles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

TILE = 32  # pixels; even, so that a tile owns whole chroma samples


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

    @property
    def whole(self) -> Box:
        """The whole picture, in pixels."""
        return Box(0, self.height, 0, self.width)

    def mask(self) -> np.ndarray:
        """A mask with no tile marked."""
        return np.zeros((self.rows, self.columns), dtype=bool)  # [tile row, tile column]

    def around(self, left: float, right: float, top: float, bottom: float) -> Box:
        """The tiles that a rectangle in pixels touches; empty when it is off the picture."""
        return Box(
            max(0, int(top // TILE)),
            max(0, min(self.rows, int(bottom // TILE) + 1)),
            max(0, int(left // TILE)),
            max(0, min(self.columns, int(right // TILE) + 1)),
        )

    def rectangles(self, mask: np.ndarray) -> list[Box]:
        """The marked tiles as disjoint rectangles in pixels."""
        return [self._pixels(box) for box in _merged_runs(mask)]

    def _pixels(self, box: Box) -> Box:
        top, bottom, left, right = (edge * TILE for edge in box)
        return Box(top, min(self.height, bottom), left, min(self.width, right))


def _runs(row: np.ndarray) -> set[tuple[int, int]]:
    """The runs of marked tiles in one row, as (left, right)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], row.view(np.int8), [0]))))
    return set(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _merged_runs(mask: np.ndarray) -> Iterator[Box]:
    """Equal runs in neighbouring rows, joined into one box of tiles."""
    open_runs: dict[tuple[int, int], int] = {}  # run → the row it began in
    for y in range(len(mask) + 1):
        runs = _runs(mask[y]) if y < len(mask) and mask[y].any() else set()
        for run in [run for run in open_runs if run not in runs]:
            yield Box(open_runs.pop(run), y, *run)
        for run in runs:
            open_runs.setdefault(run, y)
