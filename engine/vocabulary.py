"""The words a model knows, their numbers, and how a word as written finds its entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

PAD, BEGIN, END, UNKNOWN = range(4)
SPECIAL = ("<pad>", "<s>", "</s>", "<unk>")

_SAME_SIGN = str.maketrans("，？！：；（）’", ",?!:;()'")


@dataclass(frozen=True)
class Vocabulary:
    """Words by index. The first four are padding, begin, end and unknown."""

    words: tuple[str, ...]
    lexical: bool = True  # cut as the grammar's lexicon cuts; else as `engine.cuts` does

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]]) -> Vocabulary:
        """Every word of some sentences, in sorted order."""
        return cls(SPECIAL + tuple(sorted({word for sentence in sentences for word in sentence})))

    @classmethod
    def commonest(cls, sentences: Iterable[Sequence[str]], most: int, least: int) -> Vocabulary:
        """The `most` commonest words among those that come up `least` times, in sorted order."""
        counts = Counter(word for sentence in sentences for word in sentence)
        ranked = sorted(counts, key=lambda word: (-counts[word], word))[:most]
        kept = (word for word in ranked if counts[word] >= least and word not in SPECIAL)
        return cls(SPECIAL + tuple(sorted(kept)), lexical=False)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def usual(self) -> tuple[str, ...]:
        """The words without the four special ones."""
        return self.words[len(SPECIAL) :]

    @cached_property
    def taught(self) -> frozenset[str]:
        """Chinese words that a user has taught: those that the shipped grammar does not have."""
        from engine.corpus import known_words

        return frozenset(self.words) - known_words("zh") if self.lexical else frozenset()

    def encode(self, words: Sequence[str]) -> list[int]:
        """Indices of the words as they stand; UNKNOWN for the others."""
        return [self._index.get(word, UNKNOWN) for word in words]

    def decode(self, indices: Sequence[int]) -> list[str]:
        return [self.words[index] for index in indices]

    def entry(self, word: str) -> int:
        """The index for a word as someone wrote it: as it stands, else in another case or width.

        So `Welcome` finds `welcome` and a half-width comma finds the full-width one. UNKNOWN if
        there is none.
        """
        return self._index.get(word) or self._folded.get(_fold(word), UNKNOWN)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words) if i >= len(SPECIAL)}

    @cached_property
    def _folded(self) -> dict[str, int]:
        # Capitals sort first: of two entries that fold alike the lower-case one is kept.
        return {_fold(word): i for word, i in self._index.items()}


def _fold(word: str) -> str:
    return word.translate(_SAME_SIGN).casefold()
