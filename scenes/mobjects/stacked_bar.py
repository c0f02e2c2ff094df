"""Parts of a whole, end to end: each segment's width is its share on one linear scale."""

from __future__ import annotations

import numpy as np
from manim import RIGHT, Rectangle, VGroup

from scenes.channels import Linear
from scenes.theme import Theme


class StackedBar(VGroup):
    """`count` segments in a row, `width` manim units for the value `total`.

    Neighbours alternate between two strengths, so that edges are seen without hue.
    """

    def __init__(
        self,
        theme: Theme,
        values: np.ndarray,  # [segment], none negative
        width: float,
        height: float,
        role: str = "GRADIENT",
        total: float | None = None,
    ) -> None:
        super().__init__()
        self.scale_to = Linear(0.0, float(total or np.sum(values)), 0.0, width)
        for i, value in enumerate(values):
            self.add(
                Rectangle(
                    width=max(self.scale_to(float(value)), 1e-6), height=height,
                    fill_color=theme.color(role), fill_opacity=1.0 if i % 2 == 0 else 0.6,
                    stroke_width=0.0,
                )
            )
        self.arrange(RIGHT, buff=0.0)
