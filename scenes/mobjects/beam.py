"""A beam from one thing to another; its width is a weight, on one linear scale for the clip."""

from __future__ import annotations

import numpy as np
from manim import DOWN, UP, CubicBezier, Mobject

from scenes.channels import Linear
from scenes.theme import Theme

FULL_WIDTH = 22.0  # stroke width of a weight of 1, in manim's hundredths of a unit
BEAM = Linear(0.0, 1.0, 0.0, FULL_WIDTH)
OPACITY = 0.8


class Beam(CubicBezier):
    """A curve that leaves `start` and enters `end` upright. Channel: "stroke_width"."""

    def __init__(
        self,
        theme: Theme,
        start: Mobject,
        end: Mobject,
        role: str = "QUERY",
        weight: float = 0.0,
        bend: float = 0.5,
        gap: float = 0.08,
    ) -> None:
        """Joins the facing edges of two mobjects; `bend` is the handles' share of the way."""
        up = end.get_center()[1] >= start.get_center()[1]
        away = UP if up else DOWN
        a = start.get_edge_center(away) + gap * away
        b = end.get_edge_center(-away) - gap * away
        handle = bend * abs(b[1] - a[1]) * away
        super().__init__(
            a, a + handle, b - handle, b, color=theme.color(role),
            stroke_width=BEAM(weight), stroke_opacity=OPACITY, fill_opacity=0.0,
        )
        self.set_z_index(-1)


class Arc(CubicBezier):
    """A beam between two words of one row, over (or under) the words between them."""

    def __init__(
        self,
        theme: Theme,
        start: Mobject,
        end: Mobject,
        role: str = "QUERY",
        weight: float = 0.0,
        above: bool = True,
        rise: float = 0.35,
        gap: float = 0.08,
    ) -> None:
        """`rise` is the height of the arc as a share of the distance."""
        side = UP if above else DOWN
        a, b = (m.get_edge_center(side) + gap * side for m in (start, end))
        handle = rise * max(abs(float(b[0] - a[0])), 0.4) * side * 4 / 3
        super().__init__(
            a, a + handle, b + handle, b, color=theme.color(role),
            stroke_width=BEAM(weight), stroke_opacity=OPACITY, fill_opacity=0.0,
        )
        self.set_z_index(-1)


def way(beam: CubicBezier, share: float) -> np.ndarray:
    """The point at a share of the way along a beam."""
    return np.asarray(beam.point_from_proportion(share))
