"""What is wrong with a lesson, from pydantic's findings to one line in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import Repr
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from engine.errors import InputError, Phrase

#: How pydantic's kinds of error begin, and the text under `errors.lesson.expected` for each.
_EXPECTED = {
    "bool": "true_or_false",
    "string_too_short": "not_empty",
    "string_too_long": "shorter",
    "string_unicode": "unicode",
    "unprintable": "printable",
    "string": "text",
    "path": "text",
    "too_short": "more_items",
    "too_long": "fewer_items",
    "greater_than_equal": "at_least",
    "less_than_equal": "at_most",
    "literal_error": "one_of",
    "int": "whole_number",
    "float": "number",
    "finite_number": "number",
    "tuple": "list",
    "model": "table",
    "head": "head",
}

_SHORT = Repr()  # a value in a message: short, and not endlessly deep
_SHORT.maxstring = _SHORT.maxother = 80


def as_input_error(error: ValidationError, where: str, whole: type[BaseModel]) -> InputError:
    """The first thing that is wrong in a file of the model `whole`; `where` names the file."""
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        known = _siblings(first["loc"], whole)
        return InputError("lesson.unknown_key", file=where, key=key, known=known)
    if first["type"] == "missing":
        return InputError("lesson.missing_key", file=where, key=key)
    value = _toml(first["input"])
    return InputError("lesson.bad_value", file=where, key=key, value=value, expected=_right(first))


def _toml(value: object) -> str:
    """A value roughly as it was written."""
    if isinstance(value, bool):
        return str(value).lower()
    return _SHORT.repr(value) if isinstance(value, str | list | dict | int) else str(value)[:80]


def _right(detail: Mapping[str, Any]) -> Phrase:
    """What would have been right, in place of one of pydantic's English sentences."""
    kind, context = str(detail["type"]), detail.get("ctx", {})
    key = next((name for start, name in _EXPECTED.items() if kind.startswith(start)), "other")
    return Phrase(f"lesson.expected.{key}", reason=detail["msg"], **context)


def _siblings(location: tuple[int | str, ...], whole: type[BaseModel]) -> str:
    """The keys that could have stood there."""
    model: Any = whole
    for part in location[:-1]:
        if isinstance(part, str):
            model = _model(model.model_fields[part].annotation)
    return ", ".join(model.model_fields)


def _model(annotation: Any) -> Any:
    """The table that a field holds, or holds a list of."""
    inner = [arg for arg in get_args(annotation) if hasattr(arg, "model_fields")]
    return inner[0] if inner else annotation
