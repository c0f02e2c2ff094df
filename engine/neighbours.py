"""Which kinds of words stand side by side in the corpus: `python -m engine.training neighbours`.

A translator trained on a grammar will say something to any row of words it knows. Whether that
row is a sentence of a kind that it was trained on, is asked of the corpus itself: every two
neighbours of the source, as kinds of words, must have been neighbours there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import pairwise
from typing import Any

import click

from engine.cards import command_line
from engine.corpus.lexicon import load_lexicon
from engine.tables import TABLES_DIR, read_table, write_table
from engine.translators import DIRECTIONS, Direction
from engine.vocabulary import SPECIAL, UNKNOWN

PAIRS = 120_000  # as the translators are trained with
EDGE = "|"  # before the first word and after the last

Kind = frozenset[tuple[str, ...]] | str


@dataclass(frozen=True)
class NeighbourRow:
    """Two words whose kinds stand side by side, each the first of its kind in the alphabet."""

    left: str
    right: str


@cache
def _places() -> dict[str, frozenset[tuple[str, ...]]]:
    """Where in the lexicon a word stands: tables, columns, classes, places in a phrase."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for table, rows in load_lexicon().tables.items():
        for row in rows:
            for word, place in _cells(table, row):
                found.setdefault(word, set()).add(place)
    return {word: frozenset(places) for word, places in found.items()}


def _cells(table: str, row: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    noun_class = str(getattr(row, "noun_class", ""))
    for field in fields(row):
        value = getattr(row, field.name)
        words = value.split() if isinstance(value, str) else []
        for at, word in enumerate(words):
            yield word, (table, field.name, noun_class, str(at) if len(words) > 1 else "")


def kind_of(word: str) -> Kind:
    """Words that stand in the same places of the lexicon are of one kind; others are their own."""
    return _places().get(word, word)


def side_by_side(words: Sequence[str]) -> list[tuple[Kind, Kind]]:
    """The kinds of every two words side by side, the edges of the sentence included."""
    return list(pairwise(map(kind_of, (EDGE, *words, EDGE))))


@cache
def known_neighbours(direction: Direction) -> frozenset[tuple[Kind, Kind]]:
    """All that the corpus has on its source side; nothing where no table was made."""
    path = TABLES_DIR / f"neighbours_{direction}.tsv"
    rows = read_table(path, NeighbourRow) if path.is_file() else []
    return frozenset((kind_of(row.left), kind_of(row.right)) for row in rows)


def unseen(words: Sequence[str], direction: Direction) -> list[tuple[str, str]]:
    """Neighbours in a source that are of kinds which the corpus never has side by side.

    Of an unknown word nothing can be said.
    """
    known = known_neighbours(direction)
    pairs = zip(pairwise((EDGE, *words, EDGE)), side_by_side(words), strict=True)
    told = [(pair, kinds) for pair, kinds in pairs if SPECIAL[UNKNOWN] not in pair]
    return [pair for pair, kinds in told if known and kinds not in known]


@click.command()
@click.option("--pairs", default=PAIRS, help="Training pairs made by the grammar.")
def neighbours(pairs: int) -> None:
    """List the kinds of words that stand side by side in the corpus, for both directions."""
    from engine.material import make_material  # the whole grammar, which a trace need not load

    for direction in DIRECTIONS:
        sources = [side.source for side in make_material(direction, pairs).training]
        rows = _rows(sources)
        write_table(TABLES_DIR / f"neighbours_{direction}.tsv", command_line(), rows)
        click.echo(f"{direction}: {len(rows)} kinds of neighbours")


def _rows(sources: Sequence[Sequence[str]]) -> list[NeighbourRow]:
    first: dict[Kind, str] = {}
    for word in sorted({EDGE, *(word for words in sources for word in words)}):
        first.setdefault(kind_of(word), word)
    found = {pair for words in sources for pair in side_by_side(words)}
    return [NeighbourRow(*pair) for pair in sorted((first[a], first[b]) for a, b in found)]
