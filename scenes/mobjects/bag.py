"""A bag: words go in, their order does not. It tells the story and carries no data."""

from __future__ import annotations

import numpy as np
from manim import VMobject

from scenes.grid import Band
from scenes.theme import Theme

SHOULDER = 0.14  # manim units by which the mouth is narrower on each side
ROUND = 0.22  # manim units, radius at the ground
INSIDE = 0.16  # manim units, from the cloth to the words


class Bag(VMobject):
    """An open outline that fills a band; `inner` is where words may lie."""

    def __init__(self, theme: Theme, band: Band) -> None:
        super().__init__(
            stroke_color=theme.color("LINE"), stroke_width=3.5, fill_opacity=0.0
        )
        left, right, low, top = band.left, band.right, band.bottom, band.top
        self.start_new_path(np.array([left + SHOULDER, top, 0.0]))
        self._curve([left, top - 0.35, 0], [left, (low + top) / 2, 0], [left, low + ROUND, 0])
        self._curve([left, low, 0], [left, low, 0], [left + ROUND, low, 0])
        self.add_line_to(np.array([right - ROUND, low, 0.0]))
        self._curve([right, low, 0], [right, low, 0], [right, low + ROUND, 0])
        self._curve([right, (low + top) / 2, 0], [right, top - 0.35, 0],
                    [right - SHOULDER, top, 0])
        side = INSIDE + SHOULDER
        self.inner = Band(left + side, right - side, low + INSIDE, top - INSIDE / 2)

    def _curve(self, *points: list[float]) -> None:
        self.add_cubic_bezier_curve_to(*[np.array(point, dtype=float) for point in points])
