"""Timing: the readers compute what they say, the table says what was timed, errors are one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from engine import timing
from engine.attention import scaled_dot_product
from engine.errors import InputError
from engine.timing_table import (
    Machine,
    Timing,
    Timings,
    read_timings,
    shipped_path,
    watched,
    write_timings,
)
from engine.words import LANGUAGES

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def readers() -> timing.Readers:
    return timing.make_readers(CPU)


def stamps(run, words: torch.Tensor) -> int:
    count = 0

    def stamp() -> None:
        nonlocal count
        count += 1

    with torch.inference_mode():
        run(words, stamp)
    return count


@pytest.mark.parametrize(
    ("task", "expected"), [("loop", 1 + 7), ("fused", 0), ("attention", 4), ("rnn_writes", 7),
                           ("attention_writes", 7)],
)
def test_every_step_is_stamped(readers, task, expected):
    case = timing.Case(task, 7, 1, True)
    assert stamps(getattr(readers, task), case.words(CPU)) == expected


def test_the_loop_is_the_fused_rnn_written_out(readers, monkeypatch):
    seen = []
    monkeypatch.setattr(torch, "tanh", lambda x, tanh=torch.tanh: seen.append(tanh(x)) or seen[-1])
    words = torch.randn(5, 3, timing.WIDTH)  # [time, batch, unit]
    readers.loop(words, lambda: None)
    torch.testing.assert_close(torch.stack(seen), readers.rnn(words)[0])


def test_timed_attention_is_the_one_the_clips_use(readers, monkeypatch):
    words, seen = torch.randn(1, 6, timing.WIDTH), []  # [batch, time, unit]
    softmax = torch.Tensor.softmax
    monkeypatch.setattr(torch.Tensor, "softmax",
                        lambda x, dim: seen.append(softmax(x, dim)) or seen[-1])
    readers.attention(words, lambda: None)
    monkeypatch.undo()
    queries, keys, values = (words @ readers.projections.T).chunk(3, dim=-1)
    torch.testing.assert_close(seen[0], scaled_dot_product(queries, keys, values).weights)


def test_a_small_table_is_measured_written_and_read(monkeypatch, tmp_path):
    monkeypatch.setattr(timing, "BATCHES", {1: (4, 8), 64: (4,)})
    monkeypatch.setattr(timing, "BOARD", 4)
    table = timing.measure(CPU, runs=3)
    assert table.lengths() == [4, 8] and table.lengths(64) == [4]
    assert watched(table, timing.TASKS) == 4
    assert len(table.steps("loop")) == 5 and len(table.steps("attention_writes")) == 4
    assert all((np.diff(table.steps(task)) >= 0).all() for task in timing.WATCHED)
    assert all(0 < r.low <= r.milliseconds <= r.high and r.runs == 3 for r in table.rows)
    write_timings(tmp_path / "t.tsv", "a command", table)
    assert read_timings(tmp_path / "t.tsv") == table
    assert [p.name for p in tmp_path.iterdir()] == ["t.tsv"]


def test_quick_cases_come_before_slow_ones():
    sizes = [case.length * case.batch for case in timing.cases()]
    assert sizes == sorted(sizes)


def test_medians_and_quartiles():
    case = timing.Case("loop", 4, 1, True)
    rows = timing.summary(case, np.array([[1.0, 2.0], [3.0, 9.0], [2.0, 4.0]]))
    assert [(r.step, r.milliseconds) for r in rows] == [(1, 2.0), (2, 4.0)]


def test_a_device_without_a_table_gets_the_cpus():
    assert shipped_path("cpu").name == shipped_path("tpu").name == "serial_parallel_cpu.tsv"
    assert read_timings(shipped_path("cpu")).machine.kind == "cpu"


MACHINE = Machine("a CPU", "cpu", 1, "float32", 256, "2.13.0", "2026-01-01")
ONE = Timings(MACHINE, (Timing("loop", 4, 1, 0, 1.0, 1.0, 1.0, 3),))


def changed(tmp_path: Path, old: str, new: str) -> Path:
    path = tmp_path / "t.tsv"
    write_timings(path, "a command", ONE)
    path.write_text(path.read_text().replace(old, new, 1))
    return path


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [("task\tlength", "task,length", "not_one"), ("\t1.0\t", "\tnan\t", "bad_line"),
     ("\t1.0\t", "\t-1\t", "bad_line"), ("\t1.0\t", "\tfast\t", "bad_line"),
     ("# threads: 1\n", "", "bad_line"), ("a CPU", "处理器", "bad_line"),
     ("a CPU", "x" * 61, "bad_line")],
)
def test_a_table_that_is_not_as_it_was_measured(tmp_path, old, new, key):
    with pytest.raises(InputError) as error:
        read_timings(changed(tmp_path, old, new))
    assert error.value.key == f"timings.{key}"
    for lang in LANGUAGES:
        assert "t.tsv" in error.value.text(lang) and error.value.text(lang).isprintable()


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"# x\n", b"\x00" * 10])
def test_a_file_that_is_no_table(tmp_path, data):
    path = tmp_path / "t.tsv"
    path.write_bytes(data)
    with pytest.raises(InputError) as error:
        read_timings(path)
    assert error.value.key == "timings.not_one"


def test_a_table_that_is_not_there(tmp_path):
    with pytest.raises(InputError) as error:
        read_timings(tmp_path / "none.tsv")
    assert error.value.key == "timings.unreadable"
    assert "no such" in error.value.text("en")
