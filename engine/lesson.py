"""A lesson: what a lecturer writes. TOML in, a validated frozen `Lesson` out.

Every key has a default in `assets/lessons/default.toml`; a lesson file names only what differs,
and flags of the command name what differs from the file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
)
from pydantic_core import PydanticCustomError

from engine.errors import InputError, Phrase, cause
from engine.lesson_errors import as_input_error
from engine.new_word import MOST_NEW_WORDS, NewWord
from engine.stations import STATIONS as STATIONS
from engine.tokens import clean, has_words
from engine.words import ASSETS

DEFAULT_LESSON = ASSETS / "lessons" / "default.toml"
MAX_FILE_BYTES = 1_000_000
MAX_SENTENCE = 2_000  # characters; what can be drawn is less, and each station says so
MAX_NAME = 40  # characters
MOST_LAYERS = 64  # of a model, and heads of a layer

def _readable(text: str) -> str:
    """The text without what cannot be seen; pydantic adds which key it stood under."""
    try:
        text = clean(text)
    except InputError as error:
        raise PydanticCustomError("unprintable", "{code}", dict(error.values)) from None
    if not has_words(text):
        raise PydanticCustomError("string_too_short", "empty")
    return text


def _head(value: object) -> object:
    """The number of one attention head, or the mean of all."""
    if value == "mean" or (type(value) is int and 1 <= value <= MOST_LAYERS):
        return value
    raise PydanticCustomError("head", "a head")


Sentence = Annotated[str, Field(min_length=1, max_length=MAX_SENTENCE), AfterValidator(_readable)]
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME), AfterValidator(_readable)]
Folder = Annotated[str, Field(min_length=1, max_length=4000)]
File = Annotated[Path, Field(strict=False)]
Head = Annotated[int | Literal["mean"], PlainValidator(_head)]
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


class Translation(_Part):
    """Which translator speaks: the shipped one, or a folder of the user's own."""

    model: Folder | None = None  # a folder; in a file, beside the lesson or the working folder
    layer: int | None = Field(default=None, ge=1, le=MOST_LAYERS)  # MarianMT: of the decoder
    head: Head = "mean"  # of that layer
    allow_unknown: bool = False  # carry a few words over that the translator does not know
    learn: tuple[NewWord, ...] = Field(default=(), max_length=MOST_NEW_WORDS, strict=False)


class WordOrder(_Part):
    """Station 0: the same words in two orders; one word before two endings."""

    pair: tuple[Sentence, ...] = Field(min_length=2, max_length=2, strict=False)
    ambiguous: tuple[Sentence, ...] = Field(min_length=2, max_length=2, strict=False)
    word: Name  # stands in both of the ambiguous sentences


class Unrolled(_Part):
    """Station 1: one loop, pulled out over a sentence."""

    sentence: Sentence
    hidden_size: int = Field(8, ge=1, le=16)
    embedding_size: int = Field(6, ge=1, le=16)
    change: float = Field(0.5, ge=-10, le=10, allow_inf_nan=False)  # added to one entry of W
    steps: tuple[Annotated[int, Field(ge=1, le=1000)], ...] = Field(
        (3, 10, 100), min_length=1, max_length=3, strict=False
    )


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


class SerialParallel(_Part):
    """Station 6: word after word, or all words at once, on measured times."""

    words: int = Field(1024, ge=2, le=100_000)  # what the bill is for; the nearest measured length
    table: File | None = None  # measured on one's own machine; without it the shipped one


class InEachLanguage(_Part):
    """A sentence in Chinese and one in English; the one that fits the rest is taken."""

    zh: Sentence
    en: Sentence


class SelfAttention(_Part):
    """Station 7: a sentence with a pronoun looks at itself."""

    sentence: Sentence
    names: InEachLanguage  # two names, which change places, before the pronoun
    thing: InEachLanguage  # with 它 or "it"


class QueryKeyValue(_Part):
    """Station 8: the picture of station 5 under its later names."""

    pair: Pair | None = None  # without it looking_back's first
    sentence: Sentence | None = None  # without it self_attention's


class Finale(_Part):
    """Station 9: how far a message has to go, and what is left of it."""

    words: int = Field(100, ge=2, le=1000)  # from the first to the last of so many


class Lesson(_Part):
    """Everything that the clips of one lesson are made from."""

    name: Title = "default"  # of the folder that the clips go to; without it the file's name
    lang: Literal["zh", "en", "both"] = "zh"
    seed: int = Field(0, ge=0, le=2**31 - 1)
    look: Look = Look()
    translation: Translation = Translation()
    word_order: WordOrder
    unrolled: Unrolled
    relay_game: RelayGame
    conveyor_belt: ConveyorBelt
    closed_eyes_recital: ClosedEyesRecital
    looking_back: LookingBack
    serial_parallel: SerialParallel
    self_attention: SelfAttention
    query_key_value: QueryKeyValue = QueryKeyValue()
    finale: Finale


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
    _find_paths(table, path)
    try:
        return Lesson.model_validate(table)
    except ValidationError as error:
        raise as_input_error(error, where, Lesson) from None


def _find_paths(table: dict[str, Any], path: str | Path | None) -> None:
    """Makes every path absolute: beside the lesson file, else from the working folder."""
    for part, key in (("translation", "model"), ("serial_parallel", "table")):
        section = table.get(part)
        given = section.get(key) if isinstance(section, Mapping) else None
        if not isinstance(given, str) or not given:
            continue
        beside = Path(path or "").absolute().parent / given
        with suppress(UnicodeError, ValueError):  # half a character: said when all is checked
            there = beside if path is not None and beside.exists() else Path(given).absolute()
            _set(table, f"{part}.{key}", str(there))


def with_pair(lesson: Lesson, source: str, target: str | None) -> dict[str, Any]:
    """The overrides that put a user's own pair in front of every station that translates.

    The lesson's last pair, a crossing one, stays beside it as the contrast.
    """
    pair: dict[str, Any] = {"source": source}
    if target is not None:
        pair["target"] = target
    rest = [p.model_dump(exclude_none=True) for p in lesson.looking_back.pairs[-1:]]
    # A translator of one's own need not know the languages of the lesson's other sentences.
    rest = [p for p in rest if p["source"] != source and lesson.translation.model is None]
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
