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
    """Channels "position", how far the knob is from the left end in manim units, and "before",
    the same for the hollow knob that remembers an earlier value."""

    def __init__(self, theme: Theme, width: float, height: float = 0.2, role: str = "FORGET"):
        super().__init__()
        self.track = Line([0, 0, 0], [width, 0, 0], color=theme.color("LINE"), stroke_width=2)
        self.knob = RoundedRectangle(
            width=0.14, height=height, corner_radius=0.05, stroke_width=0.0,
            fill_color=theme.color(role), fill_opacity=1.0,
        )
        self.ghost = self.knob.copy().set_fill(opacity=0.0)
        self.ghost.set_stroke(theme.color(role), width=2.0)
        self.scale_to = Linear(0.0, 1.0, 0.0, width)
        self.add(self.track, self.ghost, self.knob)

    def write_channel(self, attribute: str, reading: float) -> bool:
        knob = self._knob(attribute)
        if knob is not None:
            knob.move_to(self.track.get_start() + np.array([reading, 0.0, 0.0]))
        return knob is not None

    def read_channel(self, attribute: str) -> float | None:
        knob = self._knob(attribute)
        return None if knob is None else float(knob.get_x() - self.track.get_start()[0])

    def _knob(self, attribute: str) -> RoundedRectangle | None:
        return {"position": self.knob, "before": self.ghost}.get(attribute)
