"""Head and shoulders of the one who listens or recites: they tell the story, and carry no data.

    bust = Bust(theme, height=0.95, eyes="shut")
    self.play(*bust.open_eyes())
"""

from __future__ import annotations

import numpy as np
from manim import PI, Animation, Arc, Circle, Dot, Line, Sector, Transform, VGroup

from scenes.theme import Theme


class Bust(VGroup):
    """A plain figure. `eyes` is "open" or "shut"; `speaks` gives it an open mouth."""

    def __init__(
        self, theme: Theme, height: float, eyes: str = "open", speaks: bool = False
    ) -> None:
        super().__init__()
        body, self.line = theme.color("LINE"), theme.color("BACKGROUND")
        self.radius = 0.29 * height
        r = self.radius
        self.head = Circle(r, stroke_width=0.0, fill_color=body, fill_opacity=1.0)
        shoulders = Sector(
            radius=1.45 * r, start_angle=0, angle=PI, fill_color=body, fill_opacity=1.0,
            stroke_width=0.0,
        )
        shoulders.next_to(self.head, np.array([0.0, -1.0, 0.0]), buff=0.1 * r)
        self.eyes = self._eyes(eyes)
        self.mouth = self._mouth(speaks)
        self.add(self.head, shoulders, self.eyes, self.mouth)

    def _eyes(self, kind: str) -> VGroup:
        r, at = self.radius, self.head.get_center()
        eyes = VGroup()
        for side in (-1, 1):
            middle = at + np.array([side * 0.4 * r, 0.12 * r, 0.0])
            if kind == "open":
                eyes.add(Dot(middle, radius=0.13 * r, color=self.line))
            else:
                lid = Arc(0.2 * r, PI, PI, stroke_color=self.line, stroke_width=2.5)
                eyes.add(lid.move_to(middle))
        return eyes

    def _mouth(self, speaks: bool) -> VGroup:
        r, at = self.radius, self.head.get_center() + np.array([0.0, -0.45 * self.radius, 0.0])
        if speaks:
            return VGroup(Circle(0.17 * r, stroke_width=0.0, fill_color=self.line, fill_opacity=1.0)
                          .move_to(at))
        half = np.array([0.22 * r, 0.0, 0.0])
        return VGroup(Line(at - half, at + half, color=self.line, stroke_width=2.5))

    def open_eyes(self) -> list[Animation]:
        """The same eyes, open."""
        return [Transform(self.eyes, self._eyes("open"))]


def sound(theme: Theme, at: np.ndarray, size: float, right: bool = True) -> VGroup:
    """Arcs of sound that reach an ear or leave a mouth."""
    start = -PI / 4 if right else 3 * PI / 4
    return VGroup(*[
        Arc(size * k, start, PI / 2, arc_center=at, stroke_color=theme.color("LINE"),
            stroke_width=2.5)
        for k in (0.45, 0.75, 1.05)
    ])
