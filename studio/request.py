"""What was asked for, checked once, with messages that name the flag to use."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from engine.errors import FaultError, InputError, Phrase, cause
from engine.lesson import MAX_SENTENCE, Lesson, load_lesson, with_pair
from engine.pronouns import decidable
from engine.stations import STATIONS
from engine.tokens import clean, has_words
from studio.digests import SCENES
from studio.drawable import check_drawable, check_text
from studio.flag_checks import check_flags, check_folder, translator_flags
from studio.native_options import PATHS, WINDOWED, native_arguments, native_name
from studio.new_words import check_new_words, new_word_flags

Product = Literal["clip", "part", "still", "frames", "nothing"]


READ_ALOUD = ("unrolled", "relay_game", "conveyor_belt")  # the stations that read one sentence


@dataclass(frozen=True)
class Drawing:
    """Manim's own options, as far as the studio has to know them."""

    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def arguments(self) -> tuple[str, ...]:
        """For manim's command line."""
        return tuple(native_arguments(self.values))

    @property
    def product(self) -> Product:
        """What will come out: a whole clip, a part of one, a still, a folder of frames."""
        format = self.values.get("format")
        if self.values.get("dry_run") or format == "none":
            return "nothing"
        if self.values.get("save_last_frame") or format == "png":
            return "still"
        if format == "png-sequence":
            return "frames"
        return "part" if self.values.get("from_animation_number") else "clip"

    @property
    def frame_rate(self) -> float:
        """Frames per second, as manim will have it unless a configuration file says other."""
        quality = {"l": 15.0, "m": 30.0}.get(self.values.get("quality") or "", 60.0)
        return float(self.values.get("frame_rate") or quality)

    @property
    def format(self) -> str:
        """The kind of film."""
        format = self.values.get("format")
        return str(format) if format not in (None, "auto") else "mp4"

    @property
    def slow_flag(self) -> str | None:
        """The flag, if any, that only manim's own renderer can draw."""
        if self.format not in ("mp4", "webm"):
            return "--format"
        return next((native_name(dest) for dest in _STOCK_ONLY if self._asks(dest)), None)

    def _asks(self, dest: str) -> bool:
        return self.values.get(dest) not in (None, (), False, "cairo")


_STOCK_ONLY = (
    "save_last_frame",
    "from_animation_number",
    "dry_run",
    "save_sections",
    "renderer",
    "video_codec",
    "pixel_format",
    "video_encoder_options",
)


#: What is made of all stations together; named on the command line as a station is.
FILMS = ("film", "trailer")
BUDGET, LEAST_BUDGET, MOST_BUDGET = 8.0, 0.1, 1000.0  # MB, of a moving picture


@dataclass(frozen=True)
class Request:
    """One run of the command: which stations of which lesson, drawn how, put where."""

    lesson: Lesson
    stations: tuple[str, ...] = STATIONS
    films: tuple[str, ...] = ()  # some of FILMS
    out: Path = Path("out")
    device: str = "auto"
    drawing: Drawing = Drawing()
    stock: bool = False
    jobs: int | None = None  # None: one per core
    force: bool = False
    debug: bool = False
    kit: bool = False  # all that course material can use, not only what is quickly made
    budget: float = BUDGET  # MB at most, of the kit's moving picture
    silent_track: bool = False  # an empty sound track in every MP4
    scenes: Path = SCENES  # where the scene files are

    def __post_init__(self) -> None:
        for station in self.stations:
            if station not in STATIONS:
                known = ", ".join((*STATIONS, *FILMS))
                raise InputError("station.unknown", station=station, known=known)
        for dest in WINDOWED:
            if self.drawing.values.get(dest) not in (None, False):
                raise InputError("flags.window", flag=native_name(dest))
        check_flags(self.drawing.values)
        self._check_film()
        check_folder(self.out, "--out")
        self._check_translator()
        check_new_words(self.lesson)
        check_drawable(self.lesson, self.stations)
        self._check_name()

    def _check_film(self) -> None:
        """What is made from MP4 clips needs them."""
        drawing = self.drawing
        if drawing.values.get("transparent") and drawing.values.get("format") == "mp4":
            raise InputError("flags.mp4_is_opaque")
        if not LEAST_BUDGET <= self.budget <= MOST_BUDGET:  # never true of nan
            expected = Phrase("flags.expected.rate", least=LEAST_BUDGET, most=MOST_BUDGET)
            raise InputError(
                "flags.bad_value", flag="--budget", value=self.budget, expected=expected
            )
        for name in (*self.films, *(["--silent-track"] if self.silent_track else [])):
            if drawing.product != "clip" or drawing.format != "mp4":
                raise InputError("flags.needs_mp4", name=name)

    def _check_translator(self) -> None:
        asked = self.lesson.translation
        if asked.model is None and (asked.layer is not None or asked.head != "mean"):
            raise InputError("flags.needs_model")

    def _check_name(self) -> None:
        name = self.drawing.values.get("output_file")
        if name is None:
            return
        if len(self.stations) != 1 or self.films:
            raise InputError("flags.one_station")
        if safe_name(name) != name:
            raise InputError("flags.bad_name", name=name)

    @property
    def folder(self) -> Path:
        """Where the files of this lesson go."""
        return self.out / safe_name(self.lesson.name)

    @property
    def cores(self) -> int:
        there = len(os.sched_getaffinity(0))
        return min(self.jobs or there, there)  # more would only wait for each other


