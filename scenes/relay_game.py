"""Station 2, the relay game: how much of a note from the loss reaches the first word.

Act 1 without words follows gain^k exactly; act 2 reads the sentence through the same matrix;
act 3 makes the matrix larger, and clips what explodes.
"""

from __future__ import annotations

import numpy as np
from manim import (
    DOWN,
    LEFT,
    UP,
    Animation,
    Create,
    FadeIn,
    FadeOut,
    Indicate,
    LaggedStart,
    Line,
    ReplacementTransform,
    SurroundingRectangle,
    VGroup,
    VMobject,
)

from scenes.base import GUESS_SECONDS
from scenes.channels import AS_IT_IS
from scenes.grid import Band
from scenes.mobjects.marks import disc
from scenes.mobjects.note import INK, Note
from scenes.mobjects.number_label import NumberLabel, format_scientific, integer
from scenes.mobjects.text import label
from scenes.relay_game_gains import Gains
from scenes.relay_game_panels import StepPanel, TermBars
from scenes.relay_game_parts import (
    WIDEST,
    QuestionArrow,
    amount,
    factor_text,
    plain_amount,
)

WALK_SECONDS = 6.0  # for the note to walk the sentence, within a least and a most per runner
LEAST_STEP, MOST_STEP = 0.16, 0.9
FAR = 0.1  # a term below this share of the longest has all but vanished
FORMULA_SECONDS = 1.0


