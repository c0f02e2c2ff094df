"""Templates of being so: adjectives with degree, comparison, result."""

from __future__ import annotations

from engine.corpus import adjuncts
from engine.corpus.clauses import described
from engine.corpus.draw import Draw
from engine.corpus.english import superlative, third_person
from engine.corpus.noun_phrases import NounPhrase, animal, thing
from engine.corpus.objects import same_person
from engine.corpus.people import person
from engine.corpus.phrases import EMPTY, Phrase, chain, function, prefixed, rule, suffixed, word
from engine.corpus.rows import Adjective, Color, Result, Word
from engine.corpus.templates import template

DESCRIBED = [
    "food",
    "snack",
    "meal",
    "drink",
    "readable",
    "show",
    "song",
    "clothes",
    "furniture",
    "device",
    "car",
    "bike",
    "tool",
    "container",
    "tableware",
    "toy",
    "plant",
    "paper",
    "instrument",
    "room",
    "task",
    "idea",
]
_COLOURED = ("clothes", "furniture", "car", "bike", "container", "toy", "plant", "tableware")


def anything(draw: Draw) -> NounPhrase:
    """A subject to be described."""
    kind = draw.weighted(("person", "animal", "thing"), (42, 13, 45))
    if kind == "person":
        return person(draw)
    return animal(draw) if kind == "animal" else thing(draw, draw.one(DESCRIBED))


def quality(draw: Draw, noun_class: str) -> Adjective:
    return draw.one(draw.lexicon.adjectives[noun_class])


def degree(draw: Draw) -> Phrase:
    """很 / very, half of the time; else another degree."""
    if draw.chance(0.4):
        return word("很", "very")
    row = draw.one(draw.lexicon.table("degrees", Word))
    return word(row.zh, row.en)


def is_adjective(subject: NounPhrase, how: Phrase, row: Adjective) -> Phrase:
    """苹果 很 甜 / the apple is very sweet."""
    return described(subject, subject.be, how, word(row.zh, row.en))


