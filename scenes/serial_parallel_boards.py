"""The two boards: a chain of states that waits for itself, and a grid where nothing does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from manim import VGroup, VMobject

from scenes.grid import Band
from scenes.mobjects.text import Label, label
from scenes.theme import Theme

FILL = 0.78  # a tile's share of its slot
HALF = 0.45  # how lit a cell is that has its score but not yet its weight
FLAT = 0.4  # most height of a tile, manim units
STRIP = 0.13  # thickness of the strips along the grid, manim units

Say = Callable[..., str]


def tiles(centres: np.ndarray, width: float, height: float, color: object) -> VMobject:
    """Equal rectangles in one mobject. # centres: [tile, xyz]"""
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) / 2
    ends = corners * [width, height, 0.0]  # [corner, xyz]
    a, b = ends, np.roll(ends, -1, axis=0)
    sides = np.stack([a, (2 * a + b) / 3, (a + 2 * b) / 3, b], axis=1).reshape(-1, 3)  # [16, xyz]
    mark = VMobject(fill_color=color, fill_opacity=1.0, stroke_width=0.0)
    return mark.set_points((centres[:, None] + sides).reshape(-1, 3))  # type: ignore[no-any-return]


class ChainBoard(VGroup):
    """Words and states of one RNN, a tile each; under it the same states as one block."""

    def __init__(self, theme: Theme, band: Band, count: int, say: Say) -> None:
        super().__init__()
        self.theme, em = theme, label(theme, "x", size="smallest").em
        self.left, self.slot = band.left + 1.3 * em, (band.width - 1.3 * em) / count
        upper, lower = band.rows(1.55, 1, gap=0.5 * em)
        self.watched, self.closed = VGroup(), VGroup()
        self.inputs, self.states = self._chain(
            self.watched, upper, say("labels.loop"), ("x", "h"), count
        )
        (self.fused,) = self._chain(self.closed, lower, say("labels.fused"), ("h",), count)
        self.add(self.watched, self.closed)

    def _chain(
        self, into: VGroup, band: Band, name: str, letters: Sequence[str], count: int
    ) -> list[list[VMobject]]:
        """Rows of tiles under a name; the last row is chained. Returns the lit tiles."""
        title = label(self.theme, name, "HIDDEN", "smallest", weight=500)
        em = title.em
        title.move_to([self.left + title.width / 2, band.top - title.height / 2, 0.0])
        into.add(title)
        space = (band.height - 1.4 * em) / len(letters)
        lit: list[list[VMobject]] = []
        for row, letter in enumerate(letters):
            y = band.top - 1.4 * em - (row + 0.5) * space
            last = row == len(letters) - 1
            lit.append(self._row(into, y, min(0.72 * space, FLAT), count, letter, last))
        return lit

    def _row(
        self, into: VGroup, y: float, height: float, count: int, letter: str, chained: bool
    ) -> list[VMobject]:
        color = self.theme.color("HIDDEN" if chained else "SOURCE")
        centres = np.array([[self.left + (t + 0.5) * self.slot, y, 0.0] for t in range(count)])
        if chained:
            chain = VMobject(stroke_color=self.theme.color("LINE"), stroke_width=2.0)
            into.add(chain.set_points_as_corners([centres[0], centres[-1]]))
        into.add(tiles(centres, FILL * self.slot, height, self.theme.color("GRID")))
        lit = [tiles(c[None], FILL * self.slot, height, color) for c in centres]
        into.add(*[tile.set_fill(opacity=0.0) for tile in lit])
        name = label(self.theme, letter, "HIDDEN" if chained else "SOURCE", "smallest", weight=500)
        into.add(name.centre_on(np.array([self.left - 0.7 * name.em, y, 0.0])))
        return lit


def grid_edge(em: float) -> float:
    """Room beside the grid for a strip and its letter, manim units."""
    return 1.3 * em + STRIP


def grid_side(band: Band, em: float) -> float:
    """Side of a grid that fills a band's height, with its title and strips."""
    return min(band.width - 2 * grid_edge(em), band.height - 1.4 * em - 2 * (STRIP + 0.1))


def grid_width(band: Band, em: float) -> float:
    """Width of the whole board with such a grid."""
    return grid_side(band, em) + 2 * grid_edge(em)


class GridBoard(VGroup):
    """n × n attention weights, with queries at the left, keys above, values under them."""

    def __init__(self, theme: Theme, band: Band, count: int, say: Say) -> None:
        super().__init__()
        self.theme, self.count = theme, count
        self.title = label(theme, say("labels.attention"), "HIGH", "smallest", weight=500)
        em = self.title.em
        edge = grid_edge(em)
        side = grid_side(band, em)
        self.slot = side / count
        self.centre = np.array([band.center[0], band.bottom + STRIP + 0.1 + side / 2, 0.0])
        self.side = side
        left = self.centre[0] - side / 2 - edge
        self.title.move_to([left + self.title.width / 2, band.top - self.title.height / 2, 0.0])
        self.add(self.title)
        self.queries = self._strip("q", "QUERY", -1, 0)
        self.keys = self._strip("k", "KEY", 0, 1)
        self.values = self._strip("v", "VALUE", 0, -1)
        self.contexts = self._strip("c", "HIDDEN", 1, 0)
        every = np.concatenate([self._row(i, count) for i in range(count)])
        self.add(tiles(every, FILL * self.slot, FILL * self.slot, theme.color("GRID")))

    def _row(self, i: int, count: int) -> np.ndarray:
        """Centres of the first cells of one row. # [cell, xyz]"""
        corner = self.centre + np.array([-1, 1, 0]) * (self.side - self.slot) / 2
        return corner + np.array([[j * self.slot, -i * self.slot, 0.0] for j in range(count)])

    def rows(self, triangle: bool = False) -> VGroup:
        """Lit cells, a mobject a row: all of them, or those of the words so far."""
        color, side = self.theme.color("HIGH"), FILL * self.slot
        cells = VGroup(*[
            tiles(self._row(i, i + 1 if triangle else self.count), side, side, color)
            for i in range(self.count)
        ])
        return cells.set_fill(opacity=0.0)  # type: ignore[no-any-return]

    def _strip(self, letter: str, role: str, across: int, up: int) -> list[VMobject]:
        """A tile for every word along one side of the grid; returns the lit ones."""
        way = np.array([across, up, 0.0])
        middle = self.centre + way * (self.side / 2 + 0.06 + STRIP / 2)
        along = np.array([0.0, -1.0, 0.0]) if across else np.array([1.0, 0.0, 0.0])
        steps = (np.arange(self.count) - (self.count - 1) / 2) * self.slot
        centres = middle + steps[:, None] * along
        size = (STRIP, FILL * self.slot) if across else (FILL * self.slot, STRIP)
        self.add(tiles(centres, *size, self.theme.color("GRID")))
        lit = [tiles(c[None], *size, self.theme.color(role)) for c in centres]
        self.add(*[tile.set_fill(opacity=0.0) for tile in lit])
        self.add(self._letter(letter, role, middle, across))
        return lit

    def _letter(self, letter: str, role: str, middle: np.ndarray, across: int) -> Label:
        """A strip's letter: beside it, or at its left end."""
        name = label(self.theme, letter, role, "smallest", weight=500)
        out = np.array([across * (STRIP / 2 + 0.55 * name.em), 0.0, 0.0])
        end = np.array([-self.side / 2 - 0.5 * name.em, 0.0, 0.0])
        return name.centre_on(middle + (out if across else end))
