"""An animation that carries many things along one way together."""

from __future__ import annotations

import numpy as np
from manim import Animation, Mobject


class Glide(Animation):
    """Shifts a mobject by `way`. Hundreds of cells move without one of them being copied."""

    def __init__(self, mobject: Mobject, way: np.ndarray, **kwargs) -> None:  # type: ignore[no-untyped-def]
        self.way, self.gone = np.asarray(way, dtype=float), 0.0
        super().__init__(mobject, **kwargs)

    def create_starting_mobject(self) -> Mobject:
        """Nothing is interpolated between two states, so none is copied."""
        return self.mobject

    def interpolate_mobject(self, alpha: float) -> None:
        share = float(self.rate_func(alpha))
        self.mobject.shift((share - self.gone) * self.way)
        self.gone = share
