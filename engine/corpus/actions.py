"""Templates of doing: verbs with and without an object, going somewhere."""

from __future__ import annotations

from collections.abc import Sequence

from engine.corpus import adjuncts
from engine.corpus.clauses import Clause, statement
from engine.corpus.draw import Draw
from engine.corpus.english import third_person
from engine.corpus.lexicon import FILES
from engine.corpus.noun_phrases import NounPhrase, animal
from engine.corpus.objects import (
    bare_object,
    definite_object,
    draw_object,
    indefinite_object,
    other_object,
    same_person,
)
from engine.corpus.people import person
from engine.corpus.phrases import EMPTY, Phrase, chain, function, rule, silent, suffixed, word
from engine.corpus.rows import Action, Adverb, City, Company, Motion, Ride, Verb
from engine.corpus.templates import template
from engine.corpus.tenses import TIMES, draw_tense
from engine.corpus.verb_phrases import Forms, verb_group

ACTING = (*TIMES, "progressive", "not_present", "not_want", "not_condition")
GOING = [
    "past",
    "not_past",
    "future",
    "not_future",
    "going",
    "want",
    "not_want",
    "plan",
    "should",
    "must",
    "condition",
    "not_condition",
]


def draw_verb(
    draw: Draw, subject: NounPhrase, table: str, only: Sequence[str] = ()
) -> tuple[Forms, str]:
    """A verb of a table with a tense that it can have here."""
    while True:
        row: Forms = draw.one(draw.lexicon.table(table, FILES[table]))
        tense = draw_tense(draw, subject, row, only)
        if tense:
            return row, tense


def with_adjuncts(
    draw: Draw,
    subject: NounPhrase,
    row: Forms,
    tense: str,
    object_: Phrase = EMPTY,
    *,
    time: float = 0.4,
    place: float = 0.25,
    manner: float = 0.06,
) -> Clause:
    """A clause with what may stand around it."""
    lively = not (isinstance(row, Verb) and row.state)
    when = adjuncts.perhaps_time(draw, TIMES.get(tense), time) if lively else EMPTY
    placed = lively and tense != "progressive" and draw.chance(place)
    slow = lively and "not_" not in tense and draw.sometimes("manner", manner)
    return Clause(
        subject,
        verb_group(subject, row, tense),
        object_,
        time=when,
        place=adjuncts.somewhere(draw) if placed else EMPTY,
        manner=adjuncts.manner(draw, row.zh) if slow else EMPTY,
        company=adjuncts.company(draw, subject) if lively else EMPTY,
        frequency=adverb(draw, subject, tense),
        time_first=bool(when.zh) and draw.sometimes("time_first", 0.3),
    )


_ADVERB_TENSES = {"present": "present", "past": "past", "future": "any", "progressive": "any"}


def adverb(draw: Draw, subject: NounPhrase, tense: str) -> Phrase:
    """常常 / often, 终于 / finally, 都 / all: now and then."""
    frame = _ADVERB_TENSES.get(tense)
    if frame is None or not draw.sometimes("adverb", 0.16):
        return EMPTY
    if subject.be == "are" and subject.subject.zh_text != "你" and draw.chance(0.5):
        return word("都", "all")
    rows = [row for row in draw.lexicon.table("adverbs", Adverb) if row.frame in (frame, "any")]
    row = draw.one(rows)
    return word(row.zh, row.en)


