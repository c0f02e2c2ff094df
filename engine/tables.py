"""Small tables of measured figures, tab-separated, each with the command that makes it again."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from engine.errors import InputError

TABLES_DIR = Path(__file__).resolve().parent.parent / "assets" / "tables"
LENGTHS = TABLES_DIR / "translation_by_length.tsv"
POSITIONS = TABLES_DIR / "probe_by_position.tsv"
TEMPLATES = TABLES_DIR / "held_out_templates.tsv"
HARD = TABLES_DIR / "hard_sentences.tsv"

Row = TypeVar("Row")


@dataclass(frozen=True)
class LengthRow:
    """Held-out quality of one translator for sources of about one length."""

    model: str
    context: int  # size of the fixed vector; 0 where there is attention
    parameters: int
    shortest: int  # source words
    longest: int
    count: int  # sentences
    exact_match: float
    bleu: float
    token_recall: float


@dataclass(frozen=True)
class ProbeRow:
    """What a linear probe finds of one fifth of the source in the context vector."""

    shortest: int  # source words
    longest: int
    fifth: int  # of the source, from 1
    count: int  # pairs of words compared
    accuracy: float  # the word that was there is found likelier than one that was not
    chance: float  # the same asked of another sentence's context


@dataclass(frozen=True)
class TemplateRow:
    """A translator on sentences that need a structure which its training never had."""

    structure: str  # or "all left out", or "control": none of them
    count: int  # sentences
    known: int  # of those, without a word that training never had
    exact_match: float
    bleu: float
    aer: float
    known_exact_match: float  # of the sentences without such a word; 0 where there is none


@dataclass(frozen=True)
class HardRow:
    """A sentence that the grammar does not make, or may not."""

    direction: str
    kind: str  # everyday, structure, proverb, classical or technical
    source: str
    accepted: str  # translations between semicolons; empty where nothing learnt could be right


def write_table(path: Path, command: str, rows: Sequence[object]) -> None:
    """Write rows of one dataclass, whole or not at all; the first line holds the command."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    with beside.open("w", encoding="utf-8", newline="") as file:
        file.write(f"# {command}\n")
        table = [asdict(row) for row in rows]  # type: ignore[call-overload]
        writer = csv.DictWriter(file, list(table[0]), delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
    beside.replace(path)


def read_table(path: Path, kind: type[Row]) -> list[Row]:
    """The rows of a table, each as one `kind`. Raises InputError for a file that is no such table,
    or that holds a number that is none: it may be a user's own."""
    try:
        return _rows(path, kind)
    except (OSError, ValueError, LookupError, TypeError, StopIteration, csv.Error) as error:
        raise InputError("model.table", file=path, reason=type(error).__name__) from None


def _rows(path: Path, kind: type[Row]) -> list[Row]:
    kinds: dict[str, Callable[[str], Any]] = {"str": str, "int": int, "float": _number}
    casts = {field.name: kinds[str(field.type)] for field in fields(kind)}  # type: ignore[arg-type]
    with path.open(encoding="utf-8", newline="") as file:
        next(file)  # the command
        rows = csv.DictReader(file, delimiter="\t")
        return [kind(**{name: casts[name](row[name]) for name in casts}) for row in rows]


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value