@template(16, subject=True, frames="present condition")
def adjective(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """苹果 很 甜 / the apple is very sweet; 他 不 高 / he is not tall."""
    subject = subject or anything(draw)
    row = quality(draw, subject.noun_class)
    kind = draw.weighted(("degree", "too", "not"), (70, 12, 18))
    if kind == "degree":
        return is_adjective(subject, degree(draw), row)
    if kind == "too":
        so = suffixed(word(row.zh, row.en), "了")
        return described(subject, subject.be, word("太", "too"), so)
    return is_adjective(subject, word("不", "not"), row)


_FEELINGS = ("忙", "累", "高兴", "难过", "生气", "紧张", "兴奋", "饿", "孤独", "渴")


@template(4, subject=True, frames="past future")
def felt(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 昨天 很 累 / he was very tired yesterday; 他 明天 会 很 忙 / he will be very busy."""
    subject = subject or person(draw)
    feelings = [row for row in draw.lexicon.adjectives["person"] if row.zh in _FEELINGS]
    row, how = draw.one(feelings), degree(draw)
    so = word(row.zh, row.en)
    if draw.frame == "past" or (not draw.frame and draw.chance(0.6)):
        when = word("当时", "then") if draw.timed else adjuncts.time(draw, "past")
        return rule(
            zh=(subject.subject, when, how, so),
            en=(subject.subject, function(subject.was, so), how, so, when),
        )
    when = EMPTY if draw.timed else adjuncts.time(draw, "future")
    aux = word("会", "will")
    return rule(
        zh=(subject.subject, when, aux, how, so),
        en=(subject.subject, aux, function("be", so), how, so, when),
    )


@template(3)
def colour(draw: Draw) -> Phrase:
    """她 的 裙子 是 红色 的 / her skirt is red."""
    subject = thing(draw, draw.one(_COLOURED))
    row: Color = draw.one(draw.lexicon.table("colors", Color))
    be, red = word("是", subject.be), suffixed(word(row.zh, row.en), "的")
    if draw.chance(0.2):
        no = word("不", "not")
        return rule((subject.subject, no, be, red), (subject.subject, be, no, red))
    return chain(subject.subject, be, red)


def compared(draw: Draw) -> tuple[NounPhrase, NounPhrase, Adjective]:
    """Two of a kind and a quality to compare them by."""
    subject = anything(draw)
    make = {"person": person, "animal": animal}.get(subject.noun_class)
    other = draw.until(
        lambda: make(draw) if make else thing(draw, subject.noun_class),
        lambda found: (
            not same_person(subject, found) and subject.subject.zh_text != found.subject.zh_text
        ),
    )
    return subject, other, quality(draw, subject.noun_class)


@template(11)
def comparison(draw: Draw) -> Phrase:
    """小明 比 小红 高 / Xiaoming is taller than Xiaohong; 高 得 多 / much taller."""
    subject, other, row = compared(draw)
    than, so = word("比", "than"), word(row.zh, row.comparative)
    more = draw.weighted(("", "much", "little", "even"), (60, 14, 14, 12))
    before, after = EMPTY, EMPTY
    if more == "much":
        after = word("得 多", "much")
    elif more == "little":
        after = word("一点儿", "a little")
    elif more == "even":
        before = word("还", "even")
    be = function(subject.be, so)
    return rule(
        zh=(subject.subject, than, other.object, before, so, after),
        en=(subject.subject, be, before, after, so, than, other.object),
    )


@template(5)
def equality(draw: Draw) -> Phrase:
    """小明 和 小红 一样 高 / Xiaoming is as tall as Xiaohong."""
    subject, other, row = compared(draw)
    so = word(row.zh, row.en)
    if draw.chance(0.4):  # 小明 没有 小红 高
        no = word("没有", "not")
        first, second = function("as", so), function("as", so)
        return rule(
            zh=(subject.subject, no, other.object, so),
            en=(subject.subject, function(subject.be, no), no, first, so, second, other.object),
        )
    and_, same = word("跟", "as"), word("一样", "as")
    return rule(
        zh=(subject.subject, and_, other.object, same, so),
        en=(subject.subject, function(subject.be, so), same, so, and_, other.object),
    )


@template(6)
def most(draw: Draw) -> Phrase:
    """这 本 书 最 有趣 / this book is the most interesting."""
    subject = anything(draw)
    row = quality(draw, subject.noun_class)
    best = superlative(row.comparative)
    top = word("最", "most") if best.startswith("most ") else EMPTY
    so = word(row.zh, row.en) if top.zh else prefixed(word(row.zh, best), "最")
    be, the = function(subject.be, so), function("the", top, so)
    return rule((subject.subject, top, so), (subject.subject, be, the, top, so))


@template(3)
def more_and_more(draw: Draw) -> Phrase:
    """他 越来越 高 / he is getting taller and taller."""
    subject = person(draw) if draw.chance(0.7) else animal(draw)
    row = quality(draw, subject.noun_class)
    if row.comparative.startswith("more "):
        more, so = word("越来越", "more and more"), word(row.zh, row.en)
        getting = function(f"{subject.be} getting", more)
        return rule((subject.subject, more, so), (subject.subject, getting, more, so))
    so = prefixed(word(row.zh, row.comparative), "越来越")
    getting, and_ = function(f"{subject.be} getting", so), function("and", so)
    return rule((subject.subject, so), (subject.subject, getting, so, and_, so))


@template(6, subject=True)
def result(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 跑 得 很 快 / he runs very fast."""
    subject = subject or person(draw)
    row: Result = draw.one(draw.lexicon.table("results", Result))
    verb = suffixed(word(row.zh, third_person(row.en) if subject.third else row.en), "得")
    how = word("很", "very") if draw.chance(0.7) else degree(draw)
    return chain(subject.subject, verb, how, word(row.adverb_zh, row.adverb_en))
