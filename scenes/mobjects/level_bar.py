"""A bar that lies: its signed length is a number, from a base to the right or to the left."""

from __future__ import annotations

import numpy as np
from manim import VMobject

LEAST = 1e-4  # manim units: a zero stays a hair, so that its place is known


class LevelBar(VMobject):
    """Channel "length", signed, in manim units. Hollow bars have an edge and no ground."""

    def __init__(
        self, color: object, base: np.ndarray, thickness: float, hollow: bool = False
    ) -> None:
        """`base` is the middle of the end that stays."""
        super().__init__(
            color=color, fill_opacity=0.0 if hollow else 1.0, stroke_width=2.0 if hollow else 0.0
        )
        self._draw(np.asarray(base, dtype=float), thickness, LEAST)

    def _draw(self, base: np.ndarray, thickness: float, length: float) -> None:
        half, way = np.array([0.0, thickness / 2, 0.0]), np.array([length, 0.0, 0.0])
        low, high = base - half, base + half
        # The order of corners is the memory of where the base is.
        self.set_points_as_corners([low, high, high + way, low + way, low])

    @property
    def base(self) -> np.ndarray:
        """Middle of the end that stays, also after moves."""
        return (self.points[0] + self.points[3]) / 2

    @property
    def tip(self) -> np.ndarray:
        """Middle of the end that the number moves."""
        return (self.points[7] + self.points[11]) / 2

    def write_channel(self, attribute: str, reading: float) -> bool:
        if attribute == "length":
            thickness = float(self.points[3][1] - self.points[0][1])
            self._draw(self.base, thickness, reading if abs(reading) > LEAST else LEAST)
        return attribute == "length"

    def read_channel(self, attribute: str) -> float | None:
        return float(self.tip[0] - self.base[0]) if attribute == "length" else None
