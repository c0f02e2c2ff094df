"""How much memory drawing takes: `python -m benchmarks.memory`.

1. The largest process of a 1080p60 clip of forty words, for each heart station.
2. Fifty clips drawn one after another in one process: the fiftieth beside the fifth.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from benchmarks.measuring import ROOT, measure

HEART = ("relay_game", "conveyor_belt", "closed_eyes_recital", "looking_back")
WORDS = 40
LIMIT = 1500  # MB per worker
EARLY, LATE = 5, 50


def long_sentence(words: int = WORDS) -> tuple[str, str]:
    """A sentence of so many words that the shipped translator knows, cut by bars, and its own."""
    from engine.corpus import generate

    for pair in generate(4000, seed=0):
        if len(pair.zh) == words and pair.zh[-1] not in "。？":
            return "|".join(pair.zh), " ".join(pair.en)
    raise RuntimeError(f"no sentence of {words} words came up")


def largest_process(station: str, quality: str, folder: Path) -> int:
    """MB of the largest process while one station of the long sentence is drawn."""
    source, _ = long_sentence()
    command = [sys.executable, "render.py", station, f"-q{quality}", "--out", str(folder)]
    command += ["--sentence", source, "--source", source, "--jobs", "1"]
    environment = {**os.environ, "LOOKBACK_CACHE": str(folder / "cache")}
    return measure(command, folder, environment).memory


def growth(station: str = "relay_game") -> Iterator[tuple[int, int]]:
    """After each of fifty clips drawn by this process: the clip's number, MB in use."""
    from manim import tempconfig

    import engine
    from scenes import looking_back, relay_game
    from studio.fast import FastOptions, FastRenderer

    scene_class = {"relay_game": relay_game.RelayGame, "looking_back": looking_back.LookingBack}
    lesson = engine.load_lesson()
    trace = engine.trace(lesson, station)
    with tempfile.TemporaryDirectory() as folder:
        small = {"pixel_width": 320, "pixel_height": 180, "frame_rate": 5, "media_dir": folder}
        quiet = {"progress_bar": "none", "verbosity": "ERROR", "disable_caching": True}
        for number in range(1, LATE + 1):
            with tempconfig(small | quiet):
                renderer = FastRenderer(FastOptions(workers=1))
                scene_class[station](renderer=renderer, trace=trace, lesson=lesson).render()
            yield number, _in_use()


def _in_use() -> int:
    """MB of this process that are in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 2**20


@click.command()
@click.option("--quality", default="h", help="Manim's letter; h is 1080p60.")
@click.option("--only", type=click.Choice(["largest", "growth"]), help="One of the two tables.")
def main(quality: str, only: str | None) -> None:
    """Print both tables; exit 1 where a limit is passed."""
    os.chdir(ROOT)
    good = True
    if only != "growth":
        print(f"| station, {WORDS} words, -q{quality} | largest process, MB |\n| --- | --- |")
        for station in HEART:
            folder = Path(tempfile.mkdtemp(prefix="memory-"))
            most = largest_process(station, quality, folder)
            shutil.rmtree(folder)
            good = good and most < LIMIT
            print(f"| {station} | {most} |", flush=True)
    if only != "largest":
        used = dict(growth())
        print("\n| clips drawn in one process | MB in use |\n| --- | --- |")
        print(f"| {EARLY} | {used[EARLY]} |")
        print(f"| {LATE} | {used[LATE]} |")
        good = good and used[LATE] <= used[EARLY] * 1.02
    sys.exit(not good)


if __name__ == "__main__":
    main()
