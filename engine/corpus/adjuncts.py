"""Time, place, manner, company: before the verb in Chinese, after the object in English."""

from __future__ import annotations

from engine.corpus.draw import Draw
from engine.corpus.noun_phrases import NounPhrase, fitting_adjective, name
from engine.corpus.phrases import EMPTY, Phrase, chain, function, rule, suffixed, word
from engine.corpus.rows import City, Manner, Place, Spot, Time, Word

_PARTS = ("早上", "下午", "晚上")  # parts of a day, which an hour can follow


def time(draw: Draw, tense: str) -> Phrase:
    """A time that fits the tense: past, future, habit or now."""
    if tense == "past" and draw.sometimes("ago", 0.12):
        return ago(draw)
    rows = [row for row in draw.lexicon.table("times", Time) if row.tense == tense]
    row: Time = draw.one(rows)
    day = word(row.zh, row.en)
    if tense in ("past", "future") and row.zh.endswith(_PARTS) and draw.sometimes("clock", 0.25):
        return with_clock(day, clock(draw))
    return day


def perhaps_time(draw: Draw, tense: str | None, probability: float) -> Phrase:
    """A time, if it fits and the story at hand has not said one yet."""
    if tense is None or draw.timed or not draw.chance(probability):
        return EMPTY
    draw.timed = draw.frame is not None
    return time(draw, tense)


def ago(draw: Draw) -> Phrase:
    """三 天 前 / three days ago."""
    number = draw.number()
    unit = draw.one((("天", "days"), ("年", "years"), ("个 月", "months"), ("个 星期", "weeks")))
    return chain(word(number.zh, number.en), word(*unit), word("前", "ago"))


def clock(draw: Draw) -> Phrase:
    """三 点 / at three."""
    hour = draw.one(draw.lexicon.table("hours", Word))
    return clock_at(hour.zh, hour.en)


def clock_at(zh: str, en: str) -> Phrase:
    hour, oclock = word(zh, en), word("点", "at")
    return rule((hour, oclock), (oclock, hour))


def with_clock(day: Phrase, hour: Phrase) -> Phrase:
    """明天 下午 三 点 / at three tomorrow afternoon."""
    return rule((day, hour), (hour, day))


def city(row: City) -> Phrase:
    return chain(word("在", "in"), word(row.zh, row.en))


def place(row: Place, attribute: Phrase = EMPTY) -> Phrase:
    """在 旧 书店 / in the old bookstore."""
    noun = word(row.zh, row.en)
    preposition = word("在", row.preposition)
    the = function("the", noun) if row.article or attribute.en else EMPTY
    return rule((preposition, attribute, noun), (preposition, the, attribute, noun))


def somewhere(draw: Draw) -> Phrase:
    """Where something happens."""
    if draw.chance(0.3):
        return city(draw.one(draw.lexicon.table("cities", City)))
    if draw.chance(0.08):
        return word("在 家", "at home")
    row: Place = draw.one(draw.lexicon.table("places", Place))
    return place(row, fitting_adjective(draw, "place", row.zh, 0.15) if row.article else EMPTY)


def goal(draw: Draw, target: str = "any") -> Phrase:
    """Where somebody goes: 杭州, 图书馆."""
    if target == "city" or (target == "any" and draw.chance(0.45)):
        row = draw.one(draw.lexicon.table("cities", City))
        return word(row.zh, row.en)
    place_row: Place = draw.one(draw.lexicon.table("places", Place))
    noun = word(place_row.zh, place_row.en)
    return rule((noun,), (function("the", noun) if place_row.article else EMPTY, noun))


def manner(draw: Draw, verb: str) -> Phrase:
    """认真 地 / carefully: a manner that the verb can be done in."""
    rows = [
        row
        for row in draw.lexicon.table("manners", Manner)
        if row.verbs == ("-",) or verb in row.verbs
    ]
    row = draw.one(rows)
    return suffixed(word(row.zh, row.en), "地")


def company(draw: Draw, subject: NounPhrase) -> Phrase:
    """和 小明 一起 / with Xiaoming, now and then."""
    if not draw.sometimes("company", 0.04):
        return EMPTY
    other = draw.until(
        lambda: name(draw), lambda n: n.object.zh_text not in subject.subject.zh_text
    )
    return suffixed(chain(word("和", "with"), other.object), "一起")


def inside(row: Spot) -> Phrase:
    """桌子 上 / on the table."""
    noun, where = word(row.zh, row.en), word(row.localizer, row.preposition)
    return rule((noun, where), (where, function("the", noun), noun))
