"""Commands that are ended at any moment, and what they leave behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MARK = "LOOKBACK_KILLED_BY_TEST"
GONE_WITHIN = 5.0  # seconds for every process of an ended command, on a busy machine
STARTED = 0.5  # seconds after which an interpreter runs our code, on a busy machine
ENDINGS = (signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM)


@dataclass
class Run:
    """One command of ours, found again in the list of processes by a mark in its environment."""

    arguments: Sequence[str]
    env: dict[str, str] = field(default_factory=dict)
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)

    def start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *self.arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), **self.env, MARK: self.mark},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def to_its_end(self) -> tuple[int, str]:
        """Exit code, and all that was said."""
        process = self.start()
        out, err = process.communicate(timeout=120)
        return process.returncode, out + err

    def ended_after(self, seconds: float, ending: signal.Signals) -> tuple[int, str]:
        """The same, ended by a signal at that moment; no process of it stays."""
        process = self.start()
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(ending)
        out, err = process.communicate(timeout=GONE_WITHIN)
        until = time.monotonic() + GONE_WITHIN
        while (left := list(self._processes())) and time.monotonic() < until:
            time.sleep(0.05)
        assert not left, f"{len(left)} processes stay after {ending.name} at {seconds:.2f} s"
        return process.returncode, out + err

    def _processes(self) -> Iterator[int]:
        """Living processes with the mark."""
        wanted = f"{MARK}={self.mark}".encode()
        for folder in Path("/proc").iterdir():
            try:
                if folder.name.isdigit() and wanted in (folder / "environ").read_bytes():
                    state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
                    if state != "Z":
                        yield int(folder.name)
            except OSError:
                continue


def moments(count: int, longest: float, seed: int) -> list[tuple[float, signal.Signals]]:
    """When, in seconds after the start, and by which signal; the same for the same seed.

    Ctrl-C comes once Python itself is up: what it says before that is not ours.
    """
    lot = random.Random(seed)
    drawn = ((lot.uniform(0, longest), lot.choice(ENDINGS)) for _ in range(count))
    return [(max(m, STARTED) if end == signal.SIGINT else m, end) for m, end in drawn]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file that a person sees, relative to the folder."""
    found = (path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else ()
    names = {path.relative_to(folder).as_posix(): path for path in found}
    return {
        name: path.read_bytes()
        for name, path in names.items()
        if not any(part.startswith(".") for part in name.split("/"))
    }
