"""The relay's runners: one small figure per word, all alike, with the word on its chest.

    row = RunnerRow(theme, trace.tokens, xs=axis_positions, top=stage.top)
    row[3].word                # the word of the fourth token: the same mobject all along

They tell the story and carry no data: size and colour never change with a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from manim import DOWN, PI, RIGHT, Circle, RoundedRectangle, VGroup, VMobject, config

from engine.errors import InputError
from scenes.fonts import is_han
from scenes.grid import LINE, SMALLEST
from scenes.mobjects.text import Label, sizes, text_width
from scenes.theme import Theme

PAD_X, PAD_Y = 0.24, 0.26  # em, between a word and the edge of its board
PAD_UPRIGHT = 0.05  # em, beside a word that stands upright: there the room is least
BOARD_FILL = 0.16  # opacity of a board's ground against its word, as a token's
WEIGHT = 500
NARROW, WIDE, TIGHT = 0.94, 1.88, 0.985  # widest board against the distance of runners
HEAD = 0.46  # em, radius
LEGS = 0.62  # em
TALLEST = 1.5  # manim units of the tallest board on a frame of height 8


@dataclass(frozen=True)
class Setting:
    """How the words of a row are set, the same for every runner."""

    mode: str  # flat, wrapped, staggered or upright
    em: float
    width: float  # of the widest board
    height: float  # of one board


class Runner(VGroup):
    """Head, board with a word, legs. `board_part` is all but the head."""

    holds_text = True

    def __init__(self, theme: Theme, text: str, setting: Setting, low: bool = False) -> None:
        super().__init__()
        em = setting.em
        body = theme.color("LINE")
        self.head = Circle(HEAD * em, stroke_width=0.0, fill_color=body, fill_opacity=1.0)
        self.word = _set_word(text, setting, theme)
        width = min(max(self.word.width + 2 * PAD_X * em, 1.3 * em), setting.width)
        self.board = RoundedRectangle(
            width=width, height=setting.height, corner_radius=min(0.28 * em, width / 3),
            stroke_width=0.0, fill_color=theme.color("SOURCE"), fill_opacity=BOARD_FILL,
        )
        neck = (setting.height + 0.14 * em) if low else 0.0
        self.board.next_to(self.head, np.array([0.0, -1.0, 0.0]), buff=0.12 * em + neck)
        if setting.mode == "upright":
            self.word.move_to(self.board)
        else:
            self.word.centre_on(self.board.get_center())
        self.limbs = _limbs(self, setting, body, low)
        self.board_part = VGroup(self.limbs, self.board, self.word)
        self.board_part.holds_text = True  # it comes and goes without the head
        self.add(self.board_part, self.head)


class RunnerRow(VGroup):
    """Runners at given x positions, heads on one line, words as large as they can be set.

    Tried in this order: one line per word; Chinese words on two lines; boards hung at two
    heights; words set upright. `setting` says which it became.
    """

    def __init__(
        self, theme: Theme, tokens: Sequence[str], xs: Sequence[float], slot: float, top: float
    ) -> None:
        """`slot` is the width one runner may take, `top` the y of the heads' tops.

        Raises InputError where the words do not fit at the smallest size.
        """
        super().__init__()
        self.setting = set_words(tuple(tokens), slot)
        for i, (token, x) in enumerate(zip(tokens, xs, strict=True)):
            low = self.setting.mode == "staggered" and i % 2 == 1
            runner = Runner(theme, token, self.setting, low)
            head = runner.head
            self.add(runner.shift([x - head.get_x(), top - head.get_top()[1], 0.0]))

    @property
    def heads(self) -> VGroup:
        return VGroup(*[runner.head for runner in self])

    @property
    def boards(self) -> VGroup:
        return VGroup(*[runner.board_part for runner in self])


def set_words(tokens: tuple[str, ...], slot: float) -> Setting:
    """The first way of setting that fits `slot` manim units per word at a legible size."""
    label, smallest = sizes()["label"], config.frame_height * SMALLEST
    tallest = TALLEST * config.frame_height / 8
    for mode, share in (("flat", NARROW), ("wrapped", NARROW), ("staggered", WIDE),
                        ("upright", TIGHT)):
        wide, tall = _extent(tokens, mode)  # em
        em = min(label, share * slot / wide, tallest / tall)
        if em >= smallest * 0.999:
            return Setting(mode, max(em, smallest), wide * em, tall * em)
    raise InputError("sentence.does_not_fit", count=len(tokens), sentence=" ".join(tokens)[:40])


def _extent(tokens: tuple[str, ...], mode: str) -> tuple[float, float]:
    """Width and height in em of the largest board."""
    if mode == "upright":
        tall = max(_upright_length(token) for token in tokens)
        return 1.0 + 2 * PAD_UPRIGHT, tall + 2 * PAD_X
    lines = [_lines(token, mode) for token in tokens]
    wide = max(text_width(line, WEIGHT) for block in lines for line in block)
    tall = 1.0 + LINE * (max(map(len, lines)) - 1)
    return wide + 2 * PAD_X, tall + 2 * PAD_Y


def _lines(token: str, mode: str) -> list[str]:
    """A word of three or more Han signs may stand on two lines."""
    if mode == "wrapped" and len(token) > 2 and all(map(is_han, token)):
        half = (len(token) + 1) // 2
        return [token[:half], token[half:]]
    return [token]


def _upright_length(token: str) -> float:
    return LINE * (len(token) - 1) + 1.0 if _stacks(token) else text_width(token, WEIGHT)


def _stacks(token: str) -> bool:
    """Han words read from top to bottom; all others are turned."""
    return all(map(is_han, token)) or len(token) == 1


def _set_word(text: str, setting: Setting, theme: Theme) -> Label:
    color, em = theme.color("SOURCE"), setting.em
    if setting.mode != "upright":
        return Label("\n".join(_lines(text, setting.mode)), em, color, WEIGHT, align=0.5)
    if _stacks(text):
        return Label("\n".join(text), em, color, WEIGHT, align=0.5)
    return Label(text, em, color, WEIGHT).rotate(PI / 2)  # type: ignore[no-any-return]


def _limbs(runner: Runner, setting: Setting, color: object, low: bool) -> VMobject:
    """Legs in mid-stride; where boards hang at two heights, a neck for the lower ones."""
    em, board = setting.em, runner.board
    limbs = VMobject(stroke_color=color, stroke_width=2.2, fill_opacity=0.0)
    hip, reach = board.get_bottom(), LEGS * em * DOWN
    stride = min(0.42 * em, board.width / 2) * RIGHT
    if setting.mode != "staggered":
        return limbs.set_points_as_corners([hip - stride + reach, hip, hip + stride + reach])  # type: ignore[no-any-return]
    if low:
        limbs.set_points_as_corners([runner.head.get_bottom(), board.get_top()])
    return limbs
