"""What every trace has in common: where its numbers come from, and a check of itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

#: Largest deviation from 1 allowed in the sum of a row of attention weights.
ROW_SUM_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Model:
    """One set of weights that a trace was computed with."""

    name: str
    sha256: str  # of the weights' file; empty where the weights are drawn from the seed
    trained: bool


@dataclass(frozen=True)
class Learned:
    """New words that a model was taught on the spot, and what that did to it.

    Measured on sentences that were not practised: some with the new words, some without.
    """

    model: str  # its name after learning
    words: tuple[str, ...]
    steps: int  # updates of the optimiser
    new_exact_match: float
    new_aer: float | None  # None for a model that looks at no word
    new_sentences: int
    old_exact_match_before: float
    old_exact_match: float
    old_sentences: int


@dataclass(frozen=True)
class Provenance:
    """What is needed to compute a trace again."""

    models: tuple[Model, ...]
    seed: int
    dtype: str
    device: str
    versions: tuple[str, ...]  # "torch 2.13.0", …
    learned: tuple[Learned, ...] = ()
    lesson: str = ""  # as JSON, the sections that this was computed from


@dataclass(frozen=True)
class Trace:
    """The numbers of one station. Frozen; checked once when built.

    Arrays named `log10_…` may hold -inf: the value is exactly zero. All others are finite.
    """

    station: ClassVar[str]
    provenance: Provenance

    def __post_init__(self) -> None:
        for path, array in _arrays(self, ""):
            _check_finite(path, array)
        self.validate()

    def validate(self) -> None:
        """Shapes that must agree, rows that must sum to 1. Raises ValueError."""


def check_shape(name: str, array: Array, *shape: int) -> None:
    """Raises ValueError unless `array` has `shape`."""
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}, expected {shape}")


def check_rows(name: str, weights: Array) -> None:
    """Raises ValueError unless the last axis of `weights` is a distribution."""
    error = float(np.abs(weights.sum(axis=-1) - 1).max())
    if error > ROW_SUM_TOLERANCE or float(weights.min()) < 0:
        raise ValueError(f"rows of {name} do not sum to 1 (largest error {error:.1e})")


def check_length(name: str, items: tuple[object, ...], length: int) -> None:
    """Raises ValueError unless there are `length` items."""
    if len(items) != length:
        raise ValueError(f"{name} has {len(items)} items, expected {length}")


def _arrays(value: object, path: str) -> Iterator[tuple[str, Array]]:
    if isinstance(value, float):
        yield path, np.asarray(value)
    elif isinstance(value, np.ndarray):
        yield path, value
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _arrays(item, f"{path}[{index}]")
    elif is_dataclass(value):
        for field in fields(value):
            yield from _arrays(getattr(value, field.name), f"{path}.{field.name}".lstrip("."))


def _check_finite(path: str, array: Array) -> None:
    if array.dtype.kind != "f":
        return
    log10 = path.split(".")[-1].startswith("log10_")
    ok = np.isfinite(array) | np.isneginf(array) if log10 else np.isfinite(array)
    if not ok.all():
        raise ValueError(f"{path} holds a value that is not finite")
