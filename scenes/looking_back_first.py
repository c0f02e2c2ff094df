"""Act 1 of looking back: everything that happens before the first word is written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import (
    DOWN,
    LEFT,
    RIGHT,
    Animation,
    Create,
    FadeIn,
    FadeOut,
    GrowArrow,
    LaggedStart,
    Mobject,
    VGroup,
)

from scenes.base import GUESS_SECONDS, Station
from scenes.channels import AS_IT_IS
from scenes.grid import Band
from scenes.looking_back_layout import SIGN
from scenes.looking_back_moves import FIRST, Moves
from scenes.looking_back_readout import Readout, gradient_key
from scenes.mobjects.formula import QUIET
from scenes.mobjects.number_label import NumberLabel, fixed, format_number, format_scientific
from scenes.mobjects.text import Label, label
from scenes.trust import trust_badge, trust_items

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
FINE_PITCH = 0.65  # manim units a column needs for three decimals: weights then add up by eye


class FirstWord(Moves):
    """The beats from the question to the first word; `picture` is what lies on the table."""

    def __init__(self, scene: Station) -> None:
        super().__init__(scene, 0)
        self.readout = Readout(scene)
        self.names: list[Mobject] = []  # what stands in the gutter now
        self.kind = "marian" if scene.trace.decoder == "marian" else ""  # no recurrent model

    # Beats

    def question(self) -> None:
        """The source lies on the table; where would you look?"""
        scene, picture = self.scene, self.picture
        self.badge = trust_badge(scene, self.pair.trust)
        self.gap, self.slots = picture.gap(), picture.slots()
        source = self._name(self.desk.cards, "source", "SOURCE")
        self.next_word = self._name(self.desk.decoder, "next_word", "TARGET")
        variant = "unknown" if self.pair.trust == "unknown" else ""
        with scene.beat("question", variant=variant, guess=GUESS_SECONDS):
            trusted = trust_items(scene, self.pair.evidence, f"{self.field}.evidence")
            told = [*self.readout.change(*trusted), FadeIn(self.badge)]
            scene.play(FadeIn(picture.panel), *told, run_time=0.5)
            laid = [FadeIn(card, shift=0.3 * DOWN) for card in picture.cards]
            scene.play(LaggedStart(*laid, lag_ratio=0.25), *source, run_time=1.2)
            scene.play(FadeIn(self.gap), *self.next_word, run_time=0.6)
            scene.play(FadeIn(self.slots), run_time=0.6)

    def listen(self) -> None:
        """Each reading direction leaves its half of every annotation."""
        scene = self.scene
        self.strips = self.picture.strips()
        name = self._name(self.desk.strips, "annotations", "HIDDEN") if self.strips else []
        # A Transformer reads no way: every word looks at all others at once.
        recurrent = not self.kind
        ways = ((RIGHT, 0.5), (LEFT, 0.0)) if recurrent else ()
        self.passes = [self._reading(*way) for way in ways]
        with scene.beat("listen", variant="" if self.strips else "bare"):
            frames = [FadeIn(strip.frame) for strip in self.strips]
            scene.play(FadeOut(self.slots), *name, *frames, run_time=0.6)
            for half, (arrow, words) in enumerate(self.passes):
                scene.play(GrowArrow(arrow), FadeIn(words), *self._read(half), run_time=1.6)
            if not recurrent and self.strips:
                scene.play(*self._at_once(), run_time=1.6)
            if self.strips:
                drawn, whole = len(self.picture.units), self.pair.annotations.shape[1]
                self.readout.show(*gradient_key(scene, drawn, whole))

    def ask(self) -> None:
        """The decoder's present state travels in and turns to every source word."""
        scene, decoder = self.scene, self.scene.trace.decoder
        self.query = self._state("QUERY", self.pair.queries[FIRST], "queries")
        self.query_sign = label(self.theme, self._query_text(FIRST), "QUERY")
        self.guides = self._guides()
        name = self._name(self.desk.decoder, f"asks_{decoder}", "QUERY")
        home = np.array([self.desk.asker, self.desk.decoder.center[1], 0.0])
        self.query.move_to([self.desk.cards.left, home[1], 0.0])
        with scene.beat("ask", variant=decoder):
            leaving = [*self.passes, *[fade.mobject for fade in self.next_word]]
            if leaving:
                scene.play(*map(FadeOut, leaving), run_time=0.5)
            scene.play(FadeIn(self.query, shift=RIGHT), *name, run_time=0.6)
            scene.play(self.query.animate.move_to(home), run_time=0.9)
            self.query_sign.next_to(self.query, LEFT, buff=0.14)
            scene.play(FadeIn(self.query_sign), Create(self.guides), run_time=0.9)
            self._light("scores", "query", "key")

    def score(self) -> None:
        """A score for every source word."""
        scene, picture = self.scene, self.picture
        scale, zero = picture.score_scale()
        self.score_axis, bars = picture.axis(self.desk.scores, zero), picture.bars(zero, "MUTED")
        numbers = picture.numbers(self.desk.scores, zero, self.pair.scores[FIRST], 1)
        self.scores = VGroup(self.score_axis, *bars, *numbers.values())
        with scene.beat("score", units=scene.trace.attention_size):
            self._light("scores")
            scene.play(Create(self.score_axis), run_time=0.4)
            moves = [*self._grow(bars, "scores", scale, "e"), *self._count(numbers, "scores")]
            scene.play(*moves, run_time=1.6)

    def softmax(self) -> None:
        """Scores become weights, and beams as wide as the weights."""
        scene, picture = self.scene, self.picture
        scale, base = picture.weight_scale()
        self.weight_axis = picture.axis(self.desk.weights, base)
        self.weight_bars = picture.bars(base, "HIGH")
        decimals = 3 if self.desk.pitch >= FINE_PITCH else 2
        numbers = picture.numbers(self.desk.weights, base, self.pair.weights[FIRST], decimals)
        self.weight_numbers = VGroup(*numbers.values())
        ends = self.pair.end_weights  # [target], of a Transformer only
        end = format_number(float(ends[FIRST]) if ends.size else 0.0)
        with scene.beat("softmax", variant=self.kind, end=end):
            self._light("weights")
            scene.play(Create(self.weight_axis), run_time=0.4)
            moves = self._grow(self.weight_bars, "weights", scale, "α")
            scene.play(*moves, *self._count(numbers, "weights"), run_time=1.4)
            quiet = self.guides.animate.set_stroke(self.theme.color("GRID"))
            scene.play(*self.rays(FIRST), quiet, run_time=1.2)
            self._show_sum()

    def sum(self) -> None:
        """Annotations, each as high as its weight, stack up and merge into the context."""
        scene = self.scene
        self.context = self._state("VALUE", self.pair.contexts[FIRST], "contexts")
        self.pieces = [strip.cells.copy() for strip in self.strips]
        self.equals = self._sign("equals", "VALUE")
        self._beside_stack(self.context, self.equals)
        with scene.beat("sum", variant="" if self.pieces else "bare"):
            self._light("context")
            if self.pieces:
                scene.play(LaggedStart(*self._stacking(), lag_ratio=0.2), run_time=2.0)
                scene.play(FadeIn(self.equals), run_time=0.3)
            scene.play(FadeIn(self.context, shift=0.5 * RIGHT), run_time=0.8)
            self._show_error()

    def speak(self) -> None:
        """With the context in hand the word is said."""
        scene, picture = self.scene, self.picture
        self.word = picture.said(FIRST)
        self.chance = self._chance()
        sign = self._sign("context_sign", "VALUE")
        place = self.query.get_center() + RIGHT * (self.query.width + sign.width + 0.4)
        arrow = self._arrow(place[0] + self.context.width / 2)
        p = format_number(self.pair.probabilities[FIRST])
        with scene.beat("speak", variant=self.kind, word=self.pair.target[FIRST], p=p):
            everything = [f.light() for f in picture.formulas.values() if f in self.names]
            leaving = [FadeOut(self.equals)] if self.pieces else []
            moves = [self.context.animate.move_to(place), *everything, *leaving]
            scene.play(*moves, run_time=1.2)
            sign.next_to(self.context, LEFT, buff=0.14)
            scene.play(FadeIn(sign), GrowArrow(arrow), run_time=0.5)
            scene.play(FadeOut(self.gap), FadeIn(self.word, shift=0.4 * RIGHT), run_time=0.7)
            scene.play(FadeIn(self.chance), run_time=0.5)
        self.mouthpiece = VGroup(self.context, sign, arrow)

    # What stands at the sides

    def _name(self, lane: Band, key: str, role: str) -> list[Animation]:
        """A lane's name comes into the gutter, where the gutter has room for it."""
        name = self.picture.name(lane, key, role)
        taken = self.desk.asker - self.desk.state_width / 2 - SIGN
        room = taken if lane is self.desk.decoder else self.desk.gutter.right
        if name.get_right()[0] > room:
            return []
        self.names.append(name)
        return [FadeIn(name)]

    def _light(self, key: str, *terms: str) -> None:
        """This formula, or some of its terms, in full; the earlier ones at a quarter."""
        formulas = self.picture.formulas
        formula = formulas[key]
        if not self.picture.beside:
            self.lit = formula
            return self.readout.show(formula)
        others = [f for f in formulas.values() if f is not formula and f in self.names]
        moves: list[Animation] = [f.animate.set_opacity(QUIET) for f in others]
        seen = formula in self.names
        moves.append(formula.light(*terms) if seen else FadeIn(self._formula(key, terms)))
        return self.scene.play(*moves, run_time=0.6)

    def _tell(self, *items: Mobject) -> None:
        """Puts checks into the read-out band, beside the formula where that stands there."""
        self.readout.show(*([] if self.picture.beside else [self.lit]), *items)

    def _formula(self, key: str, terms: Sequence[str]) -> VGroup:
        """A lane's name and formula, with only some terms lit."""
        lanes = {"scores": self.desk.scores, "weights": self.desk.weights,
                 "context": self.desk.context}
        group = self.picture.named_formula(lanes[key], key)
        formula = self.picture.formulas[key]
        if terms:
            formula.set_opacity(QUIET)
            for term in terms:
                formula.term(term).set_opacity(1.0)
        self.names += [*group]
        return group

    def _sign(self, key: str, role: str) -> Label:
        return label(self.theme, self.scene.say(f"labels.{key}"), role)

    def _query_text(self, i: int) -> str:
        """The sign of the state that asks for target word i, counted from 1."""
        decoder = self.scene.trace.decoder
        number = i if decoder == "bahdanau" else i + 1
        return self.scene.say(f"labels.query_{decoder}", i=str(number).translate(SUBSCRIPTS))

    def _show_sum(self) -> None:
        total = NumberLabel(self.theme, 0.0, format=fixed(3), prefix=self.scene.say("labels.sum"))
        self._tell(total)
        one = float(self.pair.weights[FIRST].sum())
        count = self.scene.count_to(total, one, field=f"sum({self.field}.weights)", index=(FIRST,))
        self.scene.play(count, run_time=0.6)

    def _show_error(self) -> None:
        error = NumberLabel(
            self.theme, 0.0, format=format_scientific, prefix=self.scene.say("labels.error")
        )
        field = f"{self.field}.context_error"
        self.scene.bind(error, "value", self.pair.context_error, AS_IT_IS, field=field)
        self._tell(error)

    def ask_again(self, i: int) -> list[Animation]:
        """Target word i asks: its state in the same strip, its number in the strip's sign."""
        self.query_sign.restate(self._query_text(i))
        self.query_sign.next_to(self.query, LEFT, buff=0.14)
        return [*self._recolor(i), *self.rays(i)]
