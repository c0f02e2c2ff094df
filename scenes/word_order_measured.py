"""Who did it, over many sentences: every seed of both models on one axis."""

from __future__ import annotations

import numpy as np
from manim import DashedLine, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.channels import AS_IT_IS, Linear
from scenes.grid import Band
from scenes.mobjects.axis import Axis, Span
from scenes.mobjects.marks import disc
from scenes.mobjects.number_label import NumberLabel, fixed, integer
from scenes.mobjects.text import label, text_width
from scenes.word_order_orders import KINDS, Orders

RADIUS = 0.11
NAME = 0.2  # share of the stage's width
APART = 0.35  # manim units, between the axis and the means
HALF = 0.5  # what a reader without order can reach: one of every two


class Measured(Orders):
    """One beat: a chart where the lanes were."""

    def measured(self) -> None:
        trace = self.trace
        chart, dots = self.chart()
        bag, rnn = float(np.mean(trace.bag_accuracies)), float(np.mean(trace.rnn_accuracies))
        leaving = [m for m in self.mobjects
                   if m not in (self.title_label, self.footer_label, self._caption)]
        self.readout = self.read_out(
            (self.say("labels.questions"), self.count(trace.questions, "questions")),
            (self.say("labels.seeds"), NumberLabel(self.theme, len(trace.bag_accuracies),
                                                  format=integer)),
            (self.say("labels.persons"), self.count(trace.persons, "persons")),
        )
        with self.beat("measured", questions=integer(trace.questions), rnn=rnn, bag=bag,
                       seeds=len(trace.bag_accuracies)):
            self.release(*leaving)
            self.play(*map(FadeOut, leaving), run_time=0.6)
            self.play(FadeIn(chart), FadeIn(self.readout))
            for row in dots:
                self.play(LaggedStart(*map(FadeIn, row), lag_ratio=0.15, run_time=0.9))
        self.chart_parts = VGroup(chart, *dots)

    def count(self, value: int, field: str) -> NumberLabel:
        number = NumberLabel(self.theme, value, format=integer)
        self.bind(number, "value", value, AS_IT_IS, field=field)
        return number

    def chart(self) -> tuple[VGroup, list[VGroup]]:
        """Axis, lines, names and means; and the dots of both rows."""
        stage, em = self.grid.stage, self.grid.type.smallest
        figure = text_width("0.000", 500) * self.grid.type.title + APART
        area = Band(stage.left + NAME * stage.width, stage.right - figure - 0.05,
                    stage.bottom + 3.4 * em, stage.top - 1.6 * em)
        axis = Axis(self.theme, Span(0.0, 1.0), area.width, ticks=[0.0, 0.5, 1.0])
        axis.shift(np.array([area.left, area.bottom, 0.0]) - axis.line.get_start())
        scale = Linear(0.0, 1.0, area.left, area.right)
        title = label(self.theme, self.say("labels.accuracy"), "MUTED", "smallest")
        title.next_to(axis, np.array([0.0, -1.0, 0.0]), buff=0.5 * em)
        parts, dots = VGroup(axis, title, self.half(scale, area), self.chance(scale, area)), []
        for (kind, role), row in zip(KINDS.items(), area.rows(1, 1, gap=0.0), strict=True):
            y = float(row.center[1])
            parts.add(self.row_line(row), self.row_name(kind, role, stage.left, y),
                      self.mean(kind, role, area.right, y))
            dots.append(self.dots(kind, role, scale, y))
        return parts, dots

    def row_line(self, row: Band) -> DashedLine:
        y = float(row.center[1])
        return DashedLine([row.left, y, 0], [row.right, y, 0], color=self.theme.color("GRID"),
                          stroke_width=1.5)

    def row_name(self, kind: str, role: str, left: float, y: float) -> VGroup:
        text = label(self.theme, self.say(f"labels.{kind}_long"), role, "label",
                     width=NAME * self.grid.stage.width - 0.4, weight=500)
        return text.move_to([left + text.width / 2, y, 0.0])

    def mean(self, kind: str, role: str, right: float, y: float) -> NumberLabel:
        field = f"mean({kind}_accuracies)"
        value = float(np.mean(getattr(self.trace, f"{kind}_accuracies")))
        number = NumberLabel(self.theme, value, role=role, size="title", format=fixed(3))
        self.bind(number, "value", value, AS_IT_IS, field=field)
        return number.centre_on(np.array([right + APART + number.width / 2, y, 0.0]))

    def dots(self, kind: str, role: str, scale: Linear, y: float) -> VGroup:
        """One dot for every seed; those that would cover each other stand apart in height."""
        values = getattr(self.trace, f"{kind}_accuracies")
        spread = np.linspace(1.0, -1.0, len(values)) * 2.4 * RADIUS * (len(values) - 1) / 2
        marks = VGroup()
        for seed, (value, dy) in enumerate(zip(values, spread, strict=True)):
            mark = disc(np.array([0.0, y + dy, 0.0]), RADIUS, self.theme.color(role))
            marks.add(self.bind(mark, "x", value, scale, field=f"{kind}_accuracies",
                                index=(seed,), label=self.say("labels.accuracy")))
        return marks

    def half(self, scale: Linear, area: Band) -> VGroup:
        """What order-blind readers cannot pass: an upright line, with its name on top."""
        return self.upright(scale(HALF), self.say("labels.half"), area)

    def chance(self, scale: Linear, area: Band) -> VGroup:
        """A blind guess among all persons."""
        mark = self.upright(area.left, self.say("labels.chance", persons=self.trace.persons), area)
        self.bind(mark[0], "x", 1 / self.trace.persons, scale, field="inverse(persons)",
                  label="chance")
        return mark

    def upright(self, x: float, text: str, area: Band) -> VGroup:
        line = DashedLine([x, area.bottom, 0], [x, area.top, 0], color=self.theme.color("MUTED"),
                          stroke_width=2)
        name = label(self.theme, text, "MUTED", "smallest")
        name.stand_on(area.top + 0.4 * name.em).set_x(x)
        return VGroup(line, name)
