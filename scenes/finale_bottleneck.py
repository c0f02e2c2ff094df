"""One vector for a whole sentence: what it made possible, and what it lost."""

from __future__ import annotations

import numpy as np
from manim import FadeIn, LaggedStart, VGroup

from scenes.channels import Linear
from scenes.finale_gradients import Gradients
from scenes.grid import Band
from scenes.mobjects.axis import Axis, Span
from scenes.mobjects.bar_row import Bar
from scenes.mobjects.number_label import format_fixed
from scenes.mobjects.state_strip import swatch
from scenes.mobjects.text import Label, label

SERIES = (("fixed_bleu", "VALUE"), ("attention_bleu", "HIGH"))
FULL = 100.0  # the most that BLEU can be


class Bottleneck(Gradients):
    """BLEU by source length, one vector beside looking back."""

    def bottleneck(self) -> None:
        trace, area = self.trace, self.bar_area()
        axis = Axis(self.theme, Span(0.0, FULL), area.height, True, ticks=[0, 50, 100])
        axis.shift(area.at(0, 0) - axis.line.get_start())
        feet, key = self.range_names(area), self.series_key()
        groups = [self.series(k, area) for k in range(len(SERIES))]
        fixed, attention = trace.fixed_bleu, trace.attention_bleu
        story = "" if fixed[-1] < fixed[0] else "held"
        with self.beat("bottleneck", variant=story, shortest=int(trace.longest[0]),
                       longest=int(trace.shortest[-1]), short=one_decimal(fixed[0]),
                       long=one_decimal(fixed[-1]), looking=one_decimal(attention[-1])):
            self.clear_stage()
            self.play(FadeIn(axis), FadeIn(feet), FadeIn(key), run_time=0.8)
            for group in groups:
                self.play(LaggedStart(*map(FadeIn, group), lag_ratio=0.2, run_time=1.6))

    def bar_area(self) -> Band:
        stage, em = self.grid.stage, self.grid.type.smallest
        return Band(stage.left + 2.5 * em, stage.right, stage.bottom + 1.8 * em,
                    stage.top - 1.6 * em)

    def slot(self, area: Band) -> float:
        return area.width / len(self.trace.shortest)

    def series(self, k: int, area: Band) -> VGroup:
        """A bar with its number for every range of lengths."""
        (field, role), slot = SERIES[k], self.slot(area)
        scale, bars = Linear(0.0, FULL, 0.0, area.height), VGroup()
        for i, value in enumerate(getattr(self.trace, field)):
            x = area.left + (i + 0.5 + 0.36 * (k - 0.5)) * slot
            bar = Bar(0.3 * slot, self.theme.color(role), np.array([x, area.bottom, 0.0]))
            self.bind(bar, "height", value, scale, field=field, index=(i,))
            number = self.number(value, field, i, text=one_decimal, role=role, size="smallest")
            number.centre_on(bar.tip + np.array([0.0, 0.7 * number.em, 0.0]))
            bars.add(VGroup(bar, number))
        return bars

    def range_names(self, area: Band) -> VGroup:
        """From how many words to how many, under each pair of bars."""
        names = VGroup()
        for i, (low, high) in enumerate(zip(self.trace.shortest, self.trace.longest, strict=True)):
            name = label(self.theme, f"{low}–{high}", "MUTED", "smallest")
            x = area.left + (i + 0.5) * self.slot(area)
            names.add(name.centre_on(np.array([x, area.bottom - 0.9 * name.em, 0.0])))
        return names

    def series_key(self) -> VGroup:
        """Which bar is which model, and what is measured, in the read-out band."""
        parts = VGroup()
        for field, role in SERIES:
            words = self.say(f"labels.{field}", size=self.trace.fixed_size)
            text: Label = label(self.theme, words, "MUTED", "label")
            patch = swatch(self.theme, self.theme.color(role))
            parts.add(VGroup(patch, text.next_to(patch, buff=0.14)))
        parts.add(label(self.theme, self.say("labels.bleu_axis"), "MUTED", "label"))
        parts.arrange(buff=0.5)
        return self.grid.readout.place(parts)  # type: ignore[return-value]


def one_decimal(value: float) -> str:
    """So that 99.6 does not read as 100."""
    return format_fixed(value, 1)
