"""Gradients as arrows from one point: direction is direction, length is on a log scale.

    dial = ClipDial(theme, band, span=Span(-1, 6, log=True))
    arrow = dial.arrow(log10_norm, cosine=1.0)

Arcs mark the decades. An arrow's turn against the first one is the angle whose cosine is given.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from manim import DOWN, PI, RIGHT, ArcBetweenPoints, Line, VGroup, VMobject

from scenes.grid import Band
from scenes.mobjects.axis import Span
from scenes.mobjects.text import Label, label
from scenes.theme import Theme

TILT = 0.2  # radians of the first arrow above the horizontal
SECTOR = 0.48 * PI  # radians that the arcs cover
HEAD = 0.17  # manim units


@dataclass(frozen=True)
class ArrowLength:
    """log₁₀ of a length to manim units, 0 at `low`; held at the ends."""

    low: float
    high: float
    reach: float
    log10: bool = True  # whether the value already is a log₁₀

    def __call__(self, value: float) -> float:
        log = value if self.log10 else (np.log10(value) if value > 0 else self.low)
        share = (float(np.clip(log, self.low, self.high)) - self.low) / (self.high - self.low)
        return self.reach * share

    def describe(self) -> str:
        return f"log10 [{self.low:g}, {self.high:g}] -> length [0, {self.reach:.3f}]"


@dataclass(frozen=True)
class Turn:
    """A cosine to the angle of an arrow, in radians above the horizontal."""

    def __call__(self, value: float) -> float:
        return TILT + float(np.arccos(np.clip(value, -1.0, 1.0)))

    def describe(self) -> str:
        return f"arccos(value) + {TILT:g}"


class GradientArrow(VGroup):
    """Channels "length" and "angle", both read from its points."""

    def __init__(self, origin: np.ndarray, color: object, width: float) -> None:
        super().__init__()
        self.shaft = Line(origin, origin + RIGHT, color=color, stroke_width=width)
        self.tip = VMobject(fill_color=color, fill_opacity=1.0, stroke_width=0.0)
        self.add(self.shaft, self.tip)
        self._draw(1.0, 0.0)

    @property
    def origin(self) -> np.ndarray:
        return np.asarray(self.shaft.points[0])

    @property
    def end(self) -> np.ndarray:
        """The point of the tip."""
        return np.asarray(self.tip.points[0])

    def _draw(self, length: float, angle: float) -> None:
        along = np.array([np.cos(angle), np.sin(angle), 0.0])
        across = np.array([-along[1], along[0], 0.0])
        head = min(HEAD, 0.6 * max(length, 1e-6))
        origin = self.origin.copy()
        end, neck = origin + length * along, origin + (length - head) * along
        self.shaft.set_points_as_corners([origin, neck + 1e-6 * along])
        wing = 0.42 * head * across
        self.tip.set_points_as_corners([end, neck + wing, neck - wing, end])

    def _arm(self) -> np.ndarray:
        return self.end - self.origin

    def write_channel(self, attribute: str, reading: float) -> bool:
        length, angle = self.read_channel("length"), self.read_channel("angle")
        if attribute == "length":
            self._draw(reading, float(angle or 0.0))
        elif attribute == "angle":
            self._draw(float(length or 0.0), reading)
        return attribute in ("length", "angle")

    def read_channel(self, attribute: str) -> float | None:
        arm = self._arm()
        if attribute == "length":
            return float(np.linalg.norm(arm))
        return float(np.arctan2(arm[1], arm[0])) if attribute == "angle" else None


class ClipDial(VGroup):
    """A quarter of a circle with an arc per decade, numbered along its foot."""

    def __init__(self, theme: Theme, band: Band, span: Span, most: int = 7) -> None:
        super().__init__()
        self.theme, self.span = theme, span
        em = label(theme, "1", "MUTED", "smallest").em
        self.reach = min(band.width - 0.6, band.height - 1.9 * em)
        self.origin = np.array([
            band.center[0] - self.reach / 2, band.center[1] - (self.reach - 1.9 * em) / 2, 0.0
        ])
        self.decades = [value for value in span.ticks(most) if value > span.low]
        self.arcs = VGroup(*[self._arc(value) for value in self.decades]).set_z_index(-2)
        self.arcs.is_ground = True  # names may stand on these hairlines
        self.numbers = VGroup(*[self._number(value) for value in self.decades])
        foot = Line(self.origin, self.origin + self.reach * RIGHT, stroke_width=2,
                    color=theme.color("LINE"))
        self.add(self.arcs, foot, self.numbers)

    @property
    def length(self) -> ArrowLength:
        return ArrowLength(self.span.low, self.span.high, self.reach)

    def radius(self, log10: float) -> float:
        return self.length(log10)

    def arc_at(self, log10: float, role: str, width: float) -> VMobject:
        """The arc of one length."""
        r = self.radius(log10)
        end = self.origin + r * np.array([np.cos(SECTOR), np.sin(SECTOR), 0.0])
        return ArcBetweenPoints(self.origin + r * RIGHT, end, angle=SECTOR,
                                stroke_color=self.theme.color(role), stroke_width=width)

    def _arc(self, log10: float) -> VMobject:
        return self.arc_at(log10, "GRID", 1.6)

    def _number(self, log10: float) -> Label:
        number = label(self.theme, self.span.text(log10, 1.0), "MUTED", "smallest")
        at = self.origin + self.radius(log10) * RIGHT
        return number.centre_on(at + number.em * DOWN)

    def arrow(self, role: str, width: float) -> GradientArrow:
        """An arrow from the common point, to be bound."""
        return GradientArrow(self.origin, self.theme.color(role), width)
