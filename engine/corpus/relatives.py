"""Nouns with a relative clause, and the sentences told about them."""

from __future__ import annotations

from engine.corpus import adjuncts
from engine.corpus.clauses import Clause, object_relative
from engine.corpus.draw import Draw
from engine.corpus.noun_phrases import (
    NounPhrase,
    about,
    alone,
    he_or_she,
    noun_phrase,
    pronoun,
    thing,
)
from engine.corpus.objects import draw_object
from engine.corpus.people import person
from engine.corpus.phrases import EMPTY, Phrase, chain, function, rule, suffixed, word
from engine.corpus.qualities import degree, is_adjective
from engine.corpus.rows import Action, Adjective, Verb
from engine.corpus.templates import template
from engine.corpus.verb_phrases import Forms, verb_group

_CLASSES = ("readable", "readable", "paper", "toy", "food", "clothes", "device", "show")
_NOT_TOLD = ("改变", "需要")


def relative_noun(draw: Draw, noun_class: str | None = None) -> NounPhrase:
    """我 昨天 买 的 那 本 书 / that book that I bought yesterday."""
    noun_class = noun_class or draw.one(_CLASSES)
    rows = [row for row in draw.lexicon.verbs[noun_class] if row.zh not in _NOT_TOLD]
    row = draw.one(rows)
    subject = person(draw, groups=False)
    when = adjuncts.time(draw, "past") if not row.state and draw.chance(0.5) else EMPTY
    where = adjuncts.somewhere(draw) if not row.state and draw.chance(0.35) else EMPTY
    group = verb_group(subject, row, "present" if row.state else "past")
    verb = group.verb if row.state else word(row.zh, row.past)
    relative = object_relative(Clause(subject, group, time=when, place=where), verb)
    noun = draw.one(draw.lexicon.nouns[noun_class])
    kind = draw.weighted(("bare", "this", "that"), (40, 15, 45))
    topical = noun_class in ("readable", "show") and draw.sometimes("about", 0.3)
    topic = about(draw) if topical else EMPTY
    draw.note("relative_clause")
    return noun_phrase(draw, noun, kind, relative=relative, topic=topic)


def relative_person(draw: Draw) -> NounPhrase:
    """正在 看 书 的 那 个 女孩 / that girl who is reading books."""
    row = alone(draw)
    hero = NounPhrase(EMPTY, EMPTY, "is", "person", he_or_she(row.gender))
    tense = draw.weighted(("present", "progressive", "past"), (40, 30, 30))
    if draw.chance(0.5):
        action: Forms = draw.one(draw.lexicon.table("actions", Action))
        object_ = EMPTY
    else:
        rows = [row for row in draw.lexicon.table("verbs", Verb) if row.bare == "plural"]
        action = draw.one(rows)
        assert isinstance(action, Verb)
        if action.state:
            tense = "present"
        things = [c for c in action.objects if c != "person"] or ["person"]
        object_ = draw_object(draw, action, draw.one(things), tense).object
    group = verb_group(hero, action, tense)
    verb, when = group.verb, EMPTY
    if tense == "past":  # before a noun the time says so, without 了
        verb, when = word(action.zh, action.past), adjuncts.time(draw, "past")
    who = word("的", "who")
    relative = rule(
        zh=(when, group.finite, verb, object_, who),
        en=(who, group.finite, verb, object_, when),
    )
    draw.note("relative_clause")
    kind = draw.weighted(("bare", "that", "this"), (50, 35, 15))
    return noun_phrase(draw, row, kind, relative=relative)


def _quality(draw: Draw, subject: NounPhrase) -> Adjective:
    return draw.one(draw.lexicon.adjectives[subject.noun_class])


@template(8)
def relative_subject(draw: Draw) -> Phrase:
    """我 昨天 买 的 书 很 有趣 / the book that I bought yesterday is very interesting."""
    subject = relative_noun(draw) if draw.chance(0.65) else relative_person(draw)
    return is_adjective(subject, degree(draw), _quality(draw, subject))


@template(5)
def relative_object(draw: Draw) -> Phrase:
    """我 喜欢 你 买 的 那 本 书 / I like that book that you bought."""
    subject = person(draw)
    noun_class = draw.one(("readable", "toy", "food", "clothes", "show"))
    object_ = relative_noun(draw, noun_class)
    row = next(row for row in draw.lexicon.verbs[noun_class] if row.zh == "喜欢")
    group = verb_group(subject, row, draw.weighted(("present", "not_present"), (75, 25)))
    return rule(
        zh=(subject.subject, group.negation, group.verb, object_.object),
        en=(subject.subject, group.finite, group.negation, group.verb, object_.object),
    )


@template(4)
def left_dislocation(draw: Draw) -> Phrase:
    """那 本 书 ， 它 很 有趣 / that book , it is very interesting."""
    if draw.chance(0.7):
        topic = relative_noun(draw)
    else:
        topic = thing(draw, draw.one(("readable", "device", "car", "show")), "that")
    comment = is_adjective(pronoun(draw, "它"), degree(draw), _quality(draw, topic))
    return dislocated(topic, comment)


def dislocated(topic: NounPhrase, comment: Phrase) -> Phrase:
    return chain(topic.subject, word("，", ","), comment)


@template(4)
def topic_fronting(draw: Draw) -> Phrase:
    """这 本 书 我 看 了 / this book I have read: the topic first, then what of it."""
    rows = [row for row in draw.lexicon.table("verbs", Verb) if not row.state]
    noun_class = draw.one(("readable", "show", "food", "clothes", "task", "device"))
    row: Verb = draw.one([row for row in rows if noun_class in row.objects])
    noun = draw.one(draw.lexicon.nouns[noun_class])
    topic = noun_phrase(draw, noun, draw.weighted(("bare", "this", "that"), (34, 33, 33)))
    return fronted(topic, person(draw, groups=False), row, negative=draw.chance(0.3))


def fronted(topic: NounPhrase, subject: NounPhrase, row: Verb, *, negative: bool) -> Phrase:
    have = "has" if subject.third else "have"
    if negative:
        no, verb = word("没有", "not"), word(row.zh, row.participle)
    else:
        no, verb = EMPTY, suffixed(word(row.zh, row.participle), "了")
    return rule(
        zh=(topic.object, subject.subject, no, verb),
        en=(topic.object, subject.subject, function(have, verb), no, verb),
    )
