"""Noun phrases: pronouns, names, relatives, and nouns with their determiners.

English needs an article where Chinese has none; which one follows from the Chinese side alone
(`determine`), so that each sentence has one translation.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.corpus.draw import Draw
from engine.corpus.english import article
from engine.corpus.phrases import (
    EMPTY,
    Phrase,
    chain,
    function,
    rule,
    suffixed,
    word,
)
from engine.corpus.rows import Adjective, Mass, Name, Noun, Person, Topic


class NounPhrase(NamedTuple):
    """A noun phrase in both cases of English, with what it asks of the verb."""

    subject: Phrase
    object: Phrase
    be: str  # am, are, is
    noun_class: str
    pronoun: str  # the Chinese pronoun that refers back to it

    @property
    def third(self) -> bool:
        return self.be == "is"

    @property
    def was(self) -> str:
        return "were" if self.be == "are" else "was"


# zh: subject, object, possessive, be
PRONOUNS = {
    "我": ("I", "me", "my", "am"),
    "你": ("you", "you", "your", "are"),
    "他": ("he", "him", "his", "is"),
    "她": ("she", "her", "her", "is"),
    "我们": ("we", "us", "our", "are"),
    "他们": ("they", "them", "their", "are"),
    "它": ("it", "it", "its", "is"),
}
PRONOUN_VARIANTS = {"你": "你们", "我们": "咱们", "他们": "她们"}
_PERSONAL = ("我", "你", "他", "她", "我们", "他们")
SINGULAR, PLURAL, MASS = "singular", "plural", "mass"

PLURAL_DETERMINERS = ("number", "some", "many", "several", "these", "those", "plural")


def he_or_she(gender: str) -> str:
    return "他" if gender == "m" else "她"


def pronoun(draw: Draw, zh: str | None = None) -> NounPhrase:
    zh = zh or draw.one(_PERSONAL)
    subject, object_, _, be = PRONOUNS[zh]
    shown = zh
    if zh in PRONOUN_VARIANTS and draw.variant("zh", 0.3):
        shown = PRONOUN_VARIANTS[zh]
    case = word(shown, subject)
    return NounPhrase(case, recased(case, object_), be, "person", zh)


def recased(phrase: Phrase, en: str) -> Phrase:
    """The same Chinese with another English word: I → me."""
    _, sure, maybe = phrase.en[0]
    return Phrase(phrase.zh, tuple((token, sure, maybe) for token in en.split()))


def name(draw: Draw, row: Name | None = None) -> NounPhrase:
    row = row or draw.one(draw.lexicon.table("names", Name))
    phrase = word(row.zh, row.en)
    return NounPhrase(phrase, phrase, "is", "person", he_or_she(row.gender))


def possessor(draw: Draw) -> Phrase:
    """my, Mary 's, the teacher 's."""
    draw.note("possessive")
    kind = draw.weighted(("pronoun", "name", "person"), (60, 30, 10))
    if kind == "pronoun":
        zh = draw.one(_PERSONAL)
        shown = zh
        if zh in PRONOUN_VARIANTS and draw.variant("zh", 0.3):
            shown = PRONOUN_VARIANTS[zh]
        return suffixed(word(shown, PRONOUNS[zh][2]), "的")
    if kind == "name":
        return chain(name(draw).subject, word("的", "'s"))
    row = alone(draw)
    noun = word(row.zh, row.en)
    return chain(rule((noun,), (function("the", noun), noun)), word("的", "'s"))


def adjective(row: Adjective) -> Phrase:
    """An adjective before its noun, with 的 where Chinese wants it."""
    phrase = word(row.zh, row.en)
    return suffixed(phrase, "的") if row.de else phrase


def fitting_adjective(draw: Draw, noun_class: str, noun: str, probability: float) -> Phrase:
    """An adjective that fits the class, or nothing; not a big puppy (大 小狗)."""
    rows = draw.lexicon.adjectives.get(noun_class)
    if not rows or not draw.sometimes("attributive", probability):
        return EMPTY
    row = draw.one(rows)
    if row.zh in ("大", "小", "老") and noun[0] in "大小老":
        return EMPTY
    return adjective(row)


def about(draw: Draw) -> Phrase:
    """讲 历史 的 / about history: before the noun in Chinese, after it in English."""
    topic = draw.one(draw.lexicon.table("topics", Topic))
    zh = "关于" if draw.variant("zh", 0.4) else "讲"
    return suffixed(chain(word(zh, "about"), word(topic.zh, topic.en)), "的")


def compose(
    determiner: Phrase,
    attribute: Phrase,
    noun: Phrase,
    topic: Phrase = EMPTY,
    relative: Phrase = EMPTY,
) -> Phrase:
    """我买的 那本 讲历史的 旧 书 / that old book about history that I bought."""
    return rule(
        zh=(relative, determiner, topic, attribute, noun),
        en=(determiner, attribute, noun, topic, relative),
    )


def determine(draw: Draw, kind: str, row: Noun | Mass | Person, noun: Phrase, core: str) -> Phrase:
    """The determiner of a noun. `core` is the English word that will follow it."""
    classifier = row.classifier
    measure = word(classifier, row.measure) if isinstance(row, Mass) else None
    match kind:
        case "bare":
            return function("the", noun)
        case "plural" | "none":
            return EMPTY
        case "a":
            return function(article(core), noun)
        case "one":
            one = word("一", article(row.measure if isinstance(row, Mass) else core))
            return chain(one, measure) if measure else suffixed(one, classifier)
        case "this" | "that":
            pointer = word("这" if kind == "this" else "那", kind)
            return chain(pointer, measure) if measure else suffixed(pointer, classifier)
        case "these" | "those":
            return suffixed(word("这" if kind == "these" else "那", kind), "些")
        case "number":
            number = draw.number()
            count = word(number.zh, number.en)
            if isinstance(row, Mass):
                return chain(count, word(classifier, row.measures))
            return suffixed(count, classifier)
        case "some":
            return word("一些", "some")
        case "many":
            return word("很多", "much" if isinstance(row, Mass) else "many")
        case "several":
            return suffixed(word("几", "several"), classifier)
        case "possessive":
            return possessor(draw)
    raise ValueError(kind)


def noun_phrase(
    draw: Draw,
    row: Noun | Mass | Person,
    kind: str,
    *,
    describe: float = 0.2,
    topic: Phrase = EMPTY,
    relative: Phrase = EMPTY,
) -> NounPhrase:
    """A noun with its determiner and perhaps an adjective."""
    plural = kind in PLURAL_DETERMINERS and not isinstance(row, Mass)
    noun = word(row.zh, row.en if isinstance(row, Mass) or not plural else row.plural)
    attribute = fitting_adjective(draw, row.noun_class, row.zh, describe)
    core = (attribute.en or noun.en)[0][0]
    determiner = determine(draw, kind, row, noun, core)
    phrase = compose(determiner, attribute, noun, topic, relative)
    be = "are" if plural or (isinstance(row, Mass) and kind == "number") else "is"
    pronoun = he_or_she(row.gender) if isinstance(row, Person) else "它"
    return NounPhrase(phrase, phrase, be, row.noun_class, "他们" if be == "are" else pronoun)


def alone(draw: Draw) -> Person:
    """Somebody who need not be anybody's: the doctor, but not the roommate."""
    row: Person = draw.until(
        lambda: draw.one(draw.lexicon.table("people", Person)),
        lambda found: found.owned != "always",
    )
    return row


def animal(draw: Draw) -> NounPhrase:
    row = draw.one(draw.lexicon.table("animals", Noun))
    kind = draw.weighted(("bare", "this", "that", "possessive", "number"), (40, 15, 15, 22, 8))
    return noun_phrase(draw, row, kind)


def thing(draw: Draw, noun_class: str, kind: str | None = None) -> NounPhrase:
    """A thing as the subject of a sentence: the book, this cup of tea, my phone."""
    row = draw.one(draw.lexicon.nouns[noun_class])
    if kind is None:
        kinds = ("bare", "this", "that", "possessive", "number", "these", "those")
        some = 0 if isinstance(row, Mass) else 4
        kind = draw.weighted(kinds, (40, 18, 18, 16, 3, some, some))
    modifier = EMPTY
    if noun_class in ("readable", "show") and draw.sometimes("about", 0.15):
        modifier = about(draw)
    return noun_phrase(draw, row, kind, topic=modifier)
