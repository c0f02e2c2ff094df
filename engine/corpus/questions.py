"""Questions: the Chinese word stays where its answer will stand; English puts it first."""

from __future__ import annotations

from engine.corpus import adjuncts
from engine.corpus.clauses import MARK, Clause, question, yes_or_no
from engine.corpus.draw import Draw
from engine.corpus.noun_phrases import NounPhrase, noun_phrase, thing
from engine.corpus.objects import other_object
from engine.corpus.people import person
from engine.corpus.phrases import EMPTY, Phrase, chain, function, only_zh, rule, suffixed, word
from engine.corpus.qualities import DESCRIBED, quality
from engine.corpus.rows import Action, Motion, Noun, Person, Verb
from engine.corpus.templates import template
from engine.corpus.tenses import TIMES, draw_tense
from engine.corpus.verb_phrases import Forms, verb_group

_ASKED = ("past", "present", "future", "going", "want", "can", "perfect", "progressive")


def mark() -> Phrase:
    return word(*MARK)


def _asker(draw: Draw) -> NounPhrase:
    """Whom a question is about; not oneself."""
    return draw.until(lambda: person(draw), lambda found: found.subject.zh_text != "我")


def _ask(
    draw: Draw,
    subject: NounPhrase,
    row: Forms,
    tense: str,
    object_: Phrase = EMPTY,
    *,
    lead: Phrase = EMPTY,
    ask: Phrase | None = None,
    place: Phrase = EMPTY,
    manner: Phrase = EMPTY,
    time: Phrase | None = None,
) -> Phrase:
    when = TIMES.get(tense)
    timed = when and draw.chance(0.3) and not (isinstance(row, Verb) and row.state)
    if time is None:
        time = adjuncts.time(draw, when) if when and timed else EMPTY
    group = verb_group(subject, row, tense, inverted=True)
    clause = Clause(subject, group, object_, time=time, place=place, manner=manner)
    return question(clause, ask or mark(), lead)


def _verb(draw: Draw, subject: NounPhrase, *, event: bool = False) -> tuple[Verb, str]:
    rows = draw.lexicon.table("verbs", Verb)
    while True:
        row: Verb = draw.one(rows)
        tense = draw_tense(draw, subject, row, _ASKED)
        if tense and not (event and (row.state or row.objects == ("person",))):
            return row, tense


@template(10, frames="")
def yes_no_question(draw: Draw) -> Phrase:
    """你 喜欢 茶 吗 ？ / do you like tea ?"""
    subject = _asker(draw)
    if draw.chance(0.3):
        action: Forms = draw.one(draw.lexicon.table("actions", Action))
        tense = draw_tense(draw, subject, action, _ASKED[:6]) or "past"
        return _ask(draw, subject, action, tense, ask=yes_or_no())
    row, tense = _verb(draw, subject)
    object_ = other_object(draw, subject, row, draw.one(row.objects), tense)
    return _ask(draw, subject, row, tense, object_.object, ask=yes_or_no())


@template(8, frames="")
def what_question(draw: Draw) -> Phrase:
    """你 昨天 买 了 什么 ？ / what did you buy yesterday ?"""
    subject = _asker(draw)
    row, tense = draw.until(
        lambda: _verb(draw, subject, event=True),
        lambda found: found[0] in draw.lexicon.plain_verbs,
    )
    what = word("什么", "what")
    return _ask(draw, subject, row, tense, only_zh(what), lead=Phrase((), what.en))


@template(5, frames="")
def who_question(draw: Draw) -> Phrase:
    """你 认识 谁 ？ / who do you know ?; 谁 喜欢 茶 ？ / who likes tea ?"""
    who = word("谁", "who")
    if draw.chance(0.5):
        subject = _asker(draw)
        row: Verb = draw.one(draw.lexicon.verbs["person"])
        tense = draw_tense(draw, subject, row, ("past", "present", "future", "want")) or "past"
        return _ask(draw, subject, row, tense, only_zh(who), lead=Phrase((), who.en))
    asked = NounPhrase(who, who, "is", "person", "他")
    row, tense = _verb(draw, asked)
    object_ = other_object(draw, asked, row, draw.one(row.objects), tense)
    group = verb_group(asked, row, tense)
    return rule(
        zh=(who, group.finite, group.modal, group.verb, object_.object, end := mark()),
        en=(who, group.finite, group.modal, group.verb, object_.object, end),
    )


@template(7, frames="")
def where_question(draw: Draw) -> Phrase:
    """你 在 哪里 买 了 书 ？ / where did you buy the book ?; 他 在 哪里 ？ / where is he ?"""
    subject = _asker(draw)
    kind = draw.one(("is", "does", "goes"))
    if kind == "is":
        where, end = word("在 哪里", "where"), mark()
        be = function(subject.be, where)
        return rule((subject.subject, where, end), (where, be, subject.subject, end))
    if kind == "does":
        row, tense = _verb(draw, subject, event=True)
        if tense == "progressive":
            tense = "past"
        object_ = other_object(draw, subject, row, draw.one(row.objects), tense).object
        where = word("在 哪里", "where")
        lead = Phrase((), where.en)
        return _ask(draw, subject, row, tense, object_, lead=lead, place=only_zh(where))
    motion: Motion = next(row for row in draw.lexicon.table("motions", Motion) if row.zh == "去")
    tense = draw_tense(draw, subject, motion, ("past", "future", "want", "going")) or "past"
    where = word("哪里", "where")
    return _ask(draw, subject, motion, tense, only_zh(where), lead=Phrase((), where.en))