@template(26, subject=True, frames="past present future condition")
def transitive(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """我 昨天 在 杭州 买 了 一 本 书 / I bought a book in Hangzhou yesterday."""
    subject = subject or person(draw)
    row, tense = draw_verb(draw, subject, "verbs")
    assert isinstance(row, Verb)
    object_class = draw.one(row.objects)
    if tense == "past" and row.ba != "-":
        return _disposal_or_not(draw, subject, row, object_class)
    object_ = other_object(draw, subject, row, object_class, tense)
    place = 0.08 if object_class in ("topic", "idea", "furniture") else 0.25
    return statement(with_adjuncts(draw, subject, row, tense, object_.object, place=place))


def _disposal_or_not(draw: Draw, subject: NounPhrase, row: Verb, object_class: str) -> Phrase:
    """Past and definite: 他 昨天 把 书 卖 了; indefinite: 他 昨天 卖 了 一 本 书."""
    when = adjuncts.perhaps_time(draw, "past", 0.4)
    first = bool(when.zh) and draw.sometimes("time_first", 0.3)
    if draw.may("ba") and draw.chance(0.6):
        draw.note("ba")
        object_ = definite_object(draw, object_class).object
        return disposal(subject, row, object_, when, first)
    object_ = indefinite_object(draw, object_class).object
    group = verb_group(subject, row, "past")
    return statement(Clause(subject, group, object_, time=when, time_first=first))


def disposal(
    subject: NounPhrase, row: Verb, object_: Phrase, when: Phrase, first: bool = False
) -> Phrase:
    """他 昨天 把 书 卖 了 / he sold the book yesterday."""
    verb = suffixed(word(row.ba, row.past), "了")
    head, tail = (when, EMPTY) if first else (EMPTY, when)
    return rule(
        zh=(head, subject.subject, tail, silent("把"), object_, verb),
        en=(head, subject.subject, verb, object_, tail),
    )


@template(5, frames="past")
def animal_does(draw: Draw) -> Phrase:
    """那 只 猫 追 了 那 只 老鼠 / that cat chased that mouse."""
    rows = [row for row in draw.lexicon.verbs["animal"] if row.zh in ("追", "看见", "吓", "喜欢")]
    row, subject = draw.one(rows), animal(draw)
    only = ("past", "present", "not_past", "not_present", "progressive")
    tense = draw_tense(draw, subject, row, only)
    if tense is None:
        row = next(row for row in rows if not row.state)
        tense = draw_tense(draw, subject, row) or "past"
    object_ = draw.until(
        lambda: person(draw) if draw.chance(0.4) else animal(draw),
        lambda found: not same_person(subject, found),
    )
    group = verb_group(subject, row, tense)
    past = "past" if tense in ("past", "not_past") else None
    when = adjuncts.perhaps_time(draw, past, 0.4)
    return statement(Clause(subject, group, object_.object, time=when))


@template(14, subject=True, frames="past present future condition")
def intransitive(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 每天 在 公园 跑步 / he runs in the park every day."""
    return _acting(draw, subject or person(draw), "actions")


@template(6, subject=True, frames="past present future condition")
def da_collocation(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """打 水, 打 车, 打 酱油: what 打 means depends on its neighbour."""
    return _acting(draw, subject or person(draw), "da")


def _acting(draw: Draw, subject: NounPhrase, table: str) -> Phrase:
    row, tense = draw_verb(draw, subject, table, ACTING)
    clause = with_adjuncts(draw, subject, row, tense, time=0.5, place=0.4)
    return statement(clause)


@template(10, subject=True, frames="past future condition")
def motion(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 明天 会 坐 火车 去 北京 / he will go to Beijing by train tomorrow."""
    subject = subject or person(draw)
    row, tense = draw_verb(draw, subject, "motions", GOING)
    assert isinstance(row, Motion)
    clause = with_adjuncts(
        draw,
        subject,
        row,
        tense,
        to_place(row, adjuncts.goal(draw, row.target)),
        time=0.5,
        place=0,
        manner=0,
    )
    if row.zh in ("去", "来", "回") and draw.sometimes("ride", 0.25):
        ride: Ride = draw.one(draw.lexicon.table("rides", Ride))
        clause = clause.replaced(manner=word(ride.zh, ride.en))
    return statement(clause)


def to_place(row: Motion, target: Phrase) -> Phrase:
    """The place one goes to, with the English word before it."""
    return chain(EMPTY if row.way == "-" else function(row.way, target), target)


@template(6, frames="past future")
def release(draw: Draw) -> Phrase:
    """苹果 发布 了 新 手机 / Apple released a new phone."""
    company: Company = draw.one(draw.lexicon.table("companies", Company))
    phrase = word(company.zh, company.en)
    subject = NounPhrase(phrase, phrase, "is", "company", "它")
    only = ("past", "future", "going", "not_past", "not_future", "plan", "already")
    row, tense = draw_verb(draw, subject, "releases", only)
    assert isinstance(row, Verb)
    object_ = draw_object(draw, row, draw.one(row.objects), tense)
    when = adjuncts.perhaps_time(draw, TIMES.get(tense), 0.4)
    return statement(
        Clause(
            subject,
            verb_group(subject, row, tense),
            object_.object,
            time=when,
            place=adjuncts.city(draw.one(draw.lexicon.table("cities", City)))
            if draw.chance(0.1)
            else EMPTY,
            time_first=bool(when.zh) and draw.sometimes("time_first", 0.3),
        )
    )


@template(7, subject=True)
def like_doing(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """我 喜欢 吃 苹果 / I like eating apples; 他 不 喜欢 跑步 / he does not like running."""
    subject = subject or person(draw)
    doing = _doing(draw)
    if draw.chance(0.25):
        no = word("不", "not")
        does = function("does" if subject.third else "do", no)
        return chain(subject.subject, rule((), (does,)), no, word("喜欢", "like"), doing)
    zh, en = draw.weighted((("喜欢", "like"), ("爱", "love"), ("讨厌", "hate")), (70, 15, 15))
    verb = word(zh, third_person(en) if subject.third else en)
    return chain(subject.subject, verb, doing)


def _doing(draw: Draw) -> Phrase:
    if draw.chance(0.4):
        action: Action = draw.one(draw.lexicon.table("actions", Action))
        return word(action.zh, action.ing)
    rows = [
        row for row in draw.lexicon.table("verbs", Verb) if row.bare == "plural" and not row.state
    ]
    row: Verb = draw.one(rows)
    classes = [object_class for object_class in row.objects if object_class != "person"]
    if not classes:
        return _doing(draw)
    object_ = bare_object(draw, row, draw.one(classes), "present")
    return chain(word(row.zh, row.ing), object_.object)
