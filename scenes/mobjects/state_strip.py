"""A vector as a strip of cells on the diverging scale, its range fixed once for a clip.

    strip = StateStrip(theme, size=32, width=6, limit=1.0, role="HIDDEN")
    self.bind_each(strip.cells, "fill", state, strip.scale_to, field="hidden_states", index=(t,))
"""

from __future__ import annotations

import numpy as np
from manim import ManimColor, Rectangle, RoundedRectangle, Square, VGroup

from scenes.channels import Diverging
from scenes.mobjects.number_label import NumberLabel, fixed
from scenes.theme import Theme, contrast


class StateStrip(VGroup):
    """`size` cells in `rows` rows inside a frame of the role's colour.

    The strip keeps its shape whatever it holds: that is the point of a fixed context.
    """

    holds_text = True

    def __init__(
        self,
        theme: Theme,
        size: int,
        width: float,
        limit: float = 1.0,
        role: str = "HIDDEN",
        rows: int = 1,
        height: float | None = None,
    ) -> None:
        """`width` and `height` in manim units; without `height` the cells are square."""
        super().__init__()
        self.theme, self.scale_to = theme, Diverging(theme, limit)
        columns = -(-size // rows)
        cell = (width / columns, (height / rows) if height else width / columns)
        hair = 1.0 if min(cell) > 0.12 else 0.0
        self.cells = VGroup(
            *[
                Rectangle(
                    width=cell[0], height=cell[1], fill_color=theme.ZERO, fill_opacity=1.0,
                    stroke_color=theme.color("BACKGROUND"), stroke_width=hair,
                )
                for _ in range(size)
            ]
        ).arrange_in_grid(rows=rows, cols=columns, buff=0.0)
        self.frame = RoundedRectangle(
            width=width + 0.08, height=cell[1] * rows + 0.08, corner_radius=0.05,
            stroke_color=theme.color(role), stroke_width=2.5, fill_opacity=0.0,
        )
        self.frame.move_to(self.cells)
        self.add(self.cells, self.frame)

    def set_values(self, values: np.ndarray) -> StateStrip:
        """Colours all cells. values: [size]"""
        for cell, value in zip(self.cells, values, strict=True):
            cell.set_fill(self.scale_to(float(value)), opacity=1.0)
        return self

    def written(self, values: np.ndarray, decimals: int = 1) -> VGroup:
        """The numbers on their cells, in whichever of text and ground reads better."""
        labels = VGroup()
        for cell, value in zip(self.cells, values, strict=True):
            role = self._readable_on(cell.get_fill_color())
            number = NumberLabel(
                self.theme, float(value), role=role, size="smallest", format=fixed(decimals)
            )
            labels.add(number.centre_on(cell.get_center()))
        self.add(labels)
        return labels

    def _readable_on(self, ground: ManimColor) -> str:
        roles = ("TEXT", "BACKGROUND")
        return max(roles, key=lambda role: contrast(self.theme.color(role), ground))


def swatch(theme: Theme, color: object, side: float = 0.2) -> Square:
    """A small square of one colour, for legends."""
    return Square(side, fill_color=color, fill_opacity=1.0, stroke_width=0.0)
