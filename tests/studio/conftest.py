"""A studio with a station that is drawn in a second, and with numbers that need no torch."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest

from engine.traces import to_json
from studio.cache import Cache
from studio.digests import trace_key
from studio.production import Outcome, produce
from studio.progress import Reporter
from studio.request import Request, make_request
from tests import factories
from tests.studio.browser import browser, page  # noqa: F401 (fixtures)

SCENES = Path(__file__).parent / "fake_scenes"
OTHER = "欢迎|来"  # the second sentence that is always in the cache
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


@pytest.fixture(scope="session")
def drawn(tmp_path_factory) -> tuple[Studio, Outcome]:
    """A studio in which the fake station has been drawn twice; look, do not touch."""
    studio = Studio(tmp_path_factory.mktemp("drawn"))
    studio.draw(OTHER, out=studio.out / "other")
    return studio, studio.draw()


@pytest.fixture
def studio(tmp_path, drawn) -> Studio:
    """A studio that has both sentences in its cache, and nothing in its folder."""
    studio = Studio(tmp_path)
    shutil.copytree(drawn[0].cache.root, studio.cache.root)
    return studio
