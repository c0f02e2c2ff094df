"""Sentence pairs from a file of the user's own: source, tab, target, one pair a line.

A third column (who wrote the pair, on sites that give such files) is passed over. Lines that
cannot be used are counted by their fault, and the first of each are named by number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from engine.cuts import cut
from engine.errors import InputError, Phrase, cause

MOST_BYTES = 500_000_000  # of a file
MOST_PAIRS = 200_000  # that are used; those after them are left
MOST_LINE = 40_000  # bytes of a line
MOST_WORDS = 60  # of a sentence
FEWEST_PAIRS = 20  # that training makes sense with
FEWEST_SOURCES = 10  # different ones: some are held out, and the others have to be learnt from
MOST_NAMED = 5  # line numbers of one fault
FAULTS = ("columns", "unprintable", "long")  # texts under errors.pairs.faults

Words = tuple[str, ...]


@dataclass(frozen=True)
class Faults:
    """How many lines were left out for each reason, and the numbers of the first of them."""

    counts: dict[str, int]
    lines: dict[str, tuple[int, ...]]

    def phrase(self) -> Phrase | None:
        """The commonest fault, as a reader should hear it."""
        name = max(FAULTS, key=lambda fault: self.counts[fault])
        if not self.counts[name]:
            return None
        numbers = ", ".join(map(str, self.lines[name]))
        return Phrase(f"pairs.faults.{name}", lines=numbers, words=MOST_WORDS)


@dataclass(frozen=True)
class PairsFile:
    """What a file holds that a translator can be trained on."""

    pairs: tuple[tuple[Words, Words], ...]
    faults: Faults
    digest: str  # sha256 of the file


def read_pairs(path: Path, most: int = MOST_PAIRS) -> PairsFile:
    """The pairs of a file, each once.

    Raises InputError for a file that is missing, too large, not UTF-8 (with the line), or that
    has too few pairs.
    """
    reader = _Reader(most)
    try:
        if not path.is_file():
            raise IsADirectoryError(21, "") if path.is_dir() else FileNotFoundError(2, "")
        if path.stat().st_size > MOST_BYTES:
            raise InputError("pairs.too_large", file=path, most=MOST_BYTES // 1_000_000)
        with path.open("rb") as file:
            reader.read(file, path)
            file.seek(0)
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as error:
        raise InputError("pairs.unreadable", file=path, reason=cause(error)) from None
    faults = Faults(reader.counts, {name: tuple(n) for name, n in reader.lines.items()})
    if len(reader.pairs) < FEWEST_PAIRS:
        why = faults.phrase() or Phrase("pairs.faults.none")
        raise InputError(
            "pairs.too_few", file=path, count=len(reader.pairs), least=FEWEST_PAIRS, why=why
        )
    sources = len({source for source, _ in reader.pairs})
    if sources < FEWEST_SOURCES:
        raise InputError("pairs.too_alike", file=path, count=sources, least=FEWEST_SOURCES)
    return PairsFile(tuple(reader.pairs), faults, digest)


class _Reader:
    """Collects pairs and counts what is left out."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.pairs: dict[tuple[Words, Words], None] = {}
        self.counts = dict.fromkeys(("blank", "duplicate", *FAULTS, "beyond"), 0)
        self.lines: dict[str, list[int]] = {name: [] for name in FAULTS}

    def read(self, file: BinaryIO, path: Path) -> None:
        for number, line in _lines(file):
            if len(self.pairs) >= self.most:
                self.counts["beyond"] += 1
                continue
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                if len(line) > MOST_LINE:  # cut in the middle of a letter
                    self._leave("long", number)
                    continue
                raise InputError("pairs.not_utf8", file=path, line=number) from None
            self._take(text, number, len(line))

    def _take(self, text: str, number: int, size: int) -> None:
        if not text.strip():
            self.counts["blank"] += 1
            return
        columns = text.split("\t")
        if size > MOST_LINE:
            self._leave("long", number)
        elif len(columns) < 2 or not all(column.strip() for column in columns[:2]):
            self._leave("columns", number)
        else:
            self._add(columns[0], columns[1], number)

    def _add(self, source: str, target: str, number: int) -> None:
        try:
            pair = cut(source), cut(target)
        except InputError as error:
            return self._leave("columns" if "empty" in error.key else "unprintable", number)
        if max(map(len, pair)) > MOST_WORDS:
            return self._leave("long", number)
        if pair in self.pairs:
            self.counts["duplicate"] += 1
        self.pairs[pair] = None
        return None

    def _leave(self, fault: str, number: int) -> None:
        self.counts[fault] += 1
        if len(self.lines[fault]) < MOST_NAMED:
            self.lines[fault].append(number)


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers; of one that is too long only the beginning."""
    number = 0
    while line := file.readline(MOST_LINE + 1):
        number += 1
        rest = line
        while not rest.endswith(b"\n") and len(rest) > MOST_LINE:
            rest = file.readline(MOST_LINE + 1)
        yield number, line
