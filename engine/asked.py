"""What of a lesson a trace was computed from: kept in the trace, so that it can be made again."""

from __future__ import annotations

import json

from pydantic import ValidationError

from engine.lesson import Lesson, load_lesson
from engine.stations import READS


def parts(station: str) -> set[str]:
    """The sections of a lesson that a station's numbers depend on."""
    return {"seed", "translation", station, *READS.get(station, ())}


def asked(lesson: Lesson, station: str) -> str:
    """Those sections as JSON: the same for lessons that differ elsewhere only."""
    return lesson.model_dump_json(include=parts(station))


def lesson_of(text: str) -> Lesson:
    """A lesson with these sections, otherwise the default one. Raises ValueError."""
    default = json.loads(load_lesson().model_dump_json())
    try:
        return Lesson.model_validate_json(json.dumps({**default, **json.loads(text)}))
    except (ValidationError, TypeError) as error:
        raise ValueError(f"no part of a lesson: {error}") from error
