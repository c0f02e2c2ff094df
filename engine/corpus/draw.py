"""The dice of the grammar: every random choice of one sentence goes through here."""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Callable, Collection, Sequence
from functools import cache
from itertools import accumulate
from typing import TypeVar

from engine.corpus.lexicon import Lexicon
from engine.corpus.rows import Word

Row = TypeVar("Row")

ZH_VARIANT = "zh_variant"  # a second Chinese wording of the same English
EN_VARIANT = "en_variant"  # a second English wording of the same Chinese


@cache
def _cumulative(weights: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(accumulate(weights))


class Draw:
    """A seeded source of choices that remembers which structures it was used for.

    `favour` names words (Chinese side) that are to come up often: the words a user has added.
    """

    def __init__(
        self,
        seed: int,
        lexicon: Lexicon,
        *,
        variants: Collection[str] = (),
        without: Collection[str] = (),
        favour: Collection[str] = (),
    ) -> None:
        self._random = random.Random(seed)
        self.lexicon = lexicon
        self.variants = frozenset(variants)
        self.without = frozenset(without)
        self.favour = frozenset(favour)
        self.used: list[str] = []
        self.frame: str | None = None  # past, present, future: the time of the clauses drawn
        self.timed = False  # whether the story at hand has said when

    def start(self) -> None:
        """Begin another sentence."""
        self.used.clear()
        self.frame = None
        self.timed = False

    def chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def between(self, low: int, high: int) -> int:
        return low + int(self._random.random() * (high - low + 1))

    def one(self, rows: Sequence[Row]) -> Row:
        """One row, each as likely as the other, words in `favour` six times out of ten."""
        if self.favour and self.chance(0.6) and (liked := self._liked(rows)):
            rows = liked
        return rows[int(self._random.random() * len(rows))]

    def weighted(self, rows: Sequence[Row], weights: Sequence[float]) -> Row:
        steps = _cumulative(tuple(weights))
        return rows[bisect(steps, self._random.random() * steps[-1], 0, len(steps) - 1)]

    def number(self) -> Word:
        """A number from two up, mostly a small one."""
        rows = self.lexicon.table("numbers", Word)
        return self.one(rows[:9] if self.chance(0.75) else rows)

    def until(self, make: Callable[[], Row], good: Callable[[Row], bool]) -> Row:
        """Draw again until it is good."""
        while not good(row := make()):
            pass
        return row

    def may(self, template: str) -> bool:
        """Whether a structure is allowed in this corpus."""
        return template not in self.without

    def note(self, template: str) -> None:
        """Remember that the sentence at hand uses this structure."""
        self.used.append(template)

    def sometimes(self, template: str, probability: float) -> bool:
        """Whether to use an optional structure here; noted if so."""
        if not self.may(template) or not self.chance(probability):
            return False
        self.note(template)
        return True

    def variant(self, side: str, probability: float = 0.5) -> bool:
        """Whether to use a second wording on one side ("zh" or "en"); noted if so."""
        name = ZH_VARIANT if side == "zh" else EN_VARIANT
        if side not in self.variants:
            return False
        return self.sometimes(name, probability)

    def _liked(self, rows: Sequence[Row]) -> Sequence[Row]:
        return [row for row in rows if getattr(row, "zh", None) in self.favour]
