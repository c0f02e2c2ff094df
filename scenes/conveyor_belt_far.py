"""How far a belt carries: forget biases over a thousand words; and what all of it is called."""

from __future__ import annotations

import numpy as np
from manim import Create, FadeIn, FadeOut, LaggedStart, VGroup, VMobject

from engine.traces import ForgetBias
from scenes.conveyor_belt_light import decades, path_of
from scenes.conveyor_belt_scores import Scores
from scenes.mobjects.axis import Span
from scenes.mobjects.curve_plot import TAG_GAP, CurvePlot
from scenes.mobjects.formula import Formula
from scenes.mobjects.text import label, text_width
from scenes.relay_game_parts import amount

HISTORY = {
    "1997": "c_t = {{ c_(t-1) : before }} + {{ i dot.o g : input }}, space"
            " {{ h_t : hidden }} = {{ o : output }} dot.o tanh(c_t)",
    "2000": "c_t = {{ f : forget }} dot.o {{ c_(t-1) : before }} + {{ i dot.o g : input }}",
    "2014": "{{ h_t : hidden }} = {{ z : forget }} dot.o h_(t-1) + {{ (1 - z) dot.o n : input }}",
}
ROLES = {"before": "CELL", "input": "INPUT", "forget": "FORGET", "output": "OUTPUT",
         "hidden": "HIDDEN"}


