"""Synchronous phrases: the same meaning in Chinese and English, with what stands for what.

A phrase holds the Chinese tokens, each with a key of its own, and the English tokens, each with
the keys that it surely and that it possibly stands for (Och and Ney 2003, "A systematic
comparison of various statistical alignment models", section 6.1). Rules put phrases in order on
either side; the links follow by themselves.
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import NamedTuple

Keys = tuple[int, ...]
_key = itertools.count(1)


class Phrase(NamedTuple):
    """zh: (token, key); en: (token, keys surely meant, keys possibly meant)."""

    zh: tuple[tuple[str, int], ...] = ()
    en: tuple[tuple[str, Keys, Keys], ...] = ()

    @property
    def keys(self) -> Keys:
        return tuple(key for _, key in self.zh)

    @property
    def zh_text(self) -> str:
        return " ".join(token for token, _ in self.zh)

    @property
    def en_text(self) -> str:
        return " ".join(token for token, _, _ in self.en)


EMPTY = Phrase()


@cache
def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def word(zh: str, en: str) -> Phrase:
    """A content word, or words that correspond in order: 昨天 下午 / yesterday afternoon.

    Where one side has more tokens than the other, all belong to all: 淘到 / picked up.
    """
    chinese, english = _split(zh), _split(en)
    if len(chinese) == len(english) > 1:
        return chain(*[expression(*pair) for pair in zip(chinese, english, strict=True)])
    return expression(zh, en)


def expression(zh: str, en: str) -> Phrase:
    """A fixed expression: every English token is surely every Chinese one."""
    spelled = tuple([(token, next(_key)) for token in _split(zh)])
    keys = tuple([key for _, key in spelled])
    return Phrase(spelled, tuple([(token, keys, ()) for token in _split(en)]))


def loose(zh: str, en: str) -> Phrase:
    """A function word whose counterpart is only possible: 把 with put, 了 with did."""
    spelled = tuple((token, next(_key)) for token in zh.split())
    keys = tuple(key for _, key in spelled)
    return Phrase(spelled, tuple((token, (), keys) for token in en.split()))


def silent(zh: str) -> Phrase:
    """A Chinese word that English leaves unsaid."""
    return loose(zh, "")


def function(en: str, *near: Phrase) -> Phrase:
    """English function words (the, is, did), possibly linked to the phrases they belong to."""
    keys = tuple(key for phrase in near for key in phrase.keys)
    return Phrase((), tuple((token, (), keys) for token in en.split()))


def rule(zh: tuple[Phrase, ...], en: tuple[Phrase, ...]) -> Phrase:
    """One synchronous rule: the order of the parts in Chinese and in English."""
    return Phrase(
        tuple([token for phrase in zh for token in phrase[0]]),
        tuple([token for phrase in en for token in phrase[1]]),
    )


def chain(*parts: Phrase) -> Phrase:
    """Parts in the same order on both sides."""
    return rule(parts, parts)


def suffixed(phrase: Phrase, *particles: str) -> Phrase:
    """The phrase with Chinese particles after it (了, 的, 们), possibly linked to its English."""
    tail = tuple((token, next(_key)) for particle in particles for token in particle.split())
    keys = tuple(key for _, key in tail)
    return Phrase(phrase.zh + tail, tuple((t, sure, maybe + keys) for t, sure, maybe in phrase.en))


def prefixed(phrase: Phrase, *particles: str) -> Phrase:
    """The phrase with Chinese particles before it, possibly linked to its English."""
    head = tuple((token, next(_key)) for particle in particles for token in particle.split())
    keys = tuple(key for _, key in head)
    return Phrase(head + phrase.zh, tuple((t, sure, maybe + keys) for t, sure, maybe in phrase.en))


def only_zh(phrase: Phrase) -> Phrase:
    return Phrase(phrase.zh, ())


def only_en(phrase: Phrase) -> Phrase:
    return Phrase((), phrase.en)
