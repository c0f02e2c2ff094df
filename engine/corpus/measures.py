"""Templates that measure: how long, how often, how far, where from, and which of all."""

from __future__ import annotations

from engine.corpus import adjuncts
from engine.corpus.draw import Draw
from engine.corpus.noun_phrases import NounPhrase, alone, name
from engine.corpus.objects import draw_object
from engine.corpus.people import kin, person
from engine.corpus.phrases import EMPTY, Phrase, chain, expression, function, rule, suffixed, word
from engine.corpus.qualities import degree, quality
from engine.corpus.rows import Action, City, Place, Result, Topic, Verb, Word
from engine.corpus.templates import template
from engine.corpus.verb_phrases import verb_group

_UNITS = (("个 小时", "hours"), ("分钟", "minutes"), ("天", "days"), ("个 星期", "weeks"))
_LASTING = ("跑", "唱", "写", "说", "学", "睡", "走", "工作", "游", "跳舞", "笑")


@template(4, subject=True, frames="past")
def duration(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 睡 了 三 个 小时 / he slept for three hours."""
    subject = subject or person(draw)
    rows = [row for row in draw.lexicon.table("results", Result) if row.zh in _LASTING]
    row: Result = draw.one(rows)
    number = draw.number()
    count, unit = word(number.zh, number.en), word(*draw.one(_UNITS))
    verb, for_ = suffixed(word(row.zh, row.past), "了"), function("for", unit)
    when = adjuncts.perhaps_time(draw, "past", 0.4)
    return rule(
        zh=(subject.subject, when, verb, count, unit),
        en=(subject.subject, verb, for_, count, unit, when),
    )


@template(3, subject=True)
def times(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 去 过 北京 三 次 / he has been to Beijing three times."""
    subject = subject or person(draw)
    have = "has" if subject.third else "have"
    row: City = draw.one(draw.lexicon.table("cities", City))
    number = draw.one(draw.lexicon.table("numbers", Word)[:9])
    been, city = suffixed(word("去", "been"), "过"), word(row.zh, row.en)
    count, times_ = word(number.zh, number.en), word("次", "times")
    if draw.chance(0.35):  # 他 从来 没有 去 过 北京
        never = word("从来 没有", "never")
        return rule(
            zh=(subject.subject, never, been, city),
            en=(subject.subject, function(have, been), never, been, function("to", city), city),
        )
    return rule(
        zh=(subject.subject, been, city, count, times_),
        en=(subject.subject, function(have, been), been, function("to", city), city, count, times_),
    )


@template(3, subject=True)
def comes_from(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 来自 北京 / he comes from Beijing."""
    subject = subject or person(draw)
    row = draw.one(draw.lexicon.table("cities", City))
    verb = word("来自", "comes from" if subject.third else "come from")
    return chain(subject.subject, verb, word(row.zh, row.en))


@template(2)
def distance(draw: Draw) -> Phrase:
    """学校 离 车站 很 远 / the school is very far from the station."""
    rows: list[Place] = [
        row
        for row in draw.lexicon.table("places", Place)
        if row.article and row.zh[-1] not in "上里边"
    ]
    here = draw.one(rows)
    there = draw.until(lambda: draw.one(rows), lambda row: row != here)
    one, other = word(here.zh, here.en), word(there.zh, there.en)
    far, how = draw.one((("远", "far", "from"), ("近", "close", "to"))), degree(draw)
    so, from_ = word(far[0], far[1]), word("离", far[2])
    return rule(
        zh=(one, from_, other, how, so),
        en=(
            function("the", one),
            one,
            function("is", so),
            how,
            so,
            from_,
            function("the", other),
            other,
        ),
    )


@template(3)
def everyone(draw: Draw) -> Phrase:
    """每 个 学生 都 喜欢 苹果 / every student likes apples."""
    row = alone(draw)
    every, noun = suffixed(word("每", "every"), row.classifier), word(row.zh, row.en)
    subject = NounPhrase(chain(every, noun), EMPTY, "is", "person", "他")
    if draw.chance(0.5):
        so = quality(draw, "person")
        how, be = degree(draw), word(so.zh, so.en)
        all_ = word("都", "")
        return rule(
            zh=(subject.subject, all_, how, be),
            en=(subject.subject, function("is", all_, be), how, be),
        )
    rows = [
        row
        for row in draw.lexicon.table("verbs", Verb)
        if row.zh in ("喜欢", "想要", "需要", "认识")
    ]
    verb: Verb = draw.one(rows)
    object_ = draw_object(draw, verb, draw.one(verb.objects), "present").object
    group = verb_group(subject, verb, "present")
    return rule(
        zh=(subject.subject, word("都", ""), group.verb, object_),
        en=(subject.subject, group.verb, object_),
    )


@template(3, subject=True)
def interested(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 对 历史 很 感兴趣 / he is very interested in history."""
    subject = subject or person(draw)
    row = draw.one(draw.lexicon.table("topics", Topic))
    topic, in_, so = word(row.zh, row.en), word("对", "in"), word("感兴趣", "interested")
    how = word("不", "not") if draw.chance(0.25) else degree(draw)
    return rule(
        zh=(subject.subject, in_, topic, how, so),
        en=(subject.subject, function(subject.be, so), how, so, in_, topic),
    )


@template(3, subject=True)
def both(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """她 又 高 又 聪明 / she is both tall and smart."""
    subject = subject or person(draw)
    one = quality(draw, subject.noun_class)
    other = draw.until(lambda: quality(draw, subject.noun_class), lambda row: row != one)
    first, second = word("又", "both"), word("又", "and")
    so, too = word(one.zh, one.en), word(other.zh, other.en)
    be = function(subject.be, so)
    return rule(
        (subject.subject, first, so, second, too), (subject.subject, be, first, so, second, too)
    )


@template(2)
def focus(draw: Draw) -> Phrase:
    """小明 是 昨天 来 的 / it was yesterday that Xiaoming came."""
    hero = name(draw)
    row = draw.one(draw.lexicon.table("actions", Action))
    it_was, that = word("是", "it was"), word("的", "that")
    verb, when = word(row.zh, row.past), adjuncts.time(draw, "past")
    return rule(
        zh=(hero.subject, it_was, when, verb, that), en=(it_was, when, that, hero.subject, verb)
    )


@template(3, subject=True, frames="future")
def first_then(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 会 先 吃 早饭 再 写 作业 / he will first have breakfast and then do homework."""
    subject = subject or person(draw)
    one = draw.one(draw.lexicon.table("actions", Action))
    other = draw.until(
        lambda: draw.one(draw.lexicon.table("actions", Action)), lambda row: row != one
    )
    will, first, then = word("会", "will"), word("先", "first"), word("再", "and then")
    return chain(subject.subject, will, first, word(one.zh, one.en), then, word(other.zh, other.en))


@template(9, frames="")
def phrase(draw: Draw) -> Phrase:
    """早上 好 / good morning; 玛丽 ， 早上 好 / Mary , good morning."""
    row = draw.one(draw.lexicon.table("phrases", Word))
    said = expression(row.zh.removesuffix(" ？"), row.en.removesuffix(" ?"))
    if row.zh.endswith("？"):
        said = chain(said, word("？", "?"))
    if draw.chance(0.7):
        return chain(name(draw).subject, word("，", ","), said)
    return said


@template(3, frames="")
def called(draw: Draw) -> Phrase:
    """我 叫 小明 / my name is Xiaoming; 他 姐姐 叫 玛丽 / his older sister 's name is Mary."""
    who = name(draw).subject
    if draw.chance(0.5):
        zh, en = draw.one((("我", "my"), ("他", "his"), ("她", "her"), ("你", "your")))
        owner, call = word(zh, en), word("叫", "name is")
        return chain(owner, call, who)
    relative = kin(draw)
    who = draw.until(
        lambda: name(draw),
        lambda other: (
            other.pronoun == relative.pronoun
            and other.subject.zh[0][0] not in relative.subject.zh_text
        ),
    ).subject
    s, call = function("'s", relative.subject), word("叫", "name is")
    return rule((relative.subject, call, who), (relative.subject, s, call, who))
