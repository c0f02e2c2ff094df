"""Bars on one base line: signed heights, one linear scale for all.

    bars = BarRow(theme, count=6, width=4, height=2, limit=1.0)
    self.bind_each(bars.bars, "height", c[t], bars.scale_to, field="cell_states", index=(t,))
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from manim import Line, Mobject, VGroup, VMobject

from scenes.channels import Linear
from scenes.theme import Theme

LEAST_HEIGHT = 1e-4  # manim units: a zero stays a hair, so that its place is known


class Bar(VMobject):
    """A rectangle from its base to its tip. Channel "height" is signed: down is negative."""

    def __init__(self, width: float, color: object, at: np.ndarray) -> None:
        """`at` is the middle of the base."""
        super().__init__(fill_color=color, fill_opacity=1.0, stroke_width=0.0)
        self._draw(np.asarray(at, dtype=float), width, LEAST_HEIGHT)

    def _draw(self, base: np.ndarray, width: float, height: float) -> None:
        half = np.array([width / 2, 0.0, 0.0])
        left, right = base - half, base + half
        up = np.array([0.0, height, 0.0])
        # The order of corners is the memory of where base and tip are.
        self.set_points_as_corners([left, right, right + up, left + up, left])

    @property
    def base(self) -> np.ndarray:
        """Middle of the base, also after moves and scalings."""
        return (self.points[0] + self.points[3]) / 2

    @property
    def tip(self) -> np.ndarray:
        """Middle of the end that the value moves."""
        return (self.points[7] + self.points[11]) / 2

    def set_signed_height(self, height: float) -> Bar:
        """Signed height in manim units, up from the base."""
        width = float(self.points[3][0] - self.points[0][0])
        kept = height if abs(height) > LEAST_HEIGHT else LEAST_HEIGHT
        self._draw(self.base, width, kept)
        return self

    def write_channel(self, attribute: str, reading: float) -> bool:
        if attribute == "height":
            self.set_signed_height(reading)
        return attribute == "height"

    def read_channel(self, attribute: str) -> float | None:
        return float(self.tip[1] - self.base[1]) if attribute == "height" else None


class BarRow(VGroup):
    """`count` bars side by side: `bars`, and `line`, their zero."""

    def __init__(
        self,
        theme: Theme,
        count: int,
        width: float,
        height: float,
        limit: float = 1.0,
        role: str = "HIDDEN",
        signed: bool = True,
        fill: float = 0.7,
        at: Sequence[float] | None = None,
    ) -> None:
        """`limit` is the value drawn at full height: `height` for positive rows, half of it up
        and half down for signed ones. `at` gives the bars' x positions (else evenly spread);
        `fill` is a bar's share of its place.
        """
        super().__init__()
        step = width / count
        xs = list(at) if at is not None else [(i + 0.5 - count / 2) * step for i in range(count)]
        if len(xs) > 1:
            step = min(right - left for left, right in pairwise(xs))
        reach = height / 2 if signed else height
        low, high = min(xs) - step / 2, max(xs) + step / 2
        self.bars = VGroup(*[Bar(step * fill, theme.color(role), np.array([x, 0, 0])) for x in xs])
        self.line = Line([low, 0, 0], [high, 0, 0], color=theme.color("LINE"), stroke_width=1.5)
        # An unseen box keeps the row's extent the same whatever the bars say.
        bottom = -reach if signed else 0.0
        self.extent = VMobject(stroke_width=0.0, fill_opacity=0.0).set_points_as_corners(
            [[low, bottom, 0], [high, bottom, 0], [high, reach, 0], [low, reach, 0]]
        )
        self.scale_to = Linear(0.0, limit, 0.0, reach)
        self.add(self.extent, self.line, self.bars)

    def set_row_values(self, values: np.ndarray) -> BarRow:
        """All bars at once. values: [count]"""
        for bar, value in zip(self.bars, values, strict=True):
            bar.set_signed_height(self.scale_to(float(value)))
        return self

    def captioned(self, texts: Sequence[Mobject], buff: float = 0.12) -> VGroup:
        """Puts a text under each bar's place and returns the texts."""
        low = self.extent.get_bottom()[1] - buff
        for bar, text in zip(self.bars, texts, strict=True):
            text.move_to([bar.base[0], low - text.height / 2, 0.0])
        return VGroup(*texts)
