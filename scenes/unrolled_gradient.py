"""What every step gives to the gradient of the one shared W, and their sum."""

from __future__ import annotations

import numpy as np
from manim import RIGHT, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.mobjects.formula import Formula
from scenes.mobjects.glide import Glide
from scenes.mobjects.number_label import format_scientific
from scenes.mobjects.retune import Retune, change_to
from scenes.mobjects.tablet import Tablet
from scenes.mobjects.text import label, stand_together
from scenes.unrolled_shared import Shared

FORMULA = (
    "{{ (partial L)/(partial W) : whole }} = {{ sum_t : sum }}"
    " {{ delta_t h_(t-1)^top : part }}"
)
ROLES = {"whole": "GRADIENT", "part": "GRADIENT"}
NAMES = {"unrolled": "HIDDEN", "shared": "TEXT", "bptt": "GRADIENT"}
FAINT = 0.05  # a part below this share of the longest has all but vanished


class Summed(Shared):
    """The last three beats."""

    def parts(self) -> None:
        trace, band = self.trace, self.places.tablet
        self.gradient = self.gradient_tablet()
        self.formula = self.between(self.tablet.width, self.gradient.width)
        self.steps, self.steps_name = self.bars(trace.part_norms, "GRADIENT", "labels.parts")
        aside = (band.left + self.tablet.width / 2 - self.tablet.get_x()) * RIGHT
        with self.beat("parts", variant=self.parts_story(), count=self.count):
            self.release(self.chart)
            self.play(FadeOut(self.chart), FadeOut(self.legend),
                      Glide(self.tablet, aside), run_time=0.8)
            self.restore()
            self.play(FadeIn(self.back), FadeIn(self.formula), run_time=0.7)
            self.play(FadeIn(self.steps.line), FadeIn(self.steps_name),
                      self.formula.light("part"))
            grow = self.bind_each_animation(self.steps.bars, "height", trace.part_norms,
                                            self.steps.scale_to, field="part_norms", label="∂L/∂W")
            self.play(LaggedStart(*grow[::-1], lag_ratio=0.2, run_time=2.0))

    def between(self, left: float, right: float) -> Formula:
        """The equation, in the middle of what two tablets leave of the band."""
        band = self.places.tablet
        room = band.width - left - right
        formula = Formula(self.theme, FORMULA, "title", ROLES)
        if formula.width > 0.9 * room:
            formula = Formula(self.theme, FORMULA, "body", ROLES)
        return formula.move_to([band.left + left + room / 2, band.center[1], 0.0])  # type: ignore[no-any-return]

    def gradient_tablet(self) -> Tablet:
        """Where the sum of the parts is written, at the right end."""
        trace, band, em = self.trace, self.places.tablet, self.grid.type.smallest
        limit = float(np.abs(trace.weight_gradient).max()) or 1.0
        self.gradient_name = self.say("labels.gradient", limit=limit)
        matrix = {self.gradient_name: trace.weight_gradient}
        tablet = Tablet(self.theme, matrix, band.height - 1.9 * em, limit, "GRADIENT")
        return tablet.move_to([band.right - tablet.width / 2, band.center[1], 0.0])  # type: ignore[no-any-return]

    def restore(self) -> None:
        """The copies hold the states of the unchanged W again."""
        states = self.trace.hidden_states
        for step, copy in enumerate(self.copies):
            self.bind_each(copy.cells, "fill", states[step], copy.scale_to, field="hidden_states",
                           index=(step,), label="h")

    def parts_story(self) -> str:
        """Whether the far parts fade: the variant of the caption."""
        parts = self.trace.part_norms
        if self.count == 1:
            return "once"
        return "" if parts[1] < FAINT * parts.max() else "even"

    def total(self) -> None:
        trace, name = self.trace, self.gradient_name
        self.readout = self.read_out(
            (self.say("labels.norm"),
             self.number(trace.weight_gradient_norm, "weight_gradient_norm")),
            (self.say("labels.error"), self.number(trace.sum_error, "sum_error",
                                                   text=format_scientific)),
        )
        legend = self.scale_legend(("labels.state_scale", 1.0), ("labels.weight_scale",
                                                                 self.limit))
        with self.beat("total", error=format_scientific(trace.sum_error), count=self.count):
            self.play(FadeIn(self.gradient), FadeIn(legend), self.formula.light("whole", "sum"))
            self.play(Retune([
                change_to(self, self.gradient.row(name, i)[j], "fill", trace.weight_gradient[i, j],
                          self.gradient.scale_to, field="weight_gradient", index=(i, j),
                          label="∂L/∂W")
                for i in range(trace.hidden_size) for j in range(trace.hidden_size)
            ]), run_time=1.2)
            self.play(FadeIn(self.readout), self.formula.light())
        self.legend = legend

    def names(self) -> None:
        names = VGroup(*[
            label(self.theme, self.say(f"labels.name_{key}"), role, "label", weight=600)
            for key, role in NAMES.items()
        ]).arrange(buff=0.6)
        stand_together(*names)
        self.grid.readout.place(names)
        pulses = (
            VGroup(*[copy.frame for copy in self.copies]).animate.set_stroke(width=5.0),
            self.tablet.frame.animate.set_stroke(width=5.0),
            self.gradient.frame.animate.set_stroke(width=5.0),
        )
        with self.beat("name"):
            self.play(FadeOut(self.readout), run_time=0.4)
            for name, pulse in zip(names, pulses, strict=True):
                self.play(FadeIn(name), pulse, run_time=0.8)
