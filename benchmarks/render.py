"""How fast scenes become films: ours against plain manim, alternating, medians.

python -m benchmarks.render                        # three scenes, 1080p60, 3 repeats
python -m benchmarks.render --quick                # one scene, 480p15, 1 repeat
python -m benchmarks.render --scene scenes/looking_back.py:LookingBack
"""

from __future__ import annotations

import math
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

import click

from benchmarks.measuring import (
    QUALITIES,
    ROOT,
    Run,
    encoding_seconds,
    measure,
    middle,
    psnr,
    stock_command,
)
from studio.fast import FastOptions
from studio.fast.options import PRESETS, usable_cores

OWN = [f"benchmarks/samples.py:{name}" for name in ("Relay", "Conveyor", "Lookback")]
HEAD = "| scene | lane | wall s | CPU s | MB | frames | kB | PSNR dB | wall × | CPU × |"


@dataclass(frozen=True)
class Subject:
    """A scene to render: its file and its class."""

    file: Path
    name: str

    @classmethod
    def parse(cls, text: str) -> Subject:
        """From ``path/to/file.py:ClassName``."""
        file, _, name = text.partition(":")
        if not name or not (ROOT / file).is_file():
            raise click.BadParameter(f"{text!r} is not FILE.py:SceneClass", param_hint="--scene")
        return cls(Path(file), name)

    @property
    def as_is(self) -> Subject | None:
        """The twin written with manim's own mobjects, where there is one."""
        twin = f"{self.name}AsIs"
        source = (ROOT / self.file).read_text(encoding="utf-8")
        return replace(self, name=twin) if f"class {twin}(" in source else None

    @property
    def module(self) -> str:
        """The file as a module name."""
        return ".".join(self.file.with_suffix("").parts)


@dataclass(frozen=True)
class Lane:
    """One way to render a subject."""

    title: str
    subject: Subject
    options: FastOptions | None = None  # None: plain manim

    def command(self, quality: str, folder: Path) -> list[str]:
        """The command line of one run."""
        if self.options is None:
            return stock_command(self.subject.file, self.subject.name, quality, folder)
        workers = ["--workers", str(self.options.workers), "--crf", str(self.options.crf)]
        scene = f"{self.subject.file}:{self.subject.name}"
        own = [sys.executable, "-m", "benchmarks.render", "--one", scene, "--quality", quality]
        return [*own, "--folder", str(folder), *workers]


Result = tuple[Lane, Run]


def lanes(subject: Subject, quality: str, workers: Iterable[int]) -> list[Lane]:
    """Both baselines, then ours with each number of workers."""
    as_is = [Lane("manim as is", subject.as_is)] if subject.as_is else []
    stock = Lane("manim, our mobjects" if as_is else "manim", subject)
    preset = PRESETS[quality]
    ours = [
        Lane(f"ours, {n} worker{'s' * (n > 1)}", subject, preset.with_workers(n)) for n in workers
    ]
    return [*as_is, stock, *ours]


def render_one(subject: Subject, quality: str, folder: Path, options: FastOptions) -> None:
    """Render in this process, as the studio does."""
    from manim import tempconfig

    from studio.fast import FastRenderer

    scene_class = getattr(import_module(subject.module), subject.name)
    quiet = {"progress_bar": "none", "verbosity": "WARNING", "media_dir": str(folder)}
    with tempconfig(PRESETS[quality].manim_config | quiet):
        scene_class(renderer=FastRenderer(options)).render()


def compare(
    subject: Subject, quality: str, workers: list[int], repeats: int, work: Path
) -> list[Result]:
    """Alternate over the lanes; the median run of each."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    chosen = lanes(subject, quality, workers)
    runs: dict[str, list[Run]] = {lane.title: [] for lane in chosen}
    for turn in range(repeats):
        for lane in chosen:
            folder = work / f"{subject.name}-{quality}-{lane.title}-{turn}".replace(" ", "_")
            runs[lane.title].append(measure(lane.command(quality, folder), folder, environment))
            click.echo(f"{subject.name}, {lane.title}: {runs[lane.title][-1].wall:.1f} s", err=True)
    return [(lane, middle(runs[lane.title])) for lane in chosen]


def exact_film(subject: Subject, quality: str, work: Path) -> Path:
    """The scene without loss, from frames that are bit for bit stock's."""
    options = FastOptions(tiles=False, preset="ultrafast", crf=0, x264_params="", workers=1)
    lane = Lane("exact", subject, options)
    folder = work / f"{subject.name}-{quality}-exact"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return measure([*lane.command(quality, folder), "--exact"], folder, environment).film


