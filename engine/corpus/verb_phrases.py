"""Verb groups: what tense, aspect, negation and modality make of a verb on either side."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from engine.corpus.english import third_person
from engine.corpus.noun_phrases import NounPhrase
from engine.corpus.phrases import EMPTY, Phrase, function, loose, suffixed, word


class Forms(Protocol):
    """A row with the forms of a verb."""

    @property
    def zh(self) -> str: ...
    @property
    def en(self) -> str: ...
    @property
    def past(self) -> str: ...
    @property
    def participle(self) -> str: ...
    @property
    def ing(self) -> str: ...


class VerbGroup(NamedTuple):
    """The parts of a verb group, each to be put where its language wants it.

    Chinese: negation, finite, modal, …, verb. English: finite, negation, modal, verb; a question
    puts `finite` before the subject.
    """

    negation: Phrase
    finite: Phrase
    modal: Phrase
    verb: Phrase


# Chinese modal: English, with whether English inflects it.
_PLAIN_MODALS = {
    "future": ("会", "will"),
    "can": ("能", "can"),
    "may": ("可以", "may"),
    "should": ("应该", "should"),
    "must": ("必须", "must"),
}
_FULL_MODALS = {"want": ("想", "want to"), "plan": ("打算", "plan to")}


def _do(subject: NounPhrase) -> str:
    return "does" if subject.third else "do"


def _have(subject: NounPhrase) -> str:
    return "has" if subject.third else "have"


def verb_group(subject: NounPhrase, row: Forms, tense: str, *, inverted: bool = False) -> VerbGroup:
    """The group for a subject and a tense; `inverted` gives English a finite verb to move."""
    plain = tense.removeprefix("not_")
    if plain in _PLAIN_MODALS:
        return _plain_modal(row, plain, negative=plain != tense)
    if plain in _FULL_MODALS:
        return _full_modal(subject, row, plain, plain != tense, inverted)
    match tense:
        case "past":
            if inverted:
                verb = _with_aspect(row, row.en, "了")
                return VerbGroup(EMPTY, function("did", verb), EMPTY, verb)
            return VerbGroup(EMPTY, EMPTY, EMPTY, _with_aspect(row, row.past, "了"))
        case "not_past":
            no = word("没有", "not")
            return VerbGroup(no, function("did", no), EMPTY, word(row.zh, row.en))
        case "present" | "condition":
            if inverted:
                verb = word(row.zh, row.en)
                return VerbGroup(EMPTY, function(_do(subject), verb), EMPTY, verb)
            form = third_person(row.en) if subject.third else row.en
            return VerbGroup(EMPTY, EMPTY, EMPTY, word(row.zh, form))
        case "not_present" | "not_condition":
            no = word("不", "not")
            return VerbGroup(no, function(_do(subject), no), EMPTY, word(row.zh, row.en))
        case "going":
            aux = word("要", "going to")
            return VerbGroup(EMPTY, function(subject.be, aux), aux, word(row.zh, row.en))
        case "progressive":
            return VerbGroup(EMPTY, loose("正在", subject.be), EMPTY, word(row.zh, row.ing))
        case "perfect":
            verb = _with_aspect(row, row.participle, "过")
            return VerbGroup(EMPTY, function(_have(subject), verb), EMPTY, verb)
        case "not_perfect":
            no = word("没有", "not")
            verb = _with_aspect(row, row.participle, "过")
            return VerbGroup(no, function(_have(subject), verb), EMPTY, verb)
        case "already":
            aux = word("已经", "already")
            verb = suffixed(word(row.zh, row.participle), "了")
            return VerbGroup(EMPTY, function(_have(subject), verb), aux, verb)
    raise ValueError(tense)


def _with_aspect(row: Forms, en: str, particle: str) -> Phrase:
    """买 了, but 打 了 车: the particle follows the verb, not its built-in object."""
    whole = suffixed(word(row.zh, en), particle)
    if " " not in row.zh:
        return whole
    return Phrase((whole.zh[0], whole.zh[-1], *whole.zh[1:-1]), whole.en)


def _plain_modal(row: Forms, modal: str, negative: bool) -> VerbGroup:
    zh, en = _PLAIN_MODALS[modal]
    verb = word(row.zh, row.en)
    if not negative:
        return VerbGroup(EMPTY, word(zh, en), EMPTY, verb)
    if modal == "can":  # cannot is one word
        return VerbGroup(EMPTY, word("不 能", "cannot"), EMPTY, verb)
    return VerbGroup(word("不", "not"), word(zh, en), EMPTY, verb)


def _full_modal(
    subject: NounPhrase, row: Forms, modal: str, negative: bool, inverted: bool
) -> VerbGroup:
    zh, en = _FULL_MODALS[modal]
    verb = word(row.zh, row.en)
    if negative:
        no = word("不", "not")
        return VerbGroup(no, function(_do(subject), no), word(zh, en), verb)
    if inverted:
        aux = word(zh, en)
        return VerbGroup(EMPTY, function(_do(subject), aux), aux, verb)
    return VerbGroup(EMPTY, EMPTY, word(zh, third_person(en) if subject.third else en), verb)
