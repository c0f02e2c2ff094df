"""The table with the source words on it, and everything that is computed under each of them."""

from __future__ import annotations

import numpy as np
from manim import DashedVMobject, Line, RoundedRectangle, VGroup

from engine.traces import LookingBackTrace
from scenes.base import Station
from scenes.channels import Linear
from scenes.grid import Band
from scenes.looking_back_layout import (
    LOWEST,
    NARROW,
    STATE,
    Desk,
    disputed,
    label_lanes,
    make_desk,
)
from scenes.mobjects.bar_row import Bar
from scenes.mobjects.fan import WIDEST, Fan
from scenes.mobjects.formula import Formula
from scenes.mobjects.number_label import NumberLabel, fixed
from scenes.mobjects.panel import Panel
from scenes.mobjects.state_strip import StateStrip
from scenes.mobjects.text import Label, label, text_width
from scenes.mobjects.word_card import WordCard, flat

CELL = 0.07  # manim units, about the width of one unit of a strip
MOST_UNITS = 24  # of a state, drawn in its strip
NUMBER_PITCH = 1.3  # manim units a column needs for a number beside its bar
MOST_BESIDE = 20  # words of a sentence, for formulas to stand beside the table
LEAST_LANE = 0.38  # manim units that a formula needs
LOW_LANE = 0.42  # manim units a lane needs for numbers under its bars
LOW_PITCH = 0.5  # … for a number under it


def scoring(trace: LookingBackTrace) -> str:
    """How the model that ran compares a state with an annotation."""
    if trace.decoder != "marian":
        asks = "s'_i" if trace.decoder == "conditional" else "s_(i-1)"
        return f"e_(i j) = v^top tanh( {{{{ W {asks} : query }}}} + {{{{ U h_j : key }}}} )"
    product = "( {{ W d_i : query }} )^top {{ U h_j : key }} / sqrt(k)"
    if trace.head:
        return f"e_(i j) = {product}"
    product = "( {{ W_k d_i : query }} )^top {{ U_k h_j : key }}"
    return f"e_(i j) = log op(\"mean\")_k op(\"softmax\")_j thin {product}"


