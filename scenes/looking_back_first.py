"""Act 1 of looking back: everything that happens before the first word is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from manim import (
    DOWN,
    LEFT,
    RIGHT,
    Animation,
    Arrow,
    Create,
    FadeIn,
    FadeOut,
    GrowArrow,
    LaggedStart,
    Mobject,
    Rectangle,
    VGroup,
)

from scenes.base import GUESS_SECONDS, Station
from scenes.channels import AS_IT_IS, Linear, Scale
from scenes.grid import Band
from scenes.looking_back_desk import DeskPicture
from scenes.looking_back_layout import CONTEXT, SIGN
from scenes.looking_back_readout import Readout, gradient_key, trust_badge
from scenes.mobjects.bar_row import Bar
from scenes.mobjects.fan import Ray
from scenes.mobjects.formula import QUIET
from scenes.mobjects.number_label import NumberLabel, fixed, format_scientific
from scenes.mobjects.state_strip import StateStrip
from scenes.mobjects.text import Label, label

STATE = 0.28  # manim units, height of a state's strip
FIRST = 0  # the target word that is told in detail
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
THIN = 1.6  # stroke of a line that carries no number


class FirstWord:
    """The beats from the question to the first word; `picture` is what lies on the table."""

    def __init__(self, scene: Station) -> None:
        self.scene, self.theme = scene, scene.theme
        self.picture = DeskPicture(scene, 0)
        self.pair, self.field, self.desk = self.picture.pair, self.picture.field, self.picture.desk
        self.readout = Readout(scene)
        self.names: list[Mobject] = []  # what stands in the gutter now

    # Beats

    def question(self) -> None:
        """The source lies on the table; where would you look?"""
        scene, picture = self.scene, self.picture
        self.badge = trust_badge(scene, self.pair.trust)
        self.gap, self.slots = picture.gap(), picture.slots()
        source = self._name(self.desk.cards, "source", "SOURCE")
        self.next_word = self._name(self.desk.decoder, "next_word", "TARGET")
        with scene.beat("question", guess=GUESS_SECONDS):
            scene.play(FadeIn(picture.panel), FadeIn(self.badge), run_time=0.5)
            laid = [FadeIn(card, shift=0.3 * DOWN) for card in picture.cards]
            scene.play(LaggedStart(*laid, lag_ratio=0.25), *source, run_time=1.2)
            scene.play(FadeIn(self.gap), *self.next_word, run_time=0.6)
            scene.play(FadeIn(self.slots), run_time=0.6)

    def listen(self) -> None:
        """Each reading direction leaves its half of every annotation."""
        scene = self.scene
        self.strips = self.picture.strips()
        name = self._name(self.desk.strips, "annotations", "HIDDEN")
        self.passes = [self._reading(RIGHT, 0.5), self._reading(LEFT, 0.0)]
        with scene.beat("listen", variant="" if self.strips else "bare"):
            frames = [FadeIn(strip.frame) for strip in self.strips]
            scene.play(FadeOut(self.slots), *name, *frames, run_time=0.6)
            for half, (arrow, words) in enumerate(self.passes):
                scene.play(GrowArrow(arrow), FadeIn(words), *self._read(half), run_time=1.6)
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
            scene.play(*[FadeOut(VGroup(m) if isinstance(m, VGroup) else m) for m in leaving],
                       run_time=0.5)
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
        numbers = picture.numbers(self.desk.scores, self.pair.scores[FIRST], 1)
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
        numbers = picture.numbers(self.desk.weights, self.pair.weights[FIRST], 2)
        self.weight_numbers = VGroup(*numbers.values())
        with scene.beat("softmax"):
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
        with scene.beat("speak", word=self.pair.target[FIRST], p=self.pair.probabilities[FIRST]):
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
        number = i + 1 if decoder == "conditional" else i
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

    # What moves

    def _reading(self, way: np.ndarray, share: float) -> VGroup:
        """An arrow through the table the way the encoder reads, and its name."""
        desk = self.desk
        whole = desk.scores.top - desk.context.bottom
        y = desk.context.bottom + (share + 0.34) * whole
        ends = [np.array([x, y, 0.0]) for x in (desk.cards.left + 0.3, desk.cards.right - 0.3)]
        start, end = ends if way[0] > 0 else ends[::-1]
        arrow = Arrow(start, end, buff=0, stroke_width=3, tip_length=0.2,
                      color=self.theme.color("HIDDEN"))
        key = "forward" if way[0] > 0 else "backward"
        words = label(self.theme, self.scene.say(f"labels.{key}"), "HIDDEN")
        words.centre_on(np.array([desk.cards.center[0], y - 0.19 * whole, 0.0]))
        return VGroup(arrow, words)

    def _read(self, half: int) -> list[Animation]:
        """One reading pass colours one half of every strip, word after word."""
        units = self.picture.units
        middle = len(units) // 2
        part = slice(0, middle) if half == 0 else slice(middle, None)
        passes = []
        for j, strip in list(enumerate(self.strips))[:: 1 if half == 0 else -1]:
            moves = self._color(strip, self.pair.annotations[j], "annotations", j, part)
            passes.append(LaggedStart(*moves, lag_ratio=0.0))
        return [LaggedStart(*passes, lag_ratio=0.6)] if passes else []

    def _color(
        self, strip: StateStrip, state: np.ndarray, field: str, row: int, part: slice
    ) -> list[Animation]:
        units = self.picture.units[part]
        return [
            self.scene.bind_animation(
                cell, "fill", state[unit], strip.scale_to,
                field=f"{self.field}.{field}", index=(row, unit), label=field,
            )
            for cell, unit in zip(strip.cells[part], units, strict=True)
        ]

    def _state(self, role: str, state: np.ndarray, field: str) -> StateStrip:
        """A strip that shows the drawn units of a state of the first step."""
        strip = self.picture.state(role, STATE)
        for cell, unit in zip(strip.cells, self.picture.units, strict=True):
            self.scene.bind(cell, "fill", state[unit], strip.scale_to,
                            field=f"{self.field}.{field}", index=(FIRST, unit), label=field)
        return strip

    def _recolor(self, i: int) -> list[Animation]:
        """The asking state of another target word, in the same strip."""
        return self._color(self.query, self.pair.queries[i], "queries", i, slice(None))

    def ask_again(self, i: int) -> list[Animation]:
        """Target word i asks: its state in the same strip, its number in the strip's sign."""
        self.query_sign.restate(self._query_text(i))
        self.query_sign.next_to(self.query, LEFT, buff=0.14)
        return [*self._recolor(i), *self.rays(i)]

    def _guides(self) -> VGroup:
        fan, color = self.picture.fan, self.theme.color("LINE")
        lines = [Ray(color, fan.foot, head).set_stroke(width=THIN) for head in fan.heads]
        return VGroup(*lines).set_z_index(-2)

    def rays(self, i: int) -> list[Animation]:
        """Beams for target word i: they leave side by side and fill the foot together."""
        fan, weights = self.picture.fan, self.pair.weights[i]
        moves = []
        for j, (ray, foot) in enumerate(zip(fan, fan.feet(weights), strict=True)):
            moves.append(self.scene.bind_animation(
                ray, "stroke_width", weights[j], fan.scale_to,
                field=f"{self.field}.weights", index=(i, j), label="α",
            ))
            ray.target.lead(foot, fan.heads[j])
        return moves

    def _grow(self, bars: list[Bar], field: str, scale: Scale, sign: str) -> list[Animation]:
        values = getattr(self.pair, field)[FIRST]
        return self.scene.bind_each_animation(
            bars, "height", values, scale, field=f"{self.field}.{field}", index=(FIRST,), label=sign
        )

    def _count(self, numbers: Mapping[int, NumberLabel], field: str) -> list[Animation]:
        values = getattr(self.pair, field)[FIRST]
        return [
            self.scene.count_to(
                number, values[j], field=f"{self.field}.{field}", index=(FIRST, j), label=field
            )
            for j, number in numbers.items()
        ]

    def _beside_stack(self, context: StateStrip, equals: Label) -> None:
        """The sum at the right of its parts, or in their place where these are not drawn."""
        context.move_to(self.desk.context.center)
        if self.pieces:
            context.shift(RIGHT * (context.width + 2 * equals.width))
            equals.next_to(context, LEFT, buff=0.5 * equals.width)

    def _stacking(self) -> list[Animation]:
        """Copies of the annotations shrink to their weights and come to lie on each other."""
        lane, weights = self.desk.context, self.pair.weights[FIRST]
        scale = Linear(0.0, 1.0, 0.0, CONTEXT)
        top, moves = lane.center[1] + scale(1.0) / 2, []
        for j, piece in enumerate(self.pieces):
            moves.append(self.scene.bind_animation(
                piece, "height", weights[j], scale,
                field=f"{self.field}.weights", index=(FIRST, j), label="α",
            ))
            height = scale(float(weights[j]))
            piece.target.move_to([lane.center[0], top - height / 2, 0.0])
            top -= height
        return moves

    def _chance(self) -> VGroup:
        """p of the word that was said: a number, and a bar on a track from 0 to 1."""
        desk, p = self.desk, self.pair.probabilities[FIRST]
        mouth = self.picture.mouth
        width = 0.9 * min(self.word.width, 2 * (desk.speech.right - mouth[0]))
        track = Rectangle(width=width, height=0.12, stroke_width=0).set_fill(
            self.theme.color("GRID"), 1.0
        )
        bar = Rectangle(width=width, height=0.12, stroke_width=0).set_fill(
            self.theme.color("TARGET"), 1.0
        )
        track.move_to([mouth[0], desk.beams.top - 0.04, 0.0])
        bar.move_to(track)
        field = f"{self.field}.probabilities"
        self.scene.bind(bar, "width", p, Linear(0, 1, 0, width), field=field, index=(FIRST,))
        number = NumberLabel(self.theme, 0.0, format=fixed(2), prefix=self.scene.say("labels.p"))
        self.scene.bind(number, "value", p, AS_IT_IS, field=field, index=(FIRST,))
        number.next_to(track, DOWN, buff=0.09)
        return VGroup(track, bar, number)

    def _arrow(self, left: float) -> Arrow:
        """From what is in hand to the word."""
        y = self.desk.decoder.center[1]
        start, end = [left + 0.1, y, 0.0], [self.word.get_left()[0] - 0.08, y, 0.0]
        return Arrow(start, end, buff=0, stroke_width=3, tip_length=0.16,
                     color=self.theme.color("LINE"))
