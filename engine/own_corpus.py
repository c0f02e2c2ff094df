"""Pairs of a corpus of one's own: what is learnt from, what is held out, and which words belong.

Nobody has linked the words of such a corpus. For ⟨unk⟩ to be carried to the right place, words
that nearly always come together are taken for links: mutual best partners by Dice's coefficient
2·n(s, t) / (n(s) + n(t)), the association measure of Melamed (2000), at `SURE` or more.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.batching import Example
from engine.pairs_file import Words
from engine.vocabulary import Vocabulary

Pair = tuple[Words, Words]

HELD_OUT_SHARE, MOST_HELD_OUT, FEWEST_HELD_OUT = 0.1, 500, 4
MOST_WORDS = 10_000  # of a vocabulary; the others are ⟨unk⟩
LARGE = 5_000  # pairs, from which on a word that came up once is ⟨unk⟩ too
SURE = 0.8  # Dice's coefficient of a link
FEWEST_TOGETHER = 2  # sentences that a link comes up in
MOST_LINKED = 30_000  # pairs that links are looked for in


@dataclass(frozen=True)
class OwnMaterial:
    """One corpus, ready for training."""

    training: list[Pair]
    held_out: list[Pair]  # none of their sources is in training
    source: Vocabulary
    target: Vocabulary
    links: dict[str, str]  # source word → the target word it nearly always comes with

    def examples(self) -> list[Example]:
        return [self.encode(pair) for pair in self.training]

    def encode(self, pair: Pair) -> Example:
        """A pair as word indices, with the links between its words."""
        source, target = pair
        links = _links_in(source, target, self.links)
        return Example(tuple(self.source.encode(source)), tuple(self.target.encode(target)), links)


def make_own_material(
    pairs: Sequence[Pair], seed: int, most_words: int = MOST_WORDS
) -> OwnMaterial:
    """Splits by sources, so that no sentence is asked for that was learnt."""
    training, held_out = _split(pairs, seed)
    least = 2 if len(training) >= LARGE else 1
    sides = ([pair[side] for pair in training] for side in (0, 1))
    source, target = (Vocabulary.commonest(side, most_words, least) for side in sides)
    return OwnMaterial(training, held_out, source, target, find_links(training[:MOST_LINKED]))


def _split(pairs: Sequence[Pair], seed: int) -> tuple[list[Pair], list[Pair]]:
    sources = sorted({source for source, _ in pairs})
    random.Random(seed).shuffle(sources)
    count = min(MOST_HELD_OUT, max(FEWEST_HELD_OUT, round(HELD_OUT_SHARE * len(sources))))
    kept = set(sources[:count])
    training = [pair for pair in pairs if pair[0] not in kept]
    return training, [pair for pair in pairs if pair[0] in kept]


def find_links(pairs: Iterable[Pair]) -> dict[str, str]:
    """Words that are each other's best partner, and nearly always come together.

    Punctuation is nobody's translation.
    """
    left: Counter[str] = Counter()
    right: Counter[str] = Counter()
    together: Counter[tuple[str, str]] = Counter()
    for source, target in pairs:
        ones, others = ({word for word in side if word.isalnum()} for side in (source, target))
        left.update(ones)
        right.update(others)
        together.update((one, other) for one in ones for other in others)
    dice = {
        pair: 2 * count / (left[pair[0]] + right[pair[1]])
        for pair, count in together.items()
        if count >= FEWEST_TOGETHER
    }
    forward, backward = _best(dice, 0), _best(dice, 1)
    return {
        one: other
        for one, other in forward.items()
        if backward.get(other) == one and dice[one, other] >= SURE
    }


def _best(dice: dict[tuple[str, str], float], side: int) -> dict[str, str]:
    """The best partner of each word of one side, where only one is best."""
    best: dict[str, tuple[float, str, bool]] = {}
    for pair, value in dice.items():
        word, partner = pair[side], pair[1 - side]
        known = best.get(word, (-1.0, "", True))
        if value > known[0]:
            best[word] = (value, partner, True)
        elif value == known[0]:
            best[word] = (value, known[1], False)
    return {word: partner for word, (_, partner, alone) in best.items() if alone}


def _links_in(source: Words, target: Words, links: dict[str, str]) -> tuple[tuple[int, int], ...]:
    """(target position, source position) of linked words that stand once on both sides."""
    found = []
    for position, word in enumerate(source):
        partner = links.get(word)
        if partner and target.count(partner) == source.count(word) == 1:
            found.append((target.index(partner), position))
    return tuple(found)
