"""Where the relay game's things stand, and the pieces its beats put together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from manim import RoundedRectangle, Triangle, VGroup, VMobject

from engine.errors import InputError
from scenes.grid import Band, Grid
from scenes.mobjects.lag_plot import LagPlot
from scenes.mobjects.marks import sheet
from scenes.mobjects.note import SHAPE
from scenes.mobjects.number_label import NumberLabel, format_log10, format_scientific
from scenes.mobjects.runner import WEIGHT, RunnerRow
from scenes.mobjects.text import label, text_width
from scenes.theme import Theme

_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
WIDEST = "8.88 × 10⁻⁸⁸"
NOTE_WIDTH, NOTE_SHARE = 0.46, 0.78  # manim units at most; share of a runner's slot
MOST_FACTOR_ROWS = 4
MARGIN = 3.7  # em, for the numbers of the upright axis
LOSS_ROOM = 5.2  # em, for the loss at the right end


def amount(log10: float, decimals: int = 1) -> str:
    """A positive number of the trace as a reader wants it: 0.604, 20.00, 3.1 × 10⁻⁴."""
    log10 = 0.0 if abs(log10) < 1e-9 else log10  # 1 computed another way
    if -2 <= log10 < 0:
        return f"{10**log10:.3f}"
    if 0 <= log10 < 3:
        return f"{10**log10:.2f}"
    return format_log10(log10, decimals)


def check_amount(log10: float) -> str:
    """As `amount`, with the digits that a check is made on."""
    return amount(log10, 2)


def plain_amount(value: float) -> str:
    """As `amount`, for a number that is given as it is."""
    return amount(log10_of(value))


def factor_text(factor: float) -> str:
    """What one step multiplied by, as short as it can be said."""
    if 0.005 <= factor < 100:
        return f"{factor:.2f}"
    if factor < 1e-300:
        return "< 10⁻³⁰⁰"
    return format_scientific(factor, 0)


def gain_text(gain: float) -> str:
    """A gain as the lesson says it: 0.9, 2, 10⁶."""
    text = f"{gain:g}"
    return format_scientific(gain) if "e" in text else text


def power_text(gain: float, exponent: str) -> str:
    """0.9ᵏ, or 0.9⁵⁰ for the exponent "50"."""
    base = gain_text(gain)
    base = f"({base})" if " " in base else base
    return base + exponent.translate(_SUPERSCRIPT)


def log10_of(value: float) -> float:
    """log₁₀, -inf at 0."""
    return math.log10(value) if value > 0 else -math.inf


@dataclass(frozen=True)
class OneMinusSquare:
    """A state h to the height of 1 − h², the slope of tanh there."""

    height: float

    def __call__(self, value: float) -> float:
        return self.height * (1.0 - value * value)

    def describe(self) -> str:
        return f"1 - value^2, [0, 1] -> height [0, {self.height:.3f}]"


@dataclass(frozen=True)
class Places:
    """The stage cut up once, for every beat: what stands where never changes."""

    plot: Band  # where curves and bars may be; its slots are the runners' x
    slot: float
    xs: tuple[float, ...]  # [time]
    factor_rows: int
    factor_em: float
    factor_y: float  # middle of the lowest row of factors
    note_y: float
    note_width: float
    head_top: float
    loss: np.ndarray  # middle of its box


def places(grid: Grid, theme: Theme, tokens: Sequence[str], factors: Sequence[str]) -> Places:
    """Computed from the grid's bands and the sentence; nothing is typed in.

    Raises InputError for a frame higher than wide: a row of runners needs width.
    """
    stage, em = grid.stage, grid.type.smallest
    if grid.frame.width < grid.frame.height:
        raise InputError("station.frame", station="relay_game", frames="16:9, 4:3")
    left, right = stage.left + MARGIN * em, stage.right - LOSS_ROOM * em
    slot = (right - left) / len(tokens)
    xs = tuple(left + (i + 0.5) * slot for i in range(len(tokens)))
    note = min(NOTE_WIDTH, NOTE_SHARE * slot)
    rows = factor_rows(factors, slot, em)
    factor_y = stage.top - (rows - 0.5) * 1.2 * em
    note_y = factor_y - 0.75 * em - SHAPE * note / 2
    head_top = note_y - SHAPE * note / 2 - 0.3 * em
    row = RunnerRow(theme, tokens, xs, slot, head_top)
    loss = np.array([(right + stage.right) / 2, float(row[0].head.get_y()), 0.0])
    plot = Band(left, right, stage.bottom + 1.9 * em, row.get_bottom()[1] - 0.5 * em)
    return Places(plot, slot, xs, rows, em, factor_y, note_y, note, head_top, loss)


def factor_rows(factors: Sequence[str], slot: float, em: float) -> int:
    """On how many rows neighbours must be told apart for their numbers not to touch."""
    widest = max((text_width(text, WEIGHT) for text in factors), default=0.0) * em
    return min(MOST_FACTOR_ROWS, max(1, math.ceil((widest + 0.06) / slot)))


def factor_numbers(theme: Theme, where: Places, factors: np.ndarray) -> list[NumberLabel]:
    """Each factor above the runner who was given it, in turn on the rows there are."""
    labels = []
    for i, factor in enumerate(factors):
        number = NumberLabel(theme, factor, size="smallest", format=factor_text)
        row = i % where.factor_rows
        labels.append(number.centre_on(np.array(
            [where.xs[i], where.factor_y + row * 1.2 * where.factor_em, 0.0]
        )))
    return labels


class Loss(VGroup):
    """The box at the end of the sentence, where notes are written."""

    holds_text = True

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__()
        self.text = label(theme, text, "GRADIENT", "label", weight=WEIGHT)
        em = self.text.em
        self.box = RoundedRectangle(
            width=self.text.width + 0.9 * em, height=1.7 * em, corner_radius=0.2 * em,
            stroke_color=theme.color("GRADIENT"), stroke_width=2.0, fill_opacity=0.0,
        )
        self.text.centre_on(self.box.get_center())
        self.add(self.box, self.text)


class LagStrip(VGroup):
    """One sheet per lag, side by side: the ink of a note at each step of a long way."""

    def __init__(self, theme: Theme, plot: LagPlot, lags: Sequence[int], y: float, height: float):
        super().__init__()
        width = 0.86 * plot.slot * (lags[1] - lags[0] if len(lags) > 1 else 1)
        color = theme.color("GRADIENT")
        self.add(*[
            sheet(np.array([plot.x(lag), y, 0.0]), width, height, color, 0.0) for lag in lags
        ])


def shown_lags(last: int, most: int) -> list[int]:
    """Evenly spaced lags from 0 to the last one, at most about `most` of them."""
    step = max(1, math.ceil(last / most))
    return list(range(0, last + 1, step))


def checked_lags(last: int) -> tuple[int, int]:
    """The two lags whose numbers are printed: 50 and 100 where there are so many."""
    return (50, 100) if last >= 100 else (max(1, last // 2), last)


class QuestionArrow(VGroup):
    """Hops from the loss by every runner to the first, with a question mark at the end."""

    def __init__(self, theme: Theme, where: Places, mark: str) -> None:
        super().__init__()
        color = theme.color("GRADIENT")
        self.mark = label(theme, mark, "GRADIENT", "title", weight=WEIGHT).scale(1.5)
        self.mark.centre_on(np.array([where.xs[0], where.note_y + 0.2 * self.mark.em, 0.0]))
        y = where.note_y - SHAPE * where.note_width / 2
        end = where.xs[0] + self.mark.width / 2 + 0.12
        stops = [float(where.loss[0]), *where.xs[:0:-1], end]
        hops = [_dashes(right, left, y) for right, left in pairwise(stops)]
        self.hops = VMobject(stroke_color=color, stroke_width=2.5, fill_opacity=0.0)
        self.hops.set_points(np.concatenate(hops))
        tip = Triangle(color=color, fill_opacity=1.0, stroke_width=0.0).rotate(np.pi)
        self.add(self.hops, tip.set(width=0.16).move_to([end, y, 0.0]), self.mark)


def _dashes(right: float, left: float, y: float) -> np.ndarray:
    """A dashed arc from one place to the next on its left. # [4 * dash, xyz]"""
    rise = min(0.55, 0.7 * (right - left))
    count = max(3, int(10 * (right - left)))
    ends = np.linspace(0.0, 1.0, 2 * count)  # dash, gap, dash, … dash

    def at(share: np.ndarray) -> np.ndarray:
        x = right + (left - right) * share
        return np.stack([x, y + 3 * rise * share * (1 - share), 0 * share], axis=-1)

    a, b = at(ends[0::2]), at(ends[1::2])
    return np.stack([a, (2 * a + b) / 3, (a + 2 * b) / 3, b], axis=1).reshape(-1, 3)
