"""Templates of giving, putting and being done to: 给, 把 … 放, 被, 让."""

from __future__ import annotations

from engine.corpus import adjuncts
from engine.corpus.clauses import Clause, statement
from engine.corpus.draw import Draw
from engine.corpus.english import third_person
from engine.corpus.noun_phrases import NounPhrase, noun_phrase
from engine.corpus.objects import definite_object, draw_object, indefinite_object, other_person
from engine.corpus.people import person
from engine.corpus.phrases import EMPTY, Phrase, chain, function, rule, silent, suffixed, word
from engine.corpus.rows import Action, Spot, Verb
from engine.corpus.templates import template
from engine.corpus.tenses import TIMES, draw_tense
from engine.corpus.verb_phrases import verb_group

GIVE = Verb("给", "give", "gave", "given", "giving", ("toy",), "the", "-", False)
SEND = Verb("送 给", "present", "presented", "presented", "presenting", ("toy",), "the", "-", False)
_GIFTS = ("toy", "readable", "paper", "food", "drink", "tool", "plant", "clothes")
_GIVING = ("past", "not_past", "future", "going", "want", "plan", "condition")


@template(7, subject=True, frames="past future condition")
def give(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """她 给 了 我 一 本 书 / she gave me a book."""
    subject = subject or person(draw)
    tense = draw_tense(draw, subject, GIVE, _GIVING) or "past"
    receiver, gift = other_person(draw, subject), indefinite_object(draw, draw.one(_GIFTS))
    clause = Clause(
        subject,
        verb_group(subject, GIVE, tense),
        chain(receiver.object, gift.object),
        time=adjuncts.perhaps_time(draw, TIMES.get(tense), 0.4),
    )
    return statement(clause)


@template(3, subject=True, frames="past future")
def give_away(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """她 把 那 本 书 给 了 我 / she gave that book to me."""
    subject = subject or person(draw)
    receiver, gift = other_person(draw, subject), definite_object(draw, draw.one(_GIFTS))
    future = _is_future(draw)
    aux = word("会", "will") if future else EMPTY
    verb = word("给", "give") if future else suffixed(word("给", "gave"), "了")
    when = adjuncts.perhaps_time(draw, "future" if future else "past", 0.35)
    draw.note("ba")
    return rule(
        zh=(subject.subject, when, aux, silent("把"), gift.object, verb, receiver.object),
        en=(
            subject.subject,
            aux,
            verb,
            gift.object,
            function("to", verb),
            receiver.object,
            when,
        ),
    )


def _is_future(draw: Draw) -> bool:
    """Whether to tell a 把 clause as a plan; a frame decides, else one time in three."""
    if draw.frame:
        return draw.frame != "past"
    return draw.chance(0.35)


@template(6, subject=True, frames="past future")
def put(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """他 把 书 放 在 桌子 上 了 / he put the book on the table."""
    subject = subject or person(draw)
    noun_class = draw.one(("toy", "readable", "paper", "food", "tool", "tableware"))
    noun = draw.one(draw.lexicon.nouns[noun_class])
    kind = draw.weighted(("bare", "this", "that", "possessive", "number"), (36, 18, 18, 18, 10))
    object_ = noun_phrase(draw, noun, kind)
    spots = [
        row for row in draw.lexicon.table("spots", Spot) if row.localizer in ("上", "里", "下面")
    ]
    spot: Spot = draw.one(spots)
    future = _is_future(draw)
    when = adjuncts.perhaps_time(draw, "future" if future else "past", 0.4)
    aux = word("会", "will") if future else EMPTY
    verb, le = word("放", "put"), silent("" if future else "了")
    at = adjuncts.inside(spot)
    draw.note("ba")
    return rule(
        zh=(subject.subject, when, aux, silent("把"), object_.object, verb, silent("在"), at, le),
        en=(subject.subject, aux, verb, object_.object, at, when),
    )


@template(6, frames="past")
def passive(draw: Draw) -> Phrase:
    """那 个 杯子 昨天 被 小明 打破 了 / that cup was broken by Xiaoming yesterday."""
    rows = [row for row in draw.lexicon.table("verbs", Verb) if row.ba != "-"]
    row: Verb = draw.one(rows)
    subject = definite_object(draw, draw.one(row.objects))
    verb = suffixed(word(row.ba, row.participle), "了")
    when = adjuncts.perhaps_time(draw, "past", 0.3)
    by = word("被", "by")
    agent = person(draw).object
    be = function(subject.was, by)
    if draw.chance(0.25):
        by, agent = silent("被"), EMPTY
        be = function(subject.was, by)
    return rule(
        zh=(subject.subject, when, by, agent, verb),
        en=(subject.subject, be, verb, by, agent, when),
    )


_ASKING = (
    ("让", "let", "let"),
    ("请", "ask", "asked"),
    ("帮", "help", "helped"),
    ("鼓励", "encourage", "encouraged"),
    ("教", "teach", "taught"),
)


@template(5, subject=True)
def ask_to(draw: Draw, subject: NounPhrase | None = None) -> Phrase:
    """老师 让 我们 写 作业 / the teacher lets us do homework."""
    subject = subject or person(draw)
    other = other_person(draw, subject)
    zh, en, _ = draw.one(_ASKING)
    if en == "let" and not subject.third:  # today or yesterday? English would not say
        zh, en = "请", "ask"
    verb = word(zh, third_person(en) if subject.third else en)
    to = EMPTY if en in ("let", "help") else function("to", verb)
    return chain(subject.subject, verb, other.object, to, bare_action(draw))


def bare_action(draw: Draw) -> Phrase:
    """写 作业 / do homework; 买 那 本 书 / buy that book."""
    if draw.chance(0.5):
        action: Action = draw.one(draw.lexicon.table("actions", Action))
        return word(action.zh, action.en)
    rows = [row for row in draw.lexicon.table("verbs", Verb) if not row.state]
    row: Verb = draw.one(rows)
    things = [c for c in row.objects if c != "person"]
    if not things:
        return bare_action(draw)
    object_ = draw_object(draw, row, draw.one(things), "future")
    return chain(word(row.zh, row.en), object_.object)
