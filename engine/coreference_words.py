"""A sentence's words as the reader of pronouns is taught them: the lexicon's own come first."""

from __future__ import annotations

from itertools import groupby

from engine.corpus.segmentation import segment
from engine.tokens import BAR, is_chinese, tokenize


def words_of(sentence: str, where: str = "sentence") -> tuple[str, ...]:
    """小明 | 说 | 他, where a general dictionary would find 小 | 明说. Bars are kept as they stand.

    Raises InputError for a sentence without words; `where` names the key or flag.
    """
    tokens = tokenize(sentence, where)
    if BAR in sentence:
        return tokens
    words: list[str] = []
    for chinese, run in groupby(tokens, key=is_chinese):
        part = list(run)
        words += segment("".join(part)) if chinese else part
    return tuple(words)
