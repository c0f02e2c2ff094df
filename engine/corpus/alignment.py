"""From a synchronous phrase to a sentence pair with gold links."""

from __future__ import annotations

from dataclasses import dataclass

from engine.corpus.phrases import Phrase

Links = frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class SentencePair:
    """One sentence in both languages; links are (English index, Chinese index).

    `sure` holds content words, `possible` also function words: possible ⊇ sure, as AER wants.
    `templates` names the structures that the sentence was made of.
    """

    zh: tuple[str, ...]
    en: tuple[str, ...]
    sure: Links
    possible: Links
    templates: tuple[str, ...]


def sentence_pair(phrase: Phrase, templates: tuple[str, ...] = ()) -> SentencePair:
    """Number the tokens of a finished phrase and read its links off the keys."""
    place = {key: index for index, (_, key) in enumerate(phrase.zh)}
    sure, possible = set(), set()
    for index, (_, surely, maybe) in enumerate(phrase.en):
        sure |= {(index, place[key]) for key in surely if key in place}
        possible |= {(index, place[key]) for key in maybe if key in place}
    return SentencePair(
        zh=tuple(token for token, _ in phrase.zh),
        en=tuple(token for token, _, _ in phrase.en),
        sure=frozenset(sure),
        possible=frozenset(sure | possible),
        templates=templates,
    )
