"""Clauses: a subject, a verb group, an object and adjuncts, in the order of either language."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.corpus.noun_phrases import NounPhrase
from engine.corpus.phrases import EMPTY, Phrase, chain, function, rule, silent, word
from engine.corpus.verb_phrases import VerbGroup


@dataclass(frozen=True, slots=True)
class Clause:
    """The parts of one clause; `time_first` puts the time before the subject on both sides."""

    subject: NounPhrase
    group: VerbGroup
    object: Phrase = EMPTY
    time: Phrase = EMPTY
    place: Phrase = EMPTY
    manner: Phrase = EMPTY
    company: Phrase = EMPTY
    frequency: Phrase = EMPTY
    time_first: bool = False

    def replaced(self, **parts: Phrase) -> Clause:
        """The clause with other parts."""
        return replace(self, **parts)  # type: ignore[arg-type]


def statement(clause: Clause) -> Phrase:
    """我 昨天 在 杭州 买 了 一 本 书 / I bought a book in Hangzhou yesterday."""
    group = clause.group
    head = clause.time if clause.time_first else EMPTY
    tail = EMPTY if clause.time_first else clause.time
    return rule(
        zh=(head, clause.subject.subject, tail, *before_verb(clause), group.verb, clause.object),
        en=(
            head,
            clause.subject.subject,
            group.finite,
            group.negation,
            clause.frequency,
            group.modal,
            group.verb,
            clause.object,
            *after_object(clause),
            tail,
        ),
    )


def before_verb(clause: Clause) -> tuple[Phrase, ...]:
    """What Chinese puts between the time and the verb."""
    group = clause.group
    return (
        clause.frequency,
        group.negation,
        group.finite,
        group.modal,
        clause.company,
        clause.place,
        clause.manner,
    )


def after_object(clause: Clause) -> tuple[Phrase, ...]:
    """What English puts after the object, the time left out."""
    return (clause.manner, clause.company, clause.place)


def question(clause: Clause, ask: Phrase, lead: Phrase = EMPTY) -> Phrase:
    """你 喜欢 茶 吗 ？ / do you like tea ? The group must have been made with inverted=True.

    `ask` closes the question; `lead` is the question word that English puts first and Chinese
    leaves where its answer will stand: what, where, why.
    """
    group = clause.group
    return rule(
        zh=(
            clause.subject.subject,
            clause.time,
            *before_verb(clause),
            group.verb,
            clause.object,
            ask,
        ),
        en=(
            lead,
            group.finite,
            clause.subject.subject,
            group.negation,
            clause.frequency,
            group.modal,
            group.verb,
            clause.object,
            *after_object(clause),
            clause.time,
            ask,
        ),
    )


MARK = ("？", "?")


def yes_or_no() -> Phrase:
    """吗 ？ / ?"""
    return chain(silent("吗"), word(*MARK))


def object_relative(clause: Clause, verb: Phrase) -> Phrase:
    """我 昨天 买 的 … / … that I bought yesterday; `verb` is the verb without 了."""
    de = word("的", "that")
    return rule(
        zh=(clause.subject.subject, clause.time, clause.place, verb, de),
        en=(de, clause.subject.subject, verb, clause.place, clause.time),
    )


def described(subject: NounPhrase, be: str, *rest: Phrase) -> Phrase:
    """苹果 很 甜 / the apple is very sweet: English needs a verb to be."""
    return chain(subject.subject, rule((), (function(be, *rest),)), *rest)
