"""What training on a corpus of one's own leaves behind: a folder, whole or not at all."""

from __future__ import annotations

import errno
import glob
import os
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import tomli_w

from engine.errors import FaultError, InputError, cause
from engine.material import Sides
from engine.measuring import least_probabilities, translate_all
from engine.own_corpus import Pair
from engine.own_models import CARD, own_path
from engine.quality import bleu, exact_match, token_recall
from engine.translators import Interpreter
from engine.trust import KNOWN
from engine.vocabulary import UNKNOWN

NONE: frozenset[tuple[int, int]] = frozenset()  # nobody linked the words of these pairs


def check_place(folder: Path) -> None:
    """Raises InputError for a place that holds something else, before anything is trained."""
    try:
        if folder.exists() and not folder.is_dir():
            raise NotADirectoryError(20, "")
        if folder.is_dir() and any(folder.iterdir()) and not _is_ours(folder):
            raise InputError("model.place_taken", folder=folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(folder.parent, os.W_OK):
            raise PermissionError(13, "")
    except (OSError, ValueError) as error:
        raise InputError("model.place", folder=folder, reason=cause(error)) from None


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into, which takes its place at the end and only if all went well."""
    beside = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    try:
        _tidy(folder)
        beside.mkdir()
        yield beside
        if folder.exists():
            folder.rename(old)
        beside.rename(folder)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise FaultError("studio.disk_full", path=folder) from None
        raise InputError("model.place", folder=folder, reason=cause(error)) from None
    finally:
        for left in (beside, old):
            shutil.rmtree(left, ignore_errors=True)


def _tidy(folder: Path) -> None:
    """Takes away what killed runs left; a folder that one of them had moved aside comes back."""
    for left in folder.parent.glob(f".{glob.escape(folder.name)}.*.*"):
        process, _, kind = left.name.removeprefix(f".{folder.name}.").partition(".")
        if kind not in ("part", "old") or not process.isdecimal() or _lives(int(process)):
            continue
        if kind == "old" and not folder.exists():
            left.rename(folder)
        else:
            shutil.rmtree(left, ignore_errors=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def write_folder_card(folder: Path, card: Mapping[str, Any]) -> None:
    """The card of all that lies in the folder."""
    (folder / CARD).write_text(tomli_w.dumps(card), encoding="utf-8")


def read_folder_card(folder: Path) -> dict[str, Any]:
    """What `write_folder_card` wrote."""
    return tomllib.loads((folder / CARD).read_text(encoding="utf-8"))


def sides(pairs: list[Pair]) -> list[Sides]:
    """The pairs as measuring wants them."""
    return [Sides(source, target, NONE, NONE) for source, target in pairs]


def own_figures(interpreter: Interpreter, held_out: list[Pair]) -> dict[str, float]:
    """Exact match, BLEU, recall, and what the least likely word of a sentence tells about it.

    No alignment error rate: nobody linked these words.
    """
    pairs = sides(held_out)
    outputs = translate_all(interpreter, [pair.source for pair in pairs])
    references = [pair.target for pair in pairs]
    least = least_probabilities(interpreter, pairs, outputs)
    right = [list(o) == list(r) for o, r in zip(outputs, references, strict=True)]
    known = [r for p, r in zip(least, right, strict=True) if p >= KNOWN]
    words = [word for pair in pairs for word in pair.source]
    foreign = interpreter.source.encode(words).count(UNKNOWN)
    figures = {
        "exact_match": exact_match(outputs, references),
        "bleu": bleu(outputs, references),
        "token_recall": token_recall(outputs, references),
        "unknown_source_words": foreign / len(words),
        "min_p_median": median(least),
        "known_share": len(known) / len(right),
        "known_exact_match": sum(known) / max(1, len(known)),
    }
    return {name: round(value, 4) for name, value in figures.items()}


def _is_ours(folder: Path) -> bool:
    return own_path(folder, "conditional").is_file() and (folder / CARD).is_file()
