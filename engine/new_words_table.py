"""A user's table of new words: tab-separated lines of word, translation and kind.

    蓝莓	blueberry	food
    天文台	observatory	place

A first line with the names of columns may stand before them, and then further columns too.
Empty lines and lines that begin with # are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from engine.errors import InputError, Phrase, cause
from engine.new_word import COLUMNS, MOST_NEW_WORDS, NEEDED, NewWord
from engine.tokens import clean

MOST_BYTES = 1_000_000

Line = tuple[int, list[str]]  # number in the file, cells


def read_new_words(path: Path) -> tuple[tuple[NewWord, ...], tuple[Phrase, ...]]:
    """The words of a table, and where each stands, for errors about it.

    Raises InputError naming file, line, column and what would be right.
    """
    lines = _lines(path)
    header = list(NEEDED)
    if lines and NEEDED[0] in lines[0][1]:
        header = _header(path, *lines.pop(0))
    if not lines:
        raise InputError("new_words.empty", file=path.name)
    if len(lines) > MOST_NEW_WORDS:
        raise InputError("new_words.many", file=path.name, most=MOST_NEW_WORDS)
    places = tuple(_place(path, number) for number, _ in lines)
    pairs = zip(lines, places, strict=True)
    return tuple(_word(header, cells, place) for (_, cells), place in pairs), places


def _lines(path: Path) -> list[Line]:
    try:
        with path.open("rb") as file:  # never more than a table can have: it may be a device
            data = file.read(MOST_BYTES + 1)
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("new_words.not_utf8", file=path.name) from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InputError("new_words.unreadable", file=path, reason=cause(error)) from None
    if len(data) > MOST_BYTES:
        raise InputError("new_words.many", file=path.name, most=MOST_NEW_WORDS)
    rows = (line.split("\t") for line in text.splitlines())
    lines = ((number, [cell.strip() for cell in cells]) for number, cells in enumerate(rows, 1))
    return [(n, cells) for n, cells in lines if any(cells) and not cells[0].startswith("#")]


def _header(path: Path, number: int, cells: list[str]) -> list[str]:
    for column in cells:
        if column not in COLUMNS:
            raise InputError(
                "new_words.column",
                place=_place(path, number),
                column=column,
                known=", ".join(COLUMNS),
            )
    for column in dict.fromkeys((*NEEDED, *cells)):
        if cells.count(column) != 1:
            raise InputError("new_words.once", place=_place(path, number), column=column)
    return cells


def _word(header: Sequence[str], cells: list[str], place: Phrase) -> NewWord:
    while cells and not cells[-1]:
        cells = cells[:-1]
    if len(cells) > len(header):
        raise InputError("new_words.cells", place=place, count=len(cells), most=len(header))
    row = {
        name: clean(cell, place)
        for name, cell in zip(header, cells, strict=False)
        if cell
    }
    for column in NEEDED:
        if column not in row:
            raise InputError("new_words.missing", place=place, column=column)
    return _checked(row, place)


def _checked(row: Mapping[str, str], place: Phrase) -> NewWord:
    try:
        return NewWord(**row)
    except ValidationError as error:  # only the length is left to be wrong
        column = error.errors()[0]["loc"][0]
        raise InputError("new_words.long", place=place, column=column) from None


def _place(path: Path, number: int) -> Phrase:
    return Phrase("new_words.line", file=path.name, line=number)
