"""The acts without the sentence's own steps: the plain gain, the larger gain, the clips."""

from __future__ import annotations

import numpy as np
from manim import (
    DOWN,
    UP,
    Circle,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    ReplacementTransform,
    VGroup,
    VMobject,
)

from engine.traces import Clipping
from scenes.grid import Band
from scenes.mobjects.axis import Span
from scenes.mobjects.clip_dial import TILT, ArrowLength, GradientArrow, Turn
from scenes.mobjects.lag_plot import LagPlot, free_place, name_curve
from scenes.mobjects.note import Note
from scenes.mobjects.number_label import VANISHED, NumberLabel, fixed
from scenes.mobjects.text import Label, label
from scenes.relay_game_panels import ClipPanel
from scenes.relay_game_parts import (
    check_amount,
    checked_lags,
    gain_text,
    log10_of,
    power_text,
)
from scenes.relay_game_stage import RelayStage

VANISHES, GROWS = float(np.log10(0.5)), float(np.log10(2.0))  # between them: neither
STRAIGHT = 0.9995  # a cosine that reads 1.000


class Gains(RelayStage):
    """Beats over a hundred steps."""

    def plain(self) -> None:
        trace, field = self.trace, "log10_linear_norms"
        norms, reference = trace.log10_linear_norms, trace.log10_linear_reference
        self.way = way = self.long_way(norms, reference)
        self.nodes = way.other_nodes(len(self.row))
        self.line = way.plot.curve(reference, "MUTED", 3)
        self.line_name = self.curve_name(
            power_text(trace.gain, "ᵏ"), self.line, VGroup(), "MUTED")
        self.fed = self.under_nodes("labels.fed_silent", gain=self.gain)
        self.strip = way.strip(self, norms, field)
        self.dots = way.dots(self, norms, field, "GRADIENT")
        with self.beat("plain", gain=self.gain):
            self.play(FadeOut(self.row.boards), FadeOut(self.arrow), run_time=0.6)
            self.row.boards.shift(self.lift * DOWN)  # unseen: they come back at their places
            self.play(*way.become_nodes(self.row), self.loss.animate.shift(self.lift * DOWN),
                      self.note.animate.shift(self.lift * DOWN), run_time=1.2)
            self.play(*map(FadeIn, (self.nodes, self.fed, way.plot, self.x_title, self.y_title,
                                    self.legend)))
            self.play(Create(self.line), FadeIn(self.line_name))
            self.play(*way.sweep(self.note, norms, self.strip, self.dots))

    def under_nodes(self, key: str, **values: object) -> Label:
        """What is fed to a row of nodes, written below it."""
        words = label(self.theme, self.say(key, **values), "SOURCE", "smallest")
        words.centre_on(np.array([self.places.plot.center[0], self.node_y, 0.0]))
        return words.shift(1.6 * words.em * DOWN)  # type: ignore[no-any-return]

    def plain_check(self) -> None:
        norms = self.trace.log10_linear_norms
        half, end = checked_lags(self.steps)
        self.rings = self.ringed(self.way.plot, norms, (half, end))
        self.readout = self.read_out(*[item for lag in (half, end) for item in self.checks(lag)])
        with self.beat("plain_check", half=half, steps=end, gain=self.gain, power=self.power("ᵏ"),
                       at_half=check_amount(norms[half]), at_end=check_amount(norms[end])):
            self.play(Create(self.rings))
            self.play(FadeIn(self.readout, shift=0.2 * UP))

    def power(self, exponent: str) -> str:
        return power_text(self.trace.gain, exponent)

    def ringed(self, plot: LagPlot, values: np.ndarray, lags: tuple[int, ...]) -> VGroup:
        """Rings about the points whose numbers are printed."""
        color = self.theme.color("TEXT")
        return VGroup(*[
            Circle(0.13, stroke_color=color, stroke_width=2.5).move_to(plot.at(lag, values[lag]))
            for lag in lags
        ])

    def checks(self, lag: int) -> list[tuple[str, NumberLabel]]:
        """What was measured at a lag, beside the power."""
        trace = self.trace
        measured = self.number(trace.log10_linear_norms[lag], "log10_linear_norms", lag)
        power = self.number(trace.log10_linear_reference[lag], "log10_linear_reference", lag)
        return [(self.say("labels.lag", lag=lag), measured), (f"{self.power(str(lag))} =", power)]

    def louder(self) -> None:
        trace, field = self.trace, "log10_exploding_norms"
        norms, gain = trace.log10_exploding_norms, gain_text(trace.exploding_gain)
        self.way = way = self.long_way(norms, trace.log10_linear_reference, self.by_lag())
        self.curves, self.names_of_curves = self.all_curves(way.plot)
        self.nodes = way.other_nodes(len(self.row))
        self.fed = self.under_nodes("labels.fed_loud", gain=gain,
                                    softness=f"{trace.exploding_input_scale:g}")
        self.strip = way.strip(self, norms, field)
        self.dots = way.dots(self, norms, field, "GRADIENT")
        with self.beat("louder", gain=gain):
            self.set_out_again()
            self.play(*map(Create, self.curves[:-1]), *map(FadeIn, self.names_of_curves[:-1]))
            self.play(*way.sweep(self.note, norms, self.strip, self.dots))

    def exploding(self) -> None:
        norms = self.trace.log10_exploding_norms
        number = self.number(norms[-1], "log10_exploding_norms", self.steps)
        self.readout = self.read_out((self.say("labels.lag", lag=self.steps), number))
        variant = "" if norms[-1] > GROWS else "not"
        with self.beat("exploding", variant=variant, steps=self.steps,
                       at_end=check_amount(norms[-1])):
            self.play(Create(self.curves[-1]), FadeIn(self.names_of_curves[-1]))
            self.play(FadeIn(self.readout, shift=0.2 * UP))

    def by_lag(self) -> np.ndarray:
        """log₁₀ of what is left of the note, as far back as the long way goes. # [lag]"""
        return self.trace.log10_gradient_norms[::-1][: self.steps + 1]

    def all_curves(self, plot: LagPlot) -> tuple[VGroup, VGroup]:
        """The power, the sentence and the larger gain on one axis, and their names."""
        trace = self.trace
        reference, norms = trace.log10_linear_reference, trace.log10_exploding_norms
        curves = VGroup(plot.curve(reference, "MUTED", 3), plot.curve(self.by_lag(), "GRADIENT", 4),
                        plot.curve(norms, "GRADIENT", 4))
        self.bind_curve(curves[0], plot, reference, "log10_linear_reference")
        self.bind_curve(curves[1], plot, self.by_lag(), "log10_gradient_norms", self.count)
        self.bind_curve(curves[2], plot, norms, "log10_exploding_norms")
        gain = self.say("labels.exploding_line", gain=gain_text(trace.exploding_gain))
        texts = [(self.power("ᵏ"), "MUTED"), (self.say("labels.sentence_line"), "GRADIENT"),
                 (gain, "GRADIENT")]
        if not self.count:
            curves.remove(curves[1])
            texts.pop(1)
        names = VGroup()
        for curve, (text, role) in zip(curves, texts, strict=True):
            names.add(self.curve_name(text, curve, VGroup(curves, names), role, area=plot.area))
        return curves, names

    def set_out_again(self) -> None:
        """The words give way to the long row; a new note waits at the loss."""
        self.note = self.at_loss(Note(self.theme, self.places.note_width))
        leaving = [self.row.boards, *self.leftovers()]
        self.play(*map(FadeOut, leaving), run_time=0.6)
        self.play(*self.way.become_nodes(self.row), FadeIn(self.note), run_time=1.2)
        self.play(*map(FadeIn, (self.nodes, self.fed, self.way.plot, self.x_title, self.y_title,
                                self.legend)))

    def leftovers(self) -> list[VMobject]:
        """What act 2 left on the stage."""
        if not self.count:
            return [self.near, self.guides, self.line, self.points, self.counting, *self.notes]
        terms = self.terms
        return [terms.words, terms.total, terms.title, terms.sum_name, terms.start, *self.figures,
                *self.notes, *self.factors]

    # Clipping, and the names

    def clipping(self) -> None:
        chart_band, dial_band = self.halves()
        panel = self.panel = ClipPanel(self.theme, dial_band, self.trace, self.say)
        clip = self.trace.clipping
        values = {way: f"{getattr(clip, f'cosine_{way}'):.3f}" for way in ("by_norm", "by_value")}
        cosines = [(self.say(f"labels.clipped_{way}"), self.number(
            getattr(clip, f"cosine_{way}"), f"clipping.cosine_{way}", text=fixed(3)))
            for way in ("by_norm", "by_value")]
        variant = clip_variant(clip)
        with self.beat("clipping", variant=variant, **values):
            self.shrink_chart(chart_band)
            self.play(FadeIn(panel.title), FadeIn(panel.dial))
            self.swing(panel.before, panel.dial.length, "log10_norm")
            self.play(Create(panel.limit), FadeIn(panel.limit_name))
            if variant != "none":
                self.swing(panel.by_norm, panel.plain, "norm_clipped", "cosine_by_norm")
                self.swing(panel.by_value, panel.plain, "norm_by_value", "cosine_by_value")
                self.play(FadeIn(self.read_out(*cosines)))
            self.play(*map(FadeIn, panel.arrow_names(variant != "none")))

    def halves(self) -> tuple[Band, Band]:
        """The chart's and the dial's share of the stage."""
        chart, dial = self.grid.stage.columns(1.15, 1, gap=0.5)
        em = self.grid.type.smallest
        return Band(chart.left + 3.7 * em, chart.right, chart.bottom + 3.3 * em,
                    chart.top - 1.8 * em), dial

    def shrink_chart(self, band: Band) -> None:
        """The chart makes room; the people leave the stage."""
        old = self.way.plot
        self.chart = LagPlot(self.theme, band, self.steps, roomier(old.span))
        curves, names = self.all_curves(self.chart)
        leaving = VGroup(self.row.heads, self.nodes, self.fed, self.strip, self.dots, self.loss,
                         self.note, self.legend, self.readout, old, self.x_title, self.y_title)
        self.play(FadeOut(leaving), FadeIn(self.chart),
                  *[ReplacementTransform(a, b) for a, b in
                    zip((*self.curves, *self.names_of_curves), (*curves, *names), strict=True)],
                  *map(FadeIn, self.chart_titles(band)), run_time=1.4)
        self.curves, self.names_of_curves = curves, names

    def chart_titles(self, band: Band) -> tuple[Label, Label]:
        """The names of the narrower chart's axes."""
        em, stage = self.grid.type.smallest, self.grid.stage
        x = label(self.theme, self.say("labels.steps_back"), "MUTED", "smallest")
        x.move_to([band.right - x.width / 2, band.bottom - 2.7 * em, 0.0])
        y = label(self.theme, self.say("labels.norm_axis"), "MUTED", "smallest")
        y.move_to([stage.left + y.width / 2, band.top + 0.9 * em, 0.0])
        return x, y

    def swing(
        self, arrow: GradientArrow, scale: ArrowLength, length: str, cosine: str = ""
    ) -> None:
        """An arrow goes to its length and its turn; a clipped one starts as the gradient was."""
        clip, before = self.trace.clipping, self.panel.before
        start = self.panel.dial.length(clip.log10_norm) if cosine else 1e-3
        arrow.write_channel("angle", TILT)
        arrow.write_channel("length", start)
        moves = [self.bind_animation(arrow, "length", getattr(clip, length), scale,
                                     field=f"clipping.{length}", label="‖∂L/∂W‖")]
        if cosine:
            self.play(FadeIn(arrow), *self.dim(before) if arrow is self.panel.by_norm else [],
                      run_time=0.4)
            moves = [self.bind_animation(arrow, "length", getattr(clip, length), scale,
                                         field=f"clipping.{length}", label="‖∂L/∂W‖"),
                     self.bind_animation(arrow, "angle", getattr(clip, cosine), Turn(),
                                         field=f"clipping.{cosine}", label="cos")]
        self.play(*moves, run_time=1.2)

    def names(self) -> None:
        ends = self.ends()
        faded = [curve for curve, end in ends if end < VANISHES]
        grown = [curve for curve, end in ends if end > GROWS]
        variant = {(True, True): "both", (True, False): "vanishing", (False, True): "exploding",
                   (False, False): "neither"}[bool(faded), bool(grown)]
        with self.beat("name", variant=variant):
            words = self.big_names(faded, grown)
            self.play(LaggedStart(*[FadeIn(word, shift=0.2 * UP) for word in words],
                                  lag_ratio=0.5, run_time=2.0))

    def ends(self) -> list[tuple[VMobject, float]]:
        """Every curve of the chart and its far end's log₁₀, in the order in which to name them."""
        trace = self.trace
        last = [trace.log10_linear_norms[-1], trace.log10_exploding_norms[-1]]
        curves = [self.curves[0], self.curves[-1]]
        if self.count:
            last.append(trace.log10_gradient_norms[0])
            curves.append(self.curves[1])
        return list(zip(curves, map(float, last), strict=True))[::-1]

    def big_names(self, faded: list[VMobject], grown: list[VMobject]) -> list[Label]:
        """The names beside what they name."""
        words: list[Label] = []
        standing = VGroup(self.curves, self.names_of_curves)
        for key, curves in (("vanishing", faded), ("exploding", grown)):
            if curves:
                text, taken = self.say(f"labels.{key}"), VGroup(standing, *words)
                words.append(self.big_name(text, curves[0], taken, below=key == "vanishing"))
        clip = label(self.theme, self.say("labels.clipping"), "TEXT", "body", weight=500)
        return [*words, self.panel.entitle(clip)]


    def big_name(self, text: str, curve: VMobject, taken: VGroup, below: bool) -> Label:
        """A name on its own side of 1, as large as there is room for."""
        area, one = self.chart.area, float(self.chart.at(0, 0.0)[1])
        side = Band(area.left, area.right, *((area.bottom, one) if below else (one, area.top)))
        lines = [m.get_anchors() for m in (curve, *taken.family_members_with_points())]
        for size in ("body", "label", "smallest"):
            name = label(self.theme, text, "TEXT", size, weight=500)
            place = free_place(name, curve.get_anchors(), lines, side)
            if place is not None:
                return name.move_to(place)  # type: ignore[no-any-return]
        return name_curve(name, curve.get_anchors(), lines, area)


def clip_variant(clip: Clipping) -> str:
    """Which story the clipped gradient tells."""
    if clip.log10_norm <= log10_of(clip.limit):
        return "none"
    return "straight" if clip.cosine_by_value >= STRAIGHT else ""


def roomier(span: Span) -> Span:
    """A quarter more below, so that the names of curves find room."""
    if span.low <= VANISHED:
        return span
    return Span(span.low - max(1.0, round(0.25 * (span.high - span.low))), span.high, log=True)
