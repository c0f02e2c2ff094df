"""The long way of acts 1 and 3: a hundred steps at the places of the sentence's few."""

from __future__ import annotations

import numpy as np
from manim import Animation, Mobject, UpdateFromAlphaFunc, VGroup, VMobject, linear

from scenes.base import Station
from scenes.mobjects.axis import Span
from scenes.mobjects.lag_plot import LagPlot
from scenes.mobjects.marks import discs
from scenes.mobjects.note import INK_OF_LOG10, SHAPE, Note
from scenes.mobjects.reveal import Reveal
from scenes.mobjects.runner import RunnerRow
from scenes.relay_game_parts import LagStrip, Places, shown_lags
from scenes.theme import Theme

MOST_SHEETS, MOST_DOTS = 100, 20
SWEEP_SECONDS = 4.5  # for a note to walk the whole way
NODE = 0.34  # radius of a node as a share of the distance of nodes
RIDING = 0.62  # size of a note that rides above its sheets


class LongWay:
    """One lag plot with a node and a sheet of ink for every step (or every few steps)."""

    def __init__(self, theme: Theme, where: Places, node_y: float, last: int, span: Span) -> None:
        self.theme, self.where, self.node_y = theme, where, node_y
        self.last = last
        self.plot = LagPlot(theme, where.plot, last, span)
        self.lags = shown_lags(last, MOST_SHEETS)
        step = self.lags[1] if len(self.lags) > 1 else 1
        self.node_radius = min(NODE * self.plot.slot * step, 0.09)

    def node_at(self, lag: int) -> np.ndarray:
        """Where the runner stands who is `lag` steps from the loss."""
        return np.array([self.plot.x(lag), self.node_y, 0.0])

    def other_nodes(self, runners: int) -> VMobject:
        """The nodes beyond the sentence's own runners."""
        places = [self.node_at(lag) for lag in self.lags if lag >= runners]
        return discs(places, self.node_radius, self.theme.color("LINE"))

    def become_nodes(self, row: RunnerRow) -> list[Animation]:
        """The heads of a row of runners step to the nodes nearest to the loss."""
        moves = []
        for lag, runner in enumerate(reversed(row)):
            target = runner.head.animate.move_to(self.node_at(min(lag, self.last)))
            target.set(width=2 * self.node_radius)
            if lag not in self.lags:
                target.set_opacity(0.0)
            moves.append(target)
        return moves

    def strip(self, scene: Station, values: np.ndarray, field: str) -> LagStrip:
        """The ink at every lag. # values: log₁₀ [lag]"""
        height = SHAPE * self.where.note_width
        strip = LagStrip(self.theme, self.plot, self.lags, self.where.note_y, height)
        for lag, sheet in zip(self.lags, strip, strict=True):
            scene.bind(sheet, "fill_opacity", values[lag], INK_OF_LOG10, field=field, index=(lag,))
        return strip

    def dots(self, scene: Station, values: np.ndarray, field: str, role: str) -> VGroup:
        """Points of the curve, evenly spaced. # values: log₁₀ [lag]"""
        lags = shown_lags(self.last, MOST_DOTS)
        dots = self.plot.dots(lags, values, role, 0.055)
        for lag, dot in zip(lags, dots, strict=True):
            scene.bind(dot, "y", values[lag], self.plot.y_scale, field=field, index=(lag,))
        return dots

    def walk(self, note: Note, values: np.ndarray) -> Animation:
        """The note walks from the loss to the far end, its ink what is left at each step."""
        note.scale(RIDING)
        ride = self.where.note_y + SHAPE * self.where.note_width * (0.5 + RIDING / 2) + 0.06

        def step(riding: Mobject, alpha: float) -> None:
            lag = alpha * self.last
            near = int(lag)
            log10 = values[near] if near == lag else _between(values, lag)
            riding.move_to([self.plot.x(lag), ride, 0.0])
            riding.write_channel("fill_opacity", INK_OF_LOG10(log10))

        return UpdateFromAlphaFunc(note, step, rate_func=linear, run_time=SWEEP_SECONDS)

    def sweep(self, note: Note, values: np.ndarray, *marks: VGroup) -> list[Animation]:
        """The walk, and the marks appearing behind it."""
        reveals = [Reveal(group, run_time=SWEEP_SECONDS) for group in marks]
        return [self.walk(note, values), *reveals]


def _between(values: np.ndarray, lag: float) -> float:
    """A value on the way from one lag to the next; a vanished one counts as very small."""
    near = int(lag)
    low, high = np.maximum(values[near : near + 2], -400.0)
    return float(low + (high - low) * (lag - near))
