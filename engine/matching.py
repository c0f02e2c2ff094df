"""A sentence as written, matched to the words that a model knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.carrying import bracketed, require_known
from engine.contractions import written_out
from engine.corpus.segmentation import segment
from engine.cuts import cut
from engine.lesson import Pair
from engine.tokens import BAR, is_chinese, tokenize
from engine.vocabulary import UNKNOWN, Vocabulary

CLOSING = set("。.！!…")


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
    words = tokenize(sentence, where) if vocabulary.lexical else cut(sentence, where)
    if BAR not in sentence and vocabulary.lexical:
        words = _refined(words, vocabulary)
    indices = tuple(vocabulary.entry(word) for word in words)
    matched = Matched(words, indices)
    return matched.without_stop() if indices[-1] == UNKNOWN else matched


def match_pair(
    pair: Pair,
    source_words: Vocabulary,
    target_words: Vocabulary,
    where: str,
    allow_unknown: bool = False,
) -> tuple[Matched, Matched | None]:
    """Both sides of a lesson's pair; with `allow_unknown` a few words need not be known.

    A full stop on one side only is dropped there: the corpus has it on both sides or on neither.
    Unknown words of the target come in brackets. Raises InputError for words that are not known;
    `where` names the pair's place in the lesson.
    """
    source = match(pair.source, source_words, f"{where}.source")
    target = pair.target and match(pair.target, target_words, f"{where}.target")
    if target and (source.words[-1] in CLOSING) != (target.words[-1] in CLOSING):
        source, target = source.without_stop(), target.without_stop()
    require_known(source, source_words, f"{where}.source", allow_unknown)
    if not target:
        return source, None
    require_known(target, target_words, f"{where}.target", allow_unknown)
    return source, bracketed(target)


def _refined(words: Sequence[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    """The words cut as the corpus cuts them: 放 | 在, not 放在, and Xiaoming | 's."""
    refined: list[str] = []
    for chinese, run in groupby(words, key=is_chinese):
        if chinese:
            refined += segment("".join(run), vocabulary.taught)
        else:
            refined += [part for word in run for part in _as_learnt(word, vocabulary)]
    return tuple(refined)


def _as_learnt(word: str, vocabulary: Vocabulary) -> list[str]:
    """A word as the model had it in training: don't may be two words, Xiaoming's always is."""
    if vocabulary.entry(word) != UNKNOWN:
        return [word]
    parts = written_out(word)
    if parts and all(vocabulary.entry(part) != UNKNOWN for part in parts):
        return parts
    owner, mark = word[:-2], word[-2:].replace("’", "'")
    return [word] if mark != "'s" or not owner else [owner, word[-2:]]
