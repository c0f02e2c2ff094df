"""Numbers. A lesson is tokenised, a model runs, and the trace that scenes draw is frozen.

    from engine import load_lesson, trace
    numbers = trace(load_lesson(), "looking_back")

Importing this package loads nothing heavy: its names are looked up when they are first used,
and torch only when `trace` is called.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.errors import FaultError, InputError, LookbackError
from engine.stations import STATIONS

if TYPE_CHECKING:
    from engine.lesson import Lesson, load_lesson
    from engine.traces import Trace, from_json, to_json

__all__ = [
    "STATIONS",
    "FaultError",
    "InputError",
    "Lesson",
    "LookbackError",
    "Trace",
    "from_json",
    "load_lesson",
    "to_json",
    "trace",
]

_LATER = {
    "Lesson": "engine.lesson",
    "load_lesson": "engine.lesson",
    "Trace": "engine.traces",
    "from_json": "engine.traces",
    "to_json": "engine.traces",
}


def trace(lesson: Lesson, station: str, device: str = "auto") -> Trace:
    """Every number that one station shows for one lesson.

    `device` is auto, cpu or cuda; auto takes the GPU where there is one.
    Raises InputError for an unknown station or for words that a model does not know.
    """
    if station not in STATIONS:
        raise InputError("station.unknown", station=station, known=", ".join(STATIONS))
    from engine.asked import asked

    builder = import_module(f"engine.stations.{station}")
    made: Trace = builder.build(lesson, device)
    noted = replace(made.provenance, lesson=asked(lesson, station))
    return replace(made, provenance=noted)


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
