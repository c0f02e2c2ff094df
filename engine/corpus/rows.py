"""What stands in one row of each lexicon file: one dataclass per word class.

The fields are the columns of the file; `columns.py` says what they may hold.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name."""

    zh: str
    en: str
    gender: str


@dataclass(frozen=True, slots=True)
class Kin:
    """A relative, always somebody's: 我妈妈, my mother."""

    zh: str
    en: str
    gender: str


@dataclass(frozen=True, slots=True)
class Person:
    """A person by calling: 老师, teacher. `gender` chooses 他 or 她; `owned`: 我的老师 makes sense
    (yes), or 老师 alone does not, as with 室友 (always)."""

    zh: str
    en: str
    plural: str
    classifier: str
    gender: str
    owned: str

    @property
    def noun_class(self) -> str:
        return "person"


@dataclass(frozen=True, slots=True)
class Noun:
    """A thing that can be counted, with its measure word."""

    zh: str
    en: str
    plural: str
    classifier: str
    noun_class: str


@dataclass(frozen=True, slots=True)
class Mass:
    """A thing measured, not counted: 茶, 杯 → a cup of tea, two cups of tea."""

    zh: str
    en: str
    classifier: str
    measure: str
    measures: str
    noun_class: str


@dataclass(frozen=True, slots=True)
class Topic:
    """What a book may be about or a student may study; no article in English."""

    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere to be: 在 图书馆, in the library. `article` is no for at school, at home."""

    zh: str
    en: str
    preposition: str
    article: bool


@dataclass(frozen=True, slots=True)
class City:
    """A city or country."""

    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class Company:
    """A company, which releases things."""

    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class Time:
    """A time expression; `tense` says which sentences it fits."""

    zh: str
    en: str
    tense: str


@dataclass(frozen=True, slots=True)
class Adjective:
    """`de`: whether 的 stands before a noun; `fits`: the noun classes it can describe."""

    zh: str
    en: str
    comparative: str
    de: bool
    fits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verb:
    """A transitive verb and the classes of its objects.

    `bare` says what English makes of a bare Chinese noun after it: the book, books, a book.
    `ba` is the verb as it stands after 把 (修好), or - ; `state` verbs take neither 了 nor 正在.
    """

    zh: str
    en: str
    past: str
    participle: str
    ing: str
    objects: tuple[str, ...]
    bare: str
    ba: str
    state: bool


@dataclass(frozen=True, slots=True)
class Action:
    """A verb without an object, or with one that belongs to it: 跑步, 做 饭, 打 车."""

    zh: str
    en: str
    past: str
    participle: str
    ing: str


@dataclass(frozen=True, slots=True)
class Motion:
    """A verb of going; `way` is the English word before the place (to, at, in or -).

    `target` is where it can go: city, place or any.
    """

    zh: str
    en: str
    past: str
    participle: str
    ing: str
    way: str
    target: str


@dataclass(frozen=True, slots=True)
class Saying:
    """A verb that takes a sentence; `frame` is the time of that sentence: hope, the future."""

    zh: str
    en: str
    past: str
    frame: str


@dataclass(frozen=True, slots=True)
class Result:
    """How an action turns out: 跑 得 很 快, run very fast; the verb is the one before 得."""

    zh: str
    en: str
    past: str
    adverb_zh: str
    adverb_en: str


@dataclass(frozen=True, slots=True)
class Spot:
    """Where things lie: 桌子 上, on the table."""

    zh: str
    localizer: str
    en: str
    preposition: str


@dataclass(frozen=True, slots=True)
class Ride:
    """How one goes: 坐 飞机, by plane."""

    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class Manner:
    """认真 地, carefully; `verbs` are the only ones it goes with, or - for any."""

    zh: str
    en: str
    verbs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Adverb:
    """A word between subject and verb: often (present), finally (past), also (any)."""

    zh: str
    en: str
    frame: str


@dataclass(frozen=True, slots=True)
class Color:
    """A colour, with 的 before a noun and 是 … 的 as a predicate."""

    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class Variant:
    """Another way to write what the grammar says in one way; same words or all into one."""

    said: str
    also: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word with one form on either side: degrees, numbers, manners, weather, connectives."""

    zh: str
    en: str


Row = (
    Name
    | Kin
    | Person
    | Noun
    | Mass
    | Topic
    | Place
    | City
    | Company
    | Time
    | Adjective
    | Verb
    | Action
    | Motion
    | Saying
    | Result
    | Spot
    | Ride
    | Color
    | Variant
    | Manner
    | Adverb
    | Word
)
