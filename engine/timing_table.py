"""Measured times as a table: what was timed, on which machine. No torch in here.

    # python -m engine.training timings
    # device: …          the machine's facts, one a line
    task  length  batch  step  milliseconds  low  high  runs
"""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from engine.errors import InputError, cause
from engine.tables import TABLES_DIR

MAX_BYTES = 1_000_000
MAX_FACT = 60  # characters; facts stand on screen


@dataclass(frozen=True)
class Machine:
    """Where, how and when times were measured."""

    device: str
    kind: str  # cpu or cuda
    threads: int
    dtype: str
    width: int  # units of the states and of the word vectors
    torch: str  # version
    date: str  # YYYY-MM-DD


@dataclass(frozen=True)
class Timing:
    """One measured time, from the start of the run that it belongs to."""

    task: str  # loop, fused, attention, rnn_writes or attention_writes
    length: int  # words
    batch: int  # sentences at once
    step: int  # 0: the whole run; else when this step of it was done
    milliseconds: float  # median of the runs
    low: float  # their first quartile
    high: float  # their third
    runs: int


@dataclass(frozen=True)
class Timings:
    """A whole table."""

    machine: Machine
    rows: tuple[Timing, ...]

    def whole(self, task: str, length: int, batch: int = 1) -> float:
        """Milliseconds of a whole run. KeyError where it was not measured."""
        return {(r.task, r.length, r.batch): r.milliseconds for r in self.rows if not r.step}[
            task, length, batch
        ]

    def steps(self, task: str) -> list[float]:
        """When each step was done, in milliseconds, of the one run that was watched."""
        return [row.milliseconds for row in self.rows if row.task == task and row.step]

    def lengths(self, batch: int = 1) -> list[int]:
        """The lengths that were timed, from short to long."""
        return sorted({row.length for row in self.rows if row.batch == batch and not row.step})


def shipped_path(kind: str) -> Path:
    """The table that comes with the project for a kind of device; the CPU's where there is none."""
    own = TABLES_DIR / f"serial_parallel_{kind}.tsv"
    return own if own.exists() else TABLES_DIR / "serial_parallel_cpu.tsv"


def write_timings(path: Path, command: str, timings: Timings) -> None:
    """Write a table, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    with beside.open("w", encoding="utf-8", newline="") as file:
        file.write(f"# {command}\n")
        file.writelines(f"# {name}: {value}\n" for name, value in asdict(timings.machine).items())
        writer = csv.DictWriter(file, [f.name for f in fields(Timing)], delimiter="\t",
                                lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, timings.rows))
    beside.replace(path)


def read_timings(path: Path) -> Timings:
    """The table in a file. Raises InputError naming the file and the line that is wrong."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        lines = data[:MAX_BYTES].decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError("timings.not_one", file=path) from None
    except (OSError, ValueError) as error:
        raise InputError("timings.unreadable", file=path, reason=cause(error)) from None
    facts = dict(line[1:].strip().split(": ", 1) for line in lines[1:] if _is_fact(line))
    numbered = [(i, line) for i, line in enumerate(lines, 1) if line and not line.startswith("#")]
    names = [f.name for f in fields(Timing)]
    if not numbered or numbered[0][1].split("\t") != names:
        raise InputError("timings.not_one", file=path)
    machine = _made(Machine, facts, path, 1)
    rows = tuple(
        _made(Timing, dict(zip(names, line.split("\t"), strict=False)), path, number)
        for number, line in numbered[1:]
    )
    return Timings(machine, rows)


def _is_fact(line: str) -> bool:
    return line.startswith("#") and ": " in line


def _made(kind: type[Any], texts: dict[str, str], path: Path, line: int) -> Any:
    """A dataclass from texts; every number finite and not negative."""
    casts: dict[str, Callable[[str], Any]] = {"str": _fact, "int": _count, "float": _time}
    try:
        return kind(**{f.name: casts[str(f.type)](texts[f.name]) for f in fields(kind)})
    except (KeyError, ValueError):
        raise InputError("timings.bad_line", file=path, line=line) from None


def _fact(text: str) -> str:
    if not (text.isascii() and text.isprintable() and 0 < len(text) <= MAX_FACT):
        raise ValueError(text)
    return text


def _count(text: str) -> int:
    value = int(text)
    if not 0 <= value < 1_000_000_000:
        raise ValueError(text)
    return value


def _time(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and 0 < value < 1e9):
        raise ValueError(text)
    return value


def watched(timings: Timings, tasks: Sequence[str]) -> int:
    """How many words the runs had whose steps were watched."""
    return max((r.length for r in timings.rows if r.step and r.task in tasks), default=0)
