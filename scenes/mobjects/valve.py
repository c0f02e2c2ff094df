"""A gate as a valve across a stream: upright is shut (0), level is open (1).

The leaf's angle is the mean of the gate over units; the fan behind it spans two quantiles.

    valve = Valve(theme, radius=0.5, role="FORGET")
    self.bind(valve, "angle", f.mean(), OPENING, field="mean(forget_gate)", index=(t,))
    self.bind(valve, "fan_low", …); self.bind(valve, "fan_high", …)
"""

from __future__ import annotations

import numpy as np
from manim import Arc, Dot, Line, VGroup, VMobject

from scenes.channels import Linear
from scenes.theme import Theme

OPENING = Linear(0.0, 1.0, 0.0, np.pi / 2)  # gate value → radians from upright
_FAN_STEPS = 16


class Valve(VGroup):
    """Channels "angle", "fan_low" and "fan_high", all in radians from upright."""

    def __init__(self, theme: Theme, radius: float = 0.5, role: str = "FORGET") -> None:
        super().__init__()
        color = theme.color(role)
        self.track = Arc(radius, 0, np.pi / 2, color=theme.color("LINE"), stroke_width=2)
        self.fan = VMobject(fill_color=color, fill_opacity=0.3, stroke_width=0.0)
        self.leaf = Line([0, 0, 0], [0, radius, 0], color=color, stroke_width=7)
        self.pivot = Dot([0, 0, 0], radius=0.07, color=color)
        self.add(self.track, self.fan, self.leaf, self.pivot)
        self._draw_fan(0.0, 0.0)

    @property
    def radius(self) -> float:
        """Length of the leaf now."""
        return float(np.linalg.norm(self.leaf.get_end() - self.leaf.get_start()))

    def _rim(self, angle: float) -> np.ndarray:
        hinge = self.leaf.get_start()
        return hinge + self.radius * np.array([np.sin(angle), np.cos(angle), 0.0])

    def _draw_fan(self, low: float, high: float) -> None:
        # Vertices: hinge, then the rim from low to high: so both angles can be read back.
        rim = [self._rim(angle) for angle in np.linspace(low, high, _FAN_STEPS)]
        hinge = self.leaf.get_start()
        self.fan.set_points_as_corners([hinge, *rim, hinge])

    def _fan_angle(self, vertex: int) -> float:
        return _from_upright(self.fan.points[4 * vertex] - self.fan.points[0])

    def write_channel(self, attribute: str, reading: float) -> bool:
        if attribute == "angle":
            self.leaf.put_start_and_end_on(self.leaf.get_start(), self._rim(reading))
        elif attribute == "fan_low":
            self._draw_fan(reading, self._fan_angle(_FAN_STEPS))
        elif attribute == "fan_high":
            self._draw_fan(self._fan_angle(1), reading)
        else:
            return False
        return True

    def read_channel(self, attribute: str) -> float | None:
        if attribute == "angle":
            return _from_upright(self.leaf.get_end() - self.leaf.get_start())
        vertex = {"fan_low": 1, "fan_high": _FAN_STEPS}.get(attribute)
        return self._fan_angle(vertex) if vertex is not None else None


def _from_upright(arrow: np.ndarray) -> float:
    return float(np.arctan2(arrow[0], arrow[1]))
