"""A sentence as a row of word chips, one mobject per token, so that a word can be followed.

    row = TokenRow(theme, trace.source, role="SOURCE", width=grid.stage.width)
    row[3]                     # the chip of the fourth token; move it, it stays the same mobject
    row[3].mark("unknown", "?")
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import DashedVMobject, RoundedRectangle, VGroup, VMobject, config

from engine.errors import InputError
from scenes.grid import SMALLEST
from scenes.mobjects.text import Label, sizes, text_width
from scenes.theme import Theme

PAD_X, PAD_Y = 0.42, 0.34  # em, between a word and the edge of its chip
GAP = 0.3  # em, between chips
LINE_GAP = 0.7  # em, between lines of chips
CHIP_FILL = 0.16  # opacity of a chip's ground against its word
MAX_LINES, MAX_LINES_TALL = 4, 10  # on a wide and on a tall frame
WEIGHT = 500


class Token(VGroup):
    """One word on its chip. `word` is the text, `chip` the ground it stands on.

    Its opacity as a whole is that of the word; the ground keeps its share of it.
    """

    holds_text = True  # its word stands on its own chip

    def __init__(self, theme: Theme, text: str, role: str, em: float, width: float) -> None:
        super().__init__()
        self.theme, self.text, self.role = theme, text, role
        self.chip_width_per_em = width / em
        self.chip_height_per_em = 1 + 2 * PAD_Y
        self.word_width_per_em = text_width(text, WEIGHT)
        height = (1 + 2 * PAD_Y) * em
        self.chip = RoundedRectangle(
            width=width, height=height, corner_radius=0.28 * em,
            color=theme.color(role), stroke_width=0.0, fill_opacity=CHIP_FILL,
        )
        self.word = Label(text, em, theme.color(role), WEIGHT)
        self.word.centre_on(self.chip.get_center())
        self.edge: VMobject | None = None
        self.note: Label | None = None
        self.add(self.chip, self.word)

    @property
    def em(self) -> float:
        return self.word.em

    def set_opacity(self, opacity: float, family: bool = True) -> Token:
        """Fades word, ground and marks together. opacity: 0 to 1."""
        for part in self:
            part.set_fill(opacity=opacity * (CHIP_FILL if part is self.chip else 1.0))
        if self.edge is not None:
            self.edge.set_fill(opacity=0.0).set_stroke(opacity=opacity)
        return self

    def read_channel(self, attribute: str) -> float | None:
        """The word's opacity stands for the token's."""
        return float(self.word.get_fill_opacity()) if attribute == "opacity" else None

    def mark(self, kind: str, note: str = "") -> Token:
        """Says something about the word by pattern and by word, not by hue alone.

        unknown: dashed edge; wrong: edge and a stroke through the word; focus: solid edge.
        `note` is set small above the chip's right end.
        """
        self.unmark()
        role = {"unknown": "MUTED", "wrong": "WRONG"}.get(kind, self.role)
        color = self.theme.color(role)
        self.edge = self._edge(kind).set_stroke(color, width=2.5).set_fill(opacity=0.0)
        self.add(self.edge)
        if note:
            em = config.frame_height * SMALLEST
            self.note = Label(note, em, self.theme.color(role), 500)
            self.note.next_to(self.chip, np.array([0.0, 1.0, 0.0]), buff=0.15 * em)
            self.add(self.note)
        return self

    def unmark(self) -> Token:
        """Takes edge and note away again."""
        self.remove(*[part for part in (self.edge, self.note) if part is not None])
        self.edge = self.note = None
        return self

    def _edge(self, kind: str) -> VMobject:
        outline = RoundedRectangle(
            width=self.chip.width, height=self.chip.height, corner_radius=0.28 * self.em
        ).move_to(self.chip)
        if kind == "unknown":
            return DashedVMobject(outline, num_dashes=max(12, int(10 * self.chip.width / self.em)))
        if kind == "wrong":
            low = self.word.baseline + 0.3 * self.em
            ends = [[self.word.get_left()[0], low, 0.0], [self.word.get_right()[0], low, 0.0]]
            strike = VMobject().set_points_as_corners(np.array(ends))
            return VMobject().set_points(np.concatenate([outline.points, strike.points]))
        return outline


class TokenRow(VGroup):
    """Tokens side by side: shrunk to the smallest size, then wrapped, then refused."""

    def __init__(
        self,
        theme: Theme,
        tokens: Sequence[str],
        role: str = "SOURCE",
        width: float | None = None,
        size: str = "body",
        lines: int | None = None,
        least_width: float = 0.0,
    ) -> None:
        """`width` in manim units (default: the safe width); `lines` the most lines allowed;
        `least_width` makes every chip at least that wide (em).

        Raises InputError where the words do not fit at the smallest size on `lines` lines.
        """
        super().__init__()
        self.tokens = tuple(tokens)
        width = width or 0.9 * config.frame_width
        tall = config.frame_height > config.frame_width
        lines = lines or (MAX_LINES_TALL if tall else MAX_LINES)
        chips = [max(text_width(token, WEIGHT) + 2 * PAD_X, 1.2, least_width) for token in tokens]
        self.em_size, cuts = _fit(self.tokens, chips, width, sizes()[size], lines)
        em = self.em_size
        for token, chip in zip(tokens, chips, strict=True):
            self.add(Token(theme, token, role, em, chip * em))
        self._lay_out(cuts, em)

    def _lay_out(self, cuts: list[list[int]], em: float) -> None:
        step = (1 + 2 * PAD_Y + LINE_GAP) * em
        for row, members in enumerate(cuts):
            chips = VGroup(*[self[i] for i in members])
            chips.arrange(np.array([1.0, 0.0, 0.0]), buff=GAP * em)
            chips.move_to([0.0, -row * step, 0.0])
        self.move_to([0.0, 0.0, 0.0])

    @property
    def words(self) -> list[Label]:
        """The words without their chips."""
        return [token.word for token in self]


def _fit(
    tokens: tuple[str, ...], chips: list[float], width: float, em: float, lines: int
) -> tuple[float, list[list[int]]]:
    """The size, and which tokens stand on which line."""
    smallest = config.frame_height * SMALLEST
    whole = sum(chips) + GAP * (len(chips) - 1)
    if whole * smallest <= width:
        return min(em, width / whole), [list(range(len(chips)))]
    cuts = _fill_lines(chips, width / smallest)
    if len(cuts) > lines or max(chips) * smallest > width:
        raise InputError("sentence.does_not_fit", count=len(tokens), sentence="".join(tokens)[:40])
    return smallest, _even_lines(chips, len(cuts), width / smallest)


def _fill_lines(chips: list[float], width: float) -> list[list[int]]:
    lines: list[list[int]] = [[]]
    used = -GAP
    for i, chip in enumerate(chips):
        if lines[-1] and used + GAP + chip > width:
            lines.append([])
            used = -GAP
        lines[-1].append(i)
        used += GAP + chip
    return lines


def _even_lines(chips: list[float], count: int, width: float) -> list[list[int]]:
    """The narrowest measure that still takes `count` lines."""
    low, best = max(chips), _fill_lines(chips, width)
    high = width
    for _ in range(12):
        middle = (low + high) / 2
        lines = _fill_lines(chips, middle)
        if len(lines) <= count:
            high, best = middle, lines
        else:
            low = middle
    return best
