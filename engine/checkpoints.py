"""Trained weights on disk: safetensors, half precision, with what they are in the header.

A file holds tensors and text only, so that opening one never runs anything. The metadata
(sizes, vocabularies) is JSON under a single header key: with several keys the order in the
header, and so the checksum of the file, would change from run to run.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_bytes
from torch import Tensor, nn

from engine.errors import InputError

METADATA_KEY = "lookback"
WEIGHTS_DIR = Path(__file__).resolve().parent.parent / "assets" / "weights"

Metadata = dict[str, Any]


def save(path: Path | str, tensors: Mapping[str, Tensor], metadata: Mapping[str, Any]) -> str:
    """Write weights as fp16 and return the file's sha256.

    The file appears whole or not at all: it is written beside its place, then renamed.
    """
    path = Path(path)
    halves = {name: _half(tensor) for name, tensor in sorted(tensors.items())}
    header = json.dumps(metadata, ensure_ascii=False, sort_keys=True)
    data = to_bytes(halves, metadata={METADATA_KEY: header})
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return hashlib.sha256(data).hexdigest()


def load(path: Path | str) -> tuple[dict[str, Tensor], Metadata]:
    """Read weights as float32, with their metadata.

    Raises InputError for a file that is missing, cut short, not safetensors (a pickle is
    refused unread), without our metadata, or with a number that is not finite.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError("weights.missing", path=path)
    try:
        with safe_open(path, framework="pt", device="cpu") as file:
            header = (file.metadata() or {}).get(METADATA_KEY)
            tensors = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise InputError("weights.unreadable", path=path, why=error) from error
    for name, tensor in tensors.items():
        if not bool(torch.isfinite(tensor).all()):
            raise InputError("weights.not_finite", path=path, tensor=name)
    return tensors, _metadata(path, header)


@contextmanager
def describing(path: Path | str) -> Iterator[None]:
    """Around the building of a model from a file's metadata.

    The model gets no memory yet (`fill` gives it its tensors), so that a size in a damaged file
    costs nothing. Raises InputError for metadata that no model can be built from.
    """
    try:
        with torch.device("meta"):
            yield
    except (LookupError, TypeError, ValueError, ArithmeticError, RuntimeError) as error:
        raise InputError("weights.no_metadata", path=path) from error


def texts(value: object) -> tuple[str, ...]:
    """A vocabulary in metadata. Raises TypeError for anything but a list of texts."""
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise TypeError("a list of texts is needed")
    return tuple(value)


def fill(module: nn.Module, tensors: Mapping[str, Tensor], path: Path | str) -> None:
    """Give a module its weights; InputError names the first that does not fit."""
    wanted = module.state_dict()
    for name in sorted(wanted.keys() | tensors.keys()):
        have = tuple(tensors[name].shape) if name in tensors else None
        want = tuple(wanted[name].shape) if name in wanted else None
        if have != want:
            raise InputError("weights.shape", path=path, tensor=name, have=have, want=want)
    module.load_state_dict(dict(tensors), assign=True)


def checksum(path: Path | str) -> str:
    """sha256 of a file, as its card states it."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _half(tensor: Tensor) -> Tensor:
    return tensor.detach().to("cpu", torch.float16).contiguous()


def _metadata(path: Path, header: str | None) -> Metadata:
    try:
        metadata = json.loads(header or "")
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError("weights.no_metadata", path=path) from error
    if not isinstance(metadata, dict):
        raise InputError("weights.no_metadata", path=path)
    return metadata
