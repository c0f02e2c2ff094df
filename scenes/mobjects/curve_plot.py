"""Curves on one pair of axes, tagged at their ends instead of by a legend.

    plot = CurvePlot(theme, x=Span(0, 100), y=Span(-6, 0, log=True), width=6, height=3,
                     x_label=…, y_label=…)
    curve = plot.curve(lags, log10_norms, role="GRADIENT")
    plot.curve(lags, reference, role="MUTED", dashed=True); plot.band(lags, low, high)

On a log axis all y are log₁₀ of the quantity (-inf allowed): nothing underflows. With `x_at`
the x positions are given ones, such as those of the runners who stand above the plot.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import DashedVMobject, Dot, Mobject, VGroup, VMobject

from scenes.channels import Linear
from scenes.mobjects.axis import Axis, Span
from scenes.mobjects.text import Label, label
from scenes.theme import Theme

TAG_GAP = 0.14


class Curve(VMobject):
    """A line through points; channels "y0", "y1", … read its vertices' heights."""

    def __init__(self, points: np.ndarray, color: object, width: float = 4.0) -> None:
        super().__init__(stroke_color=color, stroke_width=width, fill_opacity=0.0)
        self.set_points_as_corners(points)

    def vertex(self, i: int) -> np.ndarray:
        """The i-th point, from the drawn line."""
        return np.asarray(self.points[4 * i] if 4 * i < len(self.points) else self.points[-1])

    def write_channel(self, attribute: str, reading: float) -> bool:
        # A curve is built from the trace; binding a vertex records it and checks the drawing.
        return _vertex_index(attribute) is not None

    def read_channel(self, attribute: str) -> float | None:
        index = _vertex_index(attribute)
        return float(self.vertex(index)[1]) if index is not None else None


def _vertex_index(attribute: str) -> int | None:
    return int(attribute[1:]) if attribute[0] == "y" and attribute[1:].isdigit() else None


