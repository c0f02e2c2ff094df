"""Station 6: the same words read one after another, and all at once.

Times are a measurement and come from a table, so that a lesson gives the same trace each time:
the shipped one, or one measured on the lecturer's machine. What must wait for what, and how
many operations there are, is computed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.dependencies import (
    STAGES,
    Graph,
    attentive_reading,
    attentive_writing,
    ready_at,
    recurrent_reading,
    recurrent_writing,
)
from engine.device import choose_device
from engine.errors import InputError
from engine.lesson import Lesson
from engine.provenance import provenance
from engine.timing_table import Timings, read_timings, shipped_path, watched
from engine.traces import Model, SerialParallelTrace
from engine.traces.base import Array
from engine.traces.serial_parallel import TASKS, Board, Measured

SINGLE = 1  # sentences at once


def build(lesson: Lesson, device: str = "auto") -> SerialParallelTrace:
    """The measured and the counted, for the lesson's number of words.

    Raises InputError for a table that is none or is not whole, or an unknown device."""
    spec, place = lesson.serial_parallel, choose_device(device)
    path = spec.table or shipped_path(place.type)
    table = read_timings(path)
    try:
        return told(table, spec.words, lesson.seed, device)
    except (LookupError, ValueError, ArithmeticError):
        raise InputError("timings.not_whole", file=path) from None


def told(table: Timings, wanted: int, seed: int, device: str) -> SerialParallelTrace:
    """Everything that a table says. KeyError, IndexError or ValueError where it lacks something."""
    words, width = watched(table, TASKS), table.machine.width
    lengths = table.lengths()
    ms = np.array([[table.whole(task, n) for n in lengths] for task in TASKS])  # [task, length]
    bill = int(np.abs(np.log(np.array(lengths) / wanted)).argmin())
    n = lengths[bill]
    operations = np.array([recurrent_operations(n, width)] * 2 + [attention_operations(n, width)])
    batch = max(row.batch for row in table.rows)
    return SerialParallelTrace(
        provenance=provenance(
            (Model("RNN", "", False), Model("self-attention", "", False)), seed,
            choose_device(device),
        ),
        measured=measured(table),
        width=width,
        words=words,
        reading=Board(
            np.array(table.steps("loop")),
            np.array(table.steps("attention")),
            depths(recurrent_reading(words), [("project", 0), *row("state", words)]),
            depths(attentive_reading(words), [(stage, words - 1) for stage in STAGES]),
            words * words,
        ),
        fused_ms=table.whole("fused", words),
        writing=Board(
            np.array(table.steps("rnn_writes")),
            np.array(table.steps("attention_writes")),
            depths(recurrent_writing(words), row("state", words)),
            depths(attentive_writing(words), row("context", words)),
            words * (words + 1) // 2,
        ),
        batch=batch,
        sentence_ms=np.array([
            [table.whole(task, words), table.whole(task, words, batch) / batch] for task in TASKS
        ]),
        bill_words=n,
        bill_depths=np.array([
            max(ready_at(graph).values()) for graph in (recurrent_reading(n), attentive_reading(n))
        ]),
        bill_cells=n * n,
        operations=operations,
        pair_operations=pair_operations(n, width),
        bill_ms=ms[:, bill],
        gflops=2e-6 * operations / ms[:, bill],  # a multiply–add is two; 10⁻⁹ / 10⁻³ s
        lengths=np.array(lengths),
        log10_ms=np.log10(ms),
        crossings=np.array([crossing(lengths, ms[2] / ms[task]) for task in range(2)]),
    )


def measured(table: Timings) -> Measured:
    """What is to be said of where the times come from."""
    machine = table.machine
    runs = min(row.runs for row in table.rows)
    return Measured(machine.device, machine.threads, machine.dtype, machine.torch, machine.date,
                    runs)


def row(name: str, words: int) -> list[tuple[str, int]]:
    """The operation of this name of every word."""
    return [(name, t) for t in range(words)]


def depths(graph: Graph, nodes: Sequence[tuple[str, int]]) -> Array:
    """The depth of each of some operations. # [node]"""
    depth = ready_at(graph)
    return np.array([depth[node] for node in nodes])


def recurrent_operations(words: int, width: int) -> float:
    """Multiply–adds of n steps: W x and U h, d² each."""
    return 2.0 * words * width**2


def attention_operations(words: int, width: int) -> float:
    """Multiply–adds of one layer: three projections of every word, and what pairs cost."""
    return 3.0 * words * width**2 + pair_operations(words, width)


def pair_operations(words: int, width: int) -> float:
    """Multiply–adds of n² scores and n² weighted values, d each."""
    return 2.0 * words**2 * width


def crossing(lengths: Sequence[int], ratio: Array) -> float:
    """Words from which attention stays slower, between two measured lengths as a straight line
    on log axes; 0 where it is so from the start, or not at the end. # ratio: [length]"""
    faster = np.flatnonzero(ratio <= 1)
    if not len(faster) or faster[-1] == len(lengths) - 1:
        return 0.0
    at = int(faster[-1])
    near, far = np.log(ratio[at]), np.log(ratio[at + 1])
    share = near / (near - far)
    low, high = np.log(lengths[at]), np.log(lengths[at + 1])
    return float(np.exp(low + share * (high - low)))
