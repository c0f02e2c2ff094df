"""What stands on the unrolled loop's stage, and the small helpers of its beats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from manim import LEFT, RIGHT, UP, CubicBezier, VGroup, VMobject

from engine.traces import UnrolledTrace
from scenes.base import Station
from scenes.channels import AS_IT_IS
from scenes.color_keys import place_keys
from scenes.mobjects.bar_row import BarRow
from scenes.mobjects.beam import Beam
from scenes.mobjects.number_label import NumberLabel
from scenes.mobjects.readout import Readout
from scenes.mobjects.retune import Change, change_to
from scenes.mobjects.state_strip import StateStrip
from scenes.mobjects.tablet import Tablet
from scenes.mobjects.text import Label, label
from scenes.mobjects.word_card import WordCard
from scenes.unrolled_layout import places

BEAM_WIDTH, MANY_WIDTH = 3.0, 1.6  # of a beam to a copy, and where there are many: no data
TIP = 0.09  # manim units, of an arrow


class UnrolledStage(Station):
    """Every beat draws the same copies at the same places."""

    trace: UnrolledTrace

    def prepare(self) -> None:
        trace = self.trace
        self.count = len(trace.tokens)
        self.places = where = places(self.grid, trace.tokens, trace.hidden_size)
        self.cards = VGroup(*[
            WordCard(self.theme, token, "SOURCE", shape).seat(
                np.array([x, where.words_top - shape.height / 2, 0.0]))
            for token, shape, x in zip(trace.tokens, where.shapes, where.xs, strict=True)
        ])
        self.limit = weight_limit(trace)
        self.tablet = self.make_tablet()
        self.copies = VGroup(*[self.blank_copy() for _ in trace.tokens])
        # Until the tablet comes, the row stands in the middle of the stage.
        foot = self.cards.get_bottom()[1]
        self.lift = float(self.grid.stage.center[1] - (where.copies.top + foot) / 2) * UP
        VGroup(self.cards, self.copies).shift(self.lift)

    def blank_copy(self) -> StateStrip:
        """One cell before it has read anything, in the middle of the row."""
        where, units = self.places, self.trace.hidden_size
        columns = units // where.rows
        strip = StateStrip(self.theme, units, columns * where.cell, 1.0, "HIDDEN", where.rows)
        return strip.move_to([self.grid.stage.center[0], where.copies.center[1], 0.0])  # type: ignore[no-any-return]

    def at(self, step: int) -> np.ndarray:
        """Where a copy stands once the tablet is there."""
        return np.array([self.places.xs[step], self.places.copies.center[1], 0.0])

    def make_tablet(self) -> Tablet:
        """W, U and b, every cell bound to its entry."""
        trace, band, em = self.trace, self.places.tablet, self.grid.type.smallest
        matrices = {"W": trace.recurrent_weight, "U": trace.input_weight,
                    "b": trace.bias[:, None]}
        tablet = Tablet(self.theme, matrices, band.height - 1.9 * em, self.limit)
        tablet.move_to(band.center)
        for i in range(trace.hidden_size):
            self.bind_each(tablet.row("W", i), "fill", trace.recurrent_weight[i],
                           tablet.scale_to, field="recurrent_weight", index=(i,), label="W")
            self.bind_each(tablet.row("U", i), "fill", trace.input_weight[i], tablet.scale_to,
                           field="input_weight", index=(i,), label="U")
            self.bind(tablet.cell("b", (i, 0)), "fill", trace.bias[i], tablet.scale_to,
                      field="bias", index=(i,), label="b")
        return tablet

    def arrows(self) -> VMobject:
        """From every copy to the next, in one mobject."""
        half = self.copies[0].width / 2 + 0.03
        ends = [(a + half, b - half) for a, b in pairwise(self.places.xs)]
        mark = VMobject(stroke_color=self.theme.color("LINE"), stroke_width=2.5)
        y = float(self.copies[0].get_y())
        for left, right in ends:
            mark.append_points(_arrow(np.array([left, y, 0.0]), np.array([right, y, 0.0])))
        return mark

    def loop(self) -> VGroup:
        """The arrow by which one cell hands its state to itself."""
        box = self.copies[0]
        rise = 0.5 * self.places.panel.height
        a, b = box.get_right() + 0.03 * RIGHT, box.get_left() + 0.03 * LEFT
        out = np.array([1.1, 2.0 * rise, 0.0])
        color = self.theme.color("LINE")
        way = CubicBezier(a, a + out, b + out * [-1, 1, 1], b, color=color, stroke_width=3)
        tip = VMobject(stroke_color=color, stroke_width=3)
        tip.set_points_as_corners(np.array(
            [b + 0.11 * LEFT + 0.02 * UP, b, b + 0.01 * LEFT + 0.13 * UP]
        ))
        return VGroup(way, tip)

    def beams(self) -> VGroup:
        """From the one tablet to every copy."""
        width = BEAM_WIDTH if self.count <= 16 else MANY_WIDTH
        beams = VGroup(*[Beam(self.theme, self.tablet.frame, copy, "LINE") for copy in self.copies])
        return beams.set_stroke(width=width, opacity=0.75)  # type: ignore[no-any-return]

    def bars(self, values: np.ndarray, role: str, key: str) -> tuple[BarRow, Label]:
        """One bar over every copy, and what their height says."""
        panel = self.places.panel
        limit = float(values.max()) or 1.0
        title = label(self.theme, self.say(key), role, "smallest", weight=500)
        room = panel.height - 1.9 * title.em
        row = BarRow(self.theme, self.count, panel.width, room, limit, role, signed=False,
                     fill=0.5, at=self.places.xs if self.count > 1 else None)
        row.shift([0.0, panel.bottom - row.line.get_y(), 0.0])
        if self.count == 1:
            row.set_x(self.places.xs[0])
        title.move_to([panel.left + title.width / 2, panel.top - 0.9 * title.em, 0.0])
        return row, title

    # Numbers and legends

    def retune(self, step: int, states: np.ndarray, field: str) -> list[Change]:
        """The cells of one copy take a state. # states: [time, unit]"""
        strip = self.copies[step]
        return [
            change_to(self, cell, "fill", states[step, u], strip.scale_to, field=field,
                      index=(step, u), label="h")
            for u, cell in enumerate(strip.cells)
        ]

    def scale_legend(self, *entries: tuple[str, float]) -> VGroup:
        """What the colours say: label keys with the limits of their scales."""
        return place_keys(self, [self.say(key, limit=f"{limit:g}") for key, limit in entries])

    def number(
        self, value: float, field: str, *index: int, text: Callable[[float], str] | None = None
    ) -> NumberLabel:
        """A number of the trace, written and bound."""
        number = NumberLabel(self.theme, value, format=text)
        self.bind(number, "value", value, AS_IT_IS, field=field, index=index)
        return number

    def read_out(self, *items: tuple[str, NumberLabel]) -> Readout:
        return Readout(self.theme, self.grid.readout, [(*item, "") for item in items])


def weight_limit(trace: UnrolledTrace) -> float:
    """A round limit that holds every entry, the changed one too."""
    entries: Sequence[float] = (
        np.abs(trace.recurrent_weight).max(), np.abs(trace.input_weight).max(),
        np.abs(trace.bias).max(), abs(trace.entry_after),
    )
    return float(np.ceil(max(entries) * 2) / 2)


def _arrow(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """A line with an open tip. # [4 * curve, xyz]"""
    tip = min(TIP, float(end[0] - start[0]) / 2)
    back, side = tip * LEFT, tip / 1.5 * UP
    corners = [(start, end), (end + back + side, end), (end, end + back - side)]
    return np.concatenate([np.linspace(a, b, 4) for a, b in corners])
