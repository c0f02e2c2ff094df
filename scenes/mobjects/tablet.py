"""The parameters of one layer, written once: W, U and b side by side, an entry to a cell.

    tablet = Tablet(theme, {"W": recurrent_weight, "U": input_weight, "b": bias[:, None]},
                    height=1.1, limit=1.5)
    self.bind_each(tablet.row("W", 3), "fill", recurrent_weight[3], tablet.scale_to, field=…)
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from manim import Rectangle, RoundedRectangle, VGroup

from scenes.channels import Diverging
from scenes.mobjects.text import Label, label
from scenes.theme import Theme

BETWEEN = 0.14  # manim units, between two matrices
PAD = 0.08
ACROSS = 1.75  # width of a cell, of its height


class Tablet(VGroup):
    """Cells of every matrix in a frame, the matrices' names above. Channel of a cell: "fill"."""

    holds_text = True

    def __init__(
        self,
        theme: Theme,
        matrices: Mapping[str, np.ndarray],
        height: float,
        limit: float,
        role: str = "TEXT",
    ) -> None:
        """`height` in manim units, of the cells alone. matrices: name → [row, column]"""
        super().__init__()
        self.scale_to = Diverging(theme, limit)
        rows = next(iter(matrices.values())).shape[0]
        self.side = height / rows
        self.blocks: dict[str, VGroup] = {}
        left = 0.0
        for name, matrix in matrices.items():
            self.blocks[name] = self._block(theme, matrix.shape, left)
            left += matrix.shape[1] * ACROSS * self.side + BETWEEN
        self.cells = VGroup(*self.blocks.values())
        self.frame = RoundedRectangle(
            width=self.cells.width + 2 * PAD, height=height + 2 * PAD, corner_radius=0.08,
            stroke_color=theme.color(role), stroke_width=2.5, fill_opacity=0.0,
        ).move_to(self.cells)
        self.names = VGroup(*[self._name(theme, name, role) for name in matrices])
        self.add(self.cells, self.frame, self.names)

    def _block(self, theme: Theme, shape: tuple[int, ...], left: float) -> VGroup:
        side = self.side
        hair = 1.0 if side > 0.1 else 0.0
        return VGroup(*[
            VGroup(*[
                Rectangle(
                    width=ACROSS * side, height=side, fill_color=theme.ZERO, fill_opacity=1.0,
                    stroke_color=theme.color("BACKGROUND"), stroke_width=hair,
                ).move_to([left + (j + 0.5) * ACROSS * side, -(i + 0.5) * side, 0.0])
                for j in range(shape[1])
            ])
            for i in range(shape[0])
        ])

    def _name(self, theme: Theme, name: str, role: str) -> Label:
        text = label(theme, name, role, "smallest", weight=600)
        text.stand_on(self.frame.get_top()[1] + 0.35 * text.em)
        return text.set_x(self.blocks[name].get_x())  # type: ignore[no-any-return]

    def row(self, name: str, i: int) -> VGroup:
        """The cells of one row of one matrix."""
        return self.blocks[name][i]  # type: ignore[no-any-return]

    def cell(self, name: str, entry: tuple[int, ...]) -> Rectangle:
        return self.blocks[name][entry[0]][entry[1]]  # type: ignore[no-any-return]
