"""A gate that slides between two ends: the GRU's update gate, from write (0) to keep (1).

    slider = Slider(theme, width=3.0, role="FORGET")
    self.bind(slider, "position", z, slider.scale_to, field="update_gate", index=(t, unit))
"""

from __future__ import annotations

import numpy as np
from manim import Line, RoundedRectangle, VGroup

from scenes.channels import Linear
from scenes.theme import Theme


class Slider(VGroup):
    """Channel "position": how far the knob is from the left end, in manim units."""

    def __init__(self, theme: Theme, width: float, height: float = 0.2, role: str = "FORGET"):
        super().__init__()
        self.track = Line([0, 0, 0], [width, 0, 0], color=theme.color("LINE"), stroke_width=2)
        self.knob = RoundedRectangle(
            width=0.14, height=height, corner_radius=0.05, stroke_width=0.0,
            fill_color=theme.color(role), fill_opacity=1.0,
        )
        self.scale_to = Linear(0.0, 1.0, 0.0, width)
        self.add(self.track, self.knob)

    def write_channel(self, attribute: str, reading: float) -> bool:
        if attribute == "position":
            self.knob.move_to(self.track.get_start() + np.array([reading, 0.0, 0.0]))
        return attribute == "position"

    def read_channel(self, attribute: str) -> float | None:
        if attribute == "position":
            return float(self.knob.get_x() - self.track.get_start()[0])
        return None
