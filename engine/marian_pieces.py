"""Between the words that are shown and the pieces that a MarianMT model reads.

A piece is of one word or of several (then these words stand together); a word is of one piece or
of several (then their numbers are put together, see `engine.marian_lookback`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.cuts import cut
from engine.errors import InputError
from engine.tokens import BAR, join

SPACE = "▁"  # how sentencepiece writes one
END, UNKNOWN = "</s>", "<unk>"


@dataclass(frozen=True)
class Pieced:
    """One sentence, as words and as pieces."""

    words: tuple[str, ...]
    pieces: tuple[int, ...]  # [piece] indices, END not among them
    owners: tuple[int, ...]  # [piece] the word that each belongs to
    unknown: tuple[bool, ...]  # [word] whether the model has no piece for some of it

    def of(self, word: int) -> list[int]:
        """Positions of the pieces of one word."""
        return [k for k, owner in enumerate(self.owners) if owner == word]


@dataclass(frozen=True)
class Side:
    """One language of a folder: its sentencepiece model and the indices of its pieces."""

    splitter: Any  # a sentencepiece.SentencePieceProcessor
    indices: dict[str, int]

    @property
    def end(self) -> int:
        return self.indices[END]

    def pieced(self, sentence: str, where: str) -> Pieced:
        """A sentence as someone wrote it. Raises InputError for one without words."""
        words = cut(sentence, where)
        pieces = self.splitter.encode(join(words), out_type=str)
        text = _text(pieces)
        if text != join(words):  # the model reads another spelling: full width, ligatures …
            words = tuple(sentence.split(BAR)) if BAR in sentence else cut(text, where)
        return self._with_words(words, pieces)

    def said(self, indices: Sequence[int]) -> Pieced:
        """What the model has written itself."""
        names = {index: piece for piece, index in self.indices.items()}
        pieces = [names.get(index, UNKNOWN) for index in indices]
        text = _text(pieces)
        words = cut(text) if text.strip() else (text,)
        return self._with_words(words, pieces)

    def begins(self, index: int, names: dict[int, str]) -> bool:
        """Whether a piece begins a word after a space."""
        return names[index].startswith(SPACE)

    def _with_words(self, words: Sequence[str], pieces: Sequence[str]) -> Pieced:
        groups = _owners(words, pieces)
        together = _joined(words, groups)
        number = {word: k for k, group in enumerate(together) for word in group}
        owners = tuple(number[group[0]] for group in groups)
        known = [piece in self.indices and piece != UNKNOWN for piece in pieces]
        missing = {owner for owner, there in zip(owners, known, strict=True) if not there}
        return Pieced(
            tuple(join(tuple(words[word] for word in group)) for group in together),
            tuple(self.indices.get(piece, self.indices[UNKNOWN]) for piece in pieces),
            owners,
            tuple(k in missing for k in range(len(together))),
        )


def open_side(folder: Path, side: str) -> Side:
    """The source or the target side of a folder. Raises InputError for damaged files."""
    import sentencepiece

    own = folder / f"{side}_vocab.json"
    vocabulary = own if own.is_file() else folder / "vocab.json"
    model = folder / f"{side}.spm"
    try:
        indices = json.loads(vocabulary.read_text(encoding="utf-8"))
        if not all(type(index) is int for index in indices.values()):
            raise ValueError("no indices")
        indices[END], indices[UNKNOWN]
    except (OSError, ValueError, LookupError, AttributeError, RecursionError) as error:
        raise InputError("model.file", file=vocabulary, reason=_short(error)) from None
    try:
        proto = model.read_bytes()
        if not proto:  # sentencepiece takes it for no model at all, and says nothing
            raise RuntimeError("an empty file")
        splitter = sentencepiece.SentencePieceProcessor(model_proto=proto)
    except (OSError, RuntimeError, TypeError) as error:
        raise InputError("model.file", file=model, reason=_short(error)) from None
    return Side(splitter, indices)


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0][:120]


def _text(pieces: Sequence[str]) -> str:
    return "".join(pieces).replace(SPACE, " ").strip()


def _owners(words: Sequence[str], pieces: Sequence[str]) -> list[list[int]]:
    """For every piece the words that it covers, by their places in the text."""
    text = "".join(pieces).replace(SPACE, " ")
    place, word_at = 0, [-1] * len(text)
    for number, word in enumerate(words):
        start = text.find(word, place)
        start = place if start < 0 else start
        place = min(len(text), start + len(word))
        word_at[start:place] = [number] * (place - start)
    groups, at, last = [], 0, 0
    for piece in pieces:
        covered = sorted({number for number in word_at[at : at + len(piece)] if number >= 0})
        at += len(piece)
        if not covered:  # a space alone belongs to what follows it
            covered = [next((n for n in word_at[at:] if n >= 0), last)]
        last = covered[-1]
        groups.append(covered)
    return groups


def _joined(words: Sequence[str], groups: Sequence[Sequence[int]]) -> list[list[int]]:
    """The words, those together that share a piece, and those without one with their neighbour."""
    owned = {number for group in groups for number in group}
    together: list[list[int]] = []
    for number in range(len(words)):
        shared = any(number in group and number - 1 in group for group in groups)
        if together and (shared or number not in owned):
            together[-1].append(number)
        else:
            together.append([number])
    return together