def make_request(
    stations: Sequence[str] = (),
    *,
    lesson: str | Path | None = None,
    source: str | None = None,
    target: str | None = None,
    sentence: str | None = None,
    model: str | Path | None = None,
    layer: int | None = None,
    head: int | str | None = None,
    learn: str | Path | None = None,
    allow_unknown: bool = False,
    lang: str | None = None,
    seed: int | None = None,
    out: str | Path = "out",
    device: str = "auto",
    native: Mapping[str, Any] | None = None,
    **rest: Any,
) -> Request:
    """A request from what a person gives; raises InputError naming what to change."""
    if not str(out).strip():
        raise InputError("flags.no_value", flag="--out")
    overrides = {k: v for k, v in {"lang": lang, "seed": seed}.items() if v is not None}
    overrides |= translator_flags(model, layer, head) | new_word_flags(learn, allow_unknown)
    if sentence is not None:
        sentence = _sentence(sentence, "--sentence")
        overrides |= {f"{station}.sentence": sentence for station in READ_ALOUD}
        if tuple(stations) == ("self_attention",) or decidable(sentence):
            overrides["self_attention.sentence"] = sentence  # else it keeps the lesson's own
    return Request(
        lesson=_with_pair(lesson, overrides, source, target),
        stations=_in_order(stations),
        films=tuple(name for name in FILMS if name in stations),
        out=Path(out).absolute(),
        device=device,
        drawing=Drawing(_from_here(native or {})),
        **rest,
    )


def _in_order(stations: Sequence[str]) -> tuple[str, ...]:
    """Each station once, in the order given; none, or a film of them, means all."""
    if set(FILMS) & set(stations):
        unknown = tuple(name for name in stations if name not in (*STATIONS, *FILMS))
        return STATIONS + unknown
    return tuple(dict.fromkeys(stations)) or STATIONS


def _with_pair(
    lesson: str | Path | None, overrides: dict[str, Any], source: str | None, target: str | None
) -> Lesson:
    """The lesson with the user's own pair in it, where one was given."""
    chosen = load_lesson(lesson, overrides)
    if source is None:
        if target is not None:
            raise InputError("flags.target_alone")
        return chosen
    source = _sentence(source, "--source")
    target = None if target is None else _sentence(target, "--target")
    return load_lesson(lesson, overrides | with_pair(chosen, source, target))


def _sentence(text: str, flag: str) -> str:
    """The text without what cannot be seen; InputError names the flag."""
    text = clean(_as_typed(text), flag)
    if not has_words(text):
        raise InputError("sentence.empty", where=flag)
    if len(text) > MAX_SENTENCE:
        raise InputError("sentence.too_long", where=flag, length=len(text), most=MAX_SENTENCE)
    check_text(text, flag)
    return text


def _as_typed(text: str) -> str:
    """The text of a command line whose bytes Python could not read without a locale."""
    with suppress(UnicodeError):
        if any("\udc80" <= sign <= "\udcff" for sign in text):
            return os.fsencode(text).decode("utf-8")
    return text


def _with_alpha(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """A transparent film is WebM, which browsers and editors play, unless it was asked for else."""
    film = Drawing(values).product in ("clip", "part")
    if film and values.get("transparent") and values.get("format") in (None, "auto"):
        return {**values, "format": "webm"}
    return values


def _from_here(values: Mapping[str, Any]) -> dict[str, Any]:
    """The options with paths that hold in another working folder; InputError for no file."""
    values = _quick_look(_with_alpha(values))
    there = {k: str(Path(v).absolute()) if k in PATHS and v else v for k, v in values.items()}
    for dest in ("config_file", "tex_template"):
        if there.get(dest) and not Path(there[dest]).is_file():
            raise InputError("flags.file_missing", flag=native_name(dest), file=values[dest])
    return there


def _quick_look(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """--preview without a size is a quick look: who waits before the screen waits for little."""
    sizes = ("quality", "resolution", "frame_rate")
    if not values.get("preview") or any(values.get(size) is not None for size in sizes):
        return values
    return {**values, "quality": "l"}


def safe_name(name: str) -> str:
    """A file name that stays in its folder, whatever a lesson is called."""
    kept = "".join("_" if sign in "/\\:\0" or ord(sign) < 32 else sign for sign in name)
    kept = kept.encode("utf-8", "replace").decode().strip(" .") or "lesson"
    while len(kept.encode("utf-8", "replace")) > 120:
        kept = kept[:-1]
    return kept


def as_fault(error: OSError, path: Path) -> FaultError:
    """What to say when writing failed."""
    import errno

    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return FaultError("studio.disk_full", path=path)
    return FaultError("studio.not_writable", path=path, reason=cause(error))
