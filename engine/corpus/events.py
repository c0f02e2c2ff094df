"""Templates without a person in them: welcomes, meetings, weather to come, requests."""

from __future__ import annotations

from engine.corpus import adjuncts
from engine.corpus.draw import Draw
from engine.corpus.phrases import EMPTY, Phrase, chain, function, rule, word
from engine.corpus.rows import Word
from engine.corpus.templates import template
from engine.corpus.transfers import bare_action


@template(4, frames="")
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
_HELD = (
    ("开会", "a meeting"),
    ("考试", "an exam"),
    ("上课", "a class"),
    ("比赛", "a match"),
    ("停电", "a power cut"),
)


@template(6, frames="past future")
def event(draw: Draw) -> Phrase:
    """明天 下午 三 点 开会 / there will be a meeting at three tomorrow afternoon."""
    tense = "past" if draw.frame == "past" or (not draw.frame and draw.chance(0.5)) else "future"
    day = draw.one(_DAYS[tense])
    when = word(*day)
    if " " not in day[1] and draw.chance(0.8):
        when = chain(when, word(*draw.one(_PARTS)))
    if draw.chance(0.5):
        if draw.chance(0.8):
            when = adjuncts.with_clock(when, adjuncts.clock(draw))
        return event_at(when, word(*draw.one(_HELD)), EMPTY, tense)
    weather = draw.one(draw.lexicon.table("weather", Word))
    return event_at(when, word(weather.zh, weather.en), word("有", ""), tense)


def event_at(when: Phrase, what: Phrase, have: Phrase, tense: str) -> Phrase:
    """明天 下午 有 雨 / there will be rain tomorrow afternoon."""
    be = "there will be" if tense == "future" else "there was"
    there = function(be, have if have.zh else what)
    return rule((when, have, what), (there, what, when))


@template(8, frames="")
def please(draw: Draw) -> Phrase:
    """请 打开 那 本 书 / please open that book; 不要 哭 / do not cry."""
    kind = draw.weighted(("please", "not", "let"), (45, 30, 25))
    if kind == "please":
        return chain(word("请", "please"), bare_action(draw))
    if kind == "not":
        return chain(word("不要", "do not"), bare_action(draw))
    let, us = word("让", "let"), word("我们", "us")
    return chain(let, us, bare_action(draw))
