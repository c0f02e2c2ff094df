"""Serial against parallel, timed on this machine: `python -m engine.training timings`.

Forward passes only, without gradients. Every round runs every case once, so that a machine
that gets busier for a while slows all of them alike; a figure is the median of the rounds.
With one thread the clock is the processor time of that thread, which is what a clock on the
wall shows on an idle machine, and which other programs disturb little. With more threads it is
the clock on the wall. On a GPU it is the device's own (events): nothing waits between two steps.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import click
import numpy as np
import torch
from torch import Tensor, nn

from engine.attention import scaled_dot_product
from engine.cards import command_line
from engine.cells import Weights
from engine.device import choose_device
from engine.timing_table import MAX_FACT, Machine, Timing, Timings, shipped_path, write_timings
from engine.traces.base import Array

WIDTH = 256
BOARD = 32  # words of the runs whose every step is watched
LENGTHS = (16, 32, 64, 128, 256, 512, 1024, 2048)
BATCHES = {1: LENGTHS, 64: (16, 32, 64, 128)}
WARM_UP = 2  # rounds that do not count

Stamp = Callable[[], None]


@dataclass(frozen=True)
class Readers:
    """One recurrent and one attention layer of the same width, drawn from a seed."""

    rnn: nn.RNN
    projections: Tensor  # [3 * unit, unit]; queries, keys and values

    def loop(self, words: Tensor, stamp: Stamp) -> None:
        """The RNN step by step, as one would write it; inputs are projected all at once."""
        weights, hidden = Weights.of(self.rnn), words.new_zeros(words.shape[1], WIDTH)
        bias, back = weights.bias_of_gate(0), weights.recurrent_weight.T  # [unit], [unit, unit]
        inputs = words @ weights.input_weight.T + bias  # [time, batch, unit]
        stamp()
        for projected in inputs:  # [batch, unit]
            hidden = torch.tanh(torch.addmm(projected, hidden, back))  # [batch, unit]
            stamp()

    def fused(self, words: Tensor, stamp: Stamp) -> None:
        """The same RNN as torch.nn has it: the loop runs inside, and cannot be watched."""
        self.rnn(words)  # [time, batch, unit]

    def attention(self, words: Tensor, stamp: Stamp) -> None:
        """One head, one layer, all weights kept; words [batch, time, unit]."""
        queries, keys, values = (words @ self.projections.T).chunk(3, dim=-1)
        stamp()
        scores = queries @ keys.transpose(-1, -2) * WIDTH**-0.5  # [batch, query, key]
        stamp()
        weights = scores.softmax(dim=-1)  # [batch, query, key]
        stamp()
        weights @ values  # [batch, query, unit]
        stamp()

    def rnn_writes(self, words: Tensor, stamp: Stamp) -> None:
        """Each output is the next input."""
        weights, word = Weights.of(self.rnn), words[0]  # [batch, unit]
        bias, hidden = weights.bias_of_gate(0), torch.zeros_like(word)
        there, back = weights.input_weight.T, weights.recurrent_weight.T  # [unit, unit]
        for _ in range(len(words)):
            hidden = torch.tanh(word @ there + hidden @ back + bias)  # [batch, unit]
            word = hidden
            stamp()

    def attention_writes(self, words: Tensor, stamp: Stamp) -> None:
        """Each output is the next input; keys and values of the words so far are kept."""
        length, word = words.shape[1], words[0, :1]  # [1, unit]
        keys, values = (words.new_zeros(length, WIDTH) for _ in range(2))  # [time, unit]
        for t in range(length):
            query, keys[t : t + 1], values[t : t + 1] = (word @ self.projections.T).chunk(3, -1)
            word = scaled_dot_product(query, keys[: t + 1], values[: t + 1]).context  # [1, unit]
            stamp()


TASKS = ("loop", "fused", "attention")
WATCHED = ("loop", "attention", "rnn_writes", "attention_writes")


def make_readers(device: torch.device, seed: int = 0) -> Readers:
    """Weights of PyTorch's own draw; what they are does not matter to the clock."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        rnn, projections = nn.RNN(WIDTH, WIDTH), torch.randn(3 * WIDTH, WIDTH) * WIDTH**-0.5
    return Readers(rnn.to(device).requires_grad_(False), projections.to(device))


@dataclass(frozen=True)
class Case:
    """One thing to be timed."""

    task: str
    length: int
    batch: int
    steps: bool  # whether every step is watched, or only the whole

    def words(self, device: torch.device) -> Tensor:
        """Random word vectors, time first for the RNN and batch first for attention."""
        first = (self.length, self.batch)
        shape = first[::-1] if self.task.startswith("attention") else first
        return torch.randn(*shape, WIDTH, device=device)  # [time, batch, unit] or [batch, time, …]


