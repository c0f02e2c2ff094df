"""Lanes on one axis, a block for every step, and the clock that fills boards and lanes alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from manim import Animation, VGroup, VMobject, linear

from scenes.channels import Linear
from scenes.grid import Band
from scenes.mobjects.axis import Axis, Span
from scenes.mobjects.marks import sheet
from scenes.mobjects.number_label import NumberLabel
from scenes.mobjects.text import Label, label
from scenes.theme import Theme

FEET = 0.5  # manim units under the lanes, for the axis and its numbers
THICK = 0.62  # a block's share of its lane
EDGE = 1.2  # stroke between blocks


@dataclass(frozen=True)
class Ready:
    """1 from a moment on, 0 before: what is lit by then."""

    by: float
    lit: float = 1.0

    def __call__(self, value: float) -> float:
        return self.lit if value <= self.by + 1e-9 else 0.0

    def describe(self) -> str:
        return f"{self.lit:g} where value <= {self.by:g}, else 0"


class Block(VMobject):
    """One step on a lane, from where it starts to its `tip`, a channel: its x on the axis."""

    def __init__(self, theme: Theme, role: str, start: float, y: float, thickness: float) -> None:
        super().__init__(
            fill_color=theme.color(role), fill_opacity=1.0,
            stroke_color=theme.color("BACKGROUND"), stroke_width=EDGE,
        )
        self._draw(start, start, y, thickness)

    def _draw(self, start: float, tip: float, y: float, thickness: float) -> None:
        tip, half = max(tip, start + 1e-4), thickness / 2
        # The order of corners is the memory of where it starts.
        self.set_points_as_corners(np.array([
            [start, y - half, 0], [start, y + half, 0], [tip, y + half, 0], [tip, y - half, 0],
            [start, y - half, 0],
        ]))

    def lie(self, start: float, tip: float) -> Block:
        """Puts both ends at these x."""
        low, high = self.points[0][1], self.points[3][1]
        self._draw(start, tip, float(low + high) / 2, float(high - low))
        return self

    @property
    def start(self) -> float:
        return float(self.points[0][0])

    def write_channel(self, attribute: str, reading: float) -> bool:
        if attribute == "tip":
            self.lie(self.start, reading)
        return attribute == "tip"

    def read_channel(self, attribute: str) -> float | None:
        return float(self.points[7][0]) if attribute == "tip" else None


class Lanes(VGroup):
    """Named lanes over one axis; `names` and `axis` stand, blocks are added lane by lane."""

    def __init__(
        self, theme: Theme, band: Band, names: Sequence[tuple[str, str]], room: float
    ) -> None:
        """`names` are (text, role); `room` is kept at the right for numbers, manim units."""
        super().__init__()
        self.theme, self.band = theme, band
        self.roles = [role for _, role in names]
        labels = [label(theme, text, role, "smallest", weight=500) for text, role in names]
        self.left = band.left + max(name.width for name in labels) + 0.2
        self.right = band.right - room
        self.step = (band.height - FEET) / len(names)
        for lane, name in enumerate(labels):
            at = np.array([self.left - 0.2 - name.width / 2, self.y(lane), 0.0])
            self.add(self._track(lane), name.centre_on(at))

    def _track(self, lane: int) -> VMobject:
        """The ground of a lane, so that its place is known before anything lies on it."""
        middle = np.array([(self.left + self.right) / 2, self.y(lane), 0.0])
        thick = THICK * self.step
        track = sheet(middle, self.right - self.left, thick, self.theme.color("PANEL"), 1.0)
        track.is_ground = True  # numbers may stand on it
        return track.set_z_index(-3)  # type: ignore[no-any-return]

    def y(self, lane: int) -> float:
        return self.band.top - (lane + 0.5) * self.step

    def axis(self, high: float, title: str, ticks: Sequence[float] | None = None) -> VGroup:
        """From 0 to `high` under the lanes, with what it counts at its end."""
        axis = Axis(self.theme, Span(0.0, high), self.right - self.left, ticks=ticks, most=8)
        axis.shift(np.array([self.left, self.band.bottom + FEET - 0.06, 0.0]))
        name = label(self.theme, title, "MUTED", "smallest")
        name.stand_on(axis.texts[0].baseline if len(axis.texts) else self.band.bottom)
        name.set_x(self.right + 0.12 + name.width / 2)
        last = axis.texts[-1] if len(axis.texts) else None
        if last is not None and last.get_right()[0] + 0.1 > name.get_left()[0]:
            name.set_x(last.get_right()[0] + 0.15 + name.width / 2)
        return VGroup(axis, name)

    def scale(self, high: float) -> Linear:
        """From a moment to its x."""
        return Linear(0.0, high, self.left, self.right)

    def blocks(self, lane: int, count: int) -> list[Block]:
        """Blocks of no width at the start of a lane."""
        return [Block(self.theme, self.roles[lane], self.left, self.y(lane), THICK * self.step)
                for _ in range(count)]

    def beside(self, number: NumberLabel | Label, lane: int, tip: float) -> NumberLabel | Label:
        """A number at the end of a lane's last block."""
        return number.centre_on(np.array([tip + 0.12 + number.width / 2, self.y(lane), 0.0]))


@dataclass(frozen=True)
class Lit:
    """A tile that is lit from a moment on."""

    tile: VMobject
    ready: float
    lit: float = 1.0


@dataclass(frozen=True)
class Growing:
    """A block that grows while its step is under way."""

    block: Block
    start: float
    end: float


class Clockwork(Animation):
    """A clock goes from `start` to `end` at an even pace; tiles light up and blocks grow by it."""

    def __init__(  # type: ignore[no-untyped-def]
        self,
        end: float,
        lit: Sequence[Lit],
        growing: Sequence[Growing],
        scale: Linear,
        clock: NumberLabel | None = None,
        start: float = 0.0,
        **kwargs,
    ) -> None:
        self.start, self.end, self.lit, self.growing, self.clock, self.scale = (
            start, end, lit, growing, clock, scale
        )
        kwargs.setdefault("rate_func", linear)
        moved = [*[each.tile for each in lit], *[each.block for each in growing]]
        moved += [clock] if clock is not None else []
        super().__init__(VGroup(*dict.fromkeys(moved)), **kwargs)

    def create_starting_mobject(self) -> VGroup:
        """Nothing is interpolated between two states, so none is copied."""
        return self.mobject  # type: ignore[no-any-return]

    def interpolate_mobject(self, alpha: float) -> None:
        now = self.start + (self.end - self.start) * self.rate_func(alpha)
        for each in self.lit:  # a later one of the same tile has the last word
            if each.ready <= now + 1e-9:
                each.tile.set_fill(opacity=each.lit)
        for grows in self.growing:
            tip = min(max(now, grows.start), grows.end)
            grows.block.lie(self.scale(grows.start), self.scale(tip))
        if self.clock is not None:
            self.clock.set_value(now)