class RelayGame(Gains):
    trailer = ("band",)

    def construct(self) -> None:
        self.prepare()
        self.question()
        self.plain()
        self.plain_check()
        self.sentence()
        if self.count:
            self.other_seeds()
            self.step()
            self.slope()
            self.product()
            self.shared()
            self.learning()
        self.louder()
        self.exploding()
        self.clipping()
        self.names()

    def question(self) -> None:
        self.arrow = QuestionArrow(self.theme, self.places, self.say("labels.guess"))
        picture = VGroup(self.row, self.loss, self.note, self.arrow)
        self.lift = self.grid.stage.center[1] - picture.get_center()[1]
        picture.shift(self.lift * UP)
        variant = "" if self.count else "alone"
        with self.beat("question", guess=GUESS_SECONDS, variant=variant,
                       first=self.trace.tokens[0]):
            self.play(LaggedStart(*map(FadeIn, self.row), lag_ratio=0.1, run_time=1.5))
            self.play(FadeIn(self.loss), FadeIn(self.note, shift=0.3 * DOWN))
            self.play(FadeIn(self.arrow, shift=0.4 * LEFT), run_time=1.2)

    def sentence(self) -> None:
        trace = self.trace
        self.near = self.near_plot()
        feet = [runner.get_bottom()[1] - 0.05 for runner in self.row]
        variant = ("alone", "once")[self.count] if self.count < 2 else ""
        with self.beat("sentence", variant=variant, first=trace.tokens[0], last=trace.tokens[-1],
                       count=self.count):
            self.come_back()
            self.guides = self.near.guides(feet)
            self.play(FadeIn(self.guides), FadeIn(self.counting))
            self.notes, self.points, self.segments = [self.note], VGroup(), VGroup()
            self.arrive(self.note, self.count, 0.8)  # the last runner: as the loss wrote it
            for at in range(self.count - 1, -1, -1):
                self.hand_on(at)

    def come_back(self) -> None:
        """The long row becomes the sentence's runners again; the power keeps its line."""
        line = self.near.curve(self.alone(), "MUTED", 3)
        self.bind_curve(line, self.near, self.alone(), "log10_linear_reference")
        self.play(*map(FadeOut, (self.strip, self.dots, self.rings, self.fed, self.readout,
                                 self.note, self.nodes, self.line_name)), run_time=0.6)
        self.note = self.at_loss(self.note)
        homeward = [
            runner.head.animate.move_to(place).set(width=width).set_opacity(1.0)
            for runner, (place, width) in zip(self.row, self.homes, strict=True)
        ]
        self.play(*homeward, FadeOut(self.way.plot), FadeIn(self.near),
                  ReplacementTransform(self.line, line), FadeIn(self.note), run_time=1.4)
        self.line = line
        self.play(FadeIn(self.row.boards))
        whole = self.trace.log10_gradient_norms[-1]
        self.left = self.number(whole, "log10_gradient_norms", self.count, text=amount)
        alone_name = self.say("labels.alone", power=self.power("ᵏ"))
        self.alone_number = self.number(0.0, "log10_linear_reference", 0, text=amount)
        self.counting = self.read_out((self.say("labels.left"), self.left),
                                      (alone_name, self.alone_number), widest=WIDEST)

    def hand_on(self, at: int) -> None:
        """One runner's copy of the note goes on to the next, times the factor of that step."""
        seconds = float(np.clip(WALK_SECONDS / self.count, LEAST_STEP, MOST_STEP))
        self.notes.append(self.notes[-1].copy())
        self.arrive(self.notes[-1], at, seconds)

    def arrive(self, note: Note, at: int, seconds: float) -> None:
        """A note reaches a runner: its ink, the factor above it, the point under it."""
        trace, where, lag = self.trace, self.places, self.count - at
        move = self.bind_animation(note, "fill_opacity", trace.relative_gradients[at], INK,
                                   field="relative_gradients", index=(at,), label="note")
        note.target.move_to([where.xs[at], where.note_y, 0.0])
        self.play(move, *self.factor_given(at), run_time=0.55 * seconds)
        log10 = trace.log10_gradient_norms
        start = np.array([where.xs[at], where.note_y, 0.0])
        point = disc(start, 0.06, self.theme.color("GRADIENT"))
        fall = self.bind_animation(point, "y", log10[at], self.near.y_scale,
                                   field="log10_gradient_norms", index=(at,), label="log10")
        self.points.add(point)
        self.count_on(at, lag)
        self.play(fall, *self.segment(at, lag), run_time=0.45 * seconds)

    def factor_given(self, at: int) -> list[Animation]:
        """What the step to this runner multiplied by; the last runner was given the note itself."""
        if at == self.count:
            return []
        self.bind(self.factors[at], "value", self.trace.step_factors[at], AS_IT_IS,
                  field="step_factors", index=(at,))
        return [FadeIn(self.factors[at])]

    def segment(self, at: int, lag: int) -> list[Animation]:
        """The piece of the curve that joins a runner's point to the one before."""
        if not lag:
            return []
        log10 = self.trace.log10_gradient_norms
        ends = self.near.at(lag - 1, log10[at + 1]), self.near.at(lag, log10[at])
        piece = Line(*ends, color=self.theme.color("GRADIENT"), stroke_width=4)
        self.segments.add(piece)
        return [Create(piece)]

    def count_on(self, at: int, lag: int) -> None:
        """The read-out says what is left now, and what the power alone would have left."""
        self.bind(self.left, "value", self.trace.log10_gradient_norms[at], AS_IT_IS,
                  field="log10_gradient_norms", index=(at,))
        if lag < len(self.alone()):
            self.bind(self.alone_number, "value", self.alone()[lag], AS_IT_IS,
                      field="log10_linear_reference", index=(lag,))
        else:
            self.release(self.alone_number)
            self.alone_number.set_value(self.alone_at(lag))

    def other_seeds(self) -> None:
        trace, plot = self.trace, self.near
        band = trace.log10_band[:, ::-1]  # [seed, lag]
        self.spread = VGroup(plot.region(band.min(axis=0), band.max(axis=0), "GRADIENT", 0.16))
        for seed, values in enumerate(band):
            curve = plot.curve(values, "GRADIENT", 1.0)
            self.bind_curve(curve, plot, values, f"log10_band[{seed}]", self.count)
            self.spread.add(curve.set_stroke(opacity=0.5))
        self.spread.set_z_index(-1)
        own = plot.curve(trace.log10_gradient_norms[::-1], "GRADIENT")
        marks = VGroup(self.line, own, self.spread, *self.points)
        tags = VGroup()
        for text, curve, role in ((self.power("ᵏ"), self.line, "MUTED"),
                                  (self.say("labels.sentence_line"), own, "GRADIENT")):
            tags.add(self.curve_name(text, curve, VGroup(marks, tags), role))
        self.tags = tags
        ends = band[:, -1]
        alike = amount(ends.min()) == amount(ends.max())
        with self.beat("band", variant="alike" if alike else "", gain=self.gain,
                       alone=amount(self.alone_at(self.count)), seeds=len(band),
                       left=amount(trace.log10_gradient_norms[0]),
                       low=amount(ends.min()), high=amount(ends.max())):
            self.play(FadeIn(tags))
            self.play(FadeIn(self.spread), run_time=1.2)

    # What one runner multiplies by

    def step(self) -> None:
        trace, stage = self.trace, self.grid.stage
        feet = self.row.get_bottom()[1]
        band = Band(stage.left, stage.right, stage.bottom, feet - 0.05 * stage.height)
        panel = self.panel = StepPanel(self.theme, band, trace, self.say)
        self.bind(panel.same, "value", trace.spectral_norm, AS_IT_IS, field="spectral_norm")
        self.shared_w = self.same_everywhere()
        with self.beat("step", gain=self.gain):
            self.play(*map(FadeOut, (self.near, self.guides, self.line, self.points, self.segments,
                                     self.spread, self.tags, self.x_title, self.y_title,
                                     self.counting, self.legend)), run_time=0.6)
            self.play(FadeIn(panel.formula), run_time=FORMULA_SECONDS)
            self.play(panel.formula.light("same"), FadeIn(panel.same))
            self.play(LaggedStart(*map(FadeIn, self.shared_w[::-1]), lag_ratio=0.15, run_time=1.5))

    def same_everywhere(self) -> VGroup:
        """The one W under every runner who multiplies by it."""
        where, em = self.places, self.places.factor_em
        y = self.row.get_bottom()[1] - 0.8 * em
        text = self.say("labels.w")
        return VGroup(*[
            label(self.theme, text, "TEXT", "smallest").centre_on(np.array([x, y, 0.0]))
            for x in where.xs[:-1]
        ])

    def slope(self) -> None:
        trace, panel, last = self.trace, self.panel, self.count
        factor = float(trace.step_factors[-1])
        self.focus = SurroundingRectangle(self.row[last].board, buff=0.03, corner_radius=0.06,
                                          color=self.theme.color("HIDDEN"), stroke_width=2.5)
        self.bind_each(panel.slopes.bars, "height", trace.hidden_states[last], panel.slope_scale,
                       field="hidden_states", index=(last,), label="1 − h²")
        variant = "" if factor < trace.gain * 0.995 else "nothing"
        with self.beat("slope", variant=variant, gain=self.gain, factor=factor_text(factor)):
            self.play(FadeOut(self.shared_w), *panel.step_aside())
            self.play(panel.formula.light("slope"), Create(self.focus))
            self.play(FadeIn(panel.slope_title), FadeIn(panel.bound))
            self.play(FadeIn(panel.slopes, shift=0.2 * UP), run_time=1.2)
            self.play(panel.formula.light("same", "slope"))
            self.bind(panel.factor, "value", factor, AS_IT_IS, field="step_factors",
                      index=(last - 1,))
            self.play(FadeIn(panel.factor), Indicate(self.factors[last - 1], 1.4))

    def product(self) -> None:
        trace, panel = self.trace, self.panel
        chain = panel.product()
        error = self.number(trace.autograd_error, "autograd_error", text=format_scientific)
        count = NumberLabel(self.theme, self.count, format=integer)
        self.readout = self.read_out((self.say("labels.factors"), count),
                                     (self.say("labels.error"), error))
        leaving = (panel.formula, panel.same, panel.factor, panel.slopes, panel.bound,
                   panel.slope_title, self.focus)
        self.decides = panel.decides()
        with self.beat("product", variant="" if self.count > 1 else "once",
                       time=len(trace.tokens), count=self.count):
            self.play(*map(FadeOut, leaving), FadeIn(chain), run_time=FORMULA_SECONDS)
            self.play(LaggedStart(*[Indicate(factor, 1.3) for factor in reversed(self.factors)],
                                  lag_ratio=0.25, run_time=2.0), chain.light("chain"))
            self.play(FadeIn(self.readout), FadeIn(self.decides))
            self.play(chain.light())
        self.chain = chain

    def shared(self) -> None:
        trace = self.trace
        self.terms = terms = TermBars(self.theme, self.places, trace, self.say)
        with self.beat("shared"):
            self.play(*map(FadeOut, (self.chain, self.decides, self.readout)), run_time=0.6)
            self.play(FadeIn(terms.words.line), FadeIn(terms.title))
            parts = self.bind_each_animation(terms.words.bars, "height", trace.weight_parts,
                                             terms.scale_to, field="weight_parts", label="∂L/∂W")
            self.play(LaggedStart(*parts[::-1], lag_ratio=0.2, run_time=2.2))
            self.play(FadeIn(terms.start))

    def learning(self) -> None:
        terms = self.terms
        with self.beat("learning", variant=self.learning_story()):
            total = self.bind_animation(terms.total, "height", self.trace.weight_gradient_norm,
                                        terms.scale_to, field="weight_gradient_norm")
            self.play(FadeIn(terms.sum_name), total)
            self.figures = self.term_figures()
            self.play(*map(FadeIn, self.figures))

    def term_figures(self) -> list[VMobject]:
        """The longest way, the shortest and the sum, in figures above their bars."""
        trace, terms = self.trace, self.terms
        told = [(terms.words.bars[i], trace.weight_parts[i], "weight_parts", (i,))
                for i in sorted({1, self.count})]
        told.append((terms.total, trace.weight_gradient_norm, "weight_gradient_norm", ()))
        figures: list[VMobject] = []
        for bar, value, field, index in told:
            number = NumberLabel(self.theme, value, size="smallest", format=plain_amount)
            self.bind(number, "value", value, AS_IT_IS, field=field, index=index)
            figures.append(terms.over(number, bar))
        return figures

    def learning_story(self) -> str:
        """What the terms of ∂L/∂W show: the variant of the caption."""
        parts = self.trace.weight_parts
        if parts.max() == 0:
            return "silent"
        if self.count == 1:
            return "once"
        return "" if parts[1] < FAR * parts.max() else "even"
