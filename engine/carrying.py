"""Words that a translator does not know: refused with what would help, or carried over.

A carried word is the unknown word to the model, on either side; what it says there is written as
the source word that it looked at most, in brackets: I like eating 〈火锅〉.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from torch import Tensor

from engine.errors import InputError, Phrase
from engine.tokens import is_chinese
from engine.trust import MOST_UNKNOWN, may_carry
from engine.vocabulary import UNKNOWN, Vocabulary

if TYPE_CHECKING:
    from engine.matching import Matched

NEAREST = 3  # known words named for one unknown word
LIKE_CHINESE, LIKE_OTHER = 0.5, 0.75  # least likeness: one of two characters, 3 of 4 letters
NOTHING = "〈?〉"  # said for an unknown word by a model that looks at no word


def in_brackets(word: str) -> str:
    """A word that the model only takes for an unknown one."""
    return f"〈{word}〉"


def as_said(
    vocabulary: Vocabulary, said: Sequence[int], source: Matched, weights: Tensor | None
) -> tuple[str, ...]:
    """The model's words. weights [target, source], or None where nothing is looked at."""
    words = vocabulary.decode(said)
    for i, index in enumerate(said):
        if index == UNKNOWN:
            words[i] = NOTHING if weights is None else _looked_at(source, weights[i])
    return tuple(words)


def _looked_at(source: Matched, weights: Tensor) -> str:
    return in_brackets(source.words[int(weights.argmax())])


def bracketed(matched: Matched) -> Matched:
    """The same sentence with its unknown words in brackets."""
    pairs = zip(matched.words, matched.indices, strict=True)
    words = (in_brackets(word) if index == UNKNOWN else word for word, index in pairs)
    return replace(matched, words=tuple(words))


def carried_right(source: Matched, target: Matched, alignment: Sequence[int]) -> bool:
    """Whether exactly the unknown source words are looked at where the target has unknown ones.

    alignment [target]: the source position that each target word looks at most.
    """
    asked = {j for j, index in enumerate(source.indices) if index == UNKNOWN}
    places = zip(alignment, target.indices, strict=True)
    return asked == {j for j, index in places if index == UNKNOWN}


def require_known(
    matched: Matched, vocabulary: Vocabulary, where: str, allow_unknown: bool = False
) -> None:
    """Raises InputError that names the unknown words, words like them and what can be done.

    With `allow_unknown` only for more of them than can be carried over.
    """
    unknown = tuple(dict.fromkeys(matched.unknown))
    few = may_carry(len(matched.unknown), len(matched.words))
    if not unknown or (allow_unknown and few):
        return
    ways = ("carry_or_learn" if few else "learn") if vocabulary.lexical else "carry"
    if not (few or vocabulary.lexical):
        ways = "none"
    near = _named(unknown, vocabulary)
    raise InputError(
        "translation.unknown_words_nearest" if near else "translation.unknown_words",
        where=where,
        words=", ".join(unknown),
        nearest=near,
        ways=Phrase(f"translation.ways.{ways}", most=MOST_UNKNOWN),
    )


def _named(unknown: Sequence[str], vocabulary: Vocabulary) -> str:
    """The nearest words of each unknown word, as far as there are any."""
    pairs = [(word, nearest(word, vocabulary)) for word in unknown[: MOST_UNKNOWN + 1]]
    return "; ".join(f"{word} → {', '.join(near)}" for word, near in pairs if near)


def nearest(word: str, vocabulary: Vocabulary) -> list[str]:
    """Up to three known words that are written much like this one, the likest first."""
    chinese = is_chinese(word)
    least = LIKE_CHINESE if chinese else LIKE_OTHER
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(word.casefold())
    likeness = {}
    for known in vocabulary.usual:
        matcher.set_seq1(known.casefold())
        alike = is_chinese(known) == chinese and matcher.real_quick_ratio() >= least
        if alike and matcher.quick_ratio() >= least and (ratio := matcher.ratio()) >= least:
            likeness[known] = ratio
    return sorted(likeness, key=lambda known: (-likeness[known], len(known), known))[:NEAREST]
