"""A lesson: what a lecturer writes. TOML in, a validated frozen `Lesson` out.

Every key has a default in `assets/lessons/default.toml`; a lesson file names only what differs,
and flags of the command name what differs from the file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from reprlib import Repr
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from engine.errors import InputError, Phrase, cause
from engine.stations import STATIONS as STATIONS
from engine.tokens import clean, has_words
from engine.words import ASSETS

DEFAULT_LESSON = ASSETS / "lessons" / "default.toml"
MAX_FILE_BYTES = 1_000_000
MAX_SENTENCE = 2_000  # characters; what can be drawn is less, and each station says so
MAX_NAME = 40  # characters

#: How pydantic's kinds of error begin, and the text under `errors.lesson.expected` for each.
_EXPECTED = {
    "string_too_short": "not_empty",
    "string_too_long": "shorter",
    "string_unicode": "unicode",
    "unprintable": "printable",
    "string": "text",
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
}

_SHORT = Repr()  # a value in a message: short, and not endlessly deep
_SHORT.maxstring = _SHORT.maxother = 80


def _readable(text: str) -> str:
    """The text without what cannot be seen; pydantic adds which key it stood under."""
    try:
        text = clean(text)
    except InputError as error:
        raise PydanticCustomError("unprintable", "{code}", dict(error.values)) from None
    if not has_words(text):
        raise PydanticCustomError("string_too_short", "empty")
    return text


Sentence = Annotated[str, Field(min_length=1, max_length=MAX_SENTENCE), AfterValidator(_readable)]
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME), AfterValidator(_readable)]
Title = Annotated[str, Field(min_length=1, max_length=255), AfterValidator(_readable)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Look(_Part):
    """How the clips look."""

    theme: Literal["dark", "light"] = "dark"
    aspect: Literal["16:9", "4:3", "9:16"] = "16:9"


class Pair(_Part):
    """A source sentence and its translation; without `target` the model translates."""

    source: Sentence
    target: Sentence | None = None


class RelayGame(_Part):
    """Station 2: a gradient on its way back through a tanh RNN."""

    sentence: Sentence
    hidden_size: int = Field(32, ge=2, le=128)
    gain: float = Field(0.9, ge=0, le=1e6, allow_inf_nan=False)
    steps: int = Field(100, ge=2, le=1000)  # lags shown in act 1 and act 3
    exploding_gain: float = Field(2.0, ge=0, le=1e6, allow_inf_nan=False)
    clip_norm: float = Field(1.0, ge=1e-6, le=1e6, allow_inf_nan=False)
    seeds: int = Field(8, ge=5, le=64)  # runs behind the band


class ConveyorBelt(_Part):
    """Station 3: a name carried to the end of a sentence by three trained cells."""

    sentence: Sentence
    name: Name = "小明"  # put in front where the sentence does not start with a known name
    units: int = Field(6, ge=1, le=12)  # memory cells drawn on the belt
    steps: int = Field(1000, ge=2, le=1000)


class ClosedEyesRecital(_Part):
    """Station 4: a short and a long sentence through one vector of fixed size."""

    short: Pair
    long: Pair


class LookingBack(_Part):
    """Station 5: sentence pairs looked back at, the first one in full detail."""

    pairs: tuple[Pair, ...] = Field(min_length=1, max_length=4, strict=False)


class Lesson(_Part):
    """Everything that the clips of one lesson are made from."""

    name: Title = "default"  # of the folder that the clips go to; without it the file's name
    lang: Literal["zh", "en", "both"] = "zh"
    seed: int = Field(0, ge=0, le=2**31 - 1)
    look: Look = Look()
    relay_game: RelayGame
    conveyor_belt: ConveyorBelt
    closed_eyes_recital: ClosedEyesRecital
    looking_back: LookingBack


def load_lesson(
    path: str | Path | None = None, overrides: Mapping[str, Any] | None = None
) -> Lesson:
    """The lesson of a file (or the default one), with dotted `overrides` on top.

    Example: `load_lesson(overrides={"relay_game.sentence": "我爱你", "lang": "en"})`.
    Raises InputError naming the file, the key and what would be right.
    """
    table = _read(DEFAULT_LESSON)
    where = DEFAULT_LESSON.name
    if path is not None:
        where = str(path)
        table = _merged({**table, "name": _stem(Path(path))}, _read(Path(path)))
    for key, value in (overrides or {}).items():
        _set(table, key, value)
    try:
        return Lesson.model_validate(table)
    except ValidationError as error:
        raise _as_input_error(error, where) from None


def with_pair(lesson: Lesson, source: str, target: str | None) -> dict[str, Any]:
    """The overrides that put a user's own pair in front of every station that translates.

    The lesson's last pair, a crossing one, stays beside it as the contrast.
    """
    pair: dict[str, Any] = {"source": source}
    if target is not None:
        pair["target"] = target
    rest = [p.model_dump(exclude_none=True) for p in lesson.looking_back.pairs[-1:]]
    rest = [p for p in rest if p["source"] != source]
    return {"looking_back.pairs": [pair, *rest], "closed_eyes_recital.short": pair}


def _stem(path: Path) -> str:
    """A file's name as the lesson's, whatever bytes the disk allows in it."""
    try:
        return clean(path.stem) or "lesson"
    except InputError:
        return "lesson"


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:  # never more than a lesson can have: it may be a device
            data = file.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise InputError("lesson.too_large", file=path, limit=MAX_FILE_BYTES)
        text = data.decode("utf-8-sig")
        if "\0" in text:  # UTF-16 without its mark
            raise InputError("lesson.not_utf8", file=path)
    except UnicodeDecodeError:
        raise InputError("lesson.not_utf8", file=path) from None
    except (FileNotFoundError, ValueError):  # ValueError: a name that no file can have
        raise InputError("lesson.missing", file=path) from None
    except OSError as error:
        raise InputError("lesson.unreadable", file=path, reason=cause(error)) from None
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError("lesson.not_toml", file=path, reason=_not_toml(error)) from None


def _not_toml(error: ValueError | RecursionError) -> Phrase:
    """What is wrong with a file's form, and in which line where Python says so."""
    place = re.search(r"at line (\d+), column (\d+)", str(error))
    if isinstance(error, RecursionError):
        return Phrase("lesson.toml.deep")
    if re.search(r"twice|overwrite|mutate|redefine", str(error)):
        return Phrase("lesson.toml.twice", line=place[1]) if place else Phrase("lesson.toml.last")
    if place is None:
        kind = "end" if "end of document" in str(error) else "number"
        return Phrase(f"lesson.toml.{kind}")
    return Phrase("lesson.toml.line", line=place[1], column=place[2])


