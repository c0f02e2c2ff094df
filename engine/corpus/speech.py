"""Templates of saying and thinking: a sentence inside a sentence."""

from __future__ import annotations

from engine.corpus.draw import Draw
from engine.corpus.english import third_person
from engine.corpus.noun_phrases import NounPhrase, name, pronoun
from engine.corpus.people import person
from engine.corpus.phrases import EMPTY, Phrase, function, rule, word
from engine.corpus.qualities import degree, is_adjective, quality
from engine.corpus.rows import Saying
from engine.corpus.templates import TEMPLATES, draw_clause, template

_INNER = ("transitive", "intransitive", "motion", "is_at", "has", "is_a", "da_collocation")


@template(9, subject=True)
def reported(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """小明 说 他 很 累 / Xiaoming says that he is very tired."""
    subject = subject or (name(draw) if draw.chance(0.5) else person(draw))
    row: Saying = draw.one(draw.lexicon.table("sayings", Saying))
    outer, timed = draw.frame, draw.timed
    draw.frame, draw.timed = row.frame if row.frame != "any" else None, False
    inner = _said(draw, subject, row)
    draw.frame, draw.timed = outer, timed
    return says(subject, row, inner)


def _said(draw: Draw, subject: NounPhrase, row: Saying) -> Phrase:
    """What is said: a quality of the speaker, or anything the speaker or another does."""
    speaker = pronoun(draw, subject.pronoun)
    if row.frame == "any" and draw.chance(0.4):
        return is_adjective(speaker, degree(draw), quality(draw, "person"))
    rules = [TEMPLATES[key] for key in _INNER if draw.may(key)]
    if draw.frame:
        rules = [rule for rule in rules if draw.frame in rule.frames]
    if not rules:
        return is_adjective(speaker, degree(draw), quality(draw, "person"))
    return draw_clause(draw, rules, speaker if draw.chance(0.6) else person(draw))


def says(subject: NounPhrase, row: Saying, inner: Phrase, when: Phrase = EMPTY) -> Phrase:
    form = row.past if when.zh else third_person(row.en) if subject.third else row.en
    verb = word(row.zh, form)
    that = function("that", verb)
    return rule(
        zh=(subject.subject, when, verb, inner),
        en=(subject.subject, verb, that, inner, when),
    )


@template(3)
def told(draw: Draw) -> Phrase:
    """小明 告诉 我 他 很 累 / Xiaoming tells me that he is very tired."""
    from engine.corpus.objects import other_person

    subject = name(draw)
    other = other_person(draw, subject)
    row = draw.one((Saying("告诉", "tell", "told", "any"), Saying("提醒", "remind", "", "any")))
    verb = word(row.zh, third_person(row.en))
    inner = is_adjective(
        pronoun(draw, subject.pronoun), degree(draw), quality(draw, subject.noun_class)
    )
    that = function("that", verb)
    return rule(
        (subject.subject, verb, other.object, inner),
        (subject.subject, verb, other.object, that, inner),
    )
