"""Links between two rows of words, as wide as their weights, and the places where they cross."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from manim import Circle, MoveToTarget, VGroup, bezier

from scenes.channels import Linear
from scenes.mobjects.fan import STROKE, Ray
from scenes.theme import Theme

WIDEST = 0.2  # manim units, a weight of 1
RING = 0.07  # manim units, radius of the mark of a crossing
LINKS = Linear(0.0, 1.0, 0.0, WIDEST * STROKE)


def unfold(link: Ray, point: np.ndarray) -> MoveToTarget:
    """A link grows out of a point to where it stands."""
    link.generate_target()
    link.set_points(_speck(point))
    return MoveToTarget(link)


def fold(link: Ray, point: np.ndarray) -> MoveToTarget:
    """A link draws together into a point, and is gone."""
    link.generate_target()
    link.target.set_points(_speck(point)).set_stroke(opacity=0.0)
    link.target.set_stroke(opacity=0.0, background=True)
    return MoveToTarget(link, remover=True)


def _speck(point: np.ndarray) -> np.ndarray:
    """Points of a curve too short to be seen."""
    return np.asarray(point) + np.array([[0.0, k * 1e-3, 0.0] for k in range(4)])


def crossing_points(links: Sequence[Ray]) -> list[np.ndarray]:
    """Where links from one row to another cross, in the order in which they were drawn.

    All links share their heights, and go sideways by one common curve: two of them cross where
    that curve has gone the share of the way at which their straight lines would cross.
    """
    points = []
    for late, early in ((b, a) for a, b in combinations(links, 2)):
        start = late.points[0][0] - early.points[0][0]
        end = late.points[3][0] - early.points[3][0]
        if start * end < 0:
            points.append(_at(late, start / (start - end)))
    return points


def _at(link: Ray, share: float) -> np.ndarray:
    """The point of a link that has gone this share of its way sideways."""
    times = np.linspace(0.0, 1.0, 201)
    gone = 3 * times**2 - 2 * times**3  # of a cubic curve whose handles are upright
    return np.asarray(bezier(link.points[:4])(float(np.interp(share, gone, times))))


def rings(theme: Theme, points: Sequence[np.ndarray]) -> VGroup:
    """A small ring round every crossing."""
    color = theme.color("TEXT")
    circles = [
        Circle(RING, color=color, stroke_width=2.5).set_fill(theme.BACKGROUND, 1.0).move_to(point)
        for point in points
    ]
    return VGroup(*circles)
