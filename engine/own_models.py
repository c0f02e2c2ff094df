"""Folders with a translator of the user's own: what lies in them, and how they are opened.

`python -m engine.training --corpus` writes them; one that holds a MarianMT model instead is told
apart by its `config.json` (see `engine.marian`).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch

from engine.decoder import Kind
from engine.errors import InputError, cause
from engine.lesson import Lesson
from engine.translators import Interpreter, load_interpreter

CARD = "card.toml"
MARIAN = "config.json"
MEASURED = ("probe.safetensors", "lengths.tsv", "positions.tsv")  # of the fixed-context one
PICKLES = ("*.pt", "*.pth", "*.bin", "*.ckpt", "*.pkl")  # can run anything: never opened


def folder_of(lesson: Lesson) -> Path:
    """The folder of a lesson that names one."""
    assert lesson.translation.model is not None
    return Path(lesson.translation.model)


def own_path(folder: Path, decoder: Kind, seed: int = 1) -> Path:
    """Where a folder has its translator; further seeds of it are numbered from 2."""
    name = decoder if decoder == "fixed" else "conditional"
    return folder / (f"{name}.safetensors" if seed == 1 else f"{name}_{seed}.safetensors")


def own_interpreter(
    folder: Path, decoder: Kind, device: torch.device, seed: int = 1
) -> Interpreter:
    """The translator of a folder, in float64. Raises InputError where there is none."""
    path = own_path(folder, decoder, seed)
    if not path.is_file():
        raise _none(folder, path)
    return named(load_interpreter(path, device, torch.float64))


def named(interpreter: Interpreter) -> Interpreter:
    """With a name that says whose it is, and of which languages: its file is called alike in
    every folder."""
    languages = interpreter.direction.replace("_", " ")
    name = f"own_{languages}_{interpreter.card.name}"
    return replace(interpreter, card=replace(interpreter.card, name=name))


def siblings(folder: Path, decoder: Kind) -> list[Path]:
    """The same translator trained from other seeds, as far as they lie in the folder."""
    found: list[Path] = []
    while (path := own_path(folder, decoder, len(found) + 2)).is_file():
        found.append(path)
    return found


def is_marian(folder: Path) -> bool:
    """Whether a folder is one of Hugging Face's, not of ours."""
    return (folder / MARIAN).is_file() and not own_path(folder, "conditional").is_file()


def _none(folder: Path, path: Path) -> InputError:
    """Why a folder cannot be used, and what would be right."""
    try:
        there = sorted(entry.name for entry in folder.iterdir())
    except OSError as error:
        return InputError("model.folder", folder=folder, reason=cause(error))
    if path.stem == "fixed" and own_path(folder, "conditional").is_file():
        return InputError("model.no_fixed", folder=folder)
    if any(Path(name).match(kind) for name in there for kind in PICKLES):
        return InputError("model.pickle", folder=folder)
    return InputError("model.none", folder=folder, file=path.name)
