"""One word before two endings: what a reader from the left has, and one from the right."""

from __future__ import annotations

import numpy as np
from manim import Animation, FadeIn, FadeOut, LaggedStart, VGroup

from engine.tokens import join
from scenes.base import GUESS_SECONDS
from scenes.grid import Band
from scenes.mobjects.retune import Retune
from scenes.mobjects.state_strip import StateStrip
from scenes.mobjects.text import Label, label
from scenes.mobjects.word_card import WordCard
from scenes.word_order_layout import HEAD, THICKEST, contexts
from scenes.word_order_measured import Measured
from scenes.word_order_orders import QUOTED

SIDES = ("forward", "backward")
UNREAD = 1 / 3  # opacity of words that a reader has not come to
STRIP_ROWS = 2


class InContexts(Measured):
    """Question, one side, the other side, names."""

    def ambiguous(self) -> None:
        trace = self.trace
        self.where = contexts(self.grid, trace.contexts)
        self.sentences = [self.sentence_row(k) for k in range(2)]
        both = VGroup(*self.sentences)
        self.lift = float(both.get_y() - self.grid.stage.center[1])
        both.shift([0.0, -self.lift, 0.0])
        one, other = (join(c.tokens) for c in trace.contexts)
        variant = "" if max(len(one), len(other)) <= QUOTED else "long"
        with self.beat("ambiguous", guess=GUESS_SECONDS, variant=variant, word=trace.word,
                       one=one, other=other):
            self.play(FadeOut(self.chart_parts), FadeOut(self.readout), run_time=0.6)
            self.release(self.chart_parts, self.readout)
            for row in self.sentences:
                self.play(LaggedStart(*map(FadeIn, row), lag_ratio=0.2, run_time=0.9))
            self.play(*[self.cursor(k) for k in range(2)])

    def sentence_row(self, which: int) -> VGroup:
        place, context = self.where.sentences[which], self.trace.contexts[which]
        return VGroup(*[
            WordCard(self.theme, token, "SOURCE", shape).seat(np.array([x, place.words_y, 0.0]))
            for token, shape, x in zip(context.tokens, place.shapes, place.xs, strict=True)
        ])

    def cursor(self, which: int) -> Animation:
        """The reader stops at the word."""
        card = self.word_card(which)
        card.mark("focus")
        return FadeIn(card.edge)

    def word_card(self, which: int) -> WordCard:
        return self.sentences[which][self.trace.contexts[which].position]

    # Read from one side

    def from_left(self) -> None:
        trace = self.trace
        legend = self.scale_legend("labels.state_scale", 1.0)
        equal = trace.forward_distance == 0
        self.readout = self.read_out(
            (self.say("labels.forward_distance"),
             self.number(trace.forward_distance, "forward_distance")),
        )
        variant = "" if equal else "same_before" if trace.same_before else "differs"
        with self.beat("forward", variant=variant, word=trace.word,
                       distance=f"{trace.forward_distance:.2f}"):
            up = [row.animate.shift([0.0, self.lift, 0.0]) for row in self.sentences]
            self.play(*up, FadeIn(legend))
            self.play(*self.unread("forward"))
            self.read_from("forward")
            self.play(FadeIn(self.readout))
        self.legend = legend

    def from_right(self) -> None:
        trace = self.trace
        leaving = self.readout
        self.readout = self.read_out(
            (self.say("labels.forward_distance"),
             self.number(trace.forward_distance, "forward_distance")),
            (self.say("labels.backward_distance"),
             self.number(trace.backward_distance, "backward_distance")),
            (self.say("labels.cosine"), self.number(trace.backward_cosine, "backward_cosine")),
        )
        variant = "" if trace.backward_distance > 0 else "same"
        with self.beat("backward", variant=variant, word=trace.word,
                       distance=f"{trace.backward_distance:.2f}"):
            self.play(*self.unread("backward"))
            self.read_from("backward")
            self.play(FadeOut(leaving), FadeIn(self.readout))

    def unread(self, side: str) -> list[Animation]:
        """Words that the reader of this side has not come to stand back; none for no side."""
        moves = []
        for k, context in enumerate(self.trace.contexts):
            for i, card in enumerate(self.sentences[k]):
                ahead = i > context.position if side == "forward" else i < context.position
                moves += self.dim(card, opacity=UNREAD if side and ahead else 1.0)
        return moves

    def read_from(self, side: str) -> None:
        """Both states come out of the word, and then how far they lie apart."""
        which = SIDES.index(side)
        bands = [place.strips[which] for place in self.where.sentences]
        strips = [self.state_strip(band) for band in bands]
        heads = [self.head(band, f"labels.{side}") for band in bands]
        self.play(*map(FadeIn, (*heads, *strips)), run_time=0.7)
        changes = [
            change
            for k, strip in enumerate(strips)
            for change in self.retune_cells(
                strip, getattr(self.trace.contexts[k], side), f"contexts[{k}].{side}")
        ]
        self.play(Retune(changes), run_time=1.2)
        band = self.where.differences[which]
        difference = self.state_strip(band, "TEXT")
        head = self.head(band, "labels.difference")
        values = getattr(self.trace, f"{side}_differences")
        self.play(FadeIn(difference), FadeIn(head), run_time=0.6)
        self.play(Retune(self.retune_cells(difference, values, f"{side}_differences")))

    def state_strip(self, band: Band, role: str = "HIDDEN") -> StateStrip:
        units = len(self.trace.forward_differences)
        rows = STRIP_ROWS if units % STRIP_ROWS == 0 else 1
        strip = StateStrip(self.theme, units, band.width - 0.08, 1.0, role, rows,
                           THICKEST - 0.08)
        return strip.move_to([band.center[0], band.bottom + THICKEST / 2, 0.0])  # type: ignore[no-any-return]

    def head(self, band: Band, key: str) -> Label:
        """The name of a strip, over its left end."""
        text = label(self.theme, self.say(key, word=self.trace.word), "MUTED", "smallest")
        text.stand_on(band.bottom + THICKEST + 0.3 * HEAD * text.em)
        return text.move_to([band.left + text.width / 2, text.get_y(), 0.0])  # type: ignore[no-any-return]

