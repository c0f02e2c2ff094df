"""The run itself: numbers, then clips over all cores, then files in place."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from engine.errors import FaultError, LookbackError
from studio.cache import Cache, Entry
from studio.children import Children
from studio.clips import seconds
from studio.delivery import deliver, only_run_in
from studio.digests import ROOT
from studio.doubts import doubts
from studio.films import cards_plan, film_plan, make_film
from studio.job import STEM
from studio.kit_parts import make_parts
from studio.messages import from_message
from studio.page import make_page
from studio.page_deck import make_deck
from studio.plan import StationPlan, make_plan
from studio.progress import Reporter
from studio.request import Request, as_fault
from studio.slides import make_slides, slides_of
from studio.tracing import traces

Status = Literal["drawn", "restored", "unchanged", "failed"]
FILM_ENDINGS = (".mp4", ".webm", ".mov", ".gif")
MADE = "made.json"  # in a cache entry of a clip: what the worker told


@dataclass(frozen=True)
class Outcome:
    """What became of one station."""

    station: str
    status: Status
    files: dict[str, Path] = field(default_factory=dict)  # by the worker's name, such as clip.vtt
    seconds: float = 0.0  # it took
    duration: float = 0.0  # of the clip
    drawn: dict[str, int] = field(default_factory=dict)  # beats, and their frames drawn now
    error: LookbackError | None = None

    @property
    def main_file(self) -> Path | None:
        """The film, else the still, else the first there is."""
        endings = (*FILM_ENDINGS, ".png")
        order = [f"{STEM}{ending}" for ending in endings]
        return next((self.files[name] for name in order if name in self.files), None) or next(
            (path for path in self.files.values()), None
        )


def produce(request: Request, reporter: Reporter, cache: Cache | None = None) -> list[Outcome]:
    """Every station of the request, in its order; one that fails stops no other."""
    cache = cache or Cache()
    children = Children()
    folder = request.folder
    try:
        with only_run_in(folder, lambda: reporter.say("waiting", folder=folder)):
            outcomes = _produce(request, reporter, cache, children)
            _make_pages(request, reporter, cache)
        return outcomes
    except BaseException:
        children.stop()
        raise
    finally:
        with suppress(OSError):
            cache.prune()


def _make_pages(request: Request, reporter: Reporter, cache: Cache) -> None:
    """What shows all clips of the folder: slides, a deck, and the page that leads to them."""
    folder = request.folder
    if request.kit:
        slides = make_slides(folder, request.lesson, cache)
        if slides is not None:
            reporter.say("slides", path=slides)
        elif slides_of(folder).exists():
            reporter.say("slides_kept", path=slides_of(folder))
    make_deck(folder, request.lesson, cache)
    page = make_page(folder, request.lesson, cache)
    if page is not None:
        reporter.say("page", path=page)


def _produce(
    request: Request, reporter: Reporter, cache: Cache, children: Children
) -> list[Outcome]:
    at_once = min(request.cores, len(request.stations))
    each = -(-request.cores // at_once)  # drawing processes per station
    futures: dict[str, Future[Outcome]] = {}
    outcomes: dict[str, Outcome] = {}
    with ThreadPoolExecutor(at_once) as pool:
        try:
            maker = _Maker(request, reporter, cache, children, each)
            for station, trace in traces(
                request, cache, children, reporter.computing, reporter.learning
            ):
                if isinstance(trace, LookbackError):
                    outcomes[station] = maker.failed(station, trace)
                else:
                    if request.lesson.translation.learn:
                        reporter.learned(trace)
                    for doubt in doubts(trace):
                        reporter.say("not_known", station=station, **doubt)
                    futures[station] = pool.submit(maker.make, station, trace)
            outcomes |= {station: future.result() for station, future in futures.items()}
        except BaseException:
            children.stop()
            pool.shutdown(cancel_futures=True)
            raise
    return [outcomes[station] for station in request.stations] + maker.films(outcomes)


@dataclass(frozen=True)
class _Maker:
    """Makes one station's files, from the cache or anew."""

    request: Request
    reporter: Reporter
    cache: Cache
    children: Children
    workers: int
    clips: dict[str, tuple[StationPlan, Entry]] = field(default_factory=dict)  # what was made

    def films(self, outcomes: Mapping[str, Outcome]) -> list[Outcome]:
        """Film and trailer, where they were asked for and every station is ready."""
        names = self.request.films
        missing = [station for station, one in outcomes.items() if one.error is not None]
        if missing and not self.children.stopped:
            error = FaultError("studio.film_incomplete", missing=", ".join(missing))
            return [self.failed(name, error) for name in names]
        return [self._film(name) for name in names]

    def _film(self, name: str) -> Outcome:
        started = time.monotonic()
        self.reporter.say("film", film=name)
        try:
            cards = cards_plan(self.request)
            drawn, _ = self._clip(cards)
            self.reporter.drop(cards.station)
            made = [self.clips[station] for station in self.request.stations]
            plan = film_plan(name, cards, [plan for plan, _ in made])
            clips = {station.station: entry for station, entry in made}
            entry, kept = make_film(name, plan, drawn, clips, self.cache)
            files, changed = deliver(plan, entry)
            status: Status = "drawn" if not kept else "restored" if changed else "unchanged"
            outcome = Outcome(name, status, files, duration=seconds(entry.path(f"{STEM}.mp4")))
            return self._tell(outcome, started)
        except LookbackError as error:
            return self.failed(name, error)
        except OSError as error:
            return self.failed(name, as_fault(error, self.cache.root))

    def make(self, station: str, trace: str) -> Outcome:
        try:
            plan = make_plan(self.request, station, trace)
            return self._make(plan)
        except LookbackError as error:
            return self.failed(station, error)
        except OSError as error:
            return self.failed(station, as_fault(error, self.cache.root))

    def failed(self, station: str, error: LookbackError) -> Outcome:
        """Says so, unless it only failed because the whole run was stopped."""
        if not self.children.stopped:
            self.reporter.fail(station, error)
        return Outcome(station, "failed", error=error)

    def _make(self, plan: StationPlan) -> Outcome:
        started = time.monotonic()
        if plan.request.drawing.product == "nothing":
            self._draw(plan)
            return self._tell(Outcome(plan.station, "drawn"), started)
        entry, kept = self._clip(plan)
        self.clips[plan.station] = (plan, entry)
        told = json.loads(entry.text(MADE))
        parts, fault = make_parts(plan, entry, self.cache, self.children, self.reporter)
        files, changed = deliver(plan, entry.without(MADE), *parts)
        if fault is not None:
            return self.failed(plan.station, fault)
        status: Status = "drawn" if not kept else "restored" if changed else "unchanged"
        drawn = {} if kept else told.get("drawn", {})
        outcome = Outcome(
            plan.station, status, files, duration=told["duration"], drawn=drawn
        )
        return self._tell(outcome, started)

    def _clip(self, plan: StationPlan) -> tuple[Entry, bool]:
        """The clip, and whether it was there before."""
        entry = None if self.request.force else self.cache.get("clips", plan.key)
        return (entry, True) if entry is not None else (self._draw(plan), False)

    def _tell(self, outcome: Outcome, started: float) -> Outcome:
        outcome = replace(outcome, seconds=time.monotonic() - started)
        self.reporter.finish(outcome)
        return outcome

    def _draw(self, plan: StationPlan) -> Entry:
        """A worker draws; what it made becomes an entry, or nothing does."""
        workspace = self.cache.workspace()
        try:
            with _folders(workspace) as (made, media):
                told = self._run_worker(plan, made, media)
                if plan.request.drawing.product == "nothing":
                    return Entry(made, {})
                (made / MADE).write_text(json.dumps(told), encoding="utf-8")
                return self.cache.put("clips", plan.key, made)
        finally:
            shutil.rmtree(workspace, ignore_errors=True)

    def _job(self, plan: StationPlan, made: Path, media: Path) -> str:
        return plan.job(made, media, self.workers, self.cache.root).to_json()

    def _run_worker(self, plan: StationPlan, made: Path, media: Path) -> dict[str, Any]:
        slow = None if plan.request.stock else plan.request.drawing.slow_flag
        self.reporter.start(plan.station, slow)
        loud = plan.request.debug or plan.request.drawing.values.get("verbosity")
        process = self.children.start(
            [sys.executable, "-m", "studio.worker"],
            cwd=ROOT,
            stderr=None if loud else subprocess.DEVNULL,
        )
        assert process.stdin is not None and process.stdout is not None
        with suppress(BrokenPipeError):
            process.stdin.write(self._job(plan, made, media) + "\n")
            process.stdin.flush()
        last: dict[str, Any] = {}
        for line in process.stdout:
            last = json.loads(line)
            if "frames" in last:
                self.reporter.advance(plan.station, last["frames"], last["known"], last["total"])
        code = self.children.finish(process)
        if "error" in last:
            raise from_message(last["error"])
        if "made" not in last:
            raise FaultError("studio.worker_died", station=plan.station, code=code)
        return dict(last["made"])


@contextmanager
def _folders(workspace: Path) -> Iterator[tuple[Path, Path]]:
    """Where a worker puts what it made, and where manim works."""
    made, media = workspace / "made", workspace / "media"
    made.mkdir()
    if "'" not in str(workspace):
        yield made, media
        return
    # manim cannot join its partial films under a path with an apostrophe.
    with tempfile.TemporaryDirectory(prefix="lookback-") as plain:
        yield made, Path(plain)
