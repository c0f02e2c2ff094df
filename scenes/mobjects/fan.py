"""Beams from one asking state to every source word: each as wide as its weight.

All beams leave one foot side by side. Their widths add up to the width of the foot, for the
weights add up to 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import CubicBezier, VGroup

from scenes.channels import Linear
from scenes.theme import Theme

WIDEST = 0.34  # manim units, a weight of 1
BEND = 0.55
STROKE = 100.0  # manim's stroke width per manim unit


class Ray(CubicBezier):
    """One beam. Channel: "stroke_width"."""

    def __init__(
        self, color: object, foot: np.ndarray, head: np.ndarray, bend: float = BEND
    ) -> None:
        """`bend` is the share of the way that the ray keeps the direction of its ends."""
        super().__init__(*_path(foot, head, bend), color=color, stroke_width=0.0, fill_opacity=0.0)
        self.bend = bend
        self.set_z_index(-1)

    def lead(self, foot: np.ndarray, head: np.ndarray) -> Ray:
        """Draws the beam between two other points."""
        return self.set_points(np.array(_path(foot, head, self.bend)))


def _path(foot: np.ndarray, head: np.ndarray, bend: float) -> list[np.ndarray]:
    handle = np.array([0.0, bend * (head[1] - foot[1]), 0.0])
    return [np.asarray(foot), foot + handle, head - handle, np.asarray(head)]


class Fan(VGroup):
    """Rays from a foot to heads. `scale_to` is the one linear scale of their widths."""

    def __init__(
        self,
        theme: Theme,
        foot: np.ndarray,
        heads: Sequence[np.ndarray],
        widest: float = WIDEST,
        role: str = "HIGH",
    ) -> None:
        """`widest` is the width of a weight of 1, in manim units."""
        super().__init__()
        self.foot, self.heads, self.widest = np.asarray(foot), list(heads), widest
        self.scale_to = Linear(0.0, 1.0, 0.0, widest * STROKE)
        self.add(*[Ray(theme.color(role), self.foot, head) for head in heads])

    def feet(self, weights: np.ndarray) -> list[np.ndarray]:
        """Where each ray leaves: side by side, in the order of the words. weights: [source]"""
        ends = np.cumsum(weights) - weights / 2 - np.sum(weights) / 2  # [source]
        return [self.foot + np.array([self.widest * end, 0.0, 0.0]) for end in ends]
