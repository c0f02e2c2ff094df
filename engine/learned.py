"""Translators that were taught new words, kept by content: the same words are learnt once.

A key says what such a translator is made from: the weights it began with, the words, the code and
the lexicon that make sentences of them. Its file appears whole, by one rename, and carries a
digest of its own numbers; a damaged one counts as absent and is made again.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import torch

from engine import checkpoints
from engine.corpus import known_words
from engine.corpus.lexicon import load_lexicon
from engine.corpus.new_words import Entry, entries_of
from engine.errors import FaultError, InputError
from engine.learning import learn, measured
from engine.new_word import NewWord
from engine.places import cache_home, own_temporary_folder
from engine.practice import Practice
from engine.probes import ContentProbe, load_probe, probe_path, save_probe, train_probe
from engine.traces import Learned, Model
from engine.translators import DIRECTIONS, Interpreter, load_interpreter, save_interpreter
from engine.words import ASSETS

KIND = "learned"  # its folder in the cache
FILE = "translator.safetensors"
PROBE_EPOCHS = 4

#: Modules that decide what a taught translator is like, beside the grammar.
_CODE = (
    "attention batching decoder deferred encoder learned learning material measuring new_word "
    "optimisation practice probes quality seq2seq vocabulary widening"
)


def taught(base: Interpreter, path: Path, words: Sequence[NewWord]) -> Interpreter:
    """A shipped translator, and some words more. path: the file that `base` was read from.

    The first time this trains for some seconds. Raises InputError for words that cannot be
    learnt, and for a translator that is not of the shipped grammar.
    """
    if base.direction not in DIRECTIONS or not base.source.lexical:
        raise InputError("new_words.no_grammar", model=base.card.name)
    entries = new_in(base.direction, _entries(words))
    if not entries:
        return base
    for folder in _folders(base.card.sha256, words):
        kept = _kept(folder / FILE, base)
        if kept is not None:
            return kept
    return _made(base, path, words, entries)


def new_in(direction: str, entries: Sequence[Entry]) -> list[Entry]:
    """The entries whose source side is new: a synonym has a translation already that way round."""
    side = direction.split("-")[0]
    known = load_lexicon().texts[side] | known_words(side)
    return [entry for entry in entries if " ".join(getattr(entry, side)) not in known]


def taught_probe(path: Path, direction: str, words: Sequence[NewWord]) -> Path:
    """Where the probe of a taught fixed-context translator lies. path: the shipped weights."""
    if not new_in(direction, _entries(words)):
        return probe_path(path)
    folders = _folders(checkpoints.checksum(path), words)
    return next((f for f in map(_probe, folders) if f.is_file()), _probe(folders[0]))


def _entries(words: Sequence[NewWord]) -> tuple[Entry, ...]:
    places = [f"translation.learn[{index}]" for index in range(len(words))]
    return entries_of(words, places, load_lexicon())


def _probe(folder: Path) -> Path:
    return probe_path(folder / FILE)


def _folders(sha256: str, words: Sequence[NewWord]) -> tuple[Path, Path]:
    """Where it is looked for: the cache, and a folder of our own if that cannot be written to."""
    parts = (sha256, *(word.model_dump_json() for word in words), _code())
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return cache_home() / KIND / key, own_temporary_folder() / KIND / key


@cache
def _code() -> str:
    """A digest of the code and of the lexicon."""
    engine = Path(__file__).parent
    files = [engine / f"{name}.py" for name in _CODE.split()]
    files += [*(engine / "corpus").glob("*.py"), *(ASSETS / "lexicon").glob("*.tsv")]
    whole = hashlib.sha256(torch.__version__.encode())
    for file in sorted(files):
        whole.update(file.name.encode() + file.read_bytes())
    return whole.hexdigest()


def _kept(path: Path, base: Interpreter) -> Interpreter | None:
    """The translator in a file; None where there is none, or not a whole one."""
    try:
        found = load_interpreter(path, base.device, base.model.bias.dtype)
        _, metadata = checkpoints.load(path)
        record = Learned(**{**metadata[KIND], "words": tuple(metadata[KIND]["words"])})
    except (InputError, KeyError, TypeError, OSError):
        return None
    probed = found.model.sizes.decoder != "fixed" or _probe_fits(path, found)
    if metadata.get("digest") != _digest(found.model.state_dict()) or not probed:
        return None
    return _named(found, record)


def _probe_fits(path: Path, found: Interpreter) -> bool:
    with suppress(InputError, OSError):
        load_probe(probe_path(path), found)
        return True
    return False


def _named(found: Interpreter, record: Learned) -> Interpreter:
    return replace(found, card=replace(found.card, name=record.model), learned=record)


def _digest(tensors: Mapping[str, torch.Tensor]) -> str:
    """sha256 of weights as they are stored: half precision, in the order of their names."""
    whole = hashlib.sha256()
    for name in sorted(tensors):
        whole.update(name.encode() + tensors[name].cpu().half().numpy().tobytes())
    return whole.hexdigest()


def _made(
    base: Interpreter, path: Path, words: Sequence[NewWord], entries: Sequence[Entry]
) -> Interpreter:
    wide, practice = learn(base, entries)
    stored = _rounded(wide, base)  # what half precision leaves of it
    name = f"{base.card.name} + {len(entries)} words"
    said = ["".join(entry.zh) for entry in entries]
    record = measured(_rounded(base, base), stored, practice, name, said)
    for folder in _folders(base.card.sha256, words):
        with suppress(OSError):
            _save(folder, stored, record, _fixed_probe(base, path, stored, practice))
            kept = _kept(folder / FILE, base)
            if kept is not None:
                return kept
    raise FaultError("new_words.no_room", folder=cache_home())


def _rounded(interpreter: Interpreter, base: Interpreter) -> Interpreter:
    """As it is stored, in float32 on the CPU, for measuring."""
    model = copy.deepcopy(interpreter.model).to("cpu").half().float()
    return replace(interpreter, model=model.eval(), card=base.card)


def _fixed_probe(
    base: Interpreter, path: Path, stored: Interpreter, practice: Practice
) -> ContentProbe | None:
    """The shipped probe, gone on with for the taught vector; None where there is attention."""
    if stored.model.sizes.decoder != "fixed":
        return None
    begin, _ = load_probe(probe_path(path), base)
    sentences = [stored.source.encode(pair.source) for pair in practice.training]
    return train_probe(stored, sentences, PROBE_EPOCHS, begin=begin)


def _save(folder: Path, stored: Interpreter, record: Learned, probe: ContentProbe | None) -> None:
    """The probe names the translator's checksum, so the translator's file comes first."""
    more: dict[str, Any] = {KIND: asdict(record), "digest": _digest(stored.model.state_dict())}
    sha256 = save_interpreter(folder / FILE, stored, **more)
    if probe is not None:
        save_probe(_probe(folder), probe, replace(stored, card=Model("", sha256, True)))
