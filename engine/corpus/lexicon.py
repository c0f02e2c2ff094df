"""The lexicon: typed rows read from tab-separated files, one file per word class.

Users add rows of their own, so that every cell is checked when it is read, and an error names
the file, the row, the column and what would be right.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache, cached_property
from pathlib import Path
from typing import TypeVar, cast

from engine.corpus import rows as kinds
from engine.corpus.columns import CHOICES
from engine.corpus.english import superlative, third_person
from engine.corpus.rows import Adjective, Mass, Noun, Row, Verb
from engine.errors import InputError
from engine.tokens import is_chinese
from engine.words import ASSETS

FOLDER = ASSETS / "lexicon"
Kind = TypeVar("Kind")

# Which row each file holds; the name of the file is the name of the word class.
FILES: dict[str, type] = {
    "names": kinds.Name,
    "kin": kinds.Kin,
    "people": kinds.Person,
    "animals": kinds.Noun,
    "foods": kinds.Noun,
    "readables": kinds.Noun,
    "shows": kinds.Noun,
    "things": kinds.Noun,
    "abstracts": kinds.Noun,
    "drinks": kinds.Mass,
    "topics": kinds.Topic,
    "places": kinds.Place,
    "cities": kinds.City,
    "companies": kinds.Company,
    "times": kinds.Time,
    "adjectives": kinds.Adjective,
    "verbs": kinds.Verb,
    "releases": kinds.Verb,
    "actions": kinds.Action,
    "da": kinds.Action,
    "motions": kinds.Motion,
    "sayings": kinds.Saying,
    "degrees": kinds.Word,
    "numbers": kinds.Word,
    "hours": kinds.Word,
    "manners": kinds.Manner,
    "adverbs": kinds.Adverb,
    "connectives": kinds.Adverb,
    "weather": kinds.Word,
    "results": kinds.Result,
    "spots": kinds.Spot,
    "rides": kinds.Ride,
    "colors": kinds.Color,
    "phrases": kinds.Word,
    "zh_variants": kinds.Variant,
    "en_variants": kinds.Variant,
}


@dataclass(frozen=True, eq=False)  # compared by identity, so that much can be kept per lexicon
class Lexicon:
    """Every row, by word class. `table("names", Name)` are the rows of names.tsv."""

    tables: Mapping[str, tuple[Row, ...]]

    def table(self, name: str, kind: type[Kind]) -> tuple[Kind, ...]:
        """The rows of one word class; `kind` is what FILES says they are."""
        if not issubclass(FILES[name], kind):
            raise TypeError(f"{name} holds {FILES[name].__name__}, not {kind.__name__}")
        return cast("tuple[Kind, ...]", self.tables[name])

    def __len__(self) -> int:
        return sum(len(table) for table in self.tables.values())

    def with_rows(self, name: str, more: Iterable[Row]) -> Lexicon:
        """A lexicon with more rows of one word class; rows already there are kept once."""
        table = dict.fromkeys((*self.tables[name], *more))
        return Lexicon({**self.tables, name: tuple(table)})

    @cached_property
    def nouns(self) -> Mapping[str, tuple[Noun | Mass, ...]]:
        """Nouns by class, people left out: they are drawn on their own."""
        return _grouped(
            (row.noun_class, row)
            for name in FILES
            for row in self.tables[name]
            if isinstance(row, Noun | Mass)
        )

    @cached_property
    def verbs(self) -> Mapping[str, tuple[Verb, ...]]:
        """Transitive verbs by the class of their object."""
        return _grouped(
            (object_class, row) for row in self.table("verbs", Verb) for object_class in row.objects
        )

    @cached_property
    def plain_verbs(self) -> tuple[Verb, ...]:
        """Verbs that one can ask about without saying the object: 看 what is read, not watched."""
        verbs = self.table("verbs", Verb)
        by_zh = {row.zh: row for row in reversed(verbs)}
        by_en = {row.en: row for row in reversed(verbs)}
        return tuple(row for row in verbs if by_zh[row.zh] == row == by_en[row.en])

    @cached_property
    def adjectives(self) -> Mapping[str, tuple[Adjective, ...]]:
        """Adjectives by the class of noun that they fit."""
        return _grouped(
            (fit, row) for row in self.table("adjectives", Adjective) for fit in row.fits
        )

    @cached_property
    def texts(self) -> Mapping[str, frozenset[str]]:
        """What stands in the columns zh and en, whole: hot pot, 打 车."""
        rows = [row for table in self.tables.values() for row in table]
        return {
            lang: frozenset(getattr(row, lang) for row in rows if hasattr(row, lang))
            for lang in ("zh", "en")
        }

    @cached_property
    def words(self) -> Mapping[str, frozenset[str]]:
        """The words of all rows by language."""
        texts: dict[str, set[str]] = {"zh": set(), "en": set()}
        for name, table in self.tables.items():
            for row in table if not name.endswith("_variants") else ():
                for column, value in _columns(row):
                    side = "zh" if column in ZH_COLUMNS else "en"
                    if column not in _NOT_WORDS:
                        texts[side] |= {token for token in value.split() if token != "-"}
                if hasattr(row, "past") and hasattr(row, "en"):
                    texts["en"] |= set(third_person(row.en).split())
                if isinstance(row, Adjective):
                    texts["en"] |= set(superlative(row.comparative).split())
        return {side: frozenset(words) for side, words in texts.items()}


ZH_COLUMNS = ("zh", "classifier", "ba", "adverb_zh", "localizer")
EN_COLUMNS = ("en", "plural", "past", "participle", "ing", "comparative", "measure", "measures")
_NOT_WORDS = ("gender", "noun_class", "bare", "tense", "frame", "owned", "target")


def _columns(row: Row) -> Iterator[tuple[str, str]]:
    for field in fields(row):
        value = getattr(row, field.name)
        if isinstance(value, str):
            yield field.name, value


def _grouped(pairs: Iterable[tuple[str, Kind]]) -> Mapping[str, tuple[Kind, ...]]:
    groups: dict[str, list[Kind]] = {}
    for key, row in pairs:
        groups.setdefault(key, []).append(row)
    return {key: tuple(group) for key, group in groups.items()}


@cache
def load_lexicon() -> Lexicon:
    """The shipped lexicon, read once from assets/lexicon/."""
    return Lexicon({name: read_rows(FOLDER / f"{name}.tsv", name) for name in FILES})


def read_rows(path: Path, name: str) -> tuple[Row, ...]:
    """The rows of one file of the word class `name`.

    Raises InputError naming file, row and column for anything that is not as it should be.
    """
    if name not in FILES:
        raise InputError("lexicon.class", file=path.name, value=name, known=", ".join(FILES))
    try:
        lines = list(csv.reader(path.read_text("utf-8").splitlines(), "excel-tab"))
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError("lexicon.unreadable", file=path.name) from fault
    columns = [field.name for field in fields(FILES[name])]
    if not lines or sorted(lines[0]) != sorted(columns):
        raise InputError("lexicon.header", file=path.name, expected=", ".join(columns))
    header = lines[0]
    filled: list[tuple[int, list[str]]] = [
        (number, cells) for number, cells in enumerate(lines[1:], 2) if any(cells)
    ]
    found: dict[Row, int] = {}
    for number, cells in filled:
        row = _row(FILES[name], header, cells, path.name, number)
        if row in found:
            raise InputError("lexicon.duplicate", file=path.name, row=number, first=found[row])
        found[row] = number
    return tuple(found)


def _row(kind: type, header: list[str], cells: list[str], file: str, number: int) -> Row:
    if len(cells) != len(header):
        raise InputError(
            "lexicon.cells", file=file, row=number, count=len(cells), expected=len(header)
        )
    types = {field.name: str(field.type) for field in fields(kind)}
    values = {
        column: _value(types[column], column, cell.strip(), file, number)
        for column, cell in zip(header, cells, strict=True)
    }
    return kind(**values)  # type: ignore[no-any-return]


def _value(type_: str, column: str, cell: str, file: str, number: int) -> object:
    if not cell:
        raise InputError("lexicon.empty", file=file, row=number, column=column)
    if type_ == "bool":
        _check(cell, ("yes", "no"), column, file, number)
        return cell == "yes"
    if type_.startswith("tuple"):
        parts = tuple(part.strip() for part in cell.split(","))
        for part in parts if column in CHOICES else ():
            _check(part, CHOICES[column], column, file, number)
        return parts
    if column in CHOICES:
        _check(cell, CHOICES[column], column, file, number)
    elif column in ZH_COLUMNS and cell != "-" and not is_chinese(cell):
        raise InputError("lexicon.not_chinese", file=file, row=number, column=column, value=cell)
    elif column in EN_COLUMNS and is_chinese(cell):
        raise InputError("lexicon.not_english", file=file, row=number, column=column, value=cell)
    return cell


def _check(cell: str, allowed: tuple[str, ...], column: str, file: str, number: int) -> None:
    if cell not in allowed:
        raise InputError(
            "lexicon.value",
            file=file,
            row=number,
            column=column,
            value=cell,
            allowed=", ".join(allowed),
        )