def cases() -> list[Case]:
    """Everything that the table holds, the quick before the slow: they keep the caches warm."""
    whole = [Case(task, length, batch, False)
             for batch, lengths in BATCHES.items() for length in lengths for task in TASKS]
    every = [*[Case(task, BOARD, 1, True) for task in WATCHED], *whole]
    return sorted(every, key=lambda case: case.length * case.batch)


class Clock:
    """Reads the processor's time between two steps."""

    def __init__(self) -> None:
        self.now = time.thread_time if torch.get_num_threads() == 1 else time.perf_counter
        self.marks: list[float] = []

    def start(self) -> None:
        self.marks = []
        self.stamp()

    def stamp(self) -> None:
        self.marks.append(self.now())

    def milliseconds(self) -> list[float]:
        """From the start to each later stamp."""
        return [1e3 * (mark - self.marks[0]) for mark in self.marks[1:]]


class DeviceClock(Clock):
    """Lets a GPU note its own time between two steps, without making it wait for us."""

    def __init__(self, device: torch.device) -> None:
        super().__init__()
        self.device = device
        self.events: list[torch.cuda.Event] = []

    def start(self) -> None:
        torch.cuda.synchronize(self.device)  # nothing of the run before is still under way
        self.events = []
        self.stamp()

    def stamp(self) -> None:
        event = torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]
        event.record()
        self.events.append(event)

    def milliseconds(self) -> list[float]:
        torch.cuda.synchronize(self.device)  # an event has its time only when it has come
        first, *later = self.events
        return [float(first.elapsed_time(event)) for event in later]


def timed(case: Case, readers: Readers, words: Tensor, clock: Clock) -> list[float]:
    """Milliseconds after which each watched step, or the whole, was done."""
    run = getattr(readers, case.task)
    clock.start()
    run(words, clock.stamp if case.steps else lambda: None)
    if not case.steps:
        clock.stamp()
    return clock.milliseconds()


@torch.inference_mode()
def measure(device: torch.device, runs: int) -> Timings:
    """The whole table, measured now."""
    readers, every = make_readers(device), cases()
    clock = DeviceClock(device) if device.type == "cuda" else Clock()
    inputs = {(c.task.startswith("attention"), c.length, c.batch): c for c in every}
    words = {key: case.words(device) for key, case in inputs.items()}
    seen: dict[Case, list[list[float]]] = {case: [] for case in every}
    for turn in range(WARM_UP + runs):
        for case in every:
            key = (case.task.startswith("attention"), case.length, case.batch)
            times = timed(case, readers, words[key], clock)
            if turn >= WARM_UP:
                seen[case].append(times)
    rows = tuple(row for case, times in seen.items() for row in summary(case, np.array(times)))
    return Timings(this_machine(device), rows)


def summary(case: Case, times: Array) -> list[Timing]:
    """Median and quartiles of every step. # times: [run, step]"""
    low, middle, high = np.quantile(times, [0.25, 0.5, 0.75], axis=0)  # [step]
    first = 1 if case.steps else 0
    return [
        Timing(case.task, case.length, case.batch, step, *_figures(*each), runs=len(times))
        for step, each in enumerate(zip(middle, low, high, strict=True), first)
    ]


def _figures(middle: float, low: float, high: float) -> tuple[float, float, float]:
    """To ten nanoseconds: no clock of ours is finer."""
    return round(float(middle), 5), round(float(low), 5), round(float(high), 5)


def this_machine(device: torch.device) -> Machine:
    """What is to be said of where the times come from."""
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else processor()
    return Machine(
        device=name.encode("ascii", "replace").decode()[:MAX_FACT],
        kind=device.type,
        threads=torch.get_num_threads(),
        dtype="float32",
        width=WIDTH,
        torch=torch.__version__.split("+")[0],
        date=datetime.now(UTC).date().isoformat(),
    )


def processor() -> str:
    """The processor's name as Linux tells it, else as Python does."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return " ".join((named or [platform.processor() or platform.machine()])[0].split())


@click.command()
@click.option("--device", default="auto", help="auto, cpu or cuda.")
@click.option("--runs", default=15, type=click.IntRange(3, 1000), help="Rounds; medians are kept.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path),
              help="Default: the table shipped for this kind of device.")
def timings(device: str, runs: int, out: Path | None) -> None:
    """Time RNN and attention on this machine; the machine should be idle."""
    place = choose_device(device)
    table = measure(place, runs)
    path = out or shipped_path(place.type).with_name(f"serial_parallel_{place.type}.tsv")
    write_timings(path, command_line(), table)
    click.echo(f"{path.name}: {len(table.rows)} rows, {table.machine.device}")