class Far(Scores):
    """The last control, and the names."""

    def biases(self) -> None:
        trace = self.trace
        fars = {f"forget_biases[{k}]": far for k, far in enumerate(trace.forget_biases)}
        fars["trained_forget_bias"] = trace.trained_forget_bias
        self.far_plot = plot = self.far_chart(list(fars.values()))
        direct = [self.far_curve(plot, f"{field}.log10_direct_path", far, far.log10_direct_path,
                                 "FORGET", 4) for field, far in fars.items()]
        full = [self.far_curve(plot, f"{field}.log10_full_gradient", far, far.log10_full_gradient,
                               "GRADIENT", 2.5) for field, far in fars.items()]
        names = self.far_names(plot, direct, full)
        last, end = int(trace.forget_biases[0].lags[-1]), trace.trained_forget_bias
        leaving, self.readout = self.readout, self.read_out(*self.far_numbers(last))
        variant = "" if end.log10_direct_path[-1] > np.log10(0.5) else "all"
        with self.beat("biases", variant=variant, steps=last,
                       three=amount(trace.forget_biases[-1].log10_direct_path[-1]),
                       trained=amount(end.log10_direct_path[-1])):
            self.play(FadeOut(self.charts), FadeOut(leaving), run_time=0.7)
            self.release(self.charts)
            self.play(FadeIn(plot))
            for solid, thin, name in zip(direct, full, names, strict=True):
                self.play(Create(solid), Create(thin), FadeIn(name), run_time=0.9)
            self.play(FadeIn(self.readout))
        self.far_marks = VGroup(plot, *direct, *full, *names)

    def far_chart(self, fars: list[ForgetBias]) -> CurvePlot:
        """Steps back against log₁₀; the legend of its two kinds of line is its title."""
        stage = self.grid.stage
        every = np.concatenate([np.r_[f.log10_direct_path, f.log10_full_gradient] for f in fars])
        plot = CurvePlot(self.theme, Span(0, float(fars[0].lags[-1])), decades(every), stage.width,
                         stage.height, x_label=self.say("labels.steps_back"),
                         y_label=self.say("labels.far_axis"), tag_room=self.tag_room())
        return stage.place(plot, 0, 0.5)  # type: ignore[return-value]

    def bias_texts(self) -> list[str]:
        """What each pair of lines is called."""
        biases = [self.say("labels.bias", bias=f"{far.bias:.0f}")
                  for far in self.trace.forget_biases]
        return [*biases, self.say("labels.trained")]

    def tag_room(self) -> float:
        """Width kept at the right for the names of the lines."""
        em = self.grid.type.smallest
        return max(text_width(text, 500) for text in self.bias_texts()) * em + TAG_GAP

    def far_curve(
        self, plot: CurvePlot, field: str, far: ForgetBias, values: np.ndarray, role: str,
        width: float,
    ) -> VMobject:
        curve = plot.curve(far.lags, values, role, width)
        plot.marks.remove(curve)
        self.bind_vertices(plot, curve, values, field)
        return curve

    def far_names(
        self, plot: CurvePlot, direct: list[VMobject], full: list[VMobject]
    ) -> list[VGroup]:
        """A name at the right of each pair of lines."""
        names = []
        x = plot.x_axis.line.get_end()[0] + TAG_GAP
        ends = [(path_of(a)[-1][1] + path_of(b)[-1][1]) / 2
                for a, b in zip(direct, full, strict=True)]
        em = self.grid.type.smallest
        order = np.argsort(ends)
        heights, floor = {}, -np.inf
        for k in order:
            heights[k] = max(ends[k], floor)
            floor = heights[k] + 1.35 * em
        for k, text in enumerate(self.bias_texts()):
            name = label(self.theme, text, "TEXT", "smallest", weight=500)
            names.append(name.centre_on(np.array([x + name.width / 2, heights[k], 0.0])))
        return names  # type: ignore[return-value]

    def far_numbers(self, last: int) -> list[tuple]:  # type: ignore[type-arg]
        """Both paths in figures, for the largest bias and the trained cell, at the last lag."""
        trace, items = self.trace, []
        largest = len(trace.forget_biases) - 1
        bias = f"{trace.forget_biases[largest].bias:.0f}"
        end = len(trace.trained_forget_bias.lags) - 1
        for key, field, far in (("bias", f"forget_biases[{largest}]", trace.forget_biases[largest]),
                                ("trained", "trained_forget_bias", trace.trained_forget_bias)):
            items.append((self.say(f"labels.{key}_direct", steps=last, bias=bias), self.number(
                far.log10_direct_path[end], f"{field}.log10_direct_path", end, text=amount,
                role="FORGET")))
            items.append((self.say("labels.and_full"), self.number(
                far.log10_full_gradient[end], f"{field}.log10_full_gradient", end, text=amount,
                role="GRADIENT")))
        return items

    def names(self) -> None:
        """Who found what, when; nothing here is measured."""
        rows = VGroup(*[self.history_row(k, year) for k, year in enumerate(HISTORY)])
        with self.beat("name"):
            self.play(FadeOut(self.far_marks), FadeOut(self.readout), run_time=0.7)
            self.release(self.far_marks)
            self.play(LaggedStart(*map(FadeIn, rows), lag_ratio=0.6, run_time=3.0))

    def history_row(self, k: int, year: str) -> VGroup:
        band = self.grid.stage.rows(*[1] * len(HISTORY))[k]
        when, what, rule = band.columns(0.6, 2.2, 2.2)
        date = label(self.theme, self.say(f"labels.year_{year}"), "MUTED", "title")
        when.place(date, 0, 0.5)
        name = label(self.theme, self.say(f"labels.name_{year}"), "TEXT", "body", weight=500)
        who = label(self.theme, self.say(f"labels.who_{year}"), "MUTED", "smallest",
                    width=what.width)
        text = VGroup(name, who).arrange(np.array([0.0, -1.0, 0.0]), buff=0.14,
                                         aligned_edge=np.array([-1.0, 0.0, 0.0]))
        what.place(text, 0, 0.5)
        roles = {key: role for key, role in ROLES.items() if f": {key} " in HISTORY[year]}
        formula = Formula(self.theme, HISTORY[year], "body", roles)
        if formula.width > rule.width:
            formula = Formula(self.theme, HISTORY[year], "label", roles)
        rule.place(formula, 0, 0.5)
        return VGroup(date, text, formula)
