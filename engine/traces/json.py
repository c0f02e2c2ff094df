"""A trace as JSON text and back, exactly: the file beside each clip.

Floats are written by their shortest exact form, so a value read is the value written. In arrays
named `log10_…` null stands for -inf (the value itself is exactly zero).
"""

from __future__ import annotations

import json
import types
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from engine.traces.base import Trace


def to_json(trace: Trace) -> str:
    """Byte-stable JSON of a trace: the same numbers give the same text."""
    table = {"station": trace.station, **_plain(trace)}
    return json.dumps(table, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def from_json(text: str, kinds: dict[str, type[Trace]]) -> Trace:
    """The trace that `to_json` wrote. Raises ValueError for anything else."""
    try:
        table = json.loads(text)
        return _build(kinds[table.pop("station")], table)  # type: ignore[no-any-return]
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a trace: {error}") from error


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value == float("-inf"):
        return None
    return value


def _build(kind: Any, value: Any) -> Any:
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{f.name: _build(hints[f.name], value[f.name]) for f in fields(kind)})
    origin = get_origin(kind)
    if kind is np.ndarray or origin is np.ndarray:
        return _array(value)
    if origin is tuple:
        return tuple(_build(get_args(kind)[0], item) for item in value)
    if origin is types.UnionType:
        return value
    if kind is float:
        return float("-inf") if value is None else float(value)
    return value


def _array(value: Any) -> Any:
    array = np.array(value)
    if array.dtype == object:  # holds null
        flat = [float("-inf") if item is None else item for item in array.ravel()]
        array = np.array(flat, dtype=np.float64).reshape(array.shape)
    return array
