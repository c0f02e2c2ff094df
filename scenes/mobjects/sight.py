"""A look from one word of a row at another: an arc as wide as its weight.

    sight = Sight(theme, start, end, height)
    self.bind(sight, "stroke_width", weight, SIGHT, field="told.weights", index=(i, j))
"""

from __future__ import annotations

import numpy as np
from manim import CubicBezier

from scenes.channels import Linear
from scenes.theme import Theme

WIDEST = 0.24  # manim units, a weight of 1
SIGHT = Linear(0.0, 1.0, 0.0, 100.0 * WIDEST)  # manim's stroke widths
LOOP = 0.3  # manim units, half the width of a look at oneself
HANDLE = 4 / 3  # of a cubic curve's height that its handles reach


class Sight(CubicBezier):
    """An arc that leaves and enters upright. Channel: "stroke_width"."""

    def __init__(
        self,
        theme: Theme,
        start: np.ndarray,
        end: np.ndarray,
        height: float,
        role: str = "HIGH",
        opacity: float = 0.9,
    ) -> None:
        """`height` over the ends in manim units, negative below; a start that is the end loops."""
        start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
        up = np.array([0.0, HANDLE * height, 0.0])
        aside = np.array([LOOP, 0.0, 0.0]) if np.allclose(start, end) else np.zeros(3)
        super().__init__(
            start, start + up - aside, end + up + aside, end, color=theme.color(role),
            stroke_width=0.0, stroke_opacity=opacity, fill_opacity=0.0,
        )
        self.set_z_index(-1)
