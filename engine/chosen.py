"""Which translator speaks for a lesson: the shipped one, or what the lesson asks for instead."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch

from engine import own_models, tables
from engine.decoder import Kind
from engine.errors import InputError
from engine.learned import taught, taught_probe
from engine.lesson import Lesson
from engine.probes import probe_path
from engine.translators import (
    FIXED_CONTEXT,
    Interpreter,
    direction_of,
    load_interpreter,
    shipped,
    weights_path,
)


def own_folder(lesson: Lesson) -> Path | None:
    """The folder of the lesson's own translator, if it has one."""
    model = lesson.translation.model
    return None if model is None else Path(model)


def pretrained(lesson: Lesson) -> bool:
    """Whether the lesson's translator is a MarianMT folder."""
    folder = own_folder(lesson)
    return folder is not None and own_models.is_marian(folder)


def translator_of(lesson: Lesson, source: str) -> str:
    """The same text for all sources that one translator speaks for."""
    return lesson.translation.model or direction_of(source)


def chosen(
    lesson: Lesson, source: str, decoder: Kind, device: torch.device, seed: int = 1
) -> Interpreter:
    """The translator for a source sentence of the lesson; `seed` is that of its training.

    Raises InputError where there is none for the sentence's direction, or none in the folder, and
    for words of the lesson that cannot be learnt.
    """
    folder = own_folder(lesson)
    words = lesson.translation.learn
    if folder is None:
        found = shipped(direction_of(source), decoder, device, seed)
        path = weights_path(found.direction, decoder, seed, FIXED_CONTEXT)
        return taught(found, path, words) if words else found
    if words:
        raise InputError("new_words.no_grammar", model=folder)
    if own_models.is_marian(folder):
        raise InputError("model.only_looking_back", folder=folder)
    return own_models.own_interpreter(folder, decoder, device, seed)


def others(lesson: Lesson, first: Interpreter) -> tuple[Interpreter, ...] | None:
    """The lesson's own translator trained from other seeds; None where it is not its own."""
    folder = own_folder(lesson)
    if folder is None:
        return None
    paths = own_models.siblings(folder, first.model.sizes.decoder)
    dtype = first.model.bias.dtype
    found = (own_models.named(load_interpreter(path, first.device, dtype)) for path in paths)
    words = (first.source, first.target)
    return tuple(each for each in found if (each.source, each.target) == words)


@dataclass(frozen=True)
class Measured:
    """Where the probe of a fixed-context translator and its tables lie."""

    probe: Path
    lengths: Path
    positions: Path


def measured(lesson: Lesson, source: str) -> Measured:
    """What was measured of the very translator that recites.

    Raises InputError for a folder without it: the shipped curves are not those of its models.
    """
    folder = own_folder(lesson)
    if folder is None:
        fixed = weights_path(direction_of(source), "fixed", 1, FIXED_CONTEXT)
        words = lesson.translation.learn
        probe = taught_probe(fixed, direction_of(source), words) if words else probe_path(fixed)
        return Measured(probe, tables.LENGTHS, tables.POSITIONS)
    found = Measured(*(folder / name for name in own_models.MEASURED))
    for path in (found.probe, found.lengths, found.positions):
        if not path.is_file():
            raise InputError("model.no_tables", folder=folder, file=path.name)
    return found
