"""What a translator is trained and measured on: the corpus, seen in one direction."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from engine.batching import Example, Link
from engine.corpus import SentencePair, generate
from engine.corpus.templates import TEMPLATES
from engine.errors import InputError
from engine.translators import Direction
from engine.vocabulary import Vocabulary

TRAINING_SEED, HELD_OUT_SEED = 1, 999  # of the corpus; a model's own seed is the recipe's
HELD_OUT = 1000
DRILL_SHARE = 60  # one drill per template for so many ordinary pairs
LISTED = ("phrase",)  # whole sentences from a list: nothing in training could stand for them


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

    def digest(self) -> str:
        """sha256 of every training sentence: tells whether the grammar still makes the same."""
        lines = (" ".join((*side.source, "=", *side.target)) for side in self.training)
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def make_material(
    direction: Direction, pairs: int, without: Collection[str] = ()
) -> Material:
    """`pairs` training pairs, drills of every structure, and 1 000 pairs held out; the articles'
    own sentences are in none of them.

    The source side may say one thing in two ways; each source has one translation. `without`
    names structures that no training pair has.
    """
    variants = variants_of(direction)
    held_out = held_out_pairs(direction)
    made = generate(
        pairs, TRAINING_SEED, exclude=held_out, exclude_templates=without, variants=variants
    )
    made += drills(pairs // DRILL_SHARE, [*held_out, *made], variants, without)
    training = [Sides.of(pair, direction) for pair in made]
    return Material(
        direction,
        training,
        [Sides.of(pair, direction) for pair in held_out],
        Vocabulary.of(sides.source for sides in training),
        Vocabulary.of(sides.target for sides in training),
    )


def make_held_out(direction: Direction) -> list[Sides]:
    """The 1 000 held-out pairs alone."""
    return [Sides.of(pair, direction) for pair in held_out_pairs(direction)]


def held_out_pairs(direction: Direction, count: int | None = None) -> list[SentencePair]:
    """The first `count` held-out pairs, or all, as the grammar made them."""
    variants = variants_of(direction)
    return generate(count or HELD_OUT, HELD_OUT_SEED, exclude_templates=LISTED, variants=variants)


def drills(
    count: int,
    seen: Sequence[SentencePair],
    variants: Collection[str],
    without: Collection[str] = (),
) -> list[SentencePair]:
    """`count` single clauses of each template, however rare it is among ordinary sentences.

    A superlative or a price comes up so seldom that its word forms would hardly be learnt.
    """
    made: list[SentencePair] = []
    for name in (name for name in TEMPLATES if name not in without):
        made += _drill(name, count, seen, variants, without)
    return made


def _drill(
    name: str,
    count: int,
    seen: Sequence[SentencePair],
    variants: Collection[str],
    without: Collection[str],
) -> list[SentencePair]:
    """`count` single clauses of one template, or fewer where it has not so many new ones."""
    while count:
        try:
            return generate(
                count,
                TRAINING_SEED,
                exclude=seen,
                templates=(name,),
                exclude_templates=without,
                clauses=1,
                variants=variants,
            )
        except InputError:
            count //= 2
    return []


def more_held_out(material: Material, count: int) -> list[Sides]:
    """Further pairs that were not in training, for figures by length."""
    seen = {side.source for side in material.training}
    direction = material.direction
    variants = variants_of(direction)
    pairs = generate(count, HELD_OUT_SEED + 1, exclude_templates=LISTED, variants=variants)
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


def variants_of(direction: Direction) -> tuple[str, ...]:
    """The side that may say one thing in two ways: the source."""
    return (direction.split("-")[0],)


def _turned(links: Iterable[Link]) -> frozenset[Link]:
    return frozenset((b, a) for a, b in links)
