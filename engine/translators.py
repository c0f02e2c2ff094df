"""Trained translators on disk: which there are, what they know, how they are opened."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from engine import checkpoints
from engine.carrying import as_said
from engine.decoder import AttentiveDecoder, Kind
from engine.decoding import greedy, teacher_forced
from engine.errors import InputError
from engine.matching import Matched
from engine.seq2seq import Sizes, Translator, untrained
from engine.tokens import is_chinese
from engine.traces import Learned, Model
from engine.vocabulary import UNKNOWN, Vocabulary

Direction = str  # one of DIRECTIONS, or what a user calls a pair of languages
DIRECTIONS: tuple[Direction, ...] = ("zh-en", "en-zh")
FIXED_CONTEXT = 64  # size of the shipped fixed-context translator's one vector
SIDES = ("source", "target")


@dataclass(frozen=True)
class Interpreter:
    """A translator together with the words that its indices stand for."""

    model: Translator
    source: Vocabulary
    target: Vocabulary
    direction: Direction
    card: Model  # name, checksum, trained or not: what a trace says of it
    learned: Learned | None = None  # new words, where it was taught some

    @property
    def device(self) -> torch.device:
        return self.model.bias.device


def direction_of(source: str) -> Direction:
    """Chinese is translated into English, everything else into Chinese."""
    return "zh-en" if is_chinese(source) else "en-zh"


def weights_path(
    direction: Direction,
    decoder: Kind,
    seed: int,
    context: int,
    folder: Path = checkpoints.WEIGHTS_DIR,
) -> Path:
    """Where the weights of one translator lie; the context's size is part of a fixed one's name."""
    kind = f"{decoder}{context}" if decoder == "fixed" else decoder
    return folder / f"translator_{direction}_{kind}_seed{seed}.safetensors"


def shipped(
    direction: Direction, decoder: Kind, device: torch.device, seed: int = 1
) -> Interpreter:
    """A translator that comes with the project, in float64.

    Raises InputError for a direction that none was trained for.
    """
    path = weights_path(direction, decoder, seed, FIXED_CONTEXT)
    if not path.is_file():
        key = "translation.no_reciter" if decoder == "fixed" else "translation.no_model"
        raise InputError(key, direction=direction, decoder=decoder, file=path.name)
    return load_interpreter(path, device, torch.float64)


def save_interpreter(path: Path, interpreter: Interpreter, **more: Any) -> str:
    """Write the weights with all that is needed to open them again; returns the sha256.

    `more` is kept in the file's metadata as well.
    """
    metadata: dict[str, Any] = {
        **more,
        "model": "translator",
        "direction": interpreter.direction,
        "sizes": interpreter.model.sizes.as_dict(),
        "source_words": interpreter.source.words,
        "target_words": interpreter.target.words,
    }
    if not interpreter.source.lexical:
        metadata["lexical"] = False
    return checkpoints.save(path, interpreter.model.state_dict(), metadata)


def load_interpreter(path: Path, device: torch.device, dtype: torch.dtype) -> Interpreter:
    """Open a translator for computing. Raises InputError for a file that is none."""
    tensors, metadata = checkpoints.load(path)
    with checkpoints.describing(path):
        sizes = Sizes(**metadata["sizes"])
        words = [checkpoints.texts(metadata[f"{side}_words"]) for side in SIDES]
        lexical = metadata.get("lexical", True) is not False
        source, target = (Vocabulary(each, lexical) for each in words)
        (direction,) = checkpoints.texts([metadata["direction"]])
        if (len(source), len(target)) != (sizes.source_words, sizes.target_words):
            raise ValueError("the vocabularies are not of the sizes stated")
        model = untrained(sizes, seed=0)
    checkpoints.fill(model, tensors, path)
    model.to(device, dtype).eval()
    card = Model(path.stem, checkpoints.checksum(path), trained=True)
    return Interpreter(model, source, target, direction, card)


def untrained_twin(interpreter: Interpreter, seed: int) -> Interpreter:
    """The same architecture with the same words, as it was before its first training step."""
    twin = untrained(interpreter.model.sizes, seed)
    twin.to(interpreter.device, interpreter.model.bias.dtype).eval()
    return replace(interpreter, model=twin, card=Model("untrained twin", "", trained=False))


def uniform_twin(interpreter: Interpreter) -> Interpreter:
    """The same weights with attention frozen at 1 / source length: v = 0 makes all scores 0."""
    twin = copy.deepcopy(interpreter.model)
    if not isinstance(twin.decoder, AttentiveDecoder):
        raise TypeError("a decoder without attention cannot have it frozen")
    torch.nn.init.zeros_(twin.decoder.attention.energy.weight)
    return replace(interpreter, model=twin)


def own_words(interpreter: Interpreter, source: Matched, where: str) -> Matched:
    """The model's own greedy translation. `where` names the sentence's place in errors."""
    model = interpreter.model
    row = torch.tensor([source.indices], device=interpreter.device)  # [1, source]
    said = greedy(model, row)[0]
    if not said:
        raise InputError("translation.silent", where=where)
    looks = model.sizes.decoder != "fixed" and UNKNOWN in said
    weights = teacher_forced(model, source.indices, said).weights if looks else None
    return Matched(as_said(interpreter.target, said, source, weights), tuple(said))
