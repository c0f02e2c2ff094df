"""The same words in two orders: into a bag, along a tape, and who did it."""

from __future__ import annotations

import numpy as np
from manim import FadeIn, FadeOut, LaggedStart, Mobject, VGroup

from engine.tokens import join
from engine.traces import WordOrderTrace
from scenes.base import GUESS_SECONDS, Station
from scenes.channels import AS_IT_IS, Linear
from scenes.color_keys import place_keys
from scenes.grid import Band
from scenes.mobjects.bag import Bag
from scenes.mobjects.level_bar import LevelBar
from scenes.mobjects.number_label import NumberLabel, fixed, format_number
from scenes.mobjects.readout import Readout
from scenes.mobjects.retune import Change, Retune, change_to
from scenes.mobjects.state_strip import StateStrip
from scenes.mobjects.text import Label, label
from scenes.mobjects.word_card import Reshape, WordCard, flat
from scenes.word_order_layout import Lane, in_bag, lanes

GHOST = 0.3  # opacity of the place that a word has left
QUOTED = 16  # characters of a sentence that a caption quotes
READ_SECONDS = 4.0  # for both tapes to be written
KINDS = {"rnn": "HIDDEN", "bag": "TEXT"}
NAME_ROOM = 0.17  # of the band, for the models' names
CARD_ROOM = 0.2  # of the band, for the candidates
P_ROOM = 0.17  # of the band, for the numbers


