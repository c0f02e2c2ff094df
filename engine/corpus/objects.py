"""Objects of verbs: which nouns a verb takes, and what English makes of them."""

from __future__ import annotations

from engine.corpus.draw import Draw
from engine.corpus.noun_phrases import NounPhrase, about, noun_phrase
from engine.corpus.people import person
from engine.corpus.phrases import EMPTY, word
from engine.corpus.rows import Mass, Noun, Topic, Verb

_KINDS = ("bare", "one", "this", "that", "number", "possessive", "some", "many", "several")
_DEFINITE = (("bare", "this", "that", "possessive"), (40, 20, 20, 20))
_INDEFINITE = (("one", "number", "some", "several"), (50, 28, 12, 10))


def draw_object(draw: Draw, row: Verb, object_class: str, tense: str) -> NounPhrase:
    """An object that the verb takes; its article follows from verb and tense."""
    if object_class == "person":
        return person(draw)
    if object_class == "topic":
        return topic(draw)
    noun = draw.one(draw.lexicon.nouns[object_class])
    kind = draw.weighted(_KINDS, _weights(row, noun))
    if tense.startswith("not_") and kind in ("some", "many", "several", "number"):
        kind = "this"  # not "he did not buy some books"
    if kind == "bare":
        kind = bare_kind(row, noun, tense)
    modifier = EMPTY
    if object_class in ("readable", "show") and kind != "plural" and draw.sometimes("about", 0.15):
        modifier = about(draw)
    describe = 0.8 if kind == "a" else 0.2
    return noun_phrase(draw, noun, kind, describe=describe, topic=modifier)


def _weights(row: Verb, noun: Noun | Mass) -> tuple[float, ...]:
    if row.state:
        return (56, 0, 14, 14, 0, 16, 0, 0, 0)
    if row.bare == "a":  # 发布 新 手机 is "a new phone" already, without 一
        return (70, 0, 4, 0, 12, 4, 4, 3, 3)
    if isinstance(noun, Mass):
        return (50, 16, 6, 6, 8, 4, 4, 3, 0)
    return (36, 16, 8, 8, 8, 12, 3, 3, 2)


def bare_object(draw: Draw, row: Verb, object_class: str, tense: str) -> NounPhrase:
    """An object without determiner: 吃 苹果, eating apples."""
    if object_class == "topic":
        return topic(draw)
    noun = draw.one(draw.lexicon.nouns[object_class])
    return noun_phrase(draw, noun, bare_kind(row, noun, tense), describe=0.1)


def bare_kind(row: Verb, noun: Noun | Mass, tense: str) -> str:
    """What English makes of a bare Chinese object: the book, books, a book, tea."""
    if row.bare == "a":
        return "a"
    if row.bare == "the":
        return "bare"
    if isinstance(noun, Mass):
        return "none"
    return "bare" if tense in ("past", "already") else "plural"


def definite_object(draw: Draw, object_class: str) -> NounPhrase:
    noun = draw.one(draw.lexicon.nouns[object_class])
    return noun_phrase(draw, noun, draw.weighted(*_DEFINITE))


def indefinite_object(draw: Draw, object_class: str) -> NounPhrase:
    noun = draw.one(draw.lexicon.nouns[object_class])
    kind = draw.weighted(*_INDEFINITE)
    if kind == "several" and isinstance(noun, Mass):
        kind = "some"
    return noun_phrase(draw, noun, kind)


def topic(draw: Draw) -> NounPhrase:
    """量子力学: no article."""
    row = draw.one(draw.lexicon.table("topics", Topic))
    phrase = word(row.zh, row.en)
    return NounPhrase(phrase, phrase, "is", "topic", "它")


def same_person(subject: NounPhrase, other: NounPhrase) -> bool:
    """Whether two phrases may mean the same people, as in 我 批评 我们."""
    ours, theirs = subject.subject.zh_text, other.subject.zh_text
    if {ours, theirs} <= {"我", "我们", "咱们"} or {ours, theirs} <= {"你", "你们"}:
        return True
    return not set(ours.split()).isdisjoint(theirs.split()) and other.noun_class == "person"


def other_object(
    draw: Draw, subject: NounPhrase, row: Verb, object_class: str, tense: str
) -> NounPhrase:
    """An object that is not the subject itself."""
    return draw.until(
        lambda: draw_object(draw, row, object_class, tense),
        lambda found: not same_person(subject, found),
    )


def other_person(draw: Draw, subject: NounPhrase) -> NounPhrase:
    return draw.until(lambda: person(draw), lambda found: not same_person(subject, found))
