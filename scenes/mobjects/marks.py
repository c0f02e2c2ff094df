"""Plain discs and sheets, cheap to make by the hundred."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from manim import Circle, VMobject


@cache
def _unit_circle() -> np.ndarray:
    return np.asarray(Circle(1.0).points)


def disc(at: np.ndarray, radius: float, color: object, opacity: float = 1.0) -> VMobject:
    """A filled circle about a point."""
    mark = VMobject(fill_color=color, fill_opacity=opacity, stroke_width=0.0)
    mark.set_points(_unit_circle() * radius + at)
    return mark


def discs(at: Sequence[np.ndarray], radius: float, color: object) -> VMobject:
    """Equal filled circles in one mobject: a row of things that carry no data."""
    mark = VMobject(fill_color=color, fill_opacity=1.0, stroke_width=0.0)
    if len(at):
        mark.set_points(np.concatenate([_unit_circle() * radius + point for point in at]))
    return mark


def sheet(at: np.ndarray, width: float, height: float, color: object, opacity: float) -> VMobject:
    """A filled rectangle about a point."""
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [-1, -1, 0]])
    mark = VMobject(fill_color=color, fill_opacity=opacity, stroke_width=0.0)
    return mark.set_points_as_corners(corners * [width / 2, height / 2, 0.0] + at)  # type: ignore[no-any-return]
