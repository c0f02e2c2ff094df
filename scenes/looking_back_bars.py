"""Bars beside the trained grid: p with attention learned and frozen; weight against cost."""

from __future__ import annotations

import numpy as np
from manim import Line, Mobject, VGroup

from engine.traces import Lookback
from scenes.base import Station
from scenes.channels import AS_IT_IS, Linear
from scenes.looking_back_board import Board
from scenes.looking_back_layout import LOWEST
from scenes.looking_back_rows import LOW_ROW
from scenes.mobjects.level_bar import LevelBar
from scenes.mobjects.number_label import NumberLabel
from scenes.mobjects.text import Label, label

NUMBER = 0.95  # manim units, room for a number after a bar
NARROW_BARS = 3.2  # manim units
APART = 0.85  # of their thickness, from the middle of a row to either bar: numbers go between
TWO_NUMBERS = 0.4  # manim units that a row needs for a number after each of two bars


class ControlBars:
    """Builds bars in the rows of a board; every length is bound to the pair's trace."""

    def __init__(self, scene: Station, pair: Lookback, field: str, board: Board) -> None:
        self.scene, self.theme = scene, scene.theme
        self.pair, self.field, self.board = pair, field, board
        self.narrow = board.beside.width < NARROW_BARS  # room for bars, not for their numbers
        self.number = 0.0 if self.narrow else NUMBER
        # Whether the word left out has room at the beginning of its row.
        self.worded = not self.narrow and board.step >= LOWEST * scene.grid.type.smallest

    # p, learned and frozen

    def paired(self) -> VGroup:
        """Two bars for every row on one axis from 0 to 1."""
        left, width = self.board.beside.left, self.board.beside.width
        scale = Linear(0.0, 1.0, 0.0, width - self.number)
        rows = [self._pair_row(i, y, left, scale) for i, y in enumerate(self.board.ys)]
        return VGroup(self._zero(left), self._head("probability", left), *rows)

    def _pair_row(self, i: int, y: float, left: float, scale: Linear) -> VGroup:
        row, thick = VGroup(), min(0.15, 0.32 * self.board.step)
        for field, side in (("probabilities", APART), ("uniform_probabilities", -APART)):
            at = np.array([left, y + side * thick, 0.0])
            bar = LevelBar(self.theme.color("TARGET"), at, thick, hollow=side < 0)
            row.add(self._bound(bar, scale, field, (i,), "p"))
            if self.board.step >= TWO_NUMBERS and not self.narrow:
                row.add(self._figure(field, (i,), bar.tip, 2))
        return row

    def key(self, name: str, hollow: bool) -> VGroup:
        """A sample bar and its name."""
        sample = LevelBar(self.theme.color("TARGET"), np.zeros(3), 0.16, hollow)
        sample.write_channel("length", 0.5)
        words = self.scene.say(f"labels.{name}", count=len(self.pair.source))
        text = label(self.theme, words, "MUTED")
        text.centre_on(np.array([0.65 + text.width / 2, 0.0, 0.0]))
        return VGroup(sample, text)

    # The most attended word left out

    def costs(self) -> VGroup:
        """For every row: the word looked at most, its weight, and what leaving it out costs."""
        board, pair = self.board, self.pair
        words = [label(self.theme, pair.source[j], "SOURCE", "smallest") for j in pair.alignment]
        heads = [self._head("left_out", 0.0, "SOURCE"), self._head("weight_of_it", 0.0, "HIGH"),
                 self._head("cost", 0.0, "TARGET")]
        first = board.beside.left
        if self.worded:
            first += max(word.width for word in [*words, heads[0]]) + 0.3
        room = (board.beside.right - first - 0.3) / 2
        delta, below = self._cost_scale(room - self.number)
        second = first + room + 0.3 + below
        for head, x in zip(heads, (board.beside.left, first, second), strict=True):
            head.shift([min(x, board.beside.right - head.width) - head.get_left()[0], 0, 0])
        alpha = Linear(0.0, 1.0, 0.0, room - self.number)
        columns = (("weights", "HIGH", first, alpha, 2), ("leave_one_out", "TARGET", second,
                                                          delta, 1))
        group = VGroup(*heads[0 if self.worded else 1 :], self._zero(first), self._zero(second))
        for i, (y, word) in enumerate(zip(board.ys, words, strict=True)):
            word.centre_on(np.array([board.beside.left + word.width / 2, y, 0.0]))
            row = self._cost_row(i, y, columns)
            group.add(VGroup(*([word] if self.worded else []), *row))
        return group

    def _cost_scale(self, length: float) -> tuple[Linear, float]:
        """One linear scale for all rows, and the room that negative costs take."""
        pair = self.pair
        lost = pair.leave_one_out[np.arange(len(pair.target)), pair.alignment]  # [target]
        low, high = min(0.0, float(lost.min())), max(0.0, float(lost.max()))
        unit = length / max(high - low, 1e-9)
        return Linear(0.0, 1.0, 0.0, unit), -low * unit

    def _cost_row(
        self, i: int, y: float, columns: tuple[tuple[str, str, float, Linear, int], ...]
    ) -> list[Mobject]:
        row: list[Mobject] = []
        entry, thick = (i, int(self.pair.alignment[i])), min(0.18, 0.5 * self.board.step)
        for field, role, left, scale, decimals in columns:
            bar = LevelBar(self.theme.color(role), np.array([left, y, 0.0]), thick)
            row.append(self._bound(bar, scale, field, entry, field))
            if self.board.step >= LOW_ROW and not self.narrow:
                end = np.array([max(left, float(bar.tip[0])), y, 0.0])
                row.append(self._figure(field, entry, end, decimals))
        return row

    # Parts

    def _bound(
        self, bar: LevelBar, scale: Linear, field: str, index: tuple[int, ...], name: str
    ) -> Mobject:
        value = float(getattr(self.pair, field)[index])
        return self.scene.bind(
            bar, "length", value, scale, field=f"{self.field}.{field}", index=index, label=name
        )

    def _figure(
        self, field: str, index: tuple[int, ...], after: np.ndarray, decimals: int
    ) -> NumberLabel:
        """A number of the trace, a little to the right of a point."""
        number = NumberLabel(self.theme, 0.0, size="smallest", decimals=decimals)
        value = float(getattr(self.pair, field)[index])
        self.scene.bind(number, "value", value, AS_IT_IS, field=f"{self.field}.{field}",
                        index=index)
        number.centre_on(after)
        return number.shift([after[0] + 0.1 - number.get_left()[0], 0, 0])

    def _zero(self, x: float) -> Line:
        """The upright line that bars start from."""
        half = 0.5 * self.board.step
        ends = [x, self.board.ys[0] + half, 0], [x, self.board.ys[-1] - half, 0]
        return Line(*ends, color=self.theme.color("LINE"), stroke_width=1.5)

    def _head(self, key: str, left: float, role: str = "TEXT") -> Label:
        """The name of a column of bars."""
        head = label(self.theme, self.scene.say(f"labels.{key}"), role, "smallest")
        head.stand_on(self.board.ys[0] + 0.5 * self.board.step + 0.12)
        return head.shift([left - head.get_left()[0], 0, 0])
