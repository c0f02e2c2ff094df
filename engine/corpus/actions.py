"""Templates of doing: verbs with and without an object, going, giving, putting, releasing."""

from __future__ import annotations

from engine.corpus import adjuncts
from engine.corpus.clauses import Clause, object_relative, question, statement
from engine.corpus.draw import Draw
from engine.corpus.noun_phrases import (
    NounPhrase,
    about,
    animal,
    compose,
    determine,
    fitting_adjective,
    noun_phrase,
    person,
    thing,
)
from engine.corpus.phrases import EMPTY, Phrase, chain, function, rule, silent, suffixed, word
from engine.corpus.rows import Mass, Motion, Verb
from engine.corpus.templates import template
from engine.corpus.verb_phrases import TIMES, Forms, same_in_past, verb_group

TENSES = (
    ("past", 30),
    ("present", 16),
    ("future", 9),
    ("going", 4),
    ("progressive", 8),
    ("not_present", 6),
    ("not_past", 6),
    ("want", 6),
    ("plan", 2),
    ("can", 2),
    ("may", 2),
    ("should", 3),
    ("must", 2),
    ("not_future", 2),
    ("not_can", 1),
    ("not_want", 2),
    ("perfect", 4),
    ("not_perfect", 2),
    ("already", 3),
)
STATE_TENSES = (("present", 70), ("not_present", 30))
_SELF = {"我": "我们", "我们": "我", "你": "你", "他们": "他"}


def draw_tense(draw: Draw, row: Forms, *, only: tuple[str, ...] = ()) -> str:
    state = isinstance(row, Verb) and row.state
    table = [pair for pair in (STATE_TENSES if state else TENSES) if not only or pair[0] in only]
    return draw.weighted([name for name, _ in table], [weight for _, weight in table])


def clear_tense(draw: Draw, subject: NounPhrase, row: Forms, *, only: tuple[str, ...] = ()) -> str:
    """A tense that English shows: not "I hit you", which may be today or yesterday."""
    hidden = same_in_past(row) and not subject.third
    return draw.until(
        lambda: draw_tense(draw, row, only=only),
        lambda tense: not (hidden and tense == "present"),
    )


def draw_object(draw: Draw, row: Verb, object_class: str, tense: str) -> NounPhrase:
    """An object that the verb takes; its article follows from verb and tense."""
    if object_class == "person":
        return person(draw)
    if object_class == "topic":
        topic = draw.one(draw.lexicon.table("topics"))
        phrase = word(topic.zh, topic.en)
        return NounPhrase(phrase, phrase, "is", "topic", "它")
    noun = draw.one(draw.lexicon.nouns[object_class])
    kinds = ("bare", "one", "this", "that", "number", "possessive", "some", "many", "several")
    weights = (36, 16, 8, 8, 8, 12, 3, 3, 2)
    if isinstance(noun, Mass):
        weights = (50, 16, 6, 6, 8, 4, 4, 3, 0)
    if row.bare == "a":  # 发布 新 手机 is "a new phone" already
        weights = (70, 0, 4, 0, 12, 4, 4, 3, 3)
    if row.state:
        weights = (56, 0, 14, 14, 0, 16, 0, 0, 0)
    kind = draw.weighted(kinds, weights)
    if kind == "bare":
        kind = bare_kind(row, noun, tense)
    modifier = EMPTY
    if object_class in ("readable", "show") and kind != "plural" and draw.sometimes("about", 0.12):
        modifier = about(draw)
    describe = 0.8 if kind == "a" else 0.2
    return noun_phrase(draw, noun, kind, describe=describe, topic=modifier)


def bare_kind(row: Verb, noun: object, tense: str) -> str:
    """What English makes of a bare Chinese object: the book, books, a book, tea."""
    if row.bare == "a":
        return "a"
    if row.bare == "the":
        return "bare"
    if isinstance(noun, Mass):
        return "none"
    return "bare" if tense in ("past", "already") else "plural"


def same_person(subject: NounPhrase, other: NounPhrase) -> bool:
    """Whether two phrases may mean the same people, as in 我 批评 我们."""
    return set(subject.subject.zh_text.split()) == set(other.subject.zh_text.split()) or {
        subject.subject.zh_text,
        other.subject.zh_text,
    } <= {"我", "我们", "咱们"}


