"""Where a scene finds its lesson and its trace when nobody hands them over: the environment."""

from __future__ import annotations

import os
from pathlib import Path

from engine.errors import FaultError
from engine.lesson import Lesson, load_lesson
from engine.traces import Trace, from_json


def lesson_from_environment() -> Lesson:
    """The lesson file that LOOKBACK_LESSON names, else the default lesson."""
    return load_lesson(os.environ.get("LOOKBACK_LESSON") or None)


def trace_from_environment(lesson: Lesson, station: str) -> Trace:
    """The trace that LOOKBACK_TRACE names (a file, or a folder of them), else a computed one.

    Raises FaultError for a file that holds no trace of this station.
    """
    given = os.environ.get("LOOKBACK_TRACE")
    if given:
        path = Path(given)
        return read_trace(path / f"{station}.json" if path.is_dir() else path, station)
    import engine  # computing loads torch: only where no trace was handed over

    return engine.trace(lesson, station)


def read_trace(path: Path, station: str) -> Trace:
    """The trace in a file; FaultError unless it is one of this station."""
    try:
        trace = from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FaultError("trace.unreadable", file=path, reason=error) from None
    if trace.station != station:
        raise FaultError("trace.wrong_station", file=path, station=trace.station, wanted=station)
    return trace
