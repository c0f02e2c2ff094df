"""Digests of everything that a clip or a trace is made from, for the cache's keys."""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from engine.asked import asked
from engine.lesson import Lesson
from engine.stations import STATIONS
from engine.words import ASSETS, LANGUAGES, words

ROOT = Path(__file__).resolve().parent.parent
SCENES = ROOT / "scenes"
CARDS = "title_cards"  # of the film: drawn like a station, and no station
#: Sections of the word tables that no clip shows.
OUTSIDE = ("errors", "studio", "doctor", "page", "chapters", "transcript")
COMPUTES = ("torch", "numpy", "safetensors", "jieba", "transformers", "sentencepiece")
MODEL_FILES = ("*.safetensors", "*.toml", "*.json", "*.spm", "*.tsv")
DRAWS = ("manim", "pycairo", "av", "numpy", "typst", "uharfbuzz")


def digest(*parts: str) -> str:
    """Sixty-four hex digits; where one part ends and the next begins matters."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()


def trace_key(lesson: Lesson, station: str, device: str) -> str:
    """What a trace is computed from."""
    numbers = asked(lesson, station)
    own = _model(lesson.translation.model) + _table(lesson, station)
    return digest(station, numbers, own, device, _cuda_hint(), _engine(), _versions(COMPUTES))


def content_key(lesson: Lesson, station: str, trace: str) -> str:
    """What a clip shows, however it is drawn."""
    shown = lesson.model_dump_json(include={"seed", "lang", "look", station})
    return digest(station, trace, shown, _words(station))


def clip_key(content: str, station: str, scenes: Path, drawing: Iterable[str]) -> str:
    """What the files of a clip are made from; `drawing` holds renderer and native flags."""
    parts = (_fonts(), _scene_code(scenes, station), _studio_code(), _versions(DRAWS))
    return digest(content, *parts, _user_config(), *drawing)


def segment_base(lesson: Lesson, station: str, scenes: Path, drawing: Iterable[str]) -> str:
    """What the segments of a clip are made from, beside what can be seen in them."""
    parts = (_scene_code(scenes, station), _studio_code(), _versions(DRAWS), _user_config())
    return digest(station, lesson.look.model_dump_json(), *parts, *drawing)


def of_files(paths: Iterable[Path], root: Path) -> str:
    """Names below `root` and contents."""
    return digest(
        *(
            f"{path.relative_to(root)} {hashlib.sha256(path.read_bytes()).hexdigest()}"
            for path in sorted(paths)
        )
    )


def _model(folder: str | None) -> str:
    """Contents of a translator's folder. What cannot be read is refused where it is opened."""
    if folder is None:
        return ""
    files = sorted(path for kind in MODEL_FILES for path in Path(folder).glob(kind))
    return digest(*(f"{path.name} {_of_file(path, _state(path))}" for path in files))


def _table(lesson: Lesson, station: str) -> str:
    """Contents of a user's own table of times, for the station that shows it."""
    table = lesson.serial_parallel.table if station == "serial_parallel" else None
    return _of_file(table, _state(table)) if table is not None else ""


@cache
def _of_file(path: Path, state: tuple[int, int]) -> str:
    """sha256 of a file that may be large; `state` tells whether it is still the same."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _state(path: Path) -> tuple[int, int]:
    try:
        state = path.stat()
    except OSError:
        return 0, 0
    return state.st_size, state.st_mtime_ns


@cache
def _engine() -> str:
    data = (p for name in ("weights", "lexicon", "tables") for p in (ASSETS / name).rglob("*.*"))
    return of_files([*(ROOT / "engine").rglob("*.py"), *data], ROOT)


@cache
def _scene_code(scenes: Path, station: str) -> str:
    """The station's own file and all that it imports from the scenes, however far."""
    found, waiting = set[Path](), [scenes / f"{station}.py", scenes / "__init__.py"]
    while waiting:
        file = waiting.pop()
        if file not in found and file.is_file():
            found.add(file)
            waiting += [
                place
                for name in _imported(file)
                for place in (scenes / f"{name}.py", scenes / name / "__init__.py")
            ]
    return of_files(found, scenes)


@cache
def _imported(file: Path) -> set[str]:
    """Modules of the scenes that a file imports, as paths below their folder."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            whole = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            whole = [alias.name for alias in node.names]
        else:
            continue
        names |= {n.partition(".")[2].replace(".", "/") for n in whole if n.startswith("scenes.")}
    return names


@cache
def _studio_code() -> str:
    drawing = ("worker.py", "lanes.py", "clips.py", "cutting.py", "captions.py")
    studio = ROOT / "studio"
    return of_files([*(studio / n for n in drawing), *(studio / "fast").rglob("*.py")], studio)


def _words(station: str) -> str:
    """Every text that the station may show, in every language; not what is said of others."""
    elsewhere = {*STATIONS, *OUTSIDE} - {station}
    keys = sorted(key for key in words(LANGUAGES[0]).keys() if _section(key) not in elsewhere)  # noqa: SIM118
    return digest(*(f"{key}={words(lang)(key)}" for lang in LANGUAGES for key in keys))


def _section(key: str) -> str:
    return key.partition(".")[0]


@cache
def _fonts() -> str:
    from scenes.fonts import fingerprint

    return fingerprint()


@cache
def _versions(names: tuple[str, ...]) -> str:
    return " ".join(f"{name} {_version(name)}" for name in names)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def _cuda_hint() -> str:
    """What `--device auto` would find, without asking torch."""
    return f"{Path('/dev/nvidiactl').exists()} {os.environ.get('CUDA_VISIBLE_DEVICES')}"


def _user_config() -> str:
    """The user's own manim.cfg: manim reads it on import."""
    try:
        return (Path.home() / ".config" / "manim" / "manim.cfg").read_text(encoding="utf-8")
    except (OSError, RuntimeError, ValueError):
        return ""
