"""A log plot over steps back: the loss at the right, the past at the left, as runners stand.

    plot = LagPlot(theme, area, last_lag=100, span=log_span(log10_norms))
    dots = plot.dots(range(0, 101, 5), log10_norms)
    line = plot.line(log10_reference)

Every lag owns an equal slot of the width, so that runners in the middles of their slots stand
exactly on their points. All y are log₁₀ (-inf allowed): nothing underflows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from manim import Line, VGroup, VMobject

from scenes.grid import Band
from scenes.mobjects.axis import Axis, Span
from scenes.mobjects.curve_plot import Curve
from scenes.mobjects.marks import disc
from scenes.mobjects.number_label import VANISHED
from scenes.mobjects.text import Label
from scenes.theme import Theme

SLACK = 0.06  # share of the height kept free above the highest value
GRAIN = 0.03  # manim units within which two taken points are one
OUTER = 0.8  # share of the way along a curve where its name stands best


@dataclass(frozen=True)
class LogHeight:
    """log₁₀ values from [low, high] to [start, end]; held at the ends."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (float(np.clip(value, self.low, self.high)) - self.low) / (self.high - self.low)
        return self.start + (self.end - self.start) * share

    def describe(self) -> str:
        return (f"log10 [{self.low:g}, {self.high:g}] -> "
                f"y [{self.start:.3f}, {self.end:.3f}], held at the ends")


def log_span(*values: np.ndarray) -> Span:
    """Half decades that hold 1 and every value that has not vanished."""
    every = np.concatenate([np.ravel(v) for v in values])
    seen = every[every >= VANISHED]
    low = min(0.0, float(np.floor(2 * seen.min(initial=0.0)) / 2))
    high = max(0.0, float(np.ceil(2 * seen.max(initial=0.0)) / 2))
    if (every < VANISHED).any():
        low = float(VANISHED)
    return Span(low if low < high else high - 1.0, high, log=True)


class LagPlot(VGroup):
    """Axes over lags 0 … last_lag, lag 0 at the right; `area` is where the curves may be."""

    def __init__(
        self, theme: Theme, area: Band, last_lag: int, span: Span, most_ticks: int = 6
    ) -> None:
        super().__init__()
        self.theme, self.area, self.last_lag, self.span = theme, area, last_lag, span
        self.slot = area.width / (last_lag + 1)
        length, fine = area.height * (1 - SLACK), fine_ticks(span)
        self.y_axis = Axis(theme, span, length, True, fine, fine_text if fine else None, most_ticks)
        self.y_axis.shift(area.at(0, 0) - self.y_axis.line.get_start())
        self.x_axis = self._lag_axis()
        self.add(self.y_axis, self.x_axis)

    def _lag_axis(self) -> Axis:
        """Its numbers grow to the left: steps back."""
        ticks = lag_ticks(self.last_lag, most=int(self.area.width / 0.62))
        edge = Span(self.last_lag + 0.5, -0.5)
        axis = Axis(self.theme, edge, self.area.width, ticks=ticks, text=lambda k: f"{k:.0f}")
        return axis.shift(self.area.at(0, 0) - axis.line.get_start())  # type: ignore[no-any-return]

    @property
    def y_scale(self) -> LogHeight:
        """From log₁₀ to a height on screen."""
        low, high = self.y_axis.at(self.span.low)[1], self.y_axis.at(self.span.high)[1]
        return LogHeight(self.span.low, self.span.high, float(low), float(high))

    def x(self, lag: float) -> float:
        """Where a lag stands: the middle of its slot."""
        return self.area.right - (lag + 0.5) * self.slot

    def at(self, lag: float, log10: float) -> np.ndarray:
        """The point of a lag and a log₁₀, held at the foot where it vanished."""
        return np.array([self.x(lag), self.y_scale(log10), 0.0])

    def curve(self, log10: Sequence[float] | np.ndarray, role: str, width: float = 4.0) -> Curve:
        """A line through lags 0, 1, …; it ends at the foot where all has vanished."""
        return Curve(self._points(np.asarray(log10)), self.theme.color(role), width)

    def _points(self, log10: np.ndarray) -> np.ndarray:
        seen = np.flatnonzero(log10 >= self.span.low)
        last = int(seen[-1]) + 1 if len(seen) else 0
        points = [self.at(k, y) for k, y in enumerate(log10[: last + 1])]
        return np.array(points if len(points) > 1 else [points[0], points[0] - [1e-4, 0, 0]])

    def dots(self, lags: Iterable[int], log10: np.ndarray, role: str, radius: float) -> VGroup:
        """A point for each of some lags."""
        color = self.theme.color(role)
        return VGroup(*[disc(self.at(k, log10[k]), radius, color) for k in lags])

    def region(self, low: np.ndarray, high: np.ndarray, role: str, opacity: float) -> VMobject:
        """The ground between two curves over lags 0, 1, …"""
        upper = [self.at(k, y) for k, y in enumerate(high)]
        lower = [self.at(k, y) for k, y in enumerate(low)]
        color = self.theme.color(role)
        ground = VMobject(fill_color=color, fill_opacity=opacity, stroke_width=0.0)
        return ground.set_points_as_corners([*upper, *lower[::-1], upper[0]])  # type: ignore[no-any-return]

    def guides(self, tops: Sequence[float]) -> VGroup:
        """Hairlines from given heights down to the axis, one per lag from the left end on."""
        foot, color = self.area.bottom, self.theme.color("GRID")
        xs = [self.x(k) for k in range(self.last_lag, -1, -1)]
        lines = [Line([x, top, 0], [x, foot, 0], color=color, stroke_width=1.2)
                 for x, top in zip(xs, tops, strict=True)]
        ground = VGroup(*lines).set_z_index(-2)
        ground.is_ground = True  # names may stand on it
        return ground


