"""A conveyor belt at a fixed height: lanes for units, a column of items for every word.

    belt = Belt(theme, band, xs, lanes=6)
    column = belt.column(3)                   # the items over the fourth word
    self.bind_each(column, "fill", c, Diverging(theme, limit), field="cell_states", ...)

Frame and rollers tell the story and carry no data; only the items do.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Circle, Rectangle, RoundedRectangle, VGroup

from scenes.grid import Band
from scenes.theme import Theme

ITEM = 0.78  # share of a lane's height that an item takes
WIDEST_ITEM = 0.9  # manim units
FILL = 0.86  # share of the distance of words that an item takes
ROLLER = 0.07  # manim units, radius
ROLLER_STEP = 0.55  # manim units between rollers, about


class Belt(VGroup):
    """Frame and rollers; items are made by `column` and `items`."""

    def __init__(
        self, theme: Theme, band: Band, xs: Sequence[float], lanes: int, role: str = "CELL"
    ) -> None:
        """`band` is the belt's own rectangle, rollers below it; `xs` the words' places."""
        super().__init__()
        self.theme, self.band, self.xs, self.lanes = theme, band, tuple(xs), lanes
        self.pitch = min(np.diff(self.xs)) if len(self.xs) > 1 else band.width
        self.lane = band.height / lanes
        self.frame = RoundedRectangle(
            width=band.width, height=band.height + 0.12, corner_radius=0.12,
            stroke_color=theme.color(role), stroke_width=2.5,
            fill_color=theme.color("PANEL"), fill_opacity=1.0,
        ).move_to(band.center)
        self.rollers = self._rollers()
        self.add(self.rollers, self.frame)
        self.set_z_index(-2)

    def _rollers(self) -> VGroup:
        count = max(2, round(self.band.width / ROLLER_STEP))
        xs = np.linspace(self.band.left + 2 * ROLLER, self.band.right - 2 * ROLLER, count)
        y = self.band.bottom - 0.06 - ROLLER
        return VGroup(*[
            Circle(ROLLER, color=self.theme.color("LINE"), stroke_width=1.5).move_to([x, y, 0.0])
            for x in xs
        ])

    @property
    def foot(self) -> float:
        """y under the rollers."""
        return self.band.bottom - 0.06 - 2 * ROLLER

    @property
    def item_width(self) -> float:
        return float(min(WIDEST_ITEM, FILL * self.pitch))

    def at(self, column: int, lane: int) -> np.ndarray:
        """The middle of an item; lane 0 is the uppermost."""
        return np.array([self.xs[column], self.band.top - (lane + 0.5) * self.lane, 0.0])

    def column(self, at: int) -> VGroup:
        """Empty items over one word, one in each lane."""
        items = VGroup(*[
            Rectangle(
                width=self.item_width, height=ITEM * self.lane, fill_color=self.theme.color("ZERO"),
                fill_opacity=1.0, stroke_width=0.0,
            ).move_to(self.at(at, lane))
            for lane in range(self.lanes)
        ])
        return items.set_z_index(-1)  # type: ignore[no-any-return]

    def window(self, at: int, foot: float) -> RoundedRectangle:
        """A frame about one word and its items, down to the height `foot`."""
        top, width = self.band.top + 0.12, max(self.item_width, 0.92 * self.pitch) + 0.06
        width = min(width, 1.5)
        frame = RoundedRectangle(
            width=width, height=top - foot, corner_radius=0.08, stroke_width=2.5,
            stroke_color=self.theme.color("TEXT"), fill_opacity=0.0,
        )
        return frame.move_to([self.xs[at], (top + foot) / 2, 0.0])  # type: ignore[no-any-return]
