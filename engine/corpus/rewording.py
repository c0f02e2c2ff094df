"""Second wordings: the same sentence as others would write it, on one side only.

The grammar says everything one way, so that both directions of translation have one answer. A
translator should still understand 父亲 and don't: for its *source* side sentences are reworded
by the pairs in zh_variants.tsv and en_variants.tsv.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from engine.corpus.draw import Draw
from engine.corpus.lexicon import load_lexicon
from engine.corpus.phrases import Phrase
from engine.corpus.rows import Variant

Token = TypeVar("Token", tuple[str, int], tuple[str, tuple[int, ...], tuple[int, ...]])
Wordings = Mapping[tuple[str, ...], tuple[tuple[str, ...], ...]]


def reword(draw: Draw, phrase: Phrase, probability: float = 0.4) -> Phrase:
    """The phrase with some words exchanged on the sides that `draw` may vary."""
    zh, en = phrase
    if "zh" in draw.variants:
        zh = _reworded(draw, zh, wordings("zh"), "zh", probability)
    if "en" in draw.variants:
        en = _reworded(draw, en, wordings("en"), "en", probability)
    return Phrase(zh, en)


@cache
def wordings(lang: str) -> Wordings:
    """What may stand for what, by the words it stands for."""
    found: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {}
    for row in load_lexicon().table(f"{lang}_variants", Variant):
        said = tuple(row.said.split())
        found[said] = (*found.get(said, ()), tuple(row.also.split()))
    return found


def _reworded(
    draw: Draw, tokens: tuple[Token, ...], table: Wordings, side: str, probability: float
) -> tuple[Token, ...]:
    longest = max(len(said) for said in table)
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        size, others = _match(tokens, at, table, longest)
        if others and draw.variant(side, probability):
            out += _exchanged(tokens[at : at + size], draw.one(others))
        else:
            out += tokens[at : at + size]
        at += size
    return tuple(out)


def _match(
    tokens: tuple[Token, ...], at: int, table: Wordings, longest: int
) -> tuple[int, tuple[tuple[str, ...], ...]]:
    """The longest exchangeable run of tokens from here, and what it may become."""
    for size in range(min(longest, len(tokens) - at), 0, -1):
        said = tuple(token[0] for token in tokens[at : at + size])
        if said in table:
            return size, table[said]
    return 1, ()


def _exchanged(tokens: Any, words: tuple[str, ...]) -> list[Any]:
    """Other words for the tokens, with their links: one by one, or all into one."""
    if len(words) == len(tokens):
        return [(word, *token[1:]) for word, token in zip(words, tokens, strict=True)]
    if len(tokens[0]) == 2:  # Chinese: one key names one place only
        return [(words[0], tokens[0][1])]
    sure = tuple(key for token in tokens for key in token[1])
    maybe = tuple(key for token in tokens for key in token[2])
    return [(word, sure, maybe) for word in words]
