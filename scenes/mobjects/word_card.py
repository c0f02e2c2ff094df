"""A word on its card that keeps its identity while its shape follows the room it has.

    card = WordCard(theme, "杭州", "SOURCE", flat("杭州", em=0.32))
    self.play(Reshape(card, upright("杭州", em=0.2, width=0.3), at=point))

A row of cards lies flat while the words fit; else it stands upright: Han signs under each
other, Latin words turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from manim import MoveToTarget, RoundedRectangle

from engine.errors import InputError
from scenes.fonts import is_han, line_outline
from scenes.mobjects.text import FULL_WIDTH_STOPS, Label, text_width
from scenes.mobjects.token_row import PAD_X, PAD_Y, Token
from scenes.theme import Theme

TIGHT = 0.14  # em, between a word and the edge of its chip where room is scarce
SIGN_STEP = 1.06  # em, from one stacked Han sign to the next
WEIGHT = 500
LEAST = 1.2  # em, the narrowest flat chip
FILL = 0.94  # share of its place that a card may take


@dataclass(frozen=True)
class Shape:
    """How a card is drawn. Lengths in manim units."""

    em: float
    form: str  # "flat", "stacked" or "turned"
    width: float
    height: float


def flat(text: str, em: float, pad: float = PAD_X, height: float | None = None) -> Shape:
    """A card that lies: the word on one line."""
    width = max(text_width(text, WEIGHT) + 2 * pad, LEAST) * em
    return Shape(em, "flat", width, height or (1 + 2 * PAD_Y) * em)


def upright(text: str, em: float, width: float) -> Shape:
    """A card that stands: Han signs under each other, anything else turned."""
    if all(is_han(sign) or sign in FULL_WIDTH_STOPS for sign in text):
        return Shape(em, "stacked", width, (SIGN_STEP * len(text) + 2 * TIGHT) * em)
    return Shape(em, "turned", width, (text_width(text, WEIGHT) + 2 * TIGHT) * em)


def shapes(texts: Sequence[str], pitch: float, largest: float, smallest: float) -> list[Shape]:
    """Shapes for words side by side, one every `pitch`: flat and large, else upright.

    Raises InputError where not even upright words at the smallest size have room.
    """
    widest = max(text_width(text, WEIGHT) for text in texts)
    for pad in (PAD_X, TIGHT):
        em = min(largest, FILL * pitch / max(widest + 2 * pad, LEAST))
        if em >= smallest:
            return [flat(text, em, pad) for text in texts]
    if pitch < 0.9 * smallest:
        raise InputError("sentence.does_not_fit", count=len(texts), sentence="".join(texts)[:40])
    em = max(smallest, min(largest, 0.8 * pitch))
    return [upright(text, em, FILL * pitch) for text in texts]


@cache
def _chip_outline(shape: Shape) -> np.ndarray:
    """Points of a chip around the origin; rounding corners is slow, so each shape is made once."""
    radius = min(0.28 * shape.em, 0.45 * shape.width, 0.45 * shape.height)
    outline = RoundedRectangle(width=shape.width, height=shape.height, corner_radius=radius)
    return outline.points.copy()


class CardWord(Label):
    """The word itself, in one of three forms whose outlines correspond point by point."""

    def cast(self, shape: Shape) -> CardWord:
        """Draws the word anew in this shape, around the origin."""
        signs = list(self.text) if shape.form == "stacked" else [self.text]
        outlines = [line_outline(sign, WEIGHT) for sign in signs]
        steps = [np.array([-o.advance / 2, -k * SIGN_STEP, 0.0]) for k, o in enumerate(outlines)]
        points = np.concatenate([o.points + s for o, s in zip(outlines, steps, strict=True)])
        if shape.form == "turned":
            points = points[:, [1, 0, 2]] * [-1.0, 1.0, 1.0]
        self.set_points(points * shape.em)
        self.lines = signs
        self._remember(shape.em)
        return self

    def adopt(self, other: CardWord) -> None:
        """Takes over what is known of the other's form; the points are there already."""
        self.lines, self._span = other.lines, other._span
        self._depth_per_height = other._depth_per_height


class WordCard(Token):
    """A Token whose chip and word can take another shape."""

    def __init__(self, theme: Theme, text: str, role: str, shape: Shape) -> None:
        super().__init__(theme, text, role, shape.em, shape.width)
        self.remove(self.word)
        self.word = CardWord(text, shape.em, theme.color(role), WEIGHT)
        self.add(self.word)
        self.take_shape(shape)

    def take_shape(self, shape: Shape) -> WordCard:
        """Redraws chip, word and edge around the chip's centre."""
        centre = self.chip.get_center()
        self.shape = shape
        self.chip.set_points(_chip_outline(shape)).move_to(centre)
        self._seat_word(centre)
        if self.edge is not None:
            self.edge.stretch_to_fit_width(shape.width).stretch_to_fit_height(shape.height)
            self.edge.move_to(centre)
        return self

    def _seat_word(self, centre: np.ndarray) -> None:
        self.word.cast(self.shape)
        if self.shape.form == "flat":
            self.word.centre_on(centre)
        else:
            self.word.move_to(centre)

    def adopt(self, other: WordCard) -> None:
        """After a Transform to `other`: the points are its, so the shape is too."""
        self.shape = other.shape
        self.word.adopt(other.word)

    def seat(self, point: np.ndarray) -> WordCard:
        """Moves the card so that its chip's centre is at `point`."""
        return self.shift(np.asarray(point) - self.chip.get_center())


class Reshape(MoveToTarget):
    """Moves a card while it takes another shape: one object before and after."""

    def __init__(self, card: WordCard, shape: Shape, at: np.ndarray, **kwargs: Any) -> None:
        card.generate_target()
        card.target.take_shape(shape).seat(at)
        super().__init__(card, **kwargs)

    def finish(self) -> None:
        super().finish()
        self.mobject.adopt(self.target_mobject)
