"""An animation that lets one outline go along a row of others: a finger that reads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, VMobject, linear

MOVING = 0.45  # share of each step spent on the way; the rest is stillness


class Walk(Animation):
    """`mobject` takes the shape of each stop in turn; all have the same kind of outline."""

    def __init__(self, mobject: VMobject, stops: Sequence[VMobject], **kwargs) -> None:  # type: ignore[no-untyped-def]
        self.stops = [mobject.points.copy(), *[stop.points.copy() for stop in stops]]
        kwargs.setdefault("rate_func", linear)
        super().__init__(mobject, **kwargs)

    def interpolate_mobject(self, alpha: float) -> None:
        way = self.rate_func(alpha) * (len(self.stops) - 1)
        step = min(int(way), len(self.stops) - 2)
        share = float(np.clip((way - step) / MOVING, 0.0, 1.0))
        share = share * share * (3 - 2 * share)
        self.mobject.set_points((1 - share) * self.stops[step] + share * self.stops[step + 1])
