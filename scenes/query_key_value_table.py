"""A row of words, each with a key and a value, and one query that asks them all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, VGroup

from scenes.base import Station
from scenes.channels import AS_IT_IS, Linear, Scale
from scenes.grid import Band
from scenes.mobjects.bar_row import Bar
from scenes.mobjects.fan import Fan
from scenes.mobjects.number_label import NumberLabel, fixed
from scenes.mobjects.state_strip import StateStrip
from scenes.mobjects.text import Label, label, text_width
from scenes.mobjects.word_card import WordCard
from scenes.query_key_value_layout import Lanes, make_lanes

CELL = 0.1  # manim units, about the width of one unit of a vector
MOST_UNITS = 20  # of a vector, drawn in its strip
WIDEST_BEAM = 0.3  # manim units, a weight of 1
FOOT = 0.26  # manim units, for numbers under bars
CROWDED = 0.56  # manim units: narrower columns have room for one number only
FINE = 1.1  # of that width: from here on a number may have three decimals
LOW = 0.6  # manim units: lower lanes have no room for numbers
NAMES_SHARE = 0.3  # of the stage that the column of names may take
PAIRED = (0.34, 0.17)  # share of a column: a lone bar, half of the step between paired ones


class RoleTable:
    """The mobjects of one row; nothing is on screen yet. `field` is its place in the trace."""

    def __init__(
        self, scene: Station, field: str, words: Sequence[str], unknown: np.ndarray, asker: float,
        names: Sequence[str],
    ) -> None:
        """`asker` is the share of the row at which the query stands; `names` all that may come
        to stand at the left."""
        self.scene, self.theme, self.field = scene, scene.theme, field
        self.part = getattr(scene.trace, field)
        self.size = self._name_size(names)
        em = scene.grid.type[self.size]
        width = max(text_width(name) for name in names) * em
        self.lanes: Lanes = make_lanes(scene.grid, words, width)
        self.cards = self._cards(words, unknown)
        xs = self.lanes.xs
        self.asker = xs[0] + asker * (xs[-1] - xs[0])
        self.fan = self._fan()

    def _name_size(self, names: Sequence[str]) -> str:
        """The largest type in which the names leave room for the table."""
        sizes, most = self.scene.grid.type, NAMES_SHARE * self.scene.grid.stage.width
        widest = max(text_width(name) for name in names)
        return "label" if widest * sizes.label <= most else "smallest"

    def _cards(self, words: Sequence[str], unknown: np.ndarray) -> list[WordCard]:
        lanes = self.lanes
        cards = [
            WordCard(self.theme, word, "SOURCE", shape).seat([x, lanes.cards.center[1], 0.0])
            for word, shape, x in zip(words, lanes.shapes, lanes.xs, strict=True)
        ]
        for card, new in zip(cards, unknown, strict=True):
            if new:
                card.mark("unknown")
        return cards

    def _fan(self) -> Fan:
        lanes = self.lanes
        foot = np.array([self.asker, lanes.beams.top + 0.02, 0.0])
        # All beams end at one height: none may run over a taller card on its way to a lower one.
        heads = [np.array([x, lanes.cards.top + 0.03, 0.0]) for x in lanes.xs]
        return Fan(self.theme, foot, heads, min(WIDEST_BEAM, 0.7 * lanes.pitch))

    # Vectors

    @property
    def units(self) -> int:
        """How many units of a vector are drawn."""
        width = self.lanes.strip or self._wide
        return int(np.clip(width / CELL, 4, MOST_UNITS))

    @property
    def _wide(self) -> float:
        return max(self.lanes.strip, 0.8)

    def vector(
        self, role: str, field: str, index: tuple[int, ...], at: Sequence[float], limit: float,
        width: float = 0.0,
    ) -> StateStrip:
        """A vector of the trace as a strip in the frame of its role."""
        values = getattr(self.part, field)[index][: self.units]
        strip = StateStrip(self.theme, self.units, width or self._wide, limit, role, height=0.22)
        strip.move_to([float(at[0]), float(at[1]), 0.0])
        self.scene.bind_each(strip.cells, "fill", values, strip.scale_to,
                             field=f"{self.field}.{field}", index=index, label=field)
        return strip

    def vectors(self, role: str, field: str, lane: Band) -> list[StateStrip]:
        """One under each word; none where columns are too narrow."""
        if not self.lanes.strip:
            return []
        limit = self.limit(field)
        width = self.lanes.strip
        return [self.vector(role, field, (j,), (x, lane.center[1]), limit, width)
                for j, x in enumerate(self.lanes.xs)]

    def limit(self, field: str) -> float:
        """The scale of one kind of vector: its largest drawn entry is full."""
        return float(np.abs(getattr(self.part, field)[..., : self.units]).max())

    def rays(self, field: str, index: tuple[int, ...]) -> list[Animation]:
        """Beams as wide as the weights, side by side where they leave."""
        weights = getattr(self.part, field)[index]  # [word]
        moves = []
        for j, (ray, foot) in enumerate(zip(self.fan, self.fan.feet(weights), strict=True)):
            moves.append(self.scene.bind_animation(
                ray, "stroke_width", weights[j], self.fan.scale_to,
                field=f"{self.field}.{field}", index=(*index, j), label="α",
            ))
            ray.target.lead(foot, self.fan.heads[j])
        return moves

    # Bars

    def bar_scale(self, top: float = 1.0) -> Scale:
        """From 0 to `top` over the height of the lane."""
        lane = self.lanes.bars
        return Linear(0.0, top, 0.0, lane.height - self._foot - 0.05)

    @property
    def _foot(self) -> float:
        return FOOT if self.lanes.bars.height >= LOW else 0.06

    def bars(
        self, field: str, index: tuple[int, ...], scale: Scale, role: str = "HIGH",
        side: int = 0, hollow: bool = False, inner: float = 1.0,
    ) -> VGroup:
        """A bar for every word; `side` -1 and 1 stand beside each other, 0 alone."""
        values = getattr(self.part, field)[index]  # [word]
        lanes, base = self.lanes, self.lanes.bars.bottom + self._foot
        width = inner * min(0.4, PAIRED[0] * lanes.pitch) * (1.0 if side == 0 else 0.8)
        aside = side * min(0.22, PAIRED[1] * lanes.pitch)
        bars = VGroup()
        for j, x in enumerate(lanes.xs):
            bar = Bar(width, self.theme.color(role), np.array([x + aside, base, 0.0]))
            if hollow:
                bar.set_fill(opacity=0.0).set_stroke(self.theme.color(role), width=2.0)
            bars.add(self.scene.bind(bar, "height", values[j], scale,
                                     field=f"{self.field}.{field}", index=(*index, j), label=field))
        return bars

    def numbers(
        self, field: str, index: tuple[int, ...], decimals: int | None = None, side: int = 0,
        role: str = "TEXT",
    ) -> VGroup:
        """The numbers under the bars; where columns are narrow only the largest.

        Weights have three decimals where there is room, so that they add up to 1 by eye.
        """
        values = getattr(self.part, field)[index]  # [word]
        lanes = self.lanes
        needed = CROWDED if side == 0 else 2 * CROWDED
        if self._foot < FOOT:
            return VGroup()
        if decimals is None:
            decimals = 3 if lanes.pitch >= FINE * needed else 2
        shown = range(len(values)) if lanes.pitch >= needed else [int(values.argmax())]
        if side and lanes.pitch < needed:
            return VGroup()
        numbers = VGroup()
        for j in shown:
            number = NumberLabel(self.theme, 0.0, role=role, size="smallest",
                                 format=fixed(decimals), anchor=0.5)
            self.scene.bind(number, "value", values[j], AS_IT_IS,
                            field=f"{self.field}.{field}", index=(*index, j), label=field)
            x = lanes.xs[j] + side * 0.25 * lanes.pitch
            numbers.add(number.centre_on(np.array([x, lanes.bars.bottom + 0.1, 0.0])))
        return numbers

    # Names

    def name(self, key: str, lane: Band, role: str, **values: object) -> Label:
        """The name of a lane, at the left."""
        text = label(self.theme, self.scene.say(f"labels.{key}", **values), role, self.size)
        text.centre_on(lane.center)
        return text.shift([self.lanes.names.left - text.get_left()[0], 0.0, 0.0])
