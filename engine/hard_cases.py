"""Sentences that a translator cannot be right about, and some that it may only just be.

What the detector of wrong translations is tried on, beside held-out sentences of the grammar:
sentences written by hand (everyday ones outside the grammar, proverbs, lines of poems, technical
ones), and held-out sentences spoiled: shuffled, two words exchanged, two halves put together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.jury import FUNCTION_WORDS
from engine.material import Sides
from engine.tables import HARD, HardRow, read_table
from engine.tokens import join
from engine.translators import Direction

SHORTEST, LONGEST = 4, 14  # words of a sentence that is spoiled
SPOILED = 120  # sentences of each way


@dataclass(frozen=True)
class Case:
    """A source, and what would be right: nothing at all where no translation can be."""

    kind: str
    source: str
    accepted: frozenset[str]  # as `plain` writes them


def plain(text: str) -> str:
    """A sentence without case, signs and spaces: two that differ in nothing else are alike."""
    return "".join(sign for sign in text.casefold().replace("'", "’") if sign.isalnum())


def written_cases(direction: Direction) -> list[Case]:
    """The sentences of the table, with the translations that are accepted."""
    rows = [row for row in read_table(HARD, HardRow) if row.direction == direction]
    return [
        Case(row.kind, row.source, frozenset(plain(t) for t in row.accepted.split(";") if t))
        for row in rows
    ]


def held_out_cases(sides: Sequence[Sides]) -> list[Case]:
    """Sentences of the grammar; each has one right translation."""
    return [
        Case("held out", "|".join(side.source), frozenset({plain(join(side.target))}))
        for side in sides
    ]


def spoiled_cases(sides: Sequence[Sides], seed: int) -> Iterator[Case]:
    """Held-out sentences made wrong in three ways; none has a right translation."""
    rng = random.Random(seed)
    fitting = [s.source for s in sides if SHORTEST <= len(s.source) <= LONGEST]
    originals = {side.source for side in sides}
    for kind, spoil in _WAYS.items():
        for words in rng.sample(fitting, min(SPOILED, len(fitting))):
            spoiled = spoil(words, fitting, rng)
            if spoiled not in originals:
                yield Case(kind, "|".join(spoiled), frozenset())


Words = tuple[str, ...]


def _shuffled(words: Words, others: Sequence[Words], rng: random.Random) -> Words:
    return tuple(rng.sample(words, len(words)))


def _exchanged(words: Words, others: Sequence[Words], rng: random.Random) -> Words:
    """A function word changes places with a word of content."""
    function = [i for i, word in enumerate(words) if word in FUNCTION_WORDS]
    content = [i for i, word in enumerate(words) if word not in FUNCTION_WORDS]
    if not function or not content:
        return _shuffled(words, others, rng)
    changed = list(words)
    i, j = rng.choice(function), rng.choice(content)
    changed[i], changed[j] = changed[j], changed[i]
    return tuple(changed)


def _spliced(words: Words, others: Sequence[Words], rng: random.Random) -> Words:
    """The beginning of this sentence and the end of another, each cut in its middle."""
    other = rng.choice(others)
    return (*words[: (len(words) + 1) // 2], *other[len(other) // 2 :])


_WAYS: dict[str, Callable[[Words, Sequence[Words], random.Random], Words]] = {
    "shuffled": _shuffled,
    "exchanged": _exchanged,
    "spliced": _spliced,
}
