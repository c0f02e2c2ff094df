"""The note that the runners pass on: an envelope whose ink is what is left of the gradient.

    note = Note(theme, width=0.4)
    self.bind(note, "fill_opacity", relative, INK, field="relative_gradients", index=(t,))

Its outline never fades, so that a note without ink can still be followed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from manim import Rectangle, VGroup, VMobject

from scenes.theme import Theme

OUTLINE = 0.6  # stroke opacity, the same however much ink is left
SHAPE = 0.68  # height against width


@dataclass(frozen=True)
class Ink:
    """Opacity as it is, full from 1 on: what the optimiser feels. `log10` for log₁₀ values."""

    log10: bool = False

    def __call__(self, value: float) -> float:
        if self.log10:
            return float(10.0 ** min(value, 0.0))
        return float(np.clip(value, 0.0, 1.0))

    def describe(self) -> str:
        return "10^value, at most 1" if self.log10 else "linear [0, 1] -> [0, 1], at most 1"


INK, INK_OF_LOG10 = Ink(), Ink(log10=True)


class Note(VGroup):
    """An envelope. Channel: "fill_opacity", the ink of its sheet."""

    def __init__(self, theme: Theme, width: float) -> None:
        super().__init__()
        color, height = theme.color("GRADIENT"), SHAPE * width
        self.sheet = Rectangle(
            width=width, height=height, fill_color=color, fill_opacity=0.0, stroke_width=0.0
        )
        left, right, top = -width / 2, width / 2, height / 2
        corners = [[left, top, 0], [left, -top, 0], [right, -top, 0], [right, top, 0],
                   [left, top, 0], [0, -0.1 * height, 0], [right, top, 0]]
        self.outline = VMobject(stroke_color=color, stroke_width=1.6, stroke_opacity=OUTLINE)
        self.outline.set_points_as_corners(np.array(corners))
        # The flap must be seen on a full sheet too.
        self.flap = VMobject(stroke_color=theme.color("BACKGROUND"), stroke_width=1.6)
        self.flap.set_points_as_corners(np.array(corners[4:]))
        self.flap.set_stroke(opacity=OUTLINE)
        self.add(self.sheet, self.outline, self.flap)

    def write_channel(self, attribute: str, reading: float) -> bool:
        if attribute == "fill_opacity":
            self.sheet.set_fill(opacity=reading)
            self.flap.set_stroke(opacity=OUTLINE * reading)
        return attribute == "fill_opacity"

    def read_channel(self, attribute: str) -> float | None:
        return float(self.sheet.get_fill_opacity()) if attribute == "fill_opacity" else None