def _merged(base: Mapping[str, Any], top: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in top.items():
        old = merged.get(key)
        # A pair is one thing: a new source must not keep the old target.
        if isinstance(old, Mapping) and isinstance(value, Mapping) and "source" not in value:
            merged[key] = _merged(old, value)
        else:
            merged[key] = value
    return merged


def _set(table: dict[str, Any], dotted: str, value: object) -> None:
    *parents, last = dotted.split(".")
    for parent in parents:
        inner = table.get(parent, {})
        if not isinstance(inner, Mapping):
            return  # the file has something else there, and will be told so
        table[parent] = dict(inner)
        table = table[parent]
    table[last] = value


def _as_input_error(error: ValidationError, where: str) -> InputError:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return InputError("lesson.unknown_key", file=where, key=key, known=_siblings(first["loc"]))
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


def _siblings(location: tuple[int | str, ...]) -> str:
    """The keys that could have stood there."""
    model: Any = Lesson
    for part in location[:-1]:
        if isinstance(part, str):
            model = _model(model.model_fields[part].annotation)
    return ", ".join(model.model_fields)


def _model(annotation: Any) -> Any:
    """The table that a field holds, or holds a list of."""
    inner = [arg for arg in get_args(annotation) if hasattr(arg, "model_fields")]
    return inner[0] if inner else annotation
