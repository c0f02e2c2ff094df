"""What the gallery shows: a sheet for each station in each look, and the page of all of them.

A sheet is a folder with the pictures of a clip's beats, a contact sheet, and `sheet.json`, which
says what is drawn there. The page is made from the sheets that lie in the gallery's folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from engine.stations import STATIONS
from engine.words import words
from studio.page import environment
from studio.request import safe_name

SHEET = "sheet.json"
OVERVIEW = "sheet.png"
PAGE = "index.html"


@dataclass(frozen=True)
class Still:
    """The picture at the end of one beat. `captions` are those on screen, by language."""

    name: str
    file: str
    start: float  # seconds from the start of the clip
    captions: dict[str, str]


@dataclass(frozen=True)
class Sheet:
    """One station of one lesson in one look, and what kept it from being drawn, if anything."""

    lesson: str
    station: str
    lang: str
    theme: str
    aspect: str
    stills: tuple[Still, ...] = ()
    error: str | None = None

    @property
    def folder(self) -> str:
        """Where it lies, below the gallery."""
        look = f"{self.lang}-{self.theme}-{self.aspect.replace(':', 'x')}"
        return f"{safe_name(self.lesson)}/{self.station}-{look}"

    @property
    def title(self) -> str:
        langs = ("zh", "en") if self.lang == "both" else (self.lang,)
        return " · ".join(words(lang)(f"{self.station}.title") for lang in langs)

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Sheet:
        values = json.loads(text)
        return cls(**values | {"stills": tuple(Still(**still) for still in values["stills"])})


def page(out: Path) -> str:
    """The page of every sheet in the gallery's folder, in the order of the line of thought."""
    sheets = sorted(_sheets(out), key=_place)
    stations = [name for name in STATIONS if any(sheet.station == name for sheet in sheets)]
    template = environment().get_template("gallery.html.jinja")
    return template.render(sheets=sheets, stations=stations, overview=OVERVIEW)


def _sheets(out: Path) -> Iterator[Sheet]:
    """Those of stations that are still there. Another run may be replacing one just now."""
    for path in out.glob(f"*/*/{SHEET}"):
        with suppress(OSError, ValueError, TypeError, KeyError):
            sheet = Sheet.from_json(path.read_text(encoding="utf-8"))
            if sheet.station in STATIONS:
                yield sheet


def _place(sheet: Sheet) -> tuple[int, str]:
    return STATIONS.index(sheet.station), sheet.folder