def report(
    subject: Subject, quality: str, results: list[Result], work: Path
) -> dict[str, list[float]]:
    """Print a scene's rows; the ratios to each baseline, by lane."""
    exact = exact_film(subject, quality, work)
    bases = [run for lane, run in results if lane.options is None]
    ratios: dict[str, list[float]] = {}
    for lane, run in results:
        as_seen = lane.subject == subject  # the twin draws other text: nothing to compare
        close = f"{psnr(run.film, exact):.1f}" if as_seen else "–"
        wall = [base.wall / run.wall for base in bases]
        cpu = [base.cpu / run.cpu for base in bases]
        ratios[lane.title] = [*wall, *cpu]
        figures = f"{run.wall:.1f} | {run.cpu:.1f} | {run.memory} | {run.frames}"
        print(
            f"| {subject.name} | {lane.title} | {figures} | {run.size // 1000} | {close} "
            f"| {_factors(wall)} | {_factors(cpu)} |"
        )
    options = PRESETS[quality].options
    floor = encoding_seconds(exact, options.x264_options)
    print(f"| {subject.name} | x264 alone | | {floor:.1f} | | | | | | |", flush=True)
    return ratios


def _factors(values: Iterable[float]) -> str:
    return " / ".join(f"{value:.2f}" for value in values)


def _geometric_means(all_ratios: list[dict[str, list[float]]]) -> None:
    for title in all_ratios[0]:
        rows = [ratios[title] for ratios in all_ratios if title in ratios]
        means = [math.prod(column) ** (1 / len(rows)) for column in zip(*rows, strict=True)]
        half = len(means) // 2
        print(
            f"| **geometric mean** | {title} | | | | | | | {_factors(means[:half])} "
            f"| {_factors(means[half:])} |"
        )


@click.command()
@click.option("--scene", "scenes", multiple=True, help="FILE.py:SceneClass; may be repeated.")
@click.option("--quality", type=click.Choice(list(QUALITIES)), default="final")
@click.option("--repeats", type=click.IntRange(1), default=3)
@click.option("--workers", type=click.IntRange(1), multiple=True, help="May be repeated.")
@click.option("--quick", is_flag=True, help="One scene at 480p15, once.")
@click.option("--one", hidden=True, help="Render just this scene, for being measured.")
@click.option("--folder", type=click.Path(path_type=Path), hidden=True)
@click.option("--crf", type=int, hidden=True)
@click.option("--exact", is_flag=True, hidden=True)
def main(
    scenes: tuple[str, ...],
    quality: str,
    repeats: int,
    workers: tuple[int, ...],
    quick: bool,
    one: str | None,
    folder: Path,
    crf: int,
    exact: bool,
) -> None:
    """Measure renders and print a markdown table.

    × columns: how many times less than each baseline, in the order of their rows.
    """
    if one:
        options = PRESETS[quality].with_workers(workers[0])
        if exact:
            options = FastOptions(False, 1, "ultrafast", crf, "")
        render_one(Subject.parse(one), quality, folder, options)
        return
    if quick:
        scenes, quality, repeats = scenes or tuple(OWN[1:2]), "draft", 1
    subjects = [Subject.parse(text) for text in scenes or OWN]
    counts = list(workers) or sorted({1, usable_cores()})
    work = Path(tempfile.mkdtemp(prefix="benchmark-"))
    try:
        print(f"{quality}, {usable_cores()} cores, medians of {repeats}, load {_load()} before")
        print(f"\n{HEAD}\n|{' --- |' * HEAD.count(' | ')} --- |", flush=True)
        results = [
            report(subject, quality, compare(subject, quality, counts, repeats, work), work)
            for subject in subjects
        ]
        _geometric_means(results)
        print(f"\nload {_load()} after")
    finally:
        shutil.rmtree(work)


def _load() -> str:
    return " ".join(f"{load:.1f}" for load in os.getloadavg())


if __name__ == "__main__":
    main()