def with_adjuncts(
    draw: Draw,
    subject: NounPhrase,
    row: Forms,
    tense: str,
    object_: Phrase,
    *,
    time: float = 0.4,
    place: float = 0.3,
    manner: float = 0.08,
) -> Clause:
    """A clause with what may stand around it."""
    state = isinstance(row, Verb) and row.state
    when = TIMES.get(tense)
    has_time = when and not state and tense != "progressive" and draw.chance(time)
    lively = not state
    return Clause(
        subject,
        verb_group(subject, row, tense),
        object_,
        time=adjuncts.time(draw, when) if when and has_time else EMPTY,
        place=adjuncts.somewhere(draw) if lively and draw.chance(place) else EMPTY,
        manner=adjuncts.manner(draw) if lively and draw.sometimes("manner", manner) else EMPTY,
        company=adjuncts.company(draw) if lively and draw.sometimes("company", 0.05) else EMPTY,
        frequency=_frequency(draw, tense, state),
        time_first=bool(has_time) and draw.sometimes("time_first", 0.3),
    )


def _frequency(draw: Draw, tense: str, state: bool) -> Phrase:
    if tense != "present" or not draw.sometimes("frequency", 0.25):
        return EMPTY
    row = draw.one(draw.lexicon.table("frequencies"))
    return word(row.zh, row.en)


