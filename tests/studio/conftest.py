"""A studio with a station that is drawn in a second, and with numbers that need no torch."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from engine.traces import to_json
from studio.cache import Cache
from studio.digests import trace_key
from studio.production import Outcome, produce
from studio.progress import Reporter
from studio.request import Request, make_request
from tests import factories

SCENES = Path(__file__).parent / "fake_scenes"
SMALL = {"resolution": "128,72", "frame_rate": 5.0}


class Studio:
    """One cache, one output folder, and everything that was said."""

    def __init__(self, folder: Path) -> None:
        self.cache = Cache(folder / "cache")
        self.out = folder / "out"
        self.reporter = Reporter("en", io.StringIO(), io.StringIO())

    def request(self, sentence: str = "我|爱|你", native: dict | None = None, **options) -> Request:
        """A request for the fake station, whose trace is already computed."""
        request = make_request(
            options.pop("stations", ["relay_game"]),
            sentence=sentence,
            out=options.pop("out", self.out),
            native=SMALL | (native or {}),
            scenes=options.pop("scenes", SCENES),
            **options,
        )
        key = trace_key(request.lesson, "relay_game", request.device)
        work = self.cache.workspace()
        trace = factories.relay_game(request.lesson.relay_game.sentence)
        (work / "trace.json").write_text(to_json(trace), encoding="utf-8")
        self.cache.put("traces", key, work)
        return request

    def draw(self, *args, **options) -> Outcome:
        (outcome,) = produce(self.request(*args, **options), self.reporter, self.cache)
        if outcome.error is not None:
            raise outcome.error
        return outcome

    @property
    def folder(self) -> Path:
        return self.out / "default"

    def names(self) -> set[str]:
        """What a person sees in the folder."""
        return {path.name for path in self.folder.iterdir() if not path.name.startswith(".")}


@pytest.fixture
def studio(tmp_path) -> Studio:
    return Studio(tmp_path)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory) -> tuple[Studio, Outcome]:
    """A studio in which the fake station has been drawn once; look, do not touch."""
    studio = Studio(tmp_path_factory.mktemp("drawn"))
    return studio, studio.draw()