class DeskPicture:
    """The mobjects of one pair's desk, each at its place; nothing is on screen yet."""

    def __init__(self, scene: Station, index: int) -> None:
        self.scene, self.theme, self.index = scene, scene.theme, index
        self.pair = scene.trace.pairs[index]
        self.field = f"pairs[{index}]"
        words = max(len(self.pair.source), len(self.pair.target))
        self.beside = scene.grid.stage.width >= NARROW and words <= MOST_BESIDE
        self.formulas = self._formulas()
        self.desk = self._desk()
        if self.beside and self.desk.weights.height < LEAST_LANE:
            self.beside = False
            self.desk = self._desk()
        self.cards = self._cards()
        self.panel = Panel.under(self.theme, self._ground())
        self.fan = self._fan()

    # Places

    def _desk(self) -> Desk:
        """The desk; its gutter takes the formulas, and the row words in the lanes they need."""
        grid, sizes = self.scene.grid, self.scene.grid.type
        longest = max(text_width(word, 500) for word in self.pair.target) + 1.0  # em
        gutter = longest * sizes.smallest
        if self.beside:
            widest = max(formula.width for formula in self.formulas.values())
            gutter = max(longest * sizes.label, self._names_width() + widest)
        speech = max(longest, 4.0) * (sizes.body if self.beside else sizes.label)
        if grid.stage.width < NARROW:
            speech = 3.0 * sizes.smallest
        for _ in range(3):
            word = max(longest, 3.6) * sizes.body
            desk = make_desk(grid, self.pair.source, gutter, speech, word)
            step = desk.risen_rows.height / len(self.pair.target)
            lanes = label_lanes(len(self.pair.target), step, LOWEST * sizes.smallest)
            gutter = max(gutter, (max(lanes) + 1) * longest * sizes.smallest)
        return desk

    def _ground(self) -> Band:
        desk = self.desk
        left, right, edge = desk.cards.left, desk.cards.right, 0.06
        return Band(left, right, desk.rows.bottom - edge, desk.cards.top + edge)

    # What stands on the table

    def _cards(self) -> list[WordCard]:
        desk = self.desk
        cards = [
            WordCard(self.theme, word, "SOURCE", shape).seat([x, desk.cards.center[1], 0.0])
            for word, shape, x in zip(self.pair.source, desk.card_shapes, desk.xs, strict=True)
        ]
        for card, unknown in zip(cards, self.pair.unknown, strict=True):
            if unknown:
                card.mark("unknown")
        return cards

    def slots(self) -> VGroup:
        """An empty place under each card: how much would you look at it?"""
        desk, slots = self.desk, VGroup()
        width = min(0.56, 0.6 * desk.pitch)
        low, high = desk.weights.bottom, desk.scores.top
        for x in desk.xs:
            edge = RoundedRectangle(width=width, height=high - low, corner_radius=0.06)
            edge.set_stroke(self.theme.color("LINE"), 1.5).set_fill(opacity=0).move_to(
                [x, (low + high) / 2, 0]
            )
            slots.add(DashedVMobject(edge, num_dashes=22))
            if desk.pitch >= 0.3:
                slots.add(label(self.theme, "?", "MUTED", "body").centre_on(edge.get_center()))
        return slots

    def strips(self) -> list[StateStrip]:
        """One annotation under each card; none where the columns are too narrow."""
        desk = self.desk
        if not desk.strip_width:
            return []
        return [
            StateStrip(
                self.theme, len(self.units), desk.strip_width, role="HIDDEN",
                height=desk.strips.height - 0.08,
            ).move_to([x, desk.strips.center[1], 0.0])
            for x in desk.xs
        ]

    @property
    def units(self) -> list[int]:
        """Which units of a state are drawn: the first of each reading direction."""
        whole = self.pair.annotations.shape[1]
        width = self.desk.strip_width or self.desk.state_width
        half = min(max(4, int(width / CELL) // 2), MOST_UNITS // 2, whole // 2)
        return [*range(half), *range(whole // 2, whole // 2 + half)]

    def state(self, role: str, height: float) -> StateStrip:
        """A state of the decoder or a context, as wide as an annotation where there are any."""
        count, width = len(self.units), self.desk.state_width
        return StateStrip(self.theme, count, width, role=role, height=height)

    def _fan(self) -> Fan:
        desk = self.desk
        heads = [np.array([x, desk.beams.bottom - 0.04, 0.0]) for x in desk.xs]
        under = desk.decoder.center[1] - STATE / 2 - 0.04  # the lower edge of the state's frame
        foot = [desk.asker, under, 0.0]
        return Fan(self.theme, np.array(foot), heads, min(WIDEST, 0.8 * desk.pitch))

    # Scores and weights

    def axis(self, band: Band, y: float) -> Line:
        """A level line through a lane."""
        ends = ([self.desk.xs[0] - 0.5 * self.desk.pitch, y, 0.0],
                [self.desk.xs[-1] + 0.5 * self.desk.pitch, y, 0.0])
        return Line(*ends, color=self.theme.color("LINE"), stroke_width=1.5)

    def score_scale(self) -> tuple[Linear, float]:
        """One linear scale for all scores of the pair, and the height of its zero."""
        lane, scores = self._bar_room(self.desk.scores), self.pair.scores
        low, high = min(0.0, float(scores.min())), max(0.0, float(scores.max()))
        unit = lane.height / max(high - low, 1e-9)
        return Linear(0.0, 1.0, 0.0, unit), lane.bottom - low * unit

    def weight_scale(self) -> tuple[Linear, float]:
        """Weights from 0 to 1, and the height of 0."""
        lane = self._bar_room(self.desk.weights)
        return Linear(0.0, 1.0, 0.0, lane.height), lane.bottom

    def _bar_room(self, lane: Band) -> Band:
        """The lane without the room that numbers under the bars take."""
        if self.desk.pitch >= NUMBER_PITCH or self._low(lane):
            return lane
        return Band(lane.left, lane.right, lane.bottom + 0.24, lane.top)

    def _low(self, lane: Band) -> bool:
        """Whether a lane has no room for numbers under its bars."""
        return self.desk.pitch < NUMBER_PITCH and lane.height < LOW_LANE

    def bars(self, base: float, role: str) -> list[Bar]:
        """One bar for each source word, standing on `base`."""
        width = min(0.42, 0.5 * self.desk.pitch)
        return [Bar(width, self.theme.color(role), np.array([x, base, 0])) for x in self.desk.xs]

    def numbers(
        self, lane: Band, zero: float, values: np.ndarray, decimals: int
    ) -> dict[int, NumberLabel]:
        """A number beside or under each bar; where columns are narrow only for the largest.

        `zero` is the height of the lane's axis, which no number may lie on.
        """
        if self._low(lane):
            return {}
        crowded = self.desk.pitch < LOW_PITCH
        shown = [int(values.argmax())] if crowded else range(len(values))
        if self.desk.pitch < NUMBER_PITCH:
            y = lane.bottom + 0.09
        else:
            above = lane.top - zero >= zero - lane.bottom
            y = (zero + (lane.top if above else lane.bottom)) / 2
        return {j: self._number(j, y, decimals) for j in shown}

    def _number(self, j: int, y: float, decimals: int) -> NumberLabel:
        beside = self.desk.pitch >= NUMBER_PITCH
        size = "number" if beside else "smallest"
        number = NumberLabel(
            self.theme, 0.0, role="TEXT", size=size, format=fixed(decimals),
            anchor=0.0 if beside else 0.5,
        )
        x = self.desk.xs[j]
        number.centre_on(np.array([x, y, 0.0]))
        return number.shift([x + 0.3 - number.get_left()[0], 0, 0]) if beside else number

    # Names and formulas

    def _formulas(self) -> dict[str, Formula]:
        roles = {"query": "QUERY", "key": "KEY", "weight": "HIGH", "context": "VALUE",
                 "value": "HIDDEN"}
        sources = {
            "scores": scoring(self.scene.trace),
            "weights": "{{ alpha_(i j) : weight }} = op(\"softmax\")_j thin e_(i j)",
            "context": "{{ c_i : context }} = inline(sum_j) {{ alpha_(i j) : weight }}"
                       " {{ h_j : value }}",
        }
        return {
            key: Formula(
                self.theme, source, "number",
                {name: role for name, role in roles.items() if f": {name} " in source},
            )
            for key, source in sources.items()
        }

    def name(self, lane: Band, key: str, role: str = "MUTED", **values: object) -> Label:
        """A lane's name at the left; above its formula where it has one."""
        text = label(self.theme, self.scene.say(f"labels.{key}", **values), role, "smallest")
        text.centre_on(lane.center)
        return text.shift([self.desk.gutter.left - text.get_left()[0], 0, 0])

    def named_formula(self, lane: Band, key: str) -> VGroup:
        """Name and formula of a lane, the formulas of all lanes under each other."""
        name, formula = self.name(lane, key), self.formulas[key]
        formula.move_to(lane.center)
        left = self.desk.gutter.left + self._names_width()
        return VGroup(name, formula.shift([left - formula.get_left()[0], 0, 0]))

    def _names_width(self) -> float:
        """Room for the names in front of the formulas."""
        texts = [self.scene.say(f"labels.{key}") for key in self.formulas]
        return max(text_width(text) for text in texts) * self.scene.grid.type.smallest + 0.18

    # The words being written

    def gap(self) -> VGroup:
        """The empty place of the next word."""
        em = self.scene.grid.type.body
        shape = flat("…", em)
        edge = RoundedRectangle(width=3.2 * em, height=shape.height, corner_radius=0.28 * em)
        edge.set_stroke(self.theme.color("TARGET"), 2).set_fill(opacity=0)
        mark = label(self.theme, "?", "TARGET", "body").centre_on(edge.get_center())
        return VGroup(DashedVMobject(edge, num_dashes=24), mark).move_to(self.mouth)

    @property
    def mouth(self) -> np.ndarray:
        """Where a word is said."""
        return np.array([self.desk.mouth, self.desk.decoder.center[1], 0.0])

    def said(self, i: int) -> WordCard:
        """The card of target word i where it is said; dashed if the model would say another."""
        em = self.scene.grid.type.body
        card = WordCard(self.theme, self.pair.target[i], "TARGET", flat(self.pair.target[i], em))
        card.seat(self.mouth)
        if i in disputed(self.pair):
            card.mark("unknown")
        return card