@template(30, subject=True)
def transitive(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """我 昨天 在 杭州 买 了 一 本 书 / I bought a book in Hangzhou yesterday."""
    row: Verb = draw.one(draw.lexicon.table("verbs"))  # type: ignore[assignment]
    subject = subject or person(draw)
    tense = clear_tense(draw, subject, row)
    object_class = draw.one(row.objects)
    if tense in ("past",) and row.ba != "-" and draw.may("ba"):
        return _disposal(draw, subject, row, object_class)
    object_ = draw.until(
        lambda: draw_object(draw, row, object_class, tense),
        lambda found: not same_person(subject, found),
    )
    place = 0.1 if object_class == "topic" else 0.3
    return statement(with_adjuncts(draw, subject, row, tense, object_.object, place=place))


def _disposal(draw: Draw, subject: NounPhrase, row: Verb, object_class: str) -> Phrase:
    """Past and definite: 他 昨天 把 书 卖 了; indefinite: 他 昨天 卖 了 一 本 书."""
    noun = draw.one(draw.lexicon.nouns[object_class])
    definite = draw.chance(0.6)
    kinds = ("bare", "this", "that", "possessive") if definite else ("one", "number", "some")
    kind = draw.weighted(kinds, (40, 20, 20, 20) if definite else (50, 30, 20))
    object_ = noun_phrase(draw, noun, kind)
    when = adjuncts.time(draw, "past") if draw.chance(0.4) else EMPTY
    first = bool(when.zh) and draw.sometimes("time_first", 0.3)
    where = adjuncts.somewhere(draw) if draw.chance(0.12) else EMPTY
    if not definite:
        group = verb_group(subject, row, "past")
        return statement(
            Clause(subject, group, object_.object, time=when, place=where, time_first=first)
        )
    draw.note("ba")
    return disposal(subject, row, object_.object, when, where, first)


def disposal(
    subject: NounPhrase, row: Verb, object_: Phrase, when: Phrase, where: Phrase, first: bool
) -> Phrase:
    verb = suffixed(word(row.ba, row.past), "了")
    ba = silent("把")
    head, tail = (when, EMPTY) if first else (EMPTY, when)
    return rule(
        zh=(head, subject.subject, tail, where, ba, object_, verb),
        en=(head, subject.subject, verb, object_, where, tail),
    )


@template(9)
def animal_does(draw: Draw) -> Phrase:
    """那 只 猫 追 了 那 只 老鼠 / that cat chased that mouse."""
    rows = [row for row in draw.lexicon.verbs["animal"] if row.zh in ("追", "看见", "吓", "喜欢")]
    row = draw.one(rows)
    subject = animal(draw)
    tense = draw_tense(draw, row, only=("past", "present", "not_past", "not_present"))
    object_ = draw.until(
        lambda: person(draw) if draw.chance(0.4) else animal(draw),
        lambda found: not same_person(subject, found),
    )
    return statement(with_adjuncts(draw, subject, row, tense, object_.object, manner=0))


@template(14, subject=True)
def intransitive(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 每天 在 公园 跑步 / he runs in the park every day."""
    subject = subject or person(draw)
    row = draw.one(draw.lexicon.table("actions"))
    return _acting(draw, subject, row)  # type: ignore[arg-type]


@template(8, subject=True)
def da_collocation(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """打 水, 打 车, 打 酱油: what 打 means depends on its neighbour."""
    subject = subject or person(draw)
    row = draw.one(draw.lexicon.table("da"))
    return _acting(draw, subject, row)  # type: ignore[arg-type]


def _acting(draw: Draw, subject: NounPhrase, row: Forms) -> Phrase:
    tense = clear_tense(draw, subject, row, only=tuple(TIMES))
    clause = with_adjuncts(draw, subject, row, tense, EMPTY, time=0.5, place=0.4)
    verb, *rest = row.zh.split()
    if tense in ("past",) and rest:  # 打 了 水: the aspect stands inside
        group = clause.group
        zh = tuple(group.verb.zh[:1]) + group.verb.zh[-1:] + group.verb.zh[1:-1]
        clause = _with_verb(clause, Phrase(zh, group.verb.en))
    return statement(clause)


def _with_verb(clause: Clause, verb: Phrase) -> Clause:
    from dataclasses import replace

    return replace(clause, group=clause.group._replace(verb=verb))


@template(10, subject=True)
def motion(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 明天 会 去 北京 / he will go to Beijing tomorrow."""
    subject = subject or person(draw)
    row: Motion = draw.one(draw.lexicon.table("motions"))  # type: ignore[assignment]
    tense = draw_tense(draw, row, only=("past", "future", "going", "want", "plan", "not_past"))
    target = adjuncts.goal(draw)
    way = EMPTY if row.way == "-" else function(row.way, target)
    clause = with_adjuncts(draw, subject, row, tense, chain(way, target), time=0.5, place=0)
    return statement(clause)


@template(8)
def release(draw: Draw) -> Phrase:
    """苹果 发布 了 新 手机 / Apple released a new phone."""
    company = draw.one(draw.lexicon.table("companies"))
    phrase = word(company.zh, company.en)
    subject = NounPhrase(phrase, phrase, "is", "company", "它")
    row: Verb = draw.one(draw.lexicon.table("releases"))  # type: ignore[assignment]
    tense = draw_tense(draw, row, only=("past", "future", "going", "not_past", "plan", "already"))
    object_ = draw_object(draw, row, draw.one(row.objects), tense)
    return statement(with_adjuncts(draw, subject, row, tense, object_.object, place=0.1, manner=0))


GIVE = ("给", "give", "gave", "given", "giving")


@template(7, subject=True)
def give(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """她 给 了 我 一 本 书 / she gave me a book."""
    subject = subject or person(draw)
    row = Verb(*GIVE, ("toy",), "the", "-", False)
    tense = draw_tense(draw, row, only=("past", "future", "going", "want", "not_past", "plan"))
    receiver = draw.until(lambda: person(draw), lambda found: not same_person(subject, found))
    gift = _gift(draw)
    object_ = chain(receiver.object, gift.object)
    return statement(with_adjuncts(draw, subject, row, tense, object_, place=0.1, manner=0))


def _gift(draw: Draw) -> NounPhrase:
    noun_class = draw.one(("toy", "readable", "paper", "food", "drink", "tool", "plant", "clothes"))
    noun = draw.one(draw.lexicon.nouns[noun_class])
    return noun_phrase(
        draw, noun, draw.weighted(("one", "number", "this", "some"), (60, 20, 10, 10))
    )


# zh, 上 or 里, en, preposition
_PUT_PLACES = (
    ("桌子", "上", "table", "on"),
    ("椅子", "上", "chair", "on"),
    ("箱子", "里", "box", "in"),
    ("包", "里", "bag", "in"),
    ("床", "上", "bed", "on"),
    ("冰箱", "里", "fridge", "in"),
    ("书架", "上", "bookshelf", "on"),
    ("抽屉", "里", "drawer", "in"),
    ("沙发", "上", "sofa", "on"),
    ("篮子", "里", "basket", "in"),
)


def inside(zh: str, localizer: str, en: str, preposition: str) -> Phrase:
    """在 桌子 上 / on the table."""
    noun, where = word(zh, en), word(localizer, preposition)
    at = silent("在")
    return rule((at, noun, where), (where, function("the", noun), noun))


@template(7, subject=True)
def put(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 把 书 放 在 桌子 上 了 / he put the book on the table."""
    subject = subject or person(draw)
    noun_class = draw.one(("toy", "readable", "paper", "food", "tool", "container"))
    noun = draw.one(draw.lexicon.nouns[noun_class])
    kind = draw.weighted(("bare", "this", "that", "possessive", "number"), (36, 18, 18, 18, 10))
    object_ = noun_phrase(draw, noun, kind)
    where = draw.until(
        lambda: draw.one(_PUT_PLACES), lambda place: place[0] not in object_.object.zh_text
    )
    future = draw.chance(0.35)
    verb, ba, le = word("放", "put"), silent("把"), silent("" if future else "了")
    aux = word("会", "will") if future else EMPTY
    when = adjuncts.time(draw, "future" if future else "past") if draw.chance(0.4) else EMPTY
    at = inside(*where)
    draw.note("ba")
    return rule(
        zh=(subject.subject, when, aux, ba, object_.object, verb, at, le),
        en=(subject.subject, aux, verb, object_.object, at, when),
    )


@template(6, joins=False)
def yes_no_question(draw: Draw) -> Phrase:
    """你 喜欢 茶 吗 ？ / do you like tea ?"""
    subject = person(draw)
    row: Verb = draw.one(draw.lexicon.table("verbs"))  # type: ignore[assignment]
    only = ("past", "present", "future", "want", "can", "perfect", "progressive", "going")
    tense = draw_tense(draw, row, only=only)
    object_class = draw.one(row.objects)
    object_ = draw.until(
        lambda: draw_object(draw, row, object_class, tense),
        lambda found: not same_person(subject, found),
    )
    when = TIMES.get(tense)
    timed = when and tense != "progressive" and not row.state and draw.chance(0.3)
    clause = Clause(
        subject,
        verb_group(subject, row, tense, inverted=True),
        object_.object,
        time=adjuncts.time(draw, when) if when and timed else EMPTY,
        place=adjuncts.somewhere(draw) if not row.state and draw.chance(0.15) else EMPTY,
    )
    return question(clause)


_FOUND_VERBS = (
    "买",
    "卖",
    "借",
    "丢",
    "找到",
    "淘到",
    "写",
    "看",
    "看见",
    "洗",
    "修",
    "画",
    "吃",
    "喝",
)


def relative_noun(draw: Draw, noun_class: str | None = None) -> NounPhrase:
    """我 昨天 买 的 那 本 书 / that book that I bought yesterday."""
    noun_class = noun_class or draw.one(("readable", "readable", "paper", "toy", "food", "clothes"))
    rows = [row for row in draw.lexicon.verbs[noun_class] if row.zh in (*_FOUND_VERBS, "喜欢")]
    row = draw.one(rows)
    subject = person(draw, groups=False)
    if row.state:
        verb = word(row.zh, "likes" if subject.third else "like")
    else:
        verb = word(row.zh, row.past)
    when = adjuncts.time(draw, "past") if not row.state and draw.chance(0.5) else EMPTY
    where = adjuncts.somewhere(draw) if not row.state and draw.chance(0.4) else EMPTY
    group = verb_group(subject, row, "past")
    relative = object_relative(Clause(subject, group, time=when, place=where), verb)
    noun = draw.one(draw.lexicon.nouns[noun_class])
    kind = draw.weighted(("bare", "this", "that"), (40, 15, 45))
    topical = noun_class in ("readable", "show") and draw.sometimes("about", 0.3)
    topic = about(draw) if topical else EMPTY
    draw.note("relative_clause")
    return noun_phrase(draw, noun, kind, relative=relative, topic=topic)


__all__ = [
    "compose",
    "determine",
    "fitting_adjective",
    "release",
    "relative_noun",
    "thing",
    "transitive",
]
