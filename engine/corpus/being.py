"""Templates of being and having: 是, 有, 在, what lies where, how old, how much, what weather."""

from __future__ import annotations

from engine.corpus import adjuncts
from engine.corpus.draw import Draw
from engine.corpus.english import article
from engine.corpus.noun_phrases import NounPhrase, fitting_adjective, noun_phrase, possessor, thing
from engine.corpus.people import person
from engine.corpus.phrases import EMPTY, Phrase, chain, function, rule, silent, suffixed, word
from engine.corpus.rows import City, Mass, Person, Spot, Word
from engine.corpus.templates import template

_OWNED = [
    "animal",
    "readable",
    "device",
    "car",
    "bike",
    "tool",
    "toy",
    "plant",
    "paper",
    "instrument",
    "clothes",
    "idea",
]
_LYING = ["readable", "tool", "toy", "paper", "tableware", "food", "clothes"]
_PRICED = [
    "readable",
    "clothes",
    "device",
    "car",
    "bike",
    "tool",
    "container",
    "toy",
    "paper",
    "instrument",
]


def have(subject: NounPhrase) -> str:
    return "has" if subject.third else "have"


@template(9, subject=True)
def is_a(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 是 老师 / he is a teacher; 我们 不 是 学生 / we are not students."""
    subject = subject or draw.until(lambda: person(draw), lambda found: len(found.subject.zh) < 4)
    row: Person = draw.one(draw.lexicon.table("people", Person))
    if row.owned == "always" or (row.owned == "yes" and draw.chance(0.3)):
        return is_somebodys(draw, subject, row)
    plural = subject.be == "are" and subject.subject.zh_text != "你"
    role = word(row.zh, row.plural if plural else row.en)
    attribute = fitting_adjective(draw, "person", row.zh, 0.3)
    first = (attribute.en or role.en)[0][0]
    a = EMPTY if plural else function(article(first), role)
    what = rule((attribute, role), (a, attribute, role))
    be = word("是", subject.be)
    if draw.chance(0.2):
        no = word("不", "not")
        return rule((subject.subject, no, be, what), (subject.subject, be, no, what))
    return chain(subject.subject, be, what)


def is_somebodys(draw: Draw, subject: NounPhrase, row: Person) -> Phrase:
    """她 是 我 的 朋友 / she is my friend; 他们 都 是 / they are all."""
    plural = subject.be == "are" and subject.subject.zh_text != "你"
    be, role = word("是", subject.be), word(row.zh, row.plural if plural else row.en)
    return chain(subject.subject, be, possessor(draw), role)


@template(4)
def is_whose(draw: Draw) -> Phrase:
    """这 是 我 的 书 / this is my book; 那 是 一 只 猫 / that is a cat."""
    pointer = word(*draw.one((("这", "this"), ("那", "that"), ("它", "it"))))
    noun = draw.one(draw.lexicon.nouns[draw.one(_OWNED)])
    kind = draw.weighted(("possessive", "one"), (60, 40))
    what = noun_phrase(draw, noun, kind)
    be = word("是", "is")
    if draw.chance(0.2):
        no = word("不", "not")
        return rule((pointer, no, be, what.object), (pointer, be, no, what.object))
    return chain(pointer, be, what.object)


@template(10, subject=True, frames="present condition")
def has(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 有 一 只 猫 / he has a cat; 我 没有 手机 / I do not have a phone."""
    subject = subject or person(draw)
    noun = draw.one(draw.lexicon.nouns[draw.one(_OWNED)])
    if draw.chance(0.3):
        what = noun_phrase(draw, noun, "none" if isinstance(noun, Mass) else "a", describe=0.1)
        no = word("没有", "not have")
        do = function("does" if subject.third else "do", no)
        return rule((subject.subject, no, what.object), (subject.subject, do, no, what.object))
    kind = draw.weighted(("one", "number", "many", "some", "several"), (50, 22, 12, 8, 8))
    what = noun_phrase(draw, noun, kind, describe=0.3)
    return chain(subject.subject, word("有", have(subject)), what.object)


@template(5, subject=True, frames="past present")
def is_at(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 在 图书馆 / he is in the library; 现在 / now, 昨天 / was … yesterday."""
    subject = subject or person(draw)
    where = adjuncts.somewhere(draw)
    kind = draw.weighted(("plain", "past", "now", "not"), (50, 20, 15, 15))
    if draw.frame == "past":
        kind = "past"
    if kind == "past":
        when = adjuncts.time(draw, "past")
        be = function(subject.was, where)
        return rule((subject.subject, when, where), (subject.subject, be, where, when))
    be = function(subject.be, where)
    if kind == "now":
        now = word("现在", "now")
        return rule((subject.subject, now, where), (subject.subject, be, where, now))
    no = word("不", "not") if kind == "not" else EMPTY
    return rule((subject.subject, no, where), (subject.subject, be, no, where))


@template(4)
def thing_is_at(draw: Draw) -> Phrase:
    """钥匙 在 桌子 上 / the key is on the table."""
    subject = thing(draw, draw.one(_LYING))
    spot: Spot = draw.one(draw.lexicon.table("spots", Spot))
    at, where = silent("在"), adjuncts.inside(spot)
    be = function(subject.be, at)
    no = word("不", "not") if draw.chance(0.2) else EMPTY
    return rule((subject.subject, no, at, where), (subject.subject, be, no, where))


@template(5)
def existence(draw: Draw) -> Phrase:
    """桌子 上 有 一 本 书 / there is a book on the table; 放着 / is lying."""
    spot: Spot = draw.one(draw.lexicon.table("spots", Spot))
    noun = draw.one(draw.lexicon.nouns[draw.one(_LYING)])
    what = noun_phrase(draw, noun, draw.weighted(("one", "number", "many"), (55, 30, 15)))
    where = adjuncts.inside(spot)
    if draw.sometimes("zhe", 0.3):
        lies = suffixed(word("放", f"{what.be} lying"), "着")
        return rule((where, lies, what.object), (what.object, lies, where))
    there = function(f"there {what.be}", exist := word("有", ""))
    return rule((where, exist, what.object), (there, what.object, where))


@template(3, subject=True)
def wears(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 穿 着 一 件 新 大衣 / he is wearing a new coat."""
    subject = subject or person(draw)
    noun = draw.one(draw.lexicon.nouns["clothes"])
    what = noun_phrase(draw, noun, draw.weighted(("one", "this"), (80, 20)), describe=0.5)
    on = suffixed(word("穿", "wearing"), "着")
    draw.note("zhe")
    return chain(subject.subject, rule((), (function(subject.be, on),)), on, what.object)


@template(3, subject=True)
def age(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 今年 十 岁 / he is ten years old this year."""
    subject = subject or person(draw, groups=False)
    row = draw.one(draw.lexicon.table("numbers", Word)[1:])
    count, years = word(row.zh, row.en), word("岁", "years old")
    when = word("今年", "this year") if draw.chance(0.4) else EMPTY
    be = function(subject.be, years)
    return rule(
        zh=(subject.subject, when, count, years), en=(subject.subject, be, count, years, when)
    )


@template(3)
def price(draw: Draw) -> Phrase:
    """这 本 书 二十 块 钱 / this book costs twenty yuan."""
    subject = thing(draw, draw.one(_PRICED), draw.one(("this", "that")))
    row = draw.one(draw.lexicon.table("numbers", Word)[1:])
    count, yuan = word(row.zh, row.en), word("块 钱", "yuan")
    costs = function("costs", yuan)
    return rule((subject.subject, count, yuan), (subject.subject, costs, count, yuan))


@template(3.5)
def oclock(draw: Draw) -> Phrase:
    """现在 三 点 / it is three now; 三 点 半 / half past three."""
    row = draw.one(draw.lexicon.table("hours", Word))
    now, hour = word("现在", "now"), word(row.zh, row.en)
    it_is = function("it is", hour)
    if draw.chance(0.4):
        half = word("点 半", "half past")
        return rule((now, hour, half), (it_is, half, hour, now))
    oclock = word("点", "o'clock")
    return rule((now, hour, oclock), (it_is, hour, oclock, now))


_SKY = (("热", "hot"), ("冷", "cold"), ("凉快", "cool"), ("暖和", "warm"), ("潮湿", "humid"))
_FALLING = (("下雨", "rain", "raining"), ("下雪", "snow", "snowing"))


@template(5, frames="past present future")
def weather(draw: Draw) -> Phrase:
    """今天 很 热 / it is very hot today; 北京 在 下雨 / it is raining."""
    if draw.frame in (None, "present") and draw.chance(0.35):
        zh, en, ing = draw.one(_FALLING)
        now, fall = word("正在", ""), word(zh, ing)
        del en
        where = draw.one(draw.lexicon.table("cities", City))
        city = word(where.zh, where.en)
        it_is, in_ = function("it is", now, fall), function("in", city)
        return rule((city, now, fall), (it_is, fall, in_, city))
    sky = word(*draw.one(_SKY))
    kinds = {"past": "past", "future": "future", "present": "today"}
    when = kinds.get(draw.frame or "") or draw.weighted(tuple(kinds.values()), (30, 30, 40))
    how = word("很", "very")
    if when == "future":
        day, aux = adjuncts.time(draw, "future"), word("会", "will")
        it = function("it", sky)
        return rule((day, aux, how, sky), (it, aux, function("be", sky), how, sky, day))
    day = adjuncts.time(draw, "past") if when == "past" else word("今天", "today")
    it_is = function("it was" if when == "past" else "it is", sky)
    return rule((day, how, sky), (it_is, how, sky, day))