class CurvePlot(VGroup):
    """Axes, and makers of curves on them. Move it before curves are made, or as one group."""

    def __init__(
        self,
        theme: Theme,
        x: Span,
        y: Span,
        width: float,
        height: float,
        x_label: str = "",
        y_label: str = "",
        x_at: Sequence[float] | None = None,
        x_ticks: Sequence[float] | None = None,
        y_ticks: Sequence[float] | None = None,
        most_ticks: int = 6,
        tag_room: float = 0.0,
    ) -> None:
        """`width` and `height` hold numbers and labels too, and `tag_room` for tags at the right.

        `x_at[i]` is where x = i stands; the x axis then runs from the first to the last of them
        and carries no numbers.
        """
        super().__init__()
        self.theme, self.x_at = theme, None if x_at is None else np.asarray(x_at, dtype=float)
        self.marks = VGroup()
        self._titles(x_label, y_label)
        self._draw_axes(x, y, width - tag_room, height, x_ticks, y_ticks, most_ticks)
        self.add(self.x_axis, self.y_axis, self.titles, self.marks)

    def _titles(self, x_label: str, y_label: str) -> None:
        self.x_title = label(self.theme, x_label, "MUTED", "smallest") if x_label else None
        self.y_title = label(self.theme, y_label, "MUTED", "smallest") if y_label else None
        self.titles = VGroup(*[t for t in (self.x_title, self.y_title) if t is not None])

    def _draw_axes(
        self, x: Span, y: Span, width: float, height: float,
        x_ticks: Sequence[float] | None, y_ticks: Sequence[float] | None, most: int,
    ) -> None:
        # Built once to learn how much room the numbers take, then at the length that is left.
        row = label(self.theme, "0", "MUTED", "smallest").em
        below = (0.0 if self.x_at is not None else 1.6 * row) + (1.5 * row if self.x_title else 0)
        above = 2.0 * row if self.y_title else 0.5 * row
        self.y_axis = Axis(self.theme, y, height - below - above, True, y_ticks, most=most)
        left = self.y_axis.width
        if self.x_at is not None:
            length, x_ticks = float(self.x_at[-1] - self.x_at[0]), []
            x = Span(0.0, float(len(self.x_at) - 1))
        else:
            length = width - left - 0.3
        self.x_axis = Axis(self.theme, x, length, False, x_ticks, most=most)
        corner = self.y_axis.line.get_start()
        pad = 0.25 if self.x_at is not None else 0.0
        self.x_axis.shift(corner + np.array([pad, 0, 0]) - self.x_axis.line.get_start())
        if self.y_title:
            self.y_title.next_to(self.y_axis.line.get_end(), np.array([0, 1, 0]), buff=0.8 * row)
            self.y_title.align_to(self.y_axis, np.array([-1, 0, 0]))
        if self.x_title:
            self.x_title.next_to(self.x_axis, np.array([0, -1, 0]), buff=0.3 * row)
            self.x_title.align_to(self.x_axis.line, np.array([1, 0, 0]))

    def stand_under(self, y_top: float) -> CurvePlot:
        """With `x_at`: moves the plot so that its x positions are the given ones, top at y."""
        if self.x_at is None:
            raise ValueError("stand_under needs x_at, the positions to stand under")
        dx = self.x_at[0] - self.x_axis.line.get_start()[0]
        return self.shift([dx, y_top - self.get_top()[1], 0.0])

    def at(self, x: float, y: float) -> np.ndarray:
        """The point of a pair of values; below the axis it is held at the foot."""
        low = self.y_axis.span.low
        held = max(y, low) if np.isfinite(y) else low
        return np.array([self._x(x), self.y_axis.at(held)[1], 0.0])

    def _x(self, x: float) -> float:
        if self.x_at is None:
            return float(self.x_axis.at(x)[0])
        moved = self.x_axis.line.get_start()[0] - self.x_at[0]
        return float(np.interp(x, range(len(self.x_at)), self.x_at) + moved)

    @property
    def y_scale(self) -> Linear:
        """From a value (log₁₀ on a log axis) to a height on screen, as it stands now."""
        span = self.y_axis.span
        low, high = self.y_axis.at(span.low)[1], self.y_axis.at(span.high)[1]
        return Linear(span.low, span.high, float(low), float(high))

    def curve(
        self,
        xs: Sequence[float] | np.ndarray,
        ys: Sequence[float] | np.ndarray,
        role: str = "GRADIENT",
        width: float = 4.0,
        dashed: bool = False,
    ) -> VMobject:
        """A line through the points; it ends where it leaves the axis at the foot."""
        points = self._points(np.asarray(xs, float), np.asarray(ys, float))
        line: VMobject = Curve(points, self.theme.color(role), width)
        if dashed:
            length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
            line = DashedVMobject(line, num_dashes=max(4, int(length / 0.16)), dashed_ratio=0.55)
        self.marks.add(line)
        return line

    def _points(self, xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
        """Points on screen, cut where the curve passes below the axis and stays there."""
        low = self.y_axis.span.low
        above = np.flatnonzero(ys >= low)
        last = int(above[-1]) if len(above) else 0
        kept = [self.at(x, y) for x, y in zip(xs[: last + 1], ys[: last + 1], strict=True)]
        if len(above) and last + 1 < len(ys):
            following = ys[last + 1]
            share = (ys[last] - low) / (ys[last] - following) if np.isfinite(following) else 0.0
            kept.append(self.at(xs[last] + share * (xs[last + 1] - xs[last]), low))
        return np.array(kept if len(kept) > 1 else [kept[0], kept[0] + [1e-4, 0, 0]])

    def band(
        self, xs: Sequence[float] | np.ndarray, low: np.ndarray, high: np.ndarray,
        role: str = "GRADIENT", opacity: float = 0.22,
    ) -> VMobject:
        """The region between two curves, a spread over seeds say."""
        upper = [self.at(x, y) for x, y in zip(xs, high, strict=True)]
        lower = [self.at(x, y) for x, y in zip(xs, low, strict=True)]
        region = VMobject(fill_color=self.theme.color(role), fill_opacity=opacity, stroke_width=0)
        region.set_points_as_corners([*upper, *lower[::-1], upper[0]])
        self.marks.add(region)
        return region

    def dot(self, x: float, y: float, role: str = "GRADIENT", radius: float = 0.07) -> Dot:
        """A point; its "y" can be bound through `y_scale`."""
        dot = Dot(self.at(x, y), radius=radius, color=self.theme.color(role))
        self.marks.add(dot)
        return dot

    def tag(self, curve: Mobject, text: str, role: str = "GRADIENT", right: bool = True) -> Label:
        """A name at a curve's end; `spread_tags` keeps several apart."""
        end = curve.get_all_points()[-1]
        name = label(self.theme, text, role, "smallest", weight=500)
        name.centre_on(end)
        name.shift([(name.width / 2 + TAG_GAP) * (1 if right else -1), 0, 0])
        self.marks.add(name)
        return name


def spread_tags(tags: Sequence[Label], low: float, high: float) -> None:
    """Moves tags apart up and down, in their order, between two heights on screen."""
    order = sorted(tags, key=lambda tag: float(tag.baseline))
    step = 1.25 * order[0].em
    floor = low
    for tag in order:
        tag.stand_on(max(tag.baseline, floor))
        floor = tag.baseline + step
    ceiling = high - 0.8 * order[0].em
    for tag in reversed(order):
        tag.stand_on(min(tag.baseline, ceiling))
        ceiling = tag.baseline - step
