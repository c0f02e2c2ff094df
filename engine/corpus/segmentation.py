"""Chinese text into the words of the grammar: the fewest words that the lexicon knows.

A general dictionary would join what the grammar keeps apart (打车, 这个, 放在) or the other way
round. Here known words come first; a word that only the general dictionary has stays whole where
taking it apart would not make sense in the grammar: 大学生 is no big student, 开门 drives no door.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache

from engine.corpus.lexicon import load_lexicon
from engine.corpus.rows import Mass, Noun, Person
from engine.corpus.vocabulary import known_words

# Costs: a word that the user taught, a known word, a dictionary word that must stay whole, a
# character that is no word, and a dictionary word with unknown parts, growing with its length so
# that 今天天气 gives 今天 up.
_TAUGHT, _KNOWN, _WHOLE, _LETTER = 0.9, 1.0, 1.05, 4.0
_LISTED, _LISTED_LETTER = 0.4, 0.6
_LONGEST = 8


def segment(text: str, taught: frozenset[str] = frozenset()) -> list[str]:
    """The words of a run of Chinese characters, by least total cost.

    `taught` holds words of the user's own: they come before all others.
    """
    longest = max((_LONGEST, *map(len, taught)))
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(text) + 1):
        pieces = ((start, text[start:end]) for start in range(max(0, end - longest), end))
        best.append(
            min(
                (best[start][0] + (_TAUGHT if piece in taught else _cost(piece)), start)
                for start, piece in pieces
            )
        )
    words: list[str] = []
    end = len(text)
    while end:
        start = best[end][1]
        words.append(text[start:end])
        end = start
    return words[::-1]


@cache
def _cost(piece: str) -> float:
    if piece in known_words("zh"):
        return _KNOWN
    if len(piece) == 1:
        return _LETTER
    if piece not in _dictionary() or _sayable(piece, _sensible):
        return float("inf")
    if _sayable(piece, lambda left, right: True):  # it falls into known words, but into nonsense
        return _WHOLE
    return _LISTED + _LISTED_LETTER * len(piece)


@cache
def _dictionary() -> frozenset[str]:
    """The words of jieba's general dictionary."""
    import logging

    import jieba

    jieba.setLogLevel(logging.WARNING)
    general = jieba.Tokenizer()
    general.initialize()
    return frozenset(word for word, count in general.FREQ.items() if count)


def _sayable(word: str, fits: Callable[[str, str], bool], before: str = "") -> bool:
    """Whether a dictionary word falls into known words of which each fits the next."""
    if not word:
        return True
    return any(
        word[:end] in known_words("zh")
        and (not before or fits(before, word[:end]))
        and _sayable(word[end:], fits, word[:end])
        for end in range(1, len(word) + 1)
    )


def _sensible(left: str, right: str) -> bool:
    """Whether two words may stand side by side: 新 书 and 看 书, not 开 门."""
    if (left, right) in _neighbours():
        return True
    nouns = _noun_classes().get(right)
    if nouns is None:
        return True
    governed = _governed().get(left)
    if governed is None:
        return left not in _noun_classes()  # two nouns in a row are a compound
    return not nouns.isdisjoint(governed)


@cache
def _neighbours() -> frozenset[tuple[str, str]]:
    """Words that stand side by side in a row of the lexicon: 看 电视."""
    rows = [
        row.zh.split()
        for table in load_lexicon().tables.values()
        for row in table
        if hasattr(row, "zh")
    ]
    return frozenset(pair for words in rows for pair in itertools.pairwise(words))


@cache
def _noun_classes() -> dict[str, frozenset[str]]:
    classes: dict[str, set[str]] = {}
    for table in load_lexicon().tables.values():
        for row in table:
            if isinstance(row, Noun | Mass | Person):
                classes.setdefault(row.zh, set()).add(row.noun_class)
    return {word: frozenset(found) for word, found in classes.items()}


@cache
def _governed() -> dict[str, frozenset[str]]:
    """What an adjective without 的 fits, and what a verb takes."""
    lexicon = load_lexicon()
    classes: dict[str, set[str]] = {}
    for noun_class, rows in lexicon.adjectives.items():
        for row in rows:
            classes.setdefault(row.zh, set()).update(() if row.de else (noun_class,))
    for noun_class, verbs in lexicon.verbs.items():
        for verb in verbs:
            classes.setdefault(verb.zh, set()).add(noun_class)
    return {word: frozenset(found) for word, found in classes.items()}
