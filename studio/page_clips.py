"""What lies in a lesson's folder, as the page shows it: clips with beats, captions, numbers.

The folder is the truth: a station that an earlier run drew is on the page too. Files that
cannot be read as ours are passed over.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import groupby
from pathlib import Path
from typing import Any

from engine.stations import STATIONS
from engine.traces import Lookback, Trace, from_json
from engine.words import LANGUAGES

BEATS = ".beats.json"
#: Files about the whole lesson, in the order of the page; each has its text in [page.lesson].
OF_THE_LESSON = {
    "deck": ("deck.html",),
    "slides": ("*.pptx",),
    "film": ("film.mp4", "film.webm"),
    "trailer": ("trailer.mp4", "trailer.webm"),
    "script": ("script*.md", "transcript*.md"),
}
FILMS = {".mp4": "video/mp4", ".webm": "video/webm", ".mov": "video/quicktime", ".gif": ""}


@dataclass(frozen=True)
class Track:
    """Captions in one language."""

    lang: str
    file: str  # name in the folder
    data: str  # the same as a data: address, because a page from file:// may not load a track


@dataclass(frozen=True)
class Use:
    """One row of numbers that drives one attribute during a beat."""

    field: str  # path in the trace, such as "pairs[0].weights"
    attribute: str
    scale: str
    count: int


@dataclass(frozen=True)
class Figures:
    """What one field of the trace says during a beat, in the order it is shown."""

    field: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class Beat:
    """One beat: seconds, its caption in every language, its own files if there are any."""

    name: str
    start: float
    end: float
    captions: dict[str, str]
    still: str | None  # its last picture; a path from the folder, as is the next
    clip: str | None
    uses: tuple[Use, ...]
    figures: tuple[Figures, ...]  # those written as numbers first


@dataclass(frozen=True)
class Clip:
    """One station's files."""

    station: str
    stem: str
    film: str  # name in the folder
    kind: str  # MIME type; empty for a picture that moves (GIF)
    poster: str | None
    tracks: tuple[Track, ...]  # the lesson's language first
    beats: tuple[Beat, ...]
    duration: float  # seconds
    width: int
    height: int
    frame_rate: float
    files: tuple[str, ...]  # every file of this stem
    trace: Trace | None

    @property
    def pairs(self) -> tuple[Lookback, ...]:
        """Sentence pairs with an alignment, where the station has any."""
        return getattr(self.trace, "pairs", ())


def clips_in(folder: Path) -> list[Clip]:
    """The clips of a folder in the order of the stations."""
    found = [_clip(path) for path in sorted(folder.glob(f"*{BEATS}"))]
    whole = [clip for clip in found if clip is not None]
    return sorted(whole, key=lambda clip: (STATIONS.index(clip.station), clip.stem))


def _clip(beats_file: Path) -> Clip | None:
    folder, stem = beats_file.parent, beats_file.name.removesuffix(BEATS)
    film = next((f"{stem}{end}" for end in FILMS if (folder / f"{stem}{end}").is_file()), None)
    if film is None or stem.startswith("."):
        return None
    try:
        table = json.loads(beats_file.read_text(encoding="utf-8"))
        if table["station"] not in STATIONS:
            return None
        return Clip(
            station=table["station"],
            stem=stem,
            film=film,
            kind=FILMS[Path(film).suffix],
            poster=f"{stem}.png" if (folder / f"{stem}.png").is_file() else None,
            tracks=tuple(_tracks(folder, stem)),
            beats=tuple(_beats(folder, stem, table)),
            duration=float(table["duration"]),
            width=int(table["width"]),
            height=int(table["height"]),
            frame_rate=float(table["frame_rate"]),
            files=tuple(files_of(folder, stem)),
            trace=_trace(folder / f"{stem}.json"),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def files_of(folder: Path, stem: str) -> list[str]:
    """Names of the files that belong to a stem."""
    names = (path.name for path in folder.iterdir() if path.is_file())
    return sorted(name for name in names if name.startswith(f"{stem}."))


def _whole(channel: dict[str, Any]) -> str:
    """The field that a number is of: of a row of log10_band, that is log10_band."""
    return re.sub(r"\[\d+\]$", "", str(channel["field"]))


def lesson_files(folder: Path) -> list[tuple[str, str]]:
    """What there is about the whole lesson: key in [page.lesson], name in the folder."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file())
    return [
        (kind, name)
        for kind, patterns in OF_THE_LESSON.items()
        for name in names
        if name[0] != "." and any(fnmatch(name, pattern) for pattern in patterns)
    ]


def _tracks(folder: Path, stem: str) -> Iterator[Track]:
    names = (f"{stem}.vtt", *(f"{stem}.{lang}.vtt" for lang in LANGUAGES))
    for name in names:
        if (folder / name).is_file():
            text = (folder / name).read_text(encoding="utf-8")
            lang = re.search(r"^Language: (\w+)$", text, re.MULTILINE)
            if lang and lang[1] in LANGUAGES:
                yield Track(lang[1], name, data_address(text, "text/vtt"))


def _beats(folder: Path, stem: str, table: dict[str, Any]) -> Iterator[Beat]:
    parts = _parts(folder, stem)
    for beat in table["beats"]:
        here = [c for c in table.get("channels", ()) if c["beat"] == beat["name"]]
        yield Beat(
            name=str(beat["name"]),
            start=float(beat["start"]),
            end=float(beat["end"]),
            captions={lang: str(beat["captions"][lang]) for lang in LANGUAGES},
            still=parts.get(f"{beat['name']}.png"),
            clip=parts.get(f"{beat['name']}.mp4"),
            uses=tuple(_uses(here)),
            figures=tuple(_figures(here)),
        )


def _parts(folder: Path, stem: str) -> dict[str, str]:
    """Paths of the beats' own files, such as looking_back/01_question.png, by question.png."""
    names = sorted(path.name for path in (folder / stem).glob("*.*") if path.is_file())
    return {re.sub(r"^\d+_", "", name): f"{stem}/{name}" for name in names}


def _uses(channels: list[dict[str, Any]]) -> Iterator[Use]:
    """Marks of one kind together: the points y0, y1 … of a curve are one row, a band's too."""

    def same(channel: dict[str, Any]) -> tuple[str, str, str]:
        attribute = re.sub(r"\d+$", "", str(channel["attribute"]))
        return _whole(channel), attribute, str(channel["scale"])

    for key, group in groupby(sorted(channels, key=same), same):
        yield Use(*key, count=sum(1 for _ in group))


def _figures(channels: list[dict[str, Any]]) -> Iterator[Figures]:
    """Each field's numbers once, however many marks they drive."""
    found: dict[str, dict[str, float]] = {}
    for channel in sorted(channels, key=lambda one: one["attribute"] != "value"):
        numbers = found.setdefault(_whole(channel), {})
        place = f"{channel['field']}{channel['index']}"
        numbers.setdefault(place, float(channel["value"]))
    for field, numbers in found.items():
        yield Figures(field, tuple(numbers.values()))


def _trace(path: Path) -> Trace | None:
    """The numbers, if there are any that can be read; the film plays without them."""
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def data_address(text: str, kind: str) -> str:
    """A text as an address that holds it."""
    return f"data:{kind};base64,{base64.b64encode(text.encode('utf-8', 'replace')).decode()}"