@template(5, frames="")
def when_question(draw: Draw) -> Phrase:
    """他 什么时候 会 来 北京 ？ / when will he come to Beijing ?"""
    subject = _asker(draw)
    row: Motion = draw.one(draw.lexicon.table("motions", Motion))
    tense = draw_tense(draw, subject, row, ("past", "future", "going", "plan")) or "past"
    target = adjuncts.goal(draw, row.target)
    way = EMPTY if row.way == "-" else function(row.way, target)
    when = word("什么时候", "when")
    there = chain(way, target)
    return _ask(draw, subject, row, tense, there, lead=Phrase((), when.en), time=only_zh(when))


@template(6, frames="")
def why_question(draw: Draw) -> Phrase:
    """你 为什么 没有 来 ？ / why did you not come ?"""
    subject = _asker(draw)
    why = word("为什么", "why")
    action: Forms = draw.one(draw.lexicon.table("actions", Action))
    only = ("past", "not_past", "present", "not_present", "progressive")
    tense = draw_tense(draw, subject, action, only) or "past"
    lead, time = Phrase((), why.en), only_zh(why)
    if draw.chance(0.5):
        return _ask(draw, subject, action, tense, lead=lead, time=time)
    row, tense = _verb(draw, subject, event=True)
    object_ = other_object(draw, subject, row, draw.one(row.objects), tense)
    return _ask(draw, subject, row, tense, object_.object, lead=lead, time=time)


@template(3, frames="")
def how_question(draw: Draw) -> Phrase:
    """他 怎么 去 学校 ？ / how does he go to school ?"""
    subject = _asker(draw)
    row: Motion = draw.one(
        [r for r in draw.lexicon.table("motions", Motion) if r.zh in ("去", "来", "回")]
    )
    tense = draw_tense(draw, subject, row, ("present", "past", "future", "plan")) or "past"
    target, how = adjuncts.goal(draw), word("怎么", "how")
    there = chain(function(row.way, target), target)
    lead = Phrase((), how.en)
    return _ask(draw, subject, row, tense, there, lead=lead, manner=only_zh(how), time=EMPTY)


@template(6, frames="")
def how_many_question(draw: Draw) -> Phrase:
    """你 买 了 几 本 书 ？ / how many books did you buy ?"""
    subject = _asker(draw)
    noun_class = draw.one(("readable", "food", "clothes", "toy", "paper", "tableware"))
    noun = draw.one([row for row in draw.lexicon.nouns[noun_class] if isinstance(row, Noun)])
    rows = [row for row in draw.lexicon.verbs[noun_class] if not row.state]
    row = draw.one(rows)
    tense = draw_tense(draw, subject, row, ("past", "future", "want", "going")) or "past"
    many = suffixed(word("几", "how many"), noun.classifier)
    what = chain(many, word(noun.zh, noun.plural))
    return _ask(draw, subject, row, tense, only_zh(what), lead=Phrase((), what.en))


@template(8, frames="")
def be_question(draw: Draw) -> Phrase:
    """这 本 书 有趣 吗 ？ / is this book interesting ?; 他 是 老师 吗 ？ / is he a teacher ?"""
    ask = yes_or_no()
    if draw.chance(0.5):
        noun_class = draw.one((*DESCRIBED, *["person"] * 8))
        subject = _asker(draw) if noun_class == "person" else thing(draw, noun_class)
        row = quality(draw, noun_class)
        so = word(row.zh, row.en)
        be = function(subject.be, so)
        return rule((subject.subject, so, ask), (be, subject.subject, so, ask))
    subject = draw.until(lambda: _asker(draw), lambda found: found.third)
    job: Person = draw.one(draw.lexicon.table("people", Person))
    role = noun_phrase(draw, job, "a", describe=0.1)
    be = word("是", subject.be)
    return rule((subject.subject, be, role.object, ask), (be, subject.subject, role.object, ask))


@template(5, frames="")
def whose_question(draw: Draw) -> Phrase:
    """这 本 书 是 谁 的 ？ / whose is this book ?; 多少 钱 / how much"""
    noun_class = draw.one(
        ("readable", "tool", "device", "clothes", "container", "paper", "car", "bike")
    )
    subject = thing(draw, noun_class, draw.one(("this", "that")))
    end = mark()
    if draw.chance(0.5):
        much = word("多少 钱", "how much")
        be = function(subject.be, much)
        return rule((subject.subject, much, end), (much, be, subject.subject, end))
    be, whose = word("是", subject.be), word("谁 的", "whose")
    return rule((subject.subject, be, whose, end), (whose, be, subject.subject, end))
