"""Weights on a board: a line falls from every source word, one runs from every target word,
and where they meet a dot is as large as the weight. On dense boards a cell is as bright instead.

    grid = AlignmentGrid(theme, xs, ys)
    self.bind(grid.mark(i, j), grid.attribute, weight, grid.scale_to, field="…", index=(i, j))
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from manim import Dot, Line, Rectangle, VGroup, VMobject

from scenes.channels import Linear, Scale, Sequential
from scenes.theme import Theme

SHARE = 0.46  # of the smaller step between lines: the radius of a weight of 1
LARGEST = 0.3  # manim units, a radius
SMALLEST_RADIUS = 0.1  # manim units: below it cells are drawn instead of dots
LARGEST_STEP = 0.65  # manim units, of a lone line
UNSEEN_RADIUS = 1e-3  # manim units
UNSEEN_SHADE = 0.02  # weight: a shade that no eye tells from none


class AlignmentGrid(VGroup):
    """`marks` by (target, source); `attribute` and `scale_to` say how a weight is drawn.

    Dots: "radius", linear, full at 1. Cells: "fill", the sequential scale, full at 1.
    """

    def __init__(
        self,
        theme: Theme,
        xs: Sequence[float],
        ys: Sequence[float],
        top: float | None = None,
        left: float | None = None,
        role: str = "HIGH",
    ) -> None:
        """`xs` [source] and `ys` [target] are the lines' places; lines of source words begin at
        `top`, those of target words at `left` (default: half a step outside)."""
        super().__init__()
        self.theme, self.role = theme, role
        self.xs, self.ys = list(xs), list(ys)
        self.steps = (_step(self.xs), _step(self.ys))
        self.radius = min(LARGEST, SHARE * min(self.steps))
        self.dotted = self.radius >= SMALLEST_RADIUS
        self.attribute = "radius" if self.dotted else "fill"
        self.scale_to: Scale = (
            Linear(0.0, 1.0, 0.0, self.radius) if self.dotted else Sequential(theme)
        )
        self.marks: dict[tuple[int, int], VMobject] = {}
        self.lines = self._lines(top, left) if self.dotted else self._ground()
        self.add(self.lines)

    def _lines(self, top: float | None, left: float | None) -> VGroup:
        right, bottom = self.xs[-1] + self.steps[0] / 2, self.ys[-1] - self.steps[1] / 2
        high = self.ys[0] + self.steps[1] / 2 if top is None else top
        low = self.xs[0] - self.steps[0] / 2 if left is None else left
        upright = [Line([x, high, 0], [x, bottom, 0]) for x in self.xs]
        level = [Line([low, y, 0], [right, y, 0]) for y in self.ys]
        lines = VGroup(*upright, *level).set_stroke(self.theme.color("GRID"), width=1.5)
        return lines.set_z_index(-3)  # type: ignore[no-any-return]

    def _ground(self) -> VGroup:
        """The whole board at the shade of no weight."""
        width, height = (n * s for n, s in zip((len(self.xs), len(self.ys)), self.steps,
                                               strict=True))
        ground = Rectangle(width=width, height=height, stroke_width=1.0)
        ground.set_fill(self.theme.LOW, 1.0).set_stroke(self.theme.color("GRID"))
        ground.move_to([np.mean(self.xs), np.mean(self.ys), 0.0])
        return VGroup(ground).set_z_index(-3)  # type: ignore[no-any-return]

    def point(self, i: int, j: int) -> np.ndarray:
        """Where the lines of target word i and source word j meet."""
        return np.array([self.xs[j], self.ys[i], 0.0])

    def mark(self, i: int, j: int) -> VMobject:
        """The dot or cell of one weight, made when first asked for, on screen once played."""
        if (i, j) not in self.marks:
            self.marks[i, j] = self._dot() if self.dotted else self._cell()
            self.marks[i, j].move_to(self.point(i, j))
        return self.marks[i, j]

    def _dot(self) -> Dot:
        return Dot(radius=self.radius, color=self.theme.color(self.role))

    def _cell(self) -> Rectangle:
        width, height = self.steps
        cell = Rectangle(width=width, height=height, stroke_width=0.0)
        return cell.set_fill(self.theme.color(self.role), 1.0)

    def seen(self, weights: np.ndarray) -> list[tuple[int, int]]:
        """The entries that are large enough to be seen. weights: [target, source]"""
        least = UNSEEN_RADIUS / self.radius if self.dotted else UNSEEN_SHADE
        return [(int(i), int(j)) for i, j in np.argwhere(weights > least)]

    @property
    def whole(self) -> VGroup:
        """Lines and all marks made so far."""
        return VGroup(self.lines, *self.marks.values())


def _step(places: Sequence[float]) -> float:
    return min((abs(b - a) for a, b in pairwise(places)), default=LARGEST_STEP)
