"""The numbers of every station, computed in one process of its own and kept in the cache.

`python -m studio.tracing` is that process. It is the only one that loads torch (inside the
engine), and it is not started at all where every trace is in the cache already.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

import engine
from engine.errors import FaultError, LookbackError
from engine.lesson import Lesson
from engine.telling import Message, listening
from studio.cache import Cache
from studio.children import Children, own_the_output
from studio.digests import ROOT, trace_key
from studio.messages import from_message, to_message
from studio.request import Request

NAME = "trace.json"

#: The matrices are small: more threads only wait for each other, and add in another order.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def traces(
    request: Request,
    cache: Cache,
    children: Children,
    on_compute: Callable[[tuple[str, ...]], None] = lambda stations: None,
    on_learning: Callable[[Message], None] = lambda message: None,
) -> Iterator[tuple[str, str | LookbackError]]:
    """Each station with its trace as JSON, or with what went wrong; cached ones come first.

    `on_compute` is told which stations are not in the cache, before that is waited for;
    `on_learning` how far the translator is with new words.
    """
    missing = []
    for station in request.stations:
        entry = cache.get("traces", trace_key(request.lesson, station, request.device))
        if entry is None:
            missing.append(station)
        else:
            yield station, entry.text(NAME)
    if missing:
        on_compute(tuple(missing))
        yield from _computed(request, tuple(missing), cache, children, on_learning)


def _computed(
    request: Request,
    stations: tuple[str, ...],
    cache: Cache,
    children: Children,
    on_learning: Callable[[Message], None],
) -> Iterator[tuple[str, str | LookbackError]]:
    quiet = None if request.debug else subprocess.DEVNULL
    command = [sys.executable, "-m", "studio.tracing"]
    process = children.start(command, cwd=ROOT, env=ONE_THREAD, stderr=quiet)
    assert process.stdin is not None and process.stdout is not None
    asked = {
        "lesson": request.lesson.model_dump_json(),
        "stations": stations,
        "device": request.device,
        "debug": request.debug,
    }
    with suppress(BrokenPipeError):
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
    waiting = list(stations)
    for line in process.stdout:
        answer = json.loads(line)
        if "learning" in answer:
            on_learning(answer["learning"])
            continue
        station = answer["station"]
        waiting.remove(station)
        if "error" in answer:
            yield station, from_message(answer["error"])
        else:
            _keep(cache, trace_key(request.lesson, station, request.device), answer["trace"])
            yield station, answer["trace"]
    code = children.finish(process)
    for station in waiting:
        yield station, FaultError("studio.tracing_died", code=code)


def _keep(cache: Cache, key: str, trace: str) -> None:
    """A cache that cannot be written to costs time, not the clip."""
    with suppress(OSError):
        folder = cache.workspace()
        try:
            (folder / NAME).write_text(trace, encoding="utf-8")
            cache.put("traces", key, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Reads one request on standard input, writes one JSON line per station; between them,
    lines that say how far learning is.
    """
    send = own_the_output()
    asked = json.loads(sys.stdin.readline())
    lesson = Lesson.model_validate_json(asked["lesson"])
    with listening(lambda message: send({"learning": message})):
        for station in asked["stations"]:
            send({"station": station, **answer(lesson, station, asked["device"], asked["debug"])})


def answer(lesson: Lesson, station: str, device: str, debug: bool) -> dict[str, object]:
    """The trace of one station as JSON, or what went wrong, as a message for the parent."""
    try:
        return {"trace": engine.to_json(engine.trace(lesson, station, device))}
    except Exception as error:
        return {"error": to_message(error, "studio.trace_failed", station, debug)}


if __name__ == "__main__":
    main()
