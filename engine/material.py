"""What a translator is trained and measured on: the corpus, seen in one direction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.batching import Example, Link
from engine.corpus import SentencePair, generate
from engine.translators import Direction
from engine.vocabulary import Vocabulary

TRAINING_SEED, HELD_OUT_SEED = 1, 999  # of the corpus; a model's own seed is the recipe's
HELD_OUT = 1000


@dataclass(frozen=True)
class Sides:
    """A sentence pair seen in one direction; links are (target, source)."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    sure: frozenset[Link]
    possible: frozenset[Link]

    @classmethod
    def of(cls, pair: SentencePair, direction: Direction) -> Sides:
        if direction == "zh-en":
            return cls(pair.zh, pair.en, pair.sure, pair.possible)
        return cls(pair.en, pair.zh, _turned(pair.sure), _turned(pair.possible))


@dataclass(frozen=True)
class Material:
    """Training and held-out pairs of one direction, and the words of the former."""

    direction: Direction
    training: list[Sides]
    held_out: list[Sides]
    source: Vocabulary
    target: Vocabulary


def make_material(direction: Direction, pairs: int) -> Material:
    """`pairs` training pairs and 1 000 held out; the articles' own sentences are in neither.

    The source side may say one thing in two ways; each source has one translation.
    """
    variants = (direction.split("-")[0],)
    held_out = generate(HELD_OUT, HELD_OUT_SEED, variants=variants)
    pairs_made = generate(pairs, TRAINING_SEED, exclude=held_out, variants=variants)
    training = [Sides.of(pair, direction) for pair in pairs_made]
    return Material(
        direction,
        training,
        [Sides.of(pair, direction) for pair in held_out],
        Vocabulary.of(sides.source for sides in training),
        Vocabulary.of(sides.target for sides in training),
    )


def more_held_out(material: Material, count: int) -> list[Sides]:
    """Further pairs that were not in training, for figures by length."""
    seen = {side.source for side in material.training}
    direction = material.direction
    variants = (direction.split("-")[0],)
    pairs = generate(count, HELD_OUT_SEED + 1, variants=variants)
    sides = [Sides.of(pair, direction) for pair in pairs]
    return [side for side in sides if side.source not in seen]


def encode(sides: Iterable[Sides], source: Vocabulary, target: Vocabulary) -> list[Example]:
    """Sentence pairs as word indices."""
    return [
        Example(
            tuple(source.encode(pair.source)),
            tuple(target.encode(pair.target)),
            tuple(sorted(pair.sure)),
        )
        for pair in sides
    ]


def _turned(links: Iterable[Link]) -> frozenset[Link]:
    return frozenset((b, a) for a, b in links)
