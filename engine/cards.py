"""The card beside every weights file: what it was made from, how, and how good it is."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from engine.errors import FaultError


def card_path(weights: Path | str) -> Path:
    """`assets/weights/name.card.toml` for `assets/weights/name.safetensors`."""
    return Path(weights).with_suffix(".card.toml")


def write_card(weights: Path | str, card: Mapping[str, Any]) -> None:
    """Write the card of a weights file, whole or not at all."""
    path = card_path(weights)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    beside.write_text(tomli_w.dumps(card), encoding="utf-8")
    beside.replace(path)


def read_card(weights: Path | str) -> dict[str, Any]:
    """The card of a weights file. Raises FaultError where it is missing or damaged."""
    path = card_path(weights)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FaultError("weights.no_card", path=path) from error


def command_line() -> str:
    """The training command that is running, as a reader would type it."""
    return " ".join(["python -m engine.training", *sys.argv[1:]])
