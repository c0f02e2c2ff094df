"""One axis: a line with ticks and numbers of our own type; linear, log₁₀ or given positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from manim import Line, VGroup

from scenes.mobjects.number_label import format_fixed, power_of_ten
from scenes.mobjects.text import Label, label
from scenes.theme import Theme

TICK = 0.08  # manim units
LABEL_GAP = 0.1


@dataclass(frozen=True)
class Span:
    """What an axis covers. For a log axis the values are already log₁₀: -3 is 10⁻³."""

    low: float
    high: float
    log: bool = False

    def ticks(self, most: int = 6) -> list[float]:
        """At most `most` round values inside, evenly spaced by 1, 2 or 5 times a power of ten."""
        if self.high <= self.low:
            raise ValueError(f"an axis from {self.low} to {self.high} covers nothing")
        step = _round_step((self.high - self.low) / max(1, most - 1))
        step = max(step, 1.0) if self.log else step
        first = np.ceil(self.low / step - 1e-9)
        count = int(np.floor(self.high / step + 1e-9) - first) + 1
        return [float((first + i) * step) for i in range(count)]

    def text(self, value: float, step: float) -> str:
        """A tick's number: 10ⁿ on a log axis, as many decimals as the step needs else."""
        if self.log:
            return "1" if value == 0 else power_of_ten(round(value))
        decimals = max(0, -int(np.floor(np.log10(step) + 1e-9))) if step > 0 else 0
        return format_fixed(value, decimals)


def _round_step(rough: float) -> float:
    power = 10.0 ** np.floor(np.log10(rough))
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= rough * (1 - 1e-9)))


class Axis(VGroup):
    """A line with ticks; `texts` are its numbers. Upright ones have them at the left."""

    def __init__(
        self,
        theme: Theme,
        span: Span,
        length: float,
        upright: bool = False,
        ticks: Sequence[float] | None = None,
        text: Callable[[float], str] | None = None,
        most: int = 6,
    ) -> None:
        super().__init__()
        self.span, self.upright = span, upright
        along = np.array([0.0, length, 0.0] if upright else [length, 0.0, 0.0])
        self.line = Line([0, 0, 0], along, color=theme.color("LINE"), stroke_width=2)
        values = list(ticks) if ticks is not None else span.ticks(most)
        step = min(np.diff(values)) if len(values) > 1 else 1.0
        write = text or (lambda value: span.text(value, float(step)))
        self.ticks, self.texts = VGroup(), VGroup()
        for value in values:
            self._tick(theme, value, write(value))
        self.add(self.line, self.ticks, self.texts)

    def _tick(self, theme: Theme, value: float, text: str) -> None:
        at = self.at(value)
        out = np.array([-TICK, 0, 0] if self.upright else [0, -TICK, 0])
        self.ticks.add(Line(at, at + out, color=self.line.get_color(), stroke_width=2))
        number = label(theme, text, "MUTED", "smallest")
        if self.upright:
            number.centre_on(at)
            number.shift([at[0] - TICK - LABEL_GAP - number.get_right()[0], 0, 0])
        else:
            number.centre_on(at + np.array([0, -TICK - LABEL_GAP - 0.5 * number.em, 0]))
        if not any(_crowded(number, other) for other in self.texts):
            self.texts.add(number)

    def at(self, value: float) -> np.ndarray:
        """The point of a value, wherever the axis has been moved."""
        share = (value - self.span.low) / (self.span.high - self.span.low)
        start, end = self.line.get_start(), self.line.get_end()
        return np.asarray(start + share * (end - start))


def _crowded(one: Label, other: Label, gap: float = 0.08) -> bool:
    return bool(
        one.get_left()[0] < other.get_right()[0] + gap
        and other.get_left()[0] < one.get_right()[0] + gap
        and one.get_bottom()[1] < other.get_top()[1]
        and other.get_bottom()[1] < one.get_top()[1]
    )