def fine_ticks(span: Span) -> list[float] | None:
    """Where less than two decades are shown: log₁₀ of 1, 2 and 5 times the powers of ten."""
    if span.high - span.low >= 2:
        return None
    decades = range(int(np.floor(span.low)), int(np.ceil(span.high)) + 1)
    ticks = [n + float(np.log10(m)) for n in decades for m in (1, 2, 5)]
    return [tick for tick in ticks if span.low - 1e-9 <= tick <= span.high + 1e-9]


def fine_text(log10: float) -> str:
    """0.5, 1, 20"""
    return f"{10**log10:.3g}"


def lag_ticks(last: int, most: int) -> list[int]:
    """Round lags from 0 on; each one where there are few."""
    steps = (1, 2, 5, 10, 20, 50, 100, 200, 500)
    step = next((s for s in steps if last / s <= most - 1), 1000)
    return list(range(0, last + 1, step))


def name_curve(
    name: Label, points: np.ndarray, obstacles: Sequence[np.ndarray], area: Band
) -> Label:
    """Moves a curve's name to the nearest free place beside the curve. # points [vertex, xyz]

    Where the whole area is taken the name stays at the curve's far end.
    """
    place = free_place(name, points, obstacles, area)
    return name.move_to(points[-1] if place is None else place)  # type: ignore[no-any-return]


def free_place(
    name: Label, points: np.ndarray, obstacles: Sequence[np.ndarray], area: Band
) -> np.ndarray | None:
    """The centre nearest to the curve where the name covers nothing, if there is one."""
    line = dense(points)[:, :2]
    taken = np.concatenate([dense(other)[:, :2] for other in obstacles])
    taken = np.unique(np.round(taken / GRAIN), axis=0) * GRAIN
    half = np.array([name.width, name.height]) / 2 + 0.3 * name.em
    spots = _spots(area, half, 0.4 * name.em)
    if len(spots):
        spots = spots[~_hit(spots, half, taken)]
    if not len(spots):
        return None
    return np.array([*spots[_far_from(line, spots).argmin()], 0.0])


def _spots(area: Band, half: np.ndarray, gap: float) -> np.ndarray:
    """Centres on a fine mesh for which a box stays inside the area. # [spot, xy]"""
    xs = np.arange(area.left + half[0], area.right - half[0] + 1e-9, 2 * gap)
    ys = np.arange(area.bottom + half[1], area.top - half[1] + 1e-9, gap)
    return np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)


def _far_from(line: np.ndarray, spots: np.ndarray) -> np.ndarray:
    """Distances to a curve; among equally near places those at its outer part win. # [spot]"""
    distances = np.linalg.norm(spots[:, None] - line[::2], axis=-1)  # [spot, point]
    nearest = distances.argmin(axis=1)
    return distances.min(axis=1) + 0.25 * np.abs(2 * nearest / len(line) - OUTER)


def _hit(spots: np.ndarray, half: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """Which boxes hold a point that is taken. # [spot]"""
    hit = np.zeros(len(spots), dtype=bool)
    for x, y in taken:
        hit |= (np.abs(spots[:, 0] - x) < half[0]) & (np.abs(spots[:, 1] - y) < half[1])
    return hit


def dense(points: np.ndarray, gap: float = 0.05) -> np.ndarray:
    """Points along a broken line, no further apart than `gap`."""
    pieces = [points[:1]]
    for a, b in pairwise(points):
        count = max(1, int(np.ceil(np.linalg.norm(b - a) / gap)))
        pieces.append(a + (b - a) * (np.arange(1, count + 1) / count)[:, None])
    return np.concatenate(pieces)
