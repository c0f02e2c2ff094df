"""People: somebody's relative, several together, the doctor, my roommate."""

from __future__ import annotations

from engine.corpus.draw import Draw
from engine.corpus.noun_phrases import (
    PRONOUNS,
    NounPhrase,
    alone,
    he_or_she,
    name,
    noun_phrase,
    pronoun,
)
from engine.corpus.phrases import chain, function, rule, suffixed, word
from engine.corpus.rows import Kin, Person


def kin(draw: Draw) -> NounPhrase:
    """我 妈妈 / my mother, 小明 的 妈妈 / Xiaoming 's mother."""
    row = draw.one(draw.lexicon.table("kin", Kin))
    relative = word(row.zh, row.en)
    if draw.chance(0.6):
        zh = draw.one(("我", "你", "他", "她"))
        owner = word(zh, PRONOUNS[zh][2])
    else:
        owner = chain(name(draw).subject, word("的", "'s"))
    phrase = chain(owner, relative)
    return NounPhrase(phrase, phrase, "is", "person", he_or_she(row.gender))


def names_together(draw: Draw) -> NounPhrase:
    """小明 、 小红 和 玛丽 / Xiaoming , Xiaohong and Mary."""
    draw.note("coordination")
    count = draw.weighted((2, 3, 4), (70, 20, 10))
    chosen: list[NounPhrase] = []
    while len(chosen) < count:
        more = name(draw)
        if all(more.subject.zh_text != other.subject.zh_text for other in chosen):
            chosen.append(more)
    phrase = chosen[0].subject
    for other in chosen[1:-1]:
        phrase = chain(phrase, word("、", ","), other.subject)
    phrase = chain(phrase, word("和", "and"), chosen[-1].subject)
    return NounPhrase(phrase, phrase, "are", "person", "他们")


def owned_person(draw: Draw) -> NounPhrase:
    """我 的 老师, 小明 的 室友."""
    row: Person = draw.until(
        lambda: draw.one(draw.lexicon.table("people", Person)),
        lambda found: found.owned != "no",
    )
    return noun_phrase(draw, row, "possessive", describe=0.1)


def described_person(draw: Draw, kind: str | None = None) -> NounPhrase:
    """A person by calling: 老师, 那 个 年轻 的 医生, 学生 们."""
    row = alone(draw)
    if kind is None and draw.chance(0.2):
        return owned_person(draw)
    kind = kind or draw.weighted(
        ("bare", "this", "that", "number", "group", "these", "those"),
        (46, 16, 16, 7, 9, 3, 3),
    )
    if kind == "group":
        noun = word(row.zh, row.plural)
        phrase = suffixed(rule((noun,), (function("the", noun), noun)), "们")
        return NounPhrase(phrase, phrase, "are", "person", "他们")
    return noun_phrase(draw, row, kind, describe=0.25)


def person(draw: Draw, *, pronouns: bool = True, groups: bool = True) -> NounPhrase:
    kind = draw.weighted(
        ("pronoun", "name", "kin", "together", "described"),
        (34 if pronouns else 0, 26, 12, 6 if groups else 0, 24),
    )
    match kind:
        case "pronoun":
            return pronoun(draw)
        case "name":
            return name(draw)
        case "kin":
            return kin(draw)
        case "together":
            return names_together(draw)
    return described_person(draw)
