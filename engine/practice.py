"""What a translator practises new words on: sentences that the grammar makes with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.corpus import SentencePair, generate, known_words
from engine.corpus.lexicon import Lexicon, load_lexicon
from engine.corpus.new_words import Entry
from engine.errors import InputError
from engine.material import TRAINING_SEED, Sides, held_out_pairs, variants_of
from engine.translators import Direction

SEED, HELD_OUT_SEED = 5, 55  # of the sentences with new words
OLD_TO_NEW = 2 / 3  # four old sentences for six new ones
#: How many clauses, and the share of sentences that have so many: short ones teach the word for
#: less time, those of the corpus's own lengths what stands around it.
MIXED = ((1, 0.5), (2, 0.2), (None, 0.3))
NATURAL = ((None, 1.0),)

Mixture = Sequence[tuple[int | None, float]]


@dataclass(frozen=True)
class Amount:
    """How much is practised and measured."""

    each: int = 120  # sentences to practise each new word on
    least: int = 600  # of them in all, however few the words are
    most: int = 3000
    new: int = 200  # sentences with new words to measure on
    old: int = 300  # held-out sentences without them to measure on

    def per_word(self, words: int) -> int:
        """Sentences for each of so many new words."""
        return -(-min(max(self.each * words, self.least), self.most) // words)


@dataclass(frozen=True)
class Practice:
    """Sentences to train on, and those kept aside to measure on."""

    training: list[Sides]
    new: list[Sides]
    old: list[Sides]


def make_practice(
    direction: Direction, entries: Sequence[Entry], lexicon: Lexicon, amount: Amount
) -> Practice:
    """Sentences with the new words and old ones; `lexicon` holds the entries.

    Raises InputError for a word that the grammar makes too few sentences with.
    """
    variants = variants_of(direction)
    old = held_out_pairs(direction, amount.old)
    maker = _Maker(entries, lexicon, variants)
    aside = maker.make(-(-amount.new // len(entries)), HELD_OUT_SEED, NATURAL, old)
    taught = maker.make(amount.per_word(len(entries)), SEED, MIXED, [*old, *aside])
    count = int(len(taught) * OLD_TO_NEW)
    known = generate(count, TRAINING_SEED, exclude=old, variants=variants)
    return Practice(
        [Sides.of(pair, direction) for pair in (*taught, *known)],
        [Sides.of(pair, direction) for pair in aside],
        [Sides.of(pair, direction) for pair in old],
    )


@dataclass(frozen=True)
class _Maker:
    entries: Sequence[Entry]
    lexicon: Lexicon
    variants: tuple[str, ...]

    def make(
        self, each: int, seed: int, mixture: Mixture, exclude: Sequence[SentencePair]
    ) -> list[SentencePair]:
        """About `each` sentences with every word; none of `exclude`, none twice."""
        made: list[SentencePair] = []
        for entry in self.entries:
            before = len(made)
            for clauses, share in mixture:
                count = max(1, round(each * share))
                made += self._with(entry, count, seed, clauses, [*exclude, *made])
            if len(made) == before:
                raise InputError("new_words.no_sentences", word=" ".join(entry.zh))
        return made

    def _with(
        self,
        entry: Entry,
        count: int,
        seed: int,
        clauses: int | None,
        exclude: Sequence[SentencePair],
    ) -> list[SentencePair]:
        """So many sentences with one word, or fewer where the grammar has not so many."""
        wanted = {" ".join(entry.zh), *_new_tokens(entry)}
        while count:
            try:
                return generate(
                    count,
                    seed,
                    exclude=exclude,
                    clauses=clauses,
                    variants=self.variants,
                    containing=wanted,
                    lexicon=self.lexicon,
                )
            except InputError:
                count //= 2
        return []


def _new_tokens(entry: Entry) -> tuple[str, ...]:
    """The tokens that tell a sentence with the entry from others: 太极 of 打 太极."""
    known = known_words("zh", load_lexicon())
    return tuple(token for token in entry.zh if token not in known) or entry.zh
