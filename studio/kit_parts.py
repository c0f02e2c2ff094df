"""Which parts of the kit a clip gets, from the cache or made anew by `studio.kit`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from functools import cache as once
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from engine.errors import FaultError, LookbackError
from engine.words import LANGUAGES, words
from studio.cache import Cache, Entry
from studio.children import Children
from studio.digests import ROOT, digest, of_files
from studio.job import STEM
from studio.kit import BEATS, FILMS, TOLD, Order
from studio.messages import from_message
from studio.plan import StationPlan

if TYPE_CHECKING:
    from studio.progress import Reporter

_CODE = {
    "texts": ("kit.py", "chapters.py", "captions.py", "transcript.py", "page_numbers.py"),
    "beats": ("kit.py", "cutting.py", "clips.py"),
    "moving": ("moving.py", "cutting.py", "clips.py"),
    "silent": ("silence.py",),
}
_SAID = ("chapters.", "transcript.", "page.", "common.")


def parts_for(plan: StationPlan, entry: Entry) -> tuple[str, ...]:
    """What is quickly made, always; all of it with --kit."""
    if BEATS not in entry.files:
        return ()
    films = [ending for ending in FILMS if f"{STEM}{ending}" in entry.files]
    parts = ["texts"]
    if films:
        parts += ["beats", *(["moving"] if plan.request.kit else [])]
    if films[:1] == [".mp4"] and plan.request.silent_track:
        parts.append("silent")
    return tuple(parts)


def part_key(plan: StationPlan, part: str) -> str:
    """What a part is made from."""
    asked = {
        "texts": (plan.request.lesson.lang, _said(plan.station)),
        "moving": (str(plan.request.budget),),
    }
    return digest(plan.key, part, _code(part), version("av"), *asked.get(part, ()))


def make_parts(
    plan: StationPlan, entry: Entry, cache: Cache, children: Children, reporter: Reporter
) -> tuple[list[Entry], LookbackError | None]:
    """The parts as entries, in an order in which later ones take the place of earlier files;
    and what went wrong, if something did.
    """
    wanted = parts_for(plan, entry)
    fresh = plan.request.force
    found = {p: None if fresh else cache.get("kit", part_key(plan, p)) for p in wanted}
    missing = [part for part, kept in found.items() if kept is None]
    fault = None
    if missing:
        if "moving" in missing:
            reporter.say("kit", station=plan.station)
        made, fault = _made(plan, entry, missing, cache, children)
        found |= made
    parts = [part for part in found.values() if part is not None]
    if isinstance(found.get("moving"), Entry):
        _say_trade(plan, found["moving"], reporter)
    return [part.without(TOLD) for part in parts], fault


def _made(
    plan: StationPlan, entry: Entry, parts: list[str], cache: Cache, children: Children
) -> tuple[dict[str, Entry], LookbackError | None]:
    """One process makes all that is missing; the first fault ends it."""
    request = plan.request
    loud = None if request.debug else subprocess.DEVNULL
    command = [sys.executable, "-m", "studio.kit"]
    process = children.start(command, cwd=ROOT, stderr=loud)
    assert process.stdin is not None and process.stdout is not None
    done: dict[str, Entry] = {}
    fault: LookbackError | None = None
    workspace = cache.workspace()
    try:
        for part in parts:
            made = workspace / part
            made.mkdir()
            order = Order(
                part, plan.station, str(entry.folder), str(made), request.lesson.lang,
                request.budget, request.debug,
            )  # fmt: skip
            with suppress(BrokenPipeError):
                process.stdin.write(json.dumps(asdict(order)) + "\n")
                process.stdin.flush()
            answer: dict[str, Any] = json.loads(process.stdout.readline() or "{}")
            if "made" not in answer:
                fault = from_message(answer["error"]) if "error" in answer else None
                break
            done[part] = cache.put("kit", part_key(plan, part), made)
        code = children.finish(process)
        if len(done) < len(parts) and fault is None:
            fault = FaultError("studio.kit_died", station=plan.station, code=code)
        return done, fault
    finally:
        shutil.rmtree(workspace, ignore_errors=True)


def _say_trade(plan: StationPlan, entry: Entry, reporter: Reporter) -> None:
    """What the moving picture gave up for its budget."""
    told = json.loads(entry.text(TOLD))
    if not told["best"]:
        values = {name: told[name] for name in ("width", "height", "rate")}
        key = "traded" if told["fits"] else "over_budget"
        size = told["bytes"] / 1e6
        budget = plan.request.budget
        reporter.say(key, station=plan.station, size=size, budget=budget, **values)


@once
def _code(part: str) -> str:
    studio = ROOT / "studio"
    traces = (ROOT / "engine" / "traces").glob("*.py") if part == "texts" else ()
    return of_files([*(studio / name for name in _CODE[part]), *traces], ROOT)


@once
def _said(station: str) -> str:
    """The words of chapters and transcripts."""
    keys = [k for k in words(LANGUAGES[0]).keys() if k.startswith((*_SAID, f"{station}."))]  # noqa: SIM118
    return digest(*(f"{key}={words(lang)(key)}" for lang in LANGUAGES for key in sorted(keys)))


