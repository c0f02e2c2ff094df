"""A sentence as written, matched to the words that a model knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from engine.errors import InputError
from engine.lesson import Pair
from engine.tokens import BAR, is_chinese, tokenize
from engine.vocabulary import UNKNOWN, Vocabulary

CLOSING = set("。.！!…")
UNKNOWN_COST = 1000.0


@dataclass(frozen=True)
class Matched:
    """The words of one sentence and what the model takes them for."""

    words: tuple[str, ...]  # as written
    indices: tuple[int, ...]

    @property
    def unknown(self) -> tuple[str, ...]:
        """The words that the model has no entry for."""
        pairs = zip(self.words, self.indices, strict=True)
        return tuple(word for word, index in pairs if index == UNKNOWN)

    def without_stop(self) -> Matched:
        """The same without a full stop at its end, unless that is all there is."""
        if len(self.words) > 1 and self.words[-1] in CLOSING:
            return Matched(self.words[:-1], self.indices[:-1])
        return self


def match(sentence: str, vocabulary: Vocabulary, where: str) -> Matched:
    """Tokenise a sentence so that the model knows as much of it as possible.

    The user's bars are kept as they stand. Raises InputError for a sentence without words.
    """
    words = tokenize(sentence, where)
    if BAR not in sentence:
        words = _refined(words, vocabulary)
    indices = tuple(vocabulary.entry(word) for word in words)
    matched = Matched(words, indices)
    return matched.without_stop() if indices[-1] == UNKNOWN else matched


def match_pair(
    pair: Pair, source_words: Vocabulary, target_words: Vocabulary, where: str
) -> tuple[Matched, Matched | None]:
    """Both sides of a lesson's pair, all of whose words must be known.

    A full stop on one side only is dropped there: the corpus has it on both sides or on neither.
    Raises InputError for words that are not known; `where` names the pair's place in the lesson.
    """
    source = match(pair.source, source_words, f"{where}.source")
    target = pair.target and match(pair.target, target_words, f"{where}.target")
    if target and (source.words[-1] in CLOSING) != (target.words[-1] in CLOSING):
        source, target = source.without_stop(), target.without_stop()
    require_known(source, f"{where}.source")
    if target:
        require_known(target, f"{where}.target")
    return source, target or None


def require_known(matched: Matched, where: str) -> None:
    """Raises InputError that names the words which the model does not know."""
    if matched.unknown:
        names = ", ".join(dict.fromkeys(matched.unknown))
        raise InputError("translation.unknown_words", words=names, where=where)


def _refined(words: Sequence[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    refined: list[str] = []
    run: list[str] = []
    for word in words:
        if is_chinese(word):
            run.append(word)
            continue
        refined += segment(run, vocabulary)
        run = []
        refined += _genitive(word, vocabulary)
    return (*refined, *segment(run, vocabulary))


def _genitive(word: str, vocabulary: Vocabulary) -> list[str]:
    """`Xiaoming's` as the corpus has it: two words."""
    owner, mark = word[:-2], word[-2:].replace("’", "'")
    known = vocabulary.entry(word) != UNKNOWN
    return [word] if known or mark != "'s" or not owner else [owner, word[-2:]]


def segment(words: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """Neighbouring Chinese words cut anew: as few unknown words, then as few words as can be.

    A dictionary cuts 放在 and 上周 | 五 where the corpus has 放 | 在 and 上周五. A given word that
    cannot be made of known ones stays whole, and the given cuts decide between equals.
    """
    text = "".join(words)
    spans = _spans(words)
    best: list[tuple[float, int]] = [(0.0, 0)]  # cost of text[:end], start of its last word
    for end in range(1, len(text) + 1):
        costs = ((best[s][0] + _cost(text, s, end, spans, vocabulary), s) for s in range(end))
        best.append(min(costs))
    found: list[str] = []
    end = len(text)
    while end:
        start = best[end][1]
        found.append(text[start:end])
        end = start
    return found[::-1]


def _spans(words: Sequence[str]) -> set[tuple[int, int]]:
    """Where each given word starts and ends."""
    ends = list(accumulate(map(len, words)))
    return set(zip([0, *ends], ends, strict=False))


def _cost(
    text: str, start: int, end: int, given: set[tuple[int, int]], vocabulary: Vocabulary
) -> float:
    """1 for a known word; an unknown one costs more than any number of known ones."""
    as_given = (start, end) in given
    new = 0.0 if as_given else 0.01
    if vocabulary.entry(text[start:end]) != UNKNOWN:
        return 1.0 + new
    return UNKNOWN_COST * (1 if as_given else end - start) + new
