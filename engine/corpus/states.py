"""Templates of being: adjectives, comparison, events, greetings, reported speech."""

from __future__ import annotations

from engine.corpus import adjuncts
from engine.corpus.actions import draw_tense, relative_noun, same_person
from engine.corpus.clauses import described
from engine.corpus.draw import Draw
from engine.corpus.english import third_person
from engine.corpus.noun_phrases import NounPhrase, animal, name, person, pronoun, thing
from engine.corpus.phrases import EMPTY, Phrase, chain, function, rule, silent, word
from engine.corpus.rows import Adjective, Saying
from engine.corpus.templates import TEMPLATES, draw_clause, template

_DESCRIBED = ("food", "readable", "show", "clothes", "furniture", "device", "toy", "paper", "room")


def anything(draw: Draw) -> NounPhrase:
    """A subject to be described."""
    kind = draw.weighted(("person", "animal", "thing"), (45, 15, 40))
    if kind == "person":
        return person(draw)
    if kind == "animal":
        return animal(draw)
    return thing(draw, draw.one(_DESCRIBED))


def degree(draw: Draw) -> Phrase:
    row = draw.one(draw.lexicon.table("degrees"))
    return word(row.zh, row.en)


def is_adjective(subject: NounPhrase, how: Phrase, row: Adjective) -> Phrase:
    """苹果 很 甜 / the apple is very sweet."""
    return described(subject, subject.be, how, word(row.zh, row.en))


@template(12, subject=True)
def adjective(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """苹果 很 甜 / the apple is very sweet; 他 不 高 / he is not tall."""
    subject = subject or anything(draw)
    row = draw.one(draw.lexicon.adjectives[subject.noun_class])
    x = draw.weighted(("very", "degree", "too", "not"), (45, 25, 12, 18))
    quality = word(row.zh, row.en)
    if x == "very":
        return described(subject, subject.be, word("很", "very"), quality)
    if x == "degree":
        return described(subject, subject.be, degree(draw), quality)
    if x == "too":
        too, le = word("太", "too"), silent("了")
        return described(subject, subject.be, too, chain(quality, le))
    return described(subject, subject.be, word("不", "not"), quality)


@template(7)
def comparison(draw: Draw) -> Phrase:
    """小明 比 小红 高 / Xiaoming is taller than Xiaohong."""
    subject = anything(draw)
    make = {"person": person, "animal": animal}.get(subject.noun_class)
    other = draw.until(
        lambda: make(draw) if make else thing(draw, subject.noun_class),
        lambda found: not same_person(subject, found),
    )
    row = draw.one(draw.lexicon.adjectives[subject.noun_class])
    than, quality = word("比", "than"), word(row.zh, row.comparative)
    return rule(
        zh=(subject.subject, than, other.object, quality),
        en=(subject.subject, function(subject.be, quality), quality, than, other.object),
    )


@template(3, joins=False)
def welcome(draw: Draw) -> Phrase:
    """欢迎 来 杭州 / welcome to Hangzhou."""
    return welcome_to(adjuncts.goal(draw))


def welcome_to(where: Phrase) -> Phrase:
    return chain(word("欢迎", "welcome"), word("来", "to"), where)


_DAYS = {
    "past": (
        ("昨天", "yesterday"),
        ("上周五", "last Friday"),
        ("前天", "the day before yesterday"),
    ),
    "future": (("明天", "tomorrow"), ("下周一", "next Monday"), ("后天", "the day after tomorrow")),
}
_PARTS = (("早上", "morning"), ("下午", "afternoon"), ("晚上", "evening"))


@template(6)
def event(draw: Draw) -> Phrase:
    """明天 下午 三 点 开会 / there will be a meeting at three tomorrow afternoon."""
    tense = draw.one(("past", "future"))
    day = draw.one(_DAYS[tense])
    when = word(*day)
    if " " not in day[1] and draw.chance(0.8):
        when = chain(when, word(*draw.one(_PARTS)))
    if draw.chance(0.5):
        if draw.chance(0.8):
            when = adjuncts.with_clock(when, adjuncts.clock(draw))
        return event_at(when, word("开会", "a meeting"), EMPTY, tense)
    weather = draw.one(draw.lexicon.table("weather"))
    return event_at(when, word(weather.zh, weather.en), silent("有"), tense)


def event_at(when: Phrase, what: Phrase, have: Phrase, tense: str) -> Phrase:
    """明天 下午 有 雨 / there will be rain tomorrow afternoon."""
    there = function("there will be" if tense == "future" else "there was", have or what)
    if have.zh:
        there = Phrase((), function(there.en_text, have).en)
    return rule((when, have, what), (there, what, when))


@template(6)
def relative_subject(draw: Draw) -> Phrase:
    """我 昨天 买 的 书 很 有趣 / the book that I bought yesterday is very interesting."""
    subject = relative_noun(draw)
    row = draw.one(draw.lexicon.adjectives[subject.noun_class])
    return is_adjective(subject, degree(draw), row)


@template(4)
def left_dislocation(draw: Draw) -> Phrase:
    """那 本 书 ， 它 很 有趣 / that book , it is very interesting."""
    if draw.chance(0.7):
        topic = relative_noun(draw)
    else:
        topic = thing(draw, draw.one(("readable", "device", "vehicle")), "that")
    row = draw.one(draw.lexicon.adjectives[topic.noun_class])
    return dislocated(topic, is_adjective(pronoun(draw, "它"), degree(draw), row))


def dislocated(topic: NounPhrase, comment: Phrase) -> Phrase:
    return chain(topic.subject, word("，", ","), comment)


@template(8, subject=True)
def reported(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """小明 说 他 很 累 / Xiaoming says that he is very tired."""
    subject = subject or (name(draw) if draw.chance(0.5) else person(draw))
    row: Saying = draw.one(draw.lexicon.table("sayings"))  # type: ignore[assignment]
    rules = [TEMPLATES[key] for key in ("transitive", "intransitive", "motion") if draw.may(key)]
    if draw.chance(0.4) or not rules:
        inner_subject = pronoun(draw, subject.pronoun) if subject.pronoun != "它" else subject
        qualities = draw.lexicon.adjectives[inner_subject.noun_class]
        inner = is_adjective(inner_subject, degree(draw), draw.one(qualities))
    elif draw.chance(0.6):
        inner = draw_clause(draw, rules, pronoun(draw, subject.pronoun))
    else:
        inner = draw_clause(draw, rules)
    return says(subject, row, inner)


def says(subject: NounPhrase, row: Saying, inner: Phrase) -> Phrase:
    verb = word(row.zh, third_person(row.en) if subject.third else row.en)
    return chain(subject.subject, verb, rule((), (function("that", verb),)), inner)


__all__ = ["draw_tense", "event_at", "says", "welcome_to"]
