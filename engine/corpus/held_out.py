"""The articles' sentences: derived by the grammar's own rules, never part of training."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.corpus import adjuncts
from engine.corpus.alignment import SentencePair, sentence_pair
from engine.corpus.clauses import Clause, object_relative, statement
from engine.corpus.draw import Draw
from engine.corpus.events import event_at, welcome_to
from engine.corpus.lexicon import load_lexicon
from engine.corpus.noun_phrases import NounPhrase, adjective, compose, name, pronoun
from engine.corpus.phrases import EMPTY, Phrase, chain, function, suffixed, word
from engine.corpus.qualities import is_adjective
from engine.corpus.relatives import dislocated
from engine.corpus.rows import Adjective, Place, Saying
from engine.corpus.speech import says
from engine.corpus.verb_phrases import verb_group


@cache
def held_out_sentences() -> tuple[SentencePair, ...]:
    """The articles' sentences with their gold links, in a fixed order."""
    draw = Draw(0, load_lexicon())
    return tuple(sentence_pair(make(draw), (make.__name__.strip("_"),)) for make in _MAKERS)


def _row(table: str, zh: str) -> Any:
    return next(row for row in load_lexicon().tables[table] if getattr(row, "zh", None) == zh)


def _simple(draw: Draw, subject: str, verb: str, object_: str) -> Phrase:
    who, row = pronoun(draw, subject), _row("verbs", verb)
    group = verb_group(who, row, "present")
    return statement(Clause(who, group, pronoun(draw, object_).object))


def _welcome(draw: Draw) -> Phrase:
    return welcome_to(word("杭州", "Hangzhou"))


def _love(draw: Draw) -> Phrase:
    return _simple(draw, "我", "爱", "你")


def _i_hit_you(draw: Draw) -> Phrase:
    return _simple(draw, "我", "打", "你")


def _you_hit_me(draw: Draw) -> Phrase:
    return _simple(draw, "你", "打", "我")


def _bought_a_book(draw: Draw) -> Phrase:
    subject, row = pronoun(draw, "我"), _row("verbs", "买")
    book = word("书", "book")
    a_book = compose(suffixed(word("一", "a"), "本"), EMPTY, book)
    return statement(
        Clause(
            subject,
            verb_group(subject, row, "past"),
            a_book,
            time=word("昨天", "yesterday"),
            place=adjuncts.city(_row("cities", "杭州")),
        )
    )


def _the(zh: str, en: str, noun_class: str) -> NounPhrase:
    noun = word(zh, en)
    phrase = compose(function("the", noun), EMPTY, noun)
    return NounPhrase(phrase, phrase, "is", noun_class, "它")


def _apple_is_sweet(draw: Draw) -> Phrase:
    return is_adjective(_the("苹果", "apple", "food"), word("很", "very"), _row("adjectives", "甜"))


def _apple_released(draw: Draw) -> Phrase:
    phrase = word("苹果", "Apple")
    subject = NounPhrase(phrase, phrase, "is", "company", "它")
    noun, new = word("手机", "phone"), adjective(_row("adjectives", "新"))
    phone = compose(function("a", noun), new, noun)
    return statement(Clause(subject, verb_group(subject, _row("releases", "发布"), "past"), phone))


def _quantum_book(draw: Draw) -> NounPhrase:
    subject, row = pronoun(draw, "我"), _row("verbs", "淘到")
    old: Adjective = _row("adjectives", "旧")
    shop: Place = _row("places", "书店")
    clause = Clause(
        subject,
        verb_group(subject, row, "past"),
        time=word("上个月", "last month"),
        place=adjuncts.place(shop, adjective(old)),
    )
    relative = object_relative(clause, word(row.zh, row.past))
    topic = suffixed(chain(word("讲", "about"), word("量子力学", "quantum mechanics")), "的")
    phrase = compose(suffixed(word("那", "that"), "本"), EMPTY, word("书", "book"), topic, relative)
    return NounPhrase(phrase, phrase, "is", "readable", "它")


def _book_it_is_interesting(draw: Draw) -> Phrase:
    comment = is_adjective(pronoun(draw, "它"), word("很", "very"), _row("adjectives", "有趣"))
    return dislocated(_quantum_book(draw), comment)


def _book_is_interesting(draw: Draw) -> Phrase:
    return is_adjective(_quantum_book(draw), word("很", "very"), _row("adjectives", "有趣"))


def _tired(draw: Draw) -> Phrase:
    row: Saying = _row("sayings", "说")
    inner = is_adjective(pronoun(draw, "他"), word("很", "very"), _row("adjectives", "累"))
    return says(name(draw, _row("names", "小明")), row, inner)


def _tomorrow_afternoon() -> Phrase:
    return chain(word("明天", "tomorrow"), word("下午", "afternoon"))


def _meeting(draw: Draw) -> Phrase:
    when = adjuncts.with_clock(_tomorrow_afternoon(), adjuncts.clock_at("三", "three"))
    return event_at(when, word("开会", "a meeting"), EMPTY, "future")


def _rain(draw: Draw) -> Phrase:
    return event_at(_tomorrow_afternoon(), word("雨", "rain"), word("有", ""), "future")


_MAKERS = (
    _welcome,
    _love,
    _bought_a_book,
    _i_hit_you,
    _you_hit_me,
    _apple_is_sweet,
    _apple_released,
    _book_it_is_interesting,
    _book_is_interesting,
    _tired,
    _meeting,
    _rain,
)
