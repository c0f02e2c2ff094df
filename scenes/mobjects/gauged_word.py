"""A word on its chip with a small upright gauge beside it and, once judged, a tick or a cross.

    block = WordBlock(theme, recital.output, "TARGET", em, judged=True)
    self.bind(block[2].gauge, "height", p, block[2].gauge_scale, field="long.probabilities", ...)
    block[2].judge(False)

The gauge is as high as its track at 1. A word judged wrong has an edge and a cross: it can still
be read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from manim import Line, Rectangle, RoundedRectangle, VGroup, VMobject

from scenes.channels import Linear
from scenes.grid import Band
from scenes.mobjects.bar_row import Bar
from scenes.mobjects.text import text_width
from scenes.mobjects.token_row import PAD_Y, WEIGHT, Token
from scenes.theme import Theme

GAUGE = 0.24  # em, width of a gauge
BEFORE, AFTER = 0.62, 0.42  # em, from the chip's left edge to the word, and behind it
VERDICT = 0.62  # em, room for a tick or a cross
GAP = 0.28  # em, between chips
HEIGHT = 1 + 2 * PAD_Y  # em, of a chip
LINE_GAP = 0.3  # em, between lines of chips
NUMBER_GAP = 1.1  # em, between them where a number stands under every chip
LEAST = 1.2  # em, the narrowest word


class GaugedWord(VGroup):
    """`token` is word and chip, `gauge` a bar with channel "height"."""

    holds_text = True

    def __init__(self, theme: Theme, text: str, role: str, em: float, judged: bool) -> None:
        super().__init__()
        self.theme, self.verdict = theme, VGroup()
        after = AFTER + (VERDICT if judged else 0.0)
        width = chip_width(text, judged) * em
        self.token = Token(theme, text, role, em, width)
        self.token.word.shift([(BEFORE - after) / 2 * em, 0.0, 0.0])
        foot = self.token.chip.get_corner([-1, -1, 0]) + np.array([0.3 * em, 0.14 * em, 0.0])
        reach = (HEIGHT - 0.28) * em
        self.track = Rectangle(
            width=GAUGE * em, height=reach, stroke_width=0.0, fill_opacity=0.75,
            fill_color=theme.color("GRID"),
        ).move_to(foot + np.array([0.0, reach / 2, 0.0]))
        self.gauge = Bar(GAUGE * em, theme.color(role), foot)
        self.add(self.token, self.track, self.gauge)

    @property
    def place(self) -> np.ndarray:
        """Centre of its chip."""
        return np.asarray(self.token.chip.get_center())

    @property
    def gauge_scale(self) -> Linear:
        """From 0 … 1 to the gauge's height, at the word's size now."""
        return Linear(0.0, 1.0, 0.0, float(self.track.height))

    def chance_mark(self, chance: float) -> Line:
        """A line across the gauge where guessing stands."""
        y = float(self.gauge.base[1]) + self.gauge_scale(chance)
        left, right = self.track.get_left()[0], self.track.get_right()[0]
        reach = 0.2 * (right - left)
        color = self.theme.color("TEXT")
        return Line([left - reach, y, 0], [right + reach, y, 0], color=color, stroke_width=1.2)

    def judge(self, right: bool) -> VGroup:
        """The marks of right or wrong, at their places; the caller shows them."""
        token, em = self.token, self.token.em
        at = token.chip.get_right() - np.array([0.58 * em, 0.0, 0.0])
        color = self.theme.color("CORRECT" if right else "WRONG")
        self.verdict = VGroup(_strokes(TICK if right else CROSS, at, 0.5 * em, color))
        if not right:
            edge = RoundedRectangle(
                width=token.chip.width, height=token.chip.height, corner_radius=0.28 * em
            )
            self.verdict.add(edge.set_stroke(color, 2.2).set_fill(opacity=0).move_to(token.chip))
        self.add(self.verdict)
        return self.verdict


TICK = (((-0.5, 0.0), (-0.12, -0.42), (0.5, 0.45)),)
CROSS = (((-0.4, -0.4), (0.4, 0.4)), ((-0.4, 0.4), (0.4, -0.4)))


def _strokes(
    lines: Sequence[Sequence[tuple[float, float]]], at: np.ndarray, size: float, color: object
) -> VMobject:
    mark = VMobject(stroke_color=color, stroke_width=3.0, fill_opacity=0.0)
    for line in lines:
        corners = [np.array([x * size, y * size, 0.0]) + at for x, y in line]
        mark.start_new_path(corners[0])
        for corner in corners[1:]:
            mark.add_line_to(corner)
    return mark


def verdict_sample(theme: Theme, right: bool, size: float) -> VMobject:
    """A tick or a cross for a legend."""
    lines = TICK if right else CROSS
    return _strokes(lines, np.zeros(3), size, theme.color("CORRECT" if right else "WRONG"))


def chip_width(text: str, judged: bool) -> float:
    """Width of a word's chip in em."""
    after = AFTER + (VERDICT if judged else 0.0)
    return max(text_width(text, WEIGHT), LEAST - AFTER) + BEFORE + after


