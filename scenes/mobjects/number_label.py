"""Numbers on screen: tabular, calm while they change, never "-0.00".

    number = NumberLabel(theme, 0.87, decimals=2)
    self.play(ChangeNumber(number, 0.03))
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from manim import Animation, VMobject

from scenes.fonts import OPTICAL_CENTRE, line_outline
from scenes.mobjects.text import sizes
from scenes.theme import Theme

VANISHED = -300  # log10 below which a number is only said to be smaller
_TO_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

Format = Callable[[float], str]


def format_number(value: float, decimals: int = 2) -> str:
    """Fixed decimals; what would read as zero, and what is huge, in powers of ten."""
    if not math.isfinite(value):
        raise ValueError(f"not a number that can be shown: {value}")
    if value == 0:
        return f"{0:.{decimals}f}"
    if abs(value) < 10.0**-decimals or abs(value) >= 1e6:
        return format_scientific(value)
    return format_fixed(value, decimals)


def format_fixed(value: float, decimals: int = 2) -> str:
    """Always the same decimals; a tiny negative reads as plain zero."""
    text = f"{value:.{decimals}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def format_scientific(value: float, decimals: int = 1) -> str:
    """5.2 × 10⁻³, with real superscripts."""
    if value == 0:
        return "0"
    sign = "−" if value < 0 else ""
    return sign + format_log10(math.log10(abs(value)), decimals)


def format_log10(log10: float, decimals: int = 1) -> str:
    """A positive number given by its log₁₀, also where a float would be 0 or infinite."""
    if log10 < VANISHED:
        return f"< {power_of_ten(VANISHED)}"
    exponent = math.floor(log10)
    mantissa = round(10 ** (log10 - exponent), decimals)
    if mantissa >= 10:
        mantissa, exponent = mantissa / 10, exponent + 1
    return f"{mantissa:.{decimals}f} × {power_of_ten(exponent)}"


def power_of_ten(exponent: int) -> str:
    """10⁻³"""
    return "10" + str(exponent).translate(_TO_SUPERSCRIPT)


def fixed(decimals: int) -> Format:
    """A format for NumberLabel that never switches to powers of ten."""
    return lambda value: format_fixed(value, decimals)


def integer(value: float) -> str:
    """A whole number with thin groups: 12 345."""
    return f"{round(value):,}".replace(",", " ").replace("-", "−")


class NumberLabel(VMobject):
    """A number as outlines in one VMobject; changing it costs a concatenation.

    `anchor` is the fraction of its width that keeps its place when the number of digits
    changes: 0 the left edge, 1 the right edge. It may be moved and scaled, not turned.
    """

    def __init__(
        self,
        theme: Theme,
        value: float,
        decimals: int = 2,
        role: str = "TEXT",
        size: str = "number",
        format: Format | None = None,
        prefix: str = "",
        suffix: str = "",
        anchor: float = 0.0,
        weight: int = 500,
    ) -> None:
        super().__init__(fill_color=theme.color(role), fill_opacity=1.0, stroke_width=0.0)
        self._format = format or (lambda number: format_number(number, decimals))
        self._prefix, self._suffix = prefix, suffix
        self._anchor, self._weight = anchor, weight
        self._unit = sizes()[size]
        self.value = float(value)
        self._local = self._outline()
        self.set_points(self._local * self._unit)
        self.center()

    @property
    def text(self) -> str:
        """What is written now."""
        return self._prefix + self._format(self.value) + self._suffix

    @property
    def em(self) -> float:
        """Size of the type now, in manim units."""
        return self._placement()[0]

    @property
    def baseline(self) -> float:
        """y of the baseline."""
        return float(self._placement()[1][1])

    def stand_on(self, y: float) -> NumberLabel:
        """Puts the baseline at height y."""
        return self.shift([0.0, y - self.baseline, 0.0])

    def centre_on(self, point: np.ndarray) -> NumberLabel:
        """Centres the number on a point by the height of its digits."""
        middle = self.baseline + OPTICAL_CENTRE * self.em
        return self.shift([point[0] - self.get_center()[0], point[1] - middle, 0.0])

    def set_value(self, value: float) -> NumberLabel:
        """Writes another number at the same place and size."""
        scale, origin = self._placement()
        self.value = float(value)
        self._local = self._outline()
        self.set_points(self._local * scale + origin)
        return self

    def write_channel(self, attribute: str, reading: float) -> bool:
        if attribute == "value":
            self.set_value(reading)
        return attribute == "value"

    def read_channel(self, attribute: str) -> float | None:
        return self.value if attribute == "value" else None

    def _outline(self) -> np.ndarray:
        outline = line_outline(self.text, self._weight)
        return outline.points - [self._anchor * outline.advance, 0.0, 0.0]

    def _placement(self) -> tuple[float, np.ndarray]:
        """Scale and origin that carry the local outline to where it stands now."""
        low, high = self._local.min(axis=0), self._local.max(axis=0)
        now_low, now_high = self.points.min(axis=0), self.points.max(axis=0)
        scale = float((now_high - now_low)[1] / (high - low)[1])
        return scale, now_low - low * scale


class ChangeNumber(Animation):
    """Counts a NumberLabel to another value; `log=True` counts evenly in log₁₀."""

    def __init__(self, number: NumberLabel, value: float, log: bool = False, **kwargs) -> None:  # type: ignore[no-untyped-def]
        self._from, self._to, self._log = number.value, float(value), log
        super().__init__(number, **kwargs)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        if share >= 1:
            value = self._to  # exactly: rounding must not show another number at the end
        elif self._log:
            value = self._from * (self._to / self._from) ** share
        else:
            value = self._from + (self._to - self._from) * share
        self.mobject.set_value(value)
