"""Sentences: one clause, or several joined by conjunctions."""

from __future__ import annotations

from engine.corpus.draw import Draw
from engine.corpus.noun_phrases import described_person, name, pronoun
from engine.corpus.phrases import EMPTY, Phrase, chain, silent, word
from engine.corpus.templates import TEMPLATES, Template, draw_clause

_LENGTHS = ((1, 2, 3, 4, 5, 6), (58, 19, 10, 6, 4, 3))
# Chinese opener, English opener, Chinese word before the main clause
_OPENERS = (("因为", "because", "所以"), ("虽然", "although", "但是"), ("如果", "if", ""))


def sentence(draw: Draw, choices: list[Template], clauses: int | None = None) -> Phrase:
    """One sentence of the given number of clauses, or of a random one."""
    count = clauses or draw.weighted(*_LENGTHS)
    if count == 1:
        return draw_clause(draw, choices)
    joining = [choice for choice in choices if choice.joins]
    if not joining:
        return draw_clause(draw, choices)
    return joined(draw, joining, count)


def joined(draw: Draw, choices: list[Template], count: int) -> Phrase:
    """Clauses in a row; later ones often go on about the person of the first."""
    following = [choice for choice in choices if choice.takes_subject]
    hero = name(draw) if draw.chance(0.7) else described_person(draw, "bare")
    about_hero = bool(following) and draw.sometimes("same_subject", 0.6)

    def clause(first: bool = False) -> Phrase:
        if not about_hero:
            return draw_clause(draw, choices)
        return draw_clause(draw, following, hero if first else pronoun(draw, hero.pronoun))

    if draw.sometimes("subordinate", 0.3):
        phrase, made = subordinate(draw, clause(True), clause()), 2
    else:
        phrase, made = clause(True), 1
    for _ in range(made, count):
        phrase = chain(phrase, connective(draw), clause())
    return phrase


def subordinate(draw: Draw, first: Phrase, second: Phrase) -> Phrase:
    """因为 …， 所以 … / because … , …"""
    zh, en, answer = draw.one(_OPENERS)
    draw.note(en)
    return chain(word(zh, en), first, word("，", ","), silent(answer) if answer else EMPTY, second)


def connective(draw: Draw) -> Phrase:
    row = draw.one(draw.lexicon.table("connectives"))
    draw.note(row.en)
    return chain(word("，", ","), word(row.zh, row.en))


def clause_templates(names: frozenset[str] | None, without: frozenset[str]) -> list[Template]:
    """The templates that may be used: all, or those named, without the excluded."""
    return [
        template
        for template in TEMPLATES.values()
        if (names is None or template.name in names) and template.name not in without
    ]