class Orders(Station):
    """Question, bag, tape, and the answers."""

    trace: WordOrderTrace

    def prepare(self) -> None:
        trace = self.trace
        units = len(trace.orders[0].bag)
        self.lanes = lanes(self.grid, [order.tokens for order in trace.orders], units)
        self.cards = [self.card_row(k) for k in range(2)]
        self.bags = VGroup(*[Bag(self.theme, lane.bag) for lane in self.lanes])
        self.bag_limit = _round_up(max(float(np.abs(order.bag).max()) for order in trace.orders))
        self.readout: Mobject = VGroup()

    def card_row(self, which: int) -> VGroup:
        """The words of one order, beside their bag; over the tape later."""
        lane = self.lanes[which]
        tokens, y = self.trace.orders[which].tokens, lane.bag.center[1]
        return VGroup(*[
            WordCard(self.theme, token, "SOURCE", shape).seat(np.array([x, y, 0.0]))
            for token, shape, x in zip(tokens, lane.shapes, lane.xs, strict=True)
        ])

    # Question

    def question(self) -> None:
        one, other = (join(order.tokens) for order in self.trace.orders)
        variant = "" if max(len(one), len(other)) <= QUOTED else "long"
        with self.beat("question", guess=GUESS_SECONDS, variant=variant, one=one, other=other):
            for row in self.cards:
                self.play(LaggedStart(*map(FadeIn, row), lag_ratio=0.2, run_time=0.9))
            self.play(FadeIn(self.bags))

    # The bag

    def bag(self) -> None:
        trace = self.trace
        self.strips = [self.bag_strip(lane) for lane in self.lanes]
        cards = [card for row in self.cards for card in row]
        self.ghosts = VGroup(*[card.copy().set_opacity(GHOST) for card in cards])
        self.legend = self.scale_legend("labels.bag_scale", self.bag_limit)
        same = trace.bag_distance == 0
        self.bag_sign = self.sign(same, self.lanes[0].strip.center[0])
        self.readout = self.read_out(
            (self.say("labels.bag_distance"), self.number(trace.bag_distance, "bag_distance")),
        )
        with self.beat("bag", variant="" if same else "differs"):
            self.add(*self.ghosts)
            self.play(*[move for k in range(2) for move in self.drop(k)], run_time=1.8)
            self.play(*map(FadeIn, self.strips), FadeIn(self.legend), run_time=0.6)
            self.play(Retune([change for k in range(2) for change in self.fill_bag(k)]))
            self.play(FadeIn(self.bag_sign), FadeIn(self.readout))

    def drop(self, which: int) -> list[Reshape]:
        """Every word falls into its bag, where it lies in sorted order."""
        row, bag = self.cards[which], self.bags[which]
        order = sorted(range(len(row)), key=lambda i: row[i].text)
        places = in_bag(bag.inner, [row[i].text for i in order], self.grid.type.body,
                        self.grid.type.smallest)
        return [
            Reshape(row[i], shape, at, path_arc=-0.6)
            for i, (shape, at) in zip(order, places, strict=True)
        ]

    def bag_strip(self, lane: Lane) -> StateStrip:
        """Where the sum is written: one strip, however many words."""
        size = len(self.trace.orders[0].bag)
        strip = StateStrip(self.theme, size, lane.strip.width - 0.08, self.bag_limit, "SOURCE",
                           height=lane.strip.height - 0.08)
        return strip.move_to(lane.strip.center)  # type: ignore[no-any-return]

    def fill_bag(self, which: int) -> list[Change]:
        strip, field = self.strips[which], f"orders[{which}].bag"
        return self.retune_cells(strip, self.trace.orders[which].bag, field)

    def retune_cells(
        self, strip: StateStrip, values: np.ndarray, field: str, *index: int
    ) -> list[Change]:
        """The cells of a strip take their values. # values: [unit]"""
        return [
            change_to(self, cell, "fill", value, strip.scale_to, field=field, index=(*index, u),
                      label=field)
            for u, (cell, value) in enumerate(zip(strip.cells, values, strict=True))
        ]

    # The tape

    def tape(self) -> None:
        trace = self.trace
        self.tapes = [self.blank_tape(k) for k in range(2)]
        legend = place_keys(self, [
            self.say("labels.tape_scale", limit="1"),
            self.say("labels.bag_scale", limit=f"{self.bag_limit:g}"),
        ])
        differ = trace.state_distance > 0
        self.end_sign = self.sign(not differ, self.lanes[0].xs[-1])
        leaving = self.readout
        self.readout = self.read_out(
            (self.say("labels.bag_distance"), self.number(trace.bag_distance, "bag_distance")),
            (self.say("labels.state_distance"),
             self.number(trace.state_distance, "state_distance")),
            (self.say("labels.cosine"), self.number(trace.state_cosine, "state_cosine")),
        )
        variant = "" if differ and trace.states_trained else "untrained" if differ else "same"
        with self.beat("tape", variant=variant, distance=format_number(trace.state_distance)):
            back = [move for k in range(2) for move in self.come_back(k)]
            self.play(*back, *map(FadeOut, (self.ghosts, self.bags, self.legend, leaving)),
                      run_time=1.4)
            self.play(*[FadeIn(tape) for tape in self.tapes], FadeIn(legend), run_time=0.6)
            self.legend = legend
            for step in range(len(self.cards[0])):
                self.read_word(step)
            self.play(*[self.end_frame(tape) for tape in self.tapes], FadeIn(self.end_sign),
                      FadeIn(self.readout))

    def come_back(self, which: int) -> list[Reshape]:
        """The words return to their places in the sentence."""
        lane, row = self.lanes[which], self.cards[which]
        return [
            Reshape(card, shape, np.array([x, lane.words_y, 0.0]), path_arc=0.6)
            for card, shape, x in zip(row, lane.shapes, lane.xs, strict=True)
        ]

    def blank_tape(self, which: int) -> VGroup:
        """One block of cells under every word."""
        lane, units = self.lanes[which], self.trace.orders[which].hidden_states.shape[1]
        columns = units // lane.tape_rows
        blocks = VGroup()
        for x in lane.xs:
            strip = StateStrip(self.theme, units, columns * lane.tape_cell, 1.0, "HIDDEN",
                               rows=lane.tape_rows)
            strip.frame.set_stroke(width=1.0)
            blocks.add(strip.move_to([x, lane.tape_y, 0.0]))
        return blocks

    def read_word(self, step: int) -> None:
        """Both readers take one more word."""
        changes = []
        for k, tape in enumerate(self.tapes):
            states = self.trace.orders[k].hidden_states
            field = f"orders[{k}].hidden_states"
            changes += self.retune_cells(tape[step], states[step], field, step)
        seconds = float(np.clip(READ_SECONDS / len(self.cards[0]), 0.2, 0.9))
        self.play(Retune(changes), run_time=seconds)

    def end_frame(self, tape: VGroup) -> Mobject:
        """The last block is what is left of the sentence."""
        return tape[-1].frame.animate.set_stroke(width=5.0)

    # Who did it?

    def asked(self) -> None:
        trace = self.trace
        if not trace.answers:
            return
        self.panels = [self.answer_panel(k) for k in range(2)]
        right = all(int(a.rnn.argmax()) == a.doer for a in trace.answers)
        legend = self.scale_legend("labels.tape_scale", 1.0)
        leaving = VGroup(self.readout, self.legend)
        self.legend, self.readout = legend, self.bar_key()
        with self.beat("asked", variant="" if right else "wrong", deed=trace.orders[0].tokens[1],
                       one=trace.candidates[0], other=trace.candidates[1],
                       first=trace.answers[0].rnn[trace.answers[0].doer],
                       second=trace.answers[1].rnn[trace.answers[1].doer],
                       bag_one=trace.answers[0].bag[0], bag_other=trace.answers[0].bag[1]):
            self.release(*self.strips)
            self.play(*map(FadeOut, (*self.strips, self.bag_sign, leaving)), FadeIn(legend),
                      FadeIn(self.readout), run_time=0.5)
            for parts, _ in self.panels:
                self.play(FadeIn(parts), run_time=0.5)
            for k in range(2):
                self.play(*self.panels[k][1], run_time=1.1)
        self.strips, self.bag_sign = [], VGroup()

    def answer_panel(self, which: int) -> tuple[VGroup, list]:  # type: ignore[type-arg]
        """Two models, two candidates each: cards, bars and numbers, and how they move."""
        lane = self.lanes[which]
        band = Band(lane.strip.left, lane.strip.right, lane.band.bottom, lane.band.top)
        parts, moves = VGroup(), []
        for (kind, role), rows in zip(KINDS.items(), band.rows(1, 1, gap=0.2), strict=True):
            name = label(self.theme, self.say(f"labels.{kind}"), role, "label", weight=500)
            parts.add(name.centre_on(np.array([rows.left + name.width / 2, rows.center[1], 0.0])))
            for c, row in enumerate(rows.rows(1, 1, gap=0.06)):
                drawn, move = self.answer_row(which, kind, role, c, row)
                parts.add(drawn)
                moves += move
        return parts, moves

    def answer_row(
        self, which: int, kind: str, role: str, candidate: int, band: Band
    ) -> tuple[VGroup, list]:  # type: ignore[type-arg]
        """One candidate under one model; the one who did it has an edge."""
        answer, name = self.trace.answers[which], self.trace.candidates[candidate]
        em = min(self.grid.type.label, band.height / 1.35)
        card = WordCard(self.theme, name, "SOURCE", flat(name, em, 0.3, 1.3 * em))
        if candidate == answer.doer:
            card.mark("focus")
        left = band.left + NAME_ROOM * band.width
        y = float(band.center[1])
        card.seat(np.array([left + CARD_ROOM * band.width / 2, y, 0.0]))
        start = left + CARD_ROOM * band.width + 0.1
        end = band.right - P_ROOM * band.width
        bar = LevelBar(self.theme.color(role), np.array([start, y, 0.0]), 0.55 * band.height)
        value = float(getattr(answer, kind)[candidate])
        field = f"answers[{which}].{kind}"
        scale = Linear(0.0, 1.0, 0.0, end - start - 0.12)
        grow = self.bind_animation(bar, "length", value, scale, field=field, index=(candidate,),
                                   label="p")
        number = NumberLabel(self.theme, 0.0, size="label", format=fixed(3))
        number.centre_on(np.array([end + number.width / 2, y, 0.0]))
        count = self.count_to(number, value, field=field, index=(candidate,))
        return VGroup(card, bar, number), [grow, count]

    def bar_key(self) -> Label:
        """What the bars of the answers say, under them."""
        text = label(self.theme, self.say("labels.bars"), "MUTED", "smallest",
                     self.lanes[0].strip.width)
        band = self.grid.readout
        return text.centre_on(np.array([self.lanes[0].strip.center[0], band.center[1], 0.0]))

    # Small helpers

    def sign(self, same: bool, x: float) -> Label:
        """= or ≠ between the two lanes; neither is right or wrong, so it takes no such colour."""
        middle = (self.lanes[0].band.bottom + self.lanes[1].band.top) / 2
        text = label(self.theme, "=" if same else "≠", "TEXT", "title", weight=700)
        return text.centre_on(np.array([x, middle, 0.0]))

    def scale_legend(self, key: str, limit: float) -> VGroup:
        """What a cell's colour says."""
        return place_keys(self, [self.say(key, limit=f"{limit:g}")])

    def number(self, value: float, field: str, *index: int) -> NumberLabel:
        """A number of the trace, written and bound."""
        number = NumberLabel(self.theme, value, format=told)
        self.bind(number, "value", value, AS_IT_IS, field=field, index=index)
        return number

    def read_out(self, *items: tuple[str, NumberLabel]) -> Readout:
        return Readout(self.theme, self.grid.readout, [(*item, "") for item in items])


def told(value: float) -> str:
    """A distance; one that is exactly 0 has no decimals."""
    return "0" if value == 0 else format_number(value)


def _round_up(value: float) -> float:
    """A round limit at or above a value, so that the legend can say it."""
    return float(np.ceil(value * 2) / 2) or 0.5