def line_step(numbered: bool) -> float:
    """From one line of chips to the next, in em."""
    return HEIGHT + (NUMBER_GAP if numbered else LINE_GAP)


def block_height(
    words: Sequence[str], judged: bool, em: float, width: float, numbered: bool = False
) -> float:
    """Height of words set in lines of a width, in manim units; infinite if a word is too wide."""
    chips = [chip_width(word, judged) for word in words]
    if max(chips, default=0.0) * em > width + 1e-9:
        return math.inf
    after = 0.0 if numbered else LINE_GAP
    return (len(_filled(chips, width / em)) * line_step(numbered) - after) * em


def _lines(chips: Sequence[float], width: float) -> list[list[int]]:
    """As few lines as the width allows, and then the narrowest measure that allows as few."""
    best = _filled(chips, width)
    low, high = max(chips, default=0.0), width
    for _ in range(12 if len(best) > 1 else 0):
        middle = (low + high) / 2
        lines = _filled(chips, middle)
        if len(lines) <= len(best):
            high, best = middle, lines
        else:
            low = middle
    return best


def _filled(chips: Sequence[float], width: float) -> list[list[int]]:
    lines: list[list[int]] = [[]]
    used = -GAP
    for i, chip in enumerate(chips):
        if lines[-1] and used + GAP + chip > width + 1e-9:
            lines.append([])
            used = -GAP
        lines[-1].append(i)
        used += GAP + chip
    return lines


class WordBlock(VGroup):
    """Words in lines, read like a paragraph; a member for each word."""

    def __init__(
        self, theme: Theme, words: Sequence[str], role: str, em: float, judged: bool = False,
        numbered: bool = False,
    ) -> None:
        super().__init__()
        self.em, self.judged, self.numbered = em, judged, numbered
        self.add(*[GaugedWord(theme, word, role, em, judged) for word in words])

    @property
    def words(self) -> list[str]:
        """The words that stand in it now."""
        return [word.token.text for word in self]

    def places(self, band: Band, x: float = 0.5, y: float = 0.5) -> list[np.ndarray]:
        """Where each chip's centre comes to stand in a band; x, y are the block's fractions."""
        chips = [chip_width(word, self.judged) * self.em for word in self.words]
        lines = _lines([chip / self.em for chip in chips], band.width / self.em)
        gap, step = GAP * self.em, line_step(self.numbered) * self.em
        widths = [sum(chips[i] + gap for i in line) - gap for line in lines]
        under = NUMBER_GAP if self.numbered else 0.0
        height = (len(lines) - 1) * step + (HEIGHT + under) * self.em
        left = band.left + x * (band.width - max(widths, default=0.0))
        top = band.top - (1 - y) * (band.height - height) - HEIGHT * self.em / 2
        found = []
        for row, line in enumerate(lines):
            at = left
            for i in line:
                found.append(np.array([at + chips[i] / 2, top - row * step, 0.0]))
                at += chips[i] + gap
        return found

    def resize(self, em: float) -> WordBlock:
        """Sets the words at another size, each where it stands."""
        for word in self:
            word.scale(em / self.em, about_point=word.place)
        self.em = em
        return self

    def seat(self, band: Band, x: float = 0.5, y: float = 0.5) -> WordBlock:
        """Puts every word at its place in a band."""
        for word, place in zip(self, self.places(band, x, y), strict=True):
            word.shift(place - word.place)
        return self
