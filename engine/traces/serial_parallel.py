"""The numbers of station 6: word after word, or all words at once; measured and counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from engine.traces.base import Array, Trace, check_shape

TASKS = ("loop", "fused", "attention")  # the RNN step by step; inside torch.nn.RNN; attention


@dataclass(frozen=True)
class Measured:
    """Where the times come from: not this run, but the table that was measured."""

    device: str
    threads: int
    dtype: str
    torch: str  # version
    date: str  # YYYY-MM-DD
    runs: int  # each time is the median of so many


@dataclass(frozen=True)
class Board:
    """One run whose every step was watched, and what each step had to wait for."""

    recurrent_ms: Array  # [step] when each was done: reading has the projection in front
    attention_ms: Array  # [step] the four stages when reading, the words when writing
    recurrent_depths: Array  # [step] int: steps that must come one after another, itself included
    attention_depths: Array  # [step] int
    cells: int  # attention weights computed


@dataclass(frozen=True)
class SerialParallelTrace(Trace):
    """RNN and one layer of attention of the same width, forward only, random weights."""

    station: ClassVar[str] = "serial_parallel"

    measured: Measured
    width: int  # d: units of a state and of a word vector
    words: int  # n of both boards

    reading: Board  # all words are there
    fused_ms: float  # torch.nn.RNN over the same words; its steps cannot be watched
    writing: Board  # each word is known when the one before it is done

    # One sentence and many at once.
    batch: int
    sentence_ms: Array  # [task, 2] per sentence of `words` words: alone, and in the batch

    # The bill of one length.
    bill_words: int
    bill_depths: Array  # [2] int: recurrent, attention
    bill_cells: int  # n²
    operations: Array  # [task] multiply–adds
    pair_operations: float  # of attention's, those that grow with n²
    bill_ms: Array  # [task]
    gflops: Array  # [task] 10⁹ multiplications and additions a second

    # By length.
    lengths: Array  # [length] int
    log10_ms: Array  # [task, length]
    crossings: Array  # [2] words from which attention stays slower than loop, fused; 0: nowhere

    def validate(self) -> None:
        tasks, lengths = len(TASKS), len(self.lengths)
        check_shape("log10_ms", self.log10_ms, tasks, lengths)
        check_shape("sentence_ms", self.sentence_ms, tasks, 2)
        for name in ("operations", "bill_ms", "gflops"):
            check_shape(name, getattr(self, name), tasks)
        check_shape("reading.recurrent_ms", self.reading.recurrent_ms, self.words + 1)
        check_shape("writing.attention_ms", self.writing.attention_ms, self.words)
        for board in (self.reading, self.writing):
            check_shape("recurrent_depths", board.recurrent_depths, *board.recurrent_ms.shape)
            check_shape("attention_depths", board.attention_depths, *board.attention_ms.shape)
            for times in (board.recurrent_ms, board.attention_ms):
                if (np.diff(times) < 0).any():
                    raise ValueError("steps of a board are not in the order of their times")
