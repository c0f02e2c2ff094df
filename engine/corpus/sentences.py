"""Sentences: one clause, or several joined into one story."""

from __future__ import annotations

from engine.corpus.draw import Draw
from engine.corpus.noun_phrases import NounPhrase, name, pronoun
from engine.corpus.people import described_person
from engine.corpus.phrases import Phrase, chain, function, rule, silent, suffixed, word
from engine.corpus.rows import Action, Adverb
from engine.corpus.templates import TEMPLATES, Template, draw_clause
from engine.corpus.verb_phrases import Forms, verb_group

_LENGTHS = ((1, 2, 3, 4, 5, 6), (58, 19, 10, 6, 4, 3))
# name, Chinese opener, English opener, Chinese words of the main clause
_OPENERS = (
    ("because", "因为", "because", "所以"),
    ("although", "虽然", "although", "但是"),
    ("if", "如果", "if", ""),
)


def sentence(draw: Draw, choices: list[Template], clauses: int | None = None) -> Phrase:
    """One sentence of the given number of clauses, or of a random one."""
    count = clauses or draw.weighted(*_LENGTHS)
    joining = [choice for choice in choices if choice.frames]
    if count == 1 or not joining:
        phrase = draw_clause(draw, choices)
    elif count == 2 and draw.chance(0.25):
        phrase = two_actions(draw)
    else:
        phrase = joined(draw, joining, count)
    if phrase.zh[-1][0] != "？" and draw.sometimes("full_stop", 0.12):
        phrase = chain(phrase, word("。", "."))
    return phrase


class Story:
    """Who the clauses are about, and what may be told of them."""

    def __init__(self, draw: Draw, choices: list[Template]) -> None:
        self.draw = draw
        self.choices = choices
        self.following = [choice for choice in choices if choice.takes_subject]
        self.hero = name(draw) if draw.chance(0.7) else described_person(draw, "bare")
        self.about_hero = bool(self.following) and draw.sometimes("same_subject", 0.65)
        self.named = False

    def clause(self) -> Phrase:
        """The next clause; the hero is named once and then goes by a pronoun."""
        fitting = told_in(self.choices, self.draw.frame)
        following = told_in(self.following, self.draw.frame)
        if not self.about_hero or not following or self.draw.chance(0.06):
            return draw_clause(self.draw, fitting or self.choices)
        subject = pronoun(self.draw, self.hero.pronoun) if self.named else self.hero
        self.named = True
        clause = draw_clause(self.draw, following, subject)
        self.draw.timed = True  # when it was is said in the first clause or never
        return clause


def told_in(choices: list[Template], frame: str | None) -> list[Template]:
    return [choice for choice in choices if frame is None or frame in choice.frames]


def joined(draw: Draw, choices: list[Template], count: int) -> Phrase:
    """Clauses in a row, told in one time."""
    story = Story(draw, choices)
    if draw.sometimes("subordinate", 0.3):
        phrase, made = subordinate(draw, story), 2
    else:
        draw.frame = draw.weighted(("past", "present", "future"), (40, 35, 25))
        phrase, made = story.clause(), 1
    for _ in range(made, count):
        phrase = chain(phrase, connective(draw), story.clause())
    return phrase


def subordinate(draw: Draw, story: Story) -> Phrase:
    """因为 …， 所以 … / because … , …"""
    allowed = [row for row in _OPENERS if draw.may(row[0])] or list(_OPENERS)
    key, zh, en, answer = draw.one(allowed)
    draw.note(key)
    times = draw.weighted(("past", "present"), (60, 40))
    draw.frame = "condition" if key == "if" else times
    first = story.clause()
    draw.frame = "future" if key == "if" else times
    draw.timed = key == "if"
    comma, opener = word("，", ","), word(zh, en)
    if not answer:
        return chain(opener, first, comma, story.clause())
    reply = silent(answer)
    return chain(opener, first, comma, reply, story.clause())


def connective(draw: Draw) -> Phrase:
    rows = [
        row for row in draw.lexicon.table("connectives", Adverb) if row.frame in ("any", draw.frame)
    ]
    row = draw.one(rows)
    return chain(word("，", ","), word(row.zh, row.en))


def two_actions(draw: Draw) -> Phrase:
    """Two doings of one person: when, before, after, while, as soon as."""
    kinds = [key for key in ("when", "before", "after", "while", "as_soon_as") if draw.may(key)]
    kind = draw.one(kinds)
    draw.note(kind)
    hero = name(draw) if draw.chance(0.6) else described_person(draw, "bare")
    again = pronoun(draw, hero.pronoun)
    first: Action = draw.one(draw.lexicon.table("actions", Action))
    second: Action = draw.until(
        lambda: draw.one(draw.lexicon.table("actions", Action)),
        lambda row: row != first and (row.en != row.past or hero.third),
    )
    if kind == "while":
        return _while(hero, first, second)
    if kind == "when":
        return _when(draw, hero, first, second)
    if kind == "as_soon_as":
        return _as_soon_as(hero, again, first, second)
    return _before_or_after(kind, hero, again, first, second)


def _while(hero: NounPhrase, first: Forms, second: Forms) -> Phrase:
    """他 一边 做饭 一边 唱歌 / he cooks while singing."""
    one, other = word("一边", ""), word("一边", "while")
    main = verb_group(hero, first, "present").verb
    return chain(hero.subject, one, main, other, word(second.zh, second.ing))


def _when(draw: Draw, hero: NounPhrase, first: Forms, second: Forms) -> Phrase:
    """小明 睡觉 的 时候 ， 玛丽 正在 做饭 / when Xiaoming slept , Mary was cooking."""
    other = draw.until(lambda: name(draw), lambda n: n.subject.zh_text != hero.subject.zh_text)
    when, comma = word("的 时候", "when"), word("，", ",")
    slept, now, cooking = word(first.zh, first.past), silent("正在"), word(second.zh, second.ing)
    was = function(other.was, now)
    return rule(
        zh=(hero.subject, slept, when, comma, other.subject, now, cooking),
        en=(when, hero.subject, slept, comma, other.subject, was, cooking),
    )


def _as_soon_as(hero: NounPhrase, again: NounPhrase, first: Forms, second: Forms) -> Phrase:
    """他 一 下课 就 回家 / as soon as class is over for him, he …"""
    once, then = word("一", "as soon as"), word("就", "")
    one = verb_group(hero, first, "present").verb
    two = verb_group(hero, second, "present").verb
    he = function(again.subject.en_text, hero.subject)
    comma = function(",", then)
    return rule(
        zh=(hero.subject, once, one, then, two), en=(once, hero.subject, one, comma, he, two)
    )


def _before_or_after(
    kind: str, hero: NounPhrase, again: NounPhrase, first: Forms, second: Forms
) -> Phrase:
    """吃 饭 以前 ， 他 洗澡 / before eating , he takes a bath."""
    link = suffixed(word("以前" if kind == "before" else "以后", kind))
    comma, eating = word("，", ","), word(first.zh, first.ing)
    main = verb_group(hero, second, "present").verb
    return rule(
        zh=(eating, link, comma, hero.subject, main), en=(link, eating, comma, hero.subject, main)
    )


def clause_templates(names: frozenset[str] | None, without: frozenset[str]) -> list[Template]:
    """The templates that may be used: all, or those named, without the excluded."""
    return [
        template
        for _, template in sorted(TEMPLATES.items())
        if (names is None or template.name in names) and template.name not in without
    ]
