"""The way back along the belt, and the GRU, whose belt is its output."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Create, FadeIn, FadeOut, VGroup, VMobject

from scenes.channels import Diverging, Linear
from scenes.conveyor_belt_steps import LEAST_STEP, Steps
from scenes.grid import Band
from scenes.mobjects.axis import Span
from scenes.mobjects.curve_plot import CurvePlot
from scenes.mobjects.formula import Formula
from scenes.mobjects.lag_plot import name_curve
from scenes.mobjects.retune import Change, Retune, change_to
from scenes.mobjects.reveal import Reveal
from scenes.mobjects.slider import Slider
from scenes.mobjects.state_strip import swatch
from scenes.mobjects.text import Label, label
from scenes.relay_game_parts import amount, check_amount

GRU = (
    "{{ h_t : hidden }} = {{ z dot.o h_(t-1) : keep }} + {{ (1 - z) dot.o n : write }}"
)
GRU_SECONDS = 3.5
LIGHT = Linear(0.0, 1.0, 0.0, 1.0)


class Light(Steps):
    """What comes back along the belt; what one valve can do."""

    def light(self) -> None:
        trace = self.trace
        paths = trace.log10_direct_path[list(self.steps)]  # [column, lane]
        best = trace.log10_direct_norms[list(self.steps)]
        full = trace.log10_full_norms[list(self.steps)]
        self.plot = plot = self.word_plot(paths, best, full, label_key="labels.share_axis")
        lanes = VGroup(*[self.word_curve(plot, "log10_direct_path", paths[:, k], "FORGET", 1.5, k)
                         for k in range(len(self.units))])
        direct = self.word_curve(plot, "log10_direct_norms", best, "FORGET", 4)
        whole = self.word_curve(plot, "log10_full_norms", full, "GRADIENT", 4)
        self.curves = VGroup(lanes, direct, whole)
        names = self.name_all([(direct, self.say("labels.direct"), "FORGET"),
                               (whole, self.say("labels.full"), "GRADIENT")],
                              VGroup(self.curves, plot.titles), self.over_words(plot))
        lights = self.lights(paths)
        leaving, self.readout = self.readout, self.read_out(
            (self.say("labels.direct_end", word=self.name),
             self.number(best[0], "log10_direct_norms", 0, text=check_amount)),
            (self.say("labels.full_end"),
             self.number(full[0], "log10_full_norms", 0, text=check_amount)),
        )
        self.legend_light = self.key_line([(
            VGroup(swatch(self.theme, self.theme.color("GRADIENT"), 0.16)),
            self.say("labels.light"))])
        self.lit, self.curve_names = lights, names
        variant = "" if best[0] > np.log10(0.5) else "fades"
        with self.beat("light", variant=variant, name=self.name, left=amount(best[0]),
                       full=amount(full[0])):
            self.play(FadeOut(self.panel.everything), FadeOut(leaving), FadeOut(self.window),
                      FadeOut(self.legend), FadeOut(self.items), run_time=0.8)
            self.release(self.panel.everything, self.items)
            self.play(FadeIn(plot), FadeIn(self.legend_light))
            self.play(self.come_back(lights))
            self.play(*map(Create, (*lanes, direct)), FadeIn(names[0]), run_time=1.2)
            self.play(Create(whole), FadeIn(names[1]), FadeIn(self.readout), run_time=1.2)

    def lights(self, paths: np.ndarray) -> VGroup:
        """Items as bright as the light that comes back to them. # paths: log₁₀ [column, lane]"""
        columns = VGroup()
        for k, step in enumerate(self.steps):
            items = self.belt.column(k).set_fill(self.theme.color("GRADIENT"))
            for lane, item in enumerate(items):
                self.bind(item, "fill_opacity", 10 ** paths[k, lane], LIGHT,
                          field="exp10(log10_direct_path)", index=(step, lane), label="Π f")
            columns.add(items)
        return columns

    def come_back(self, columns: VGroup) -> Reveal:
        """Light comes along the belt from the last word to the first."""
        lanes = [item for column in reversed(columns) for item in column]
        self.add(columns)
        return Reveal(VGroup(*lanes), overlap=2.0 * len(columns[0]), run_time=3.0)

    # Curves over the words

    def word_plot(self, *values: np.ndarray, label_key: str) -> CurvePlot:
        """A log plot over the belt: its x positions are those of the words."""
        where = self.places
        seen = np.concatenate([np.ravel(v) for v in values])
        span = decades(seen)
        height = where.panel.height - 0.04
        plot = CurvePlot(self.theme, Span(0, 1), span, where.panel.width, height,
                         y_label=self.say(label_key), x_at=where.xs)
        return plot.stand_under(where.panel.top)

    def word_curve(self, plot: CurvePlot, field: str, values: np.ndarray, role: str,
                   width: float, lane: int | None = None) -> VGroup:
        """A curve with a vertex for every drawn word. # values: log₁₀ [column]"""
        curve = plot.curve(range(len(values)), values, role, width)
        plot.marks.remove(curve)
        for k, (step, value) in enumerate(zip(self.steps, values, strict=True)):
            if 4 * k < len(curve.points) + 4:
                index = (step,) if lane is None else (step, lane)
                self.bind(curve, f"y{k}", value, plot.y_scale, field=field, index=index)
        return curve

    def name_all(
        self, named: Sequence[tuple[VMobject, str, str]], others: VGroup, area: Band
    ) -> VGroup:
        """Each curve's name (text and role) at the nearest free place of an area."""
        names: list[Label] = []
        lines = [np.array(curve.get_anchors()) for curve in others.family_members_with_points()]
        for curve, text, role in named:
            name = label(self.theme, text, role, "smallest", weight=500)
            taken = [*lines, *[np.array(other.get_anchors()) for other in names]]
            names.append(name_curve(name, path_of(curve), taken, area))
        return VGroup(*names)

    def over_words(self, plot: CurvePlot) -> Band:
        """Where names may stand in a plot over the belt."""
        foot = plot.x_axis.line.get_start()
        return Band(foot[0], self.places.belt.right, foot[1] + 0.04, self.places.panel.top)

    # The GRU

    def gru(self) -> None:
        z, states = self.trace.update_gate, self.trace.gru_hidden_states
        self.gru_units = units = keepers(z, len(self.units))
        panel = self.gru_panel(units)
        scale = Diverging(self.theme, 1.0)
        legend = self.item_legend("labels.gru_item", 1.0)
        frame = self.belt.frame.copy().set_stroke(self.theme.color("HIDDEN"))
        name = self.in_margin("labels.gru_state", "HIDDEN")
        self.window = self.belt.window(0, self.window_foot(0))
        self.columns = {}
        kept = float(np.prod(z[1:, units[0]]))
        with self.beat("gru", variant="" if kept >= 0.5 else "fades",
                       kept=self.share(kept)):
            self.play(FadeOut(self.plot), FadeOut(self.curves), FadeOut(self.curve_names),
                      FadeOut(self.lit), FadeOut(self.readout), FadeOut(self.legend_light),
                      run_time=0.7)
            self.play(self.belt.frame.animate.become(frame), FadeOut(self.belt_name),
                      FadeIn(name), FadeIn(legend), FadeIn(panel))
            self.play(Create(self.window), run_time=0.5)
            seconds = max(LEAST_STEP, GRU_SECONDS / len(self.steps))
            for column, step in enumerate(self.steps):
                moves = self.put(column, states, "gru_hidden_states", lambda s: s + 1, units,
                                 scale, "h")
                moves += self.slide("position", step)
                if column == 0:
                    moves += self.slide("before", step)
                walk = [self.step_window(column)] if column else []
                self.play(Retune(moves), *walk, run_time=seconds)
        self.belt_name, self.legend, self.gru_parts = name, legend, panel

    def slide(self, knob: str, step: int) -> list[Change]:
        """The knobs on their way to z at a step; the hollow ones stay at the first word's."""
        z = self.trace.update_gate[step]
        return [
            change_to(self, slider, knob, z[unit], slider.scale_to, field="update_gate",
                      index=(step, unit), label="z")
            for slider, unit in zip(self.sliders, self.gru_units, strict=True)
        ]

    def gru_panel(self, units: list[int]) -> VGroup:
        """The rule, and a slider for every lane between its two ends."""
        band = self.places.panel
        rule, box = band.columns(1.1, 1, gap=0.4)
        formula = Formula(self.theme, GRU, "title", {"hidden": "HIDDEN", "keep": "FORGET",
                                                     "write": "INPUT"})
        rule.place(formula, 0.5, 0.5)
        width, em = 0.62 * box.width, self.grid.type.smallest
        self.sliders = VGroup(*[Slider(self.theme, width, 0.5 * box.height / len(units))
                                for _ in units])
        step = (box.height - 2.2 * em) / len(units)
        left = box.center[0] - width / 2
        for k, slider in enumerate(self.sliders):
            y = box.bottom + 0.1 + (len(units) - k - 0.5) * step
            slider.shift(np.array([left, y, 0.0]) - slider.track.get_start())
        ends = VGroup()
        for text, role, x in ((self.say("labels.z_write"), "INPUT", left),
                              (self.say("labels.z_keep"), "FORGET", left + width)):
            end = label(self.theme, text, role, "label", weight=500)
            ends.add(end.move_to([x, box.top - 0.8 * em, 0.0]))
        hollow = label(self.theme, self.say("labels.hollow", word=self.name), "MUTED", "smallest")
        hollow.move_to([box.center[0], ends[0].get_y(), 0.0]).stand_on(ends[0].baseline)
        return VGroup(formula, self.sliders, ends, hollow)


def keepers(gates: np.ndarray, count: int) -> list[int]:
    """The units that keep the first word's share best. # gates: [time, unit]"""
    kept = np.log(gates[1:]).sum(axis=0)  # [unit]
    return [int(unit) for unit in np.argsort(-kept, kind="stable")[:count]]


def path_of(curve: VMobject) -> np.ndarray:
    """Points along a curve, whole or dashed. # [vertex, xyz]"""
    parts = curve.family_members_with_points()
    return np.concatenate([part.get_anchors() for part in parts])


def decades(values: np.ndarray) -> Span:
    """Whole decades that hold all values, at least two of them."""
    low, high = float(np.floor(values.min())), float(np.ceil(values.max()))
    while high - low < 2:
        low, high = low - (high - low < 2), high + (high - low < 1)
    return Span(low, high, log=True)
