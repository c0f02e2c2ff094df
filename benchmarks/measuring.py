"""Running one render as its own process, and what it cost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import median

import av
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
QUALITIES = {"final": "h", "draft": "l"}  # ours → manim's flag: 1080p60, 480p15
SAMPLE = 10  # every tenth frame is compared


@dataclass(frozen=True)
class Run:
    """What one render took and gave."""

    wall: float  # seconds from launch to the finished film
    cpu: float  # seconds, all processes
    memory: int  # MB, the largest process
    frames: int
    size: int  # bytes
    film: Path


def measure(arguments: Sequence[str], folder: Path, environment: dict[str, str]) -> Run:
    """Run a render that leaves one film under ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "log.txt"
    began = time.perf_counter()
    with log.open("w") as output:
        process = subprocess.Popen(
            arguments, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(arguments)} failed:\n{log.read_text()[-2000:]}")
    film = _film_in(folder)
    return Run(
        wall=wall,
        cpu=usage.ru_utime + usage.ru_stime,
        memory=usage.ru_maxrss // 1024,
        frames=count_frames(film),
        size=film.stat().st_size,
        film=film,
    )


def middle(runs: Sequence[Run]) -> Run:
    """The median of each figure."""
    return Run(
        wall=median(run.wall for run in runs),
        cpu=median(run.cpu for run in runs),
        memory=round(median(run.memory for run in runs)),
        frames=runs[0].frames,
        size=runs[0].size,
        film=runs[0].film,
    )


def stock_command(scene_file: Path, scene: str, quality: str, folder: Path) -> list[str]:
    """Plain manim, as a user would start it."""
    flags = [f"-q{QUALITIES[quality]}", "--media_dir", str(folder), "--progress_bar", "none"]
    command = [sys.executable, "-m", "manim", "render", *flags, "-v", "WARNING"]
    return [*command, str(scene_file), scene]


def _film_in(folder: Path) -> Path:
    films = [path for path in folder.rglob("*.mp4") if "partial_movie_files" not in path.parts]
    if len(films) != 1:
        raise RuntimeError(f"expected one film under {folder}, found {len(films)}")
    return films[0]


def count_frames(film: Path) -> int:
    """The frames in a film, by its packets."""
    with av.open(str(film)) as container:
        return sum(packet.dts is not None for packet in container.demux(video=0))


def psnr(film: Path, reference: Path) -> float:
    """How close a film is to another, in dB over sampled frames, all planes together."""
    errors = []
    with av.open(str(film)) as a, av.open(str(reference)) as b:
        pairs = zip(a.decode(video=0), b.decode(video=0), strict=True)
        for number, (x, y) in enumerate(pairs):
            if number % SAMPLE == 0:
                difference = x.to_ndarray().astype(np.int16) - y.to_ndarray()
                errors.append(np.mean(np.square(difference, dtype=np.float32)))
    return float(10 * np.log10(255**2 / max(np.mean(errors), 1e-9)))


def encoding_seconds(reference: Path, options: dict[str, str]) -> float:
    """CPU seconds x264 alone needs for a film's frames, on one thread: the floor."""
    spent = 0.0
    with av.open(str(reference)) as source, av.open(os.devnull, "w", format="mp4") as sink:
        video = source.streams.video[0]
        stream = sink.add_stream("libx264", rate=video.average_rate, options=options)
        stream.width, stream.height, stream.pix_fmt = video.width, video.height, "yuv420p"
        stream.thread_count = 1
        video.thread_count = 1  # process_time counts every thread: decode between, not beside
        tick = 1 / Fraction(video.average_rate)
        for number, frame in enumerate(source.decode(video)):
            frame.pts, frame.time_base = number, tick
            began = time.process_time()
            stream.encode(frame)
            spent += time.process_time() - began
    return spent
