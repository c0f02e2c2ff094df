"""From Python and from notebooks: the same files, as objects."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from engine.traces import Trace, from_json
from engine.words import LANGUAGES, words
from studio.command import language
from studio.native_options import NATIVE
from studio.page_embed import NAMES
from studio.production import Outcome, produce
from studio.progress import make_reporter
from studio.request import Request, make_request


@dataclass(frozen=True)
class Shown:
    """One station's files. `trace` has every number that is on screen."""

    station: str
    lang: str
    files: dict[str, Path]  # by ending: .mp4, .png, .vtt, .en.vtt, .json, …
    cell: int | None = None  # of the notebook, where it was played at once

    @property
    def video(self) -> Path:
        return self.files[".mp4"]

    @property
    def trace(self) -> Trace:
        return from_json(self.files[".json"].read_text(encoding="utf-8"))

    def html(self) -> str:
        """A player that needs no other file. Captions in the clip's language stand in the
        picture; its menu has them, and those of the other language, as text.
        """
        title = escape(words(self.lang)(f"{self.station}.title"))
        return (
            f'<video controls playsinline style="max-width:100%" aria-label="{title}" '
            f'poster="{_data(self.files[".png"], "image/png")}" '
            f'src="{_data(self.video, "video/mp4")}">{"".join(self._tracks())}</video>'
        )

    def _tracks(self) -> Iterator[str]:
        for lang in sorted(LANGUAGES, key=lambda one: one != self.lang):
            file = self.files.get(".vtt" if lang == self.lang else f".{lang}.vtt")
            if file is not None:
                source = _data(file, "text/vtt")
                yield (
                    f'<track kind="captions" srclang="{lang}" label="{NAMES[lang]}"'
                    f' src="{source}">'
                )

    def __repr__(self) -> str:
        return f"<{self.station}: {self.video}>"

    def _ipython_display_(self) -> None:
        """Plays where it is named; in the cell that made it, it has been played already."""
        if self.cell is None or self.cell != _cell():
            _display(self)


def render(stations: Sequence[str] = (), **options: Any) -> dict[str, list[Path]]:
    """The files of each station. Raises the first error, after all stations were tried."""
    stations = [stations] if isinstance(stations, str) else stations
    outcomes = _produced(_request(stations, options))
    return {outcome.station: list(outcome.files.values()) for outcome in outcomes}


def show(source: str, target: str | None, station: str, **options: Any) -> Shown:
    """One station for one sentence, played where a notebook is running."""
    if station in ("relay_game", "conveyor_belt"):
        options |= {"sentence": source}
    else:
        options |= {"source": source, "target": target}
    request = _request([station], options)
    (outcome,) = _produced(request)
    files = {name.removeprefix("clip"): path for name, path in outcome.files.items()}
    lang = "zh" if request.lesson.lang == "both" else request.lesson.lang
    shown = Shown(station, lang, files, _cell())
    if shown.cell is not None:
        _display(shown)
    return shown


def _request(stations: Sequence[str], options: dict[str, Any]) -> Request:
    native_names = {native.dest for native in NATIVE}
    native = {name: value for name, value in options.items() if name in native_names}
    own = {name: value for name, value in options.items() if name not in native_names}
    return make_request(stations, native={**native, "seed": own.get("seed")}, **own)


def _produced(request: Request) -> list[Outcome]:
    with make_reporter(language(request.lesson.lang), request) as reporter:
        outcomes = produce(request, reporter)
    for outcome in outcomes:
        if outcome.error is not None:
            raise outcome.error
    return outcomes


def _cell() -> int | None:
    """The number of the notebook's cell that is running; None in a plain Python session."""
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    shell = get_ipython()
    return None if shell is None else int(shell.execution_count)


def _display(shown: Shown) -> None:
    from IPython.display import HTML, display

    display(HTML(shown.html()))


def _data(path: Path, kind: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
