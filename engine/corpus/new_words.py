"""New words as rows of the lexicon: cells checked, the forms that were left out derived.

    lexicon = with_new_words(load_lexicon(), words, places)

The kinds are the classes of things that the grammar knows (food, device, animal …) and the word
classes of its files (name, place, verb …). Loads no torch.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.corpus import english
from engine.corpus import rows as kinds
from engine.corpus.columns import CHOICES, NOUN_CLASSES
from engine.corpus.lexicon import Lexicon
from engine.corpus.vocabulary import known_words
from engine.errors import InputError, Phrase
from engine.new_word import NewWord
from engine.tokens import is_chinese

YES_NO = ("yes", "no")
COMMON = 8  # classes that a verb or adjective goes with where it is not said
_ENGLISH = re.compile(r"[^\W\d_][\w’'\-]*(?: [\w’'\-]+)*")
_UNLIKE_NOUNS = ("person", "topic")  # noun classes whose rows are of another make

_VERB = ("past", "participle", "ing")
_NOUN = ("countable", "plural", "measure", "measure_en")

#: Kinds that are files of the lexicon: the file, and the columns that such a word may fill in.
FILES: dict[str, tuple[str, tuple[str, ...]]] = {
    "name": ("names", ("gender",)),
    "person": ("people", ("plural", "measure", "gender")),
    "place": ("places", ("preposition", "article")),
    "city": ("cities", ()),
    "company": ("companies", ()),
    "topic": ("topics", ()),
    "verb": ("verbs", (*_VERB, "objects")),
    "action": ("actions", _VERB),
    "adjective": ("adjectives", ("comparative", "fits")),
    "adverb": ("adverbs", ()),
    "time": ("times", ("tense",)),
    "color": ("colors", ()),
}
NOUNS = tuple(name for name in NOUN_CLASSES if name not in _UNLIKE_NOUNS)
KINDS = (*FILES, *NOUNS)


@dataclass(frozen=True)
class Entry:
    """A new word as the grammar takes it: a row, its file, and both sides as tokens."""

    table: str
    row: kinds.Row
    zh: tuple[str, ...]
    en: tuple[str, ...]


@dataclass(frozen=True)
class _Cells:
    """One new word being read; `place` says where it stands, in every error."""

    word: NewWord
    place: str | Phrase
    lexicon: Lexicon

    @property
    def zh(self) -> str:
        first = is_chinese(self.word.word) or not is_chinese(self.word.translation)
        return self.word.word if first else self.word.translation

    @property
    def en(self) -> str:
        return self.word.translation if self.zh == self.word.word else self.word.word

    def text(self, column: str, otherwise: str) -> str:
        value = getattr(self.word, column) or otherwise
        if column == "measure" and not is_chinese(value):
            raise self.error("not_chinese", column, value=value)
        if column != "measure" and not _ENGLISH.fullmatch(value):
            raise self.error("not_english", column, value=value)
        return str(value)

    def choice(self, column: str, allowed: Sequence[str], otherwise: str) -> str:
        value: str = getattr(self.word, column) or otherwise
        if value not in allowed:
            key = "value" if value else "needed"
            raise self.error(key, column, value=value, allowed=", ".join(allowed))
        return value

    def classes(self, column: str, otherwise: tuple[str, ...]) -> tuple[str, ...]:
        given = getattr(self.word, column)
        parts = tuple(part.strip() for part in given.split(",")) if given else otherwise
        for part in parts:
            if part not in CHOICES[column]:
                allowed = ", ".join(CHOICES[column])
                raise self.error("value", column, value=part, allowed=allowed)
        return parts

    def error(self, key: str, column: str, **values: object) -> InputError:
        return InputError(f"new_words.{key}", place=self.place, column=column, **values)


def with_new_words(lexicon: Lexicon, entries: Iterable[Entry]) -> Lexicon:
    """The lexicon with these entries in it."""
    for entry in entries:
        lexicon = lexicon.with_rows(entry.table, [entry.row])
    return lexicon


def entries_of(
    words: Sequence[NewWord], places: Sequence[str | Phrase], lexicon: Lexicon
) -> tuple[Entry, ...]:
    """Every word as an entry. Raises InputError naming place, column and what would be right."""
    found: dict[str, str | Phrase] = {}
    entries = []
    for word, place in zip(words, places, strict=True):
        if word.word in found:
            raise InputError("new_words.twice", place=place, word=word.word, first=found[word.word])
        found[word.word] = place
        entries.append(_entry(_Cells(word, place, lexicon)))
    return tuple(entries)


def _entry(cells: _Cells) -> Entry:
    word = cells.word
    if word.kind not in KINDS:
        raise cells.error("value", "kind", value=word.kind, allowed=", ".join(KINDS))
    table, columns = FILES.get(word.kind, ("", _NOUN))
    for column in word.given():
        if column not in columns:
            raise _misplaced(cells, column, columns)
    _check_sides(cells)
    row = _MAKERS.get(word.kind, _noun)(cells)
    table = table or _noun_table(cells, row)
    return Entry(table, row, tuple(cells.zh.split()), tuple(cells.en.split()))


def _misplaced(cells: _Cells, column: str, columns: tuple[str, ...]) -> InputError:
    usable = ", ".join(columns) or Phrase("new_words.none")
    return cells.error("no_such_cell", column, kind=cells.word.kind, usable=usable)


def _check_sides(cells: _Cells) -> None:
    """One side Chinese, the other not (or both the same: RNN), and the word really new."""
    word, translation = cells.word.word, cells.word.translation
    if is_chinese(word) == is_chinese(translation) and not (
        word == translation and not is_chinese(word)
    ):
        raise cells.error("sides", "translation", word=word, translation=translation)
    if not _ENGLISH.fullmatch(cells.en):
        column = "word" if cells.en == word else "translation"
        raise cells.error("not_english", column, value=cells.en)
    lang = "zh" if is_chinese(word) else "en"
    if word in cells.lexicon.texts[lang] or word in known_words(lang):
        raise cells.error("known", "word", word=word)


def _noun(cells: _Cells) -> kinds.Row:
    noun_class = cells.word.kind
    peers = cells.lexicon.nouns[noun_class]
    masses = [row for row in peers if isinstance(row, kinds.Mass)]
    usual = "no" if 2 * len(masses) > len(peers) else "yes"
    if cells.choice("countable", YES_NO, usual) == "no":
        peer = _usual(masses, lambda row: (row.classifier, row.measure)) or ("份", "portion of")
        measure = cells.text("measure_en", peer[1])
        head, *rest = measure.split(" ", 1)
        measures = " ".join([english.plural(head), *rest])
        classifier = cells.text("measure", peer[0])
        return kinds.Mass(cells.zh, cells.en, classifier, measure, measures, noun_class)
    counted = [row for row in peers if isinstance(row, kinds.Noun)]
    classifier = cells.text("measure", _usual(counted, lambda row: row.classifier) or "个")
    plural = cells.text("plural", english.plural(cells.en))
    return kinds.Noun(cells.zh, cells.en, plural, classifier, noun_class)


def _noun_table(cells: _Cells, row: kinds.Row) -> str:
    """The file that holds most nouns of this make and class."""
    tables = [
        name
        for name, table in cells.lexicon.tables.items()
        for peer in table
        if type(peer) is type(row) and getattr(peer, "noun_class", "") == cells.word.kind
    ]
    return _usual(tables, str) or ("drinks" if isinstance(row, kinds.Mass) else "things")


def _usual(rows: Sequence[Any], trait: Callable[[Any], Any]) -> Any:
    """The commonest trait of some rows; None where there are none."""
    counts = Counter(map(trait, rows)).most_common(1)
    return counts[0][0] if counts else None


def _name(cells: _Cells) -> kinds.Row:
    return kinds.Name(cells.zh, cells.en, cells.choice("gender", CHOICES["gender"], "m"))


def _person(cells: _Cells) -> kinds.Row:
    gender = cells.choice("gender", CHOICES["gender"], "m")
    plural = cells.text("plural", english.plural(cells.en))
    return kinds.Person(cells.zh, cells.en, plural, cells.text("measure", "个"), gender, "no")


def _place(cells: _Cells) -> kinds.Row:
    preposition = cells.choice("preposition", CHOICES["preposition"], "in")
    article = cells.choice("article", YES_NO, "yes")
    return kinds.Place(cells.zh, cells.en, preposition, article == "yes")


def _forms(cells: _Cells) -> tuple[str, str, str]:
    """Past, participle and -ing form: as given, as of a verb we know (take photos), by rule."""
    verb = cells.en.split()[0]
    rest = cells.en.removeprefix(verb)
    model = next(
        (
            row
            for name in ("verbs", "actions")
            for row in cells.lexicon.tables[name]
            if isinstance(row, kinds.Verb | kinds.Action) and row.en.split()[0] == verb
        ),
        None,
    )
    if model is None:
        regular = english.past(cells.en)
        likely = (regular, cells.word.past or regular, english.ing(cells.en))
    else:
        known = (model.past, model.participle, model.ing)
        likely = tuple(form.split()[0] + rest for form in known)  # type: ignore[assignment]
    past, participle, ing = map(cells.text, _VERB, likely)
    return past, participle, ing


def _verb(cells: _Cells) -> kinds.Row:
    usual = _commonest(row.objects for row in cells.lexicon.table("verbs", kinds.Verb))
    objects = cells.classes("objects", usual)
    return kinds.Verb(cells.zh, cells.en, *_forms(cells), objects, "the", "-", False)


def _action(cells: _Cells) -> kinds.Row:
    return kinds.Action(cells.zh, cells.en, *_forms(cells))


def _adjective(cells: _Cells) -> kinds.Row:
    usual = _commonest(row.fits for row in cells.lexicon.table("adjectives", kinds.Adjective))
    comparative = cells.text("comparative", english.comparative(cells.en))
    fits = cells.classes("fits", usual)
    return kinds.Adjective(cells.zh, cells.en, comparative, len(cells.zh) > 1, fits)


def _commonest(groups: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    counts = Counter(name for group in groups for name in group)
    return tuple(name for name, _ in counts.most_common(COMMON))


def _time(cells: _Cells) -> kinds.Row:
    return kinds.Time(cells.zh, cells.en, cells.choice("tense", CHOICES["tense"], ""))


_MAKERS: dict[str, Callable[[_Cells], kinds.Row]] = {
    "name": _name,
    "person": _person,
    "place": _place,
    "verb": _verb,
    "action": _action,
    "adjective": _adjective,
    "time": _time,
    "city": lambda cells: kinds.City(cells.zh, cells.en),
    "company": lambda cells: kinds.Company(cells.zh, cells.en),
    "topic": lambda cells: kinds.Topic(cells.zh, cells.en),
    "color": lambda cells: kinds.Color(cells.zh, cells.en),
    "adverb": lambda cells: kinds.Adverb(cells.zh, cells.en, "any"),
}
