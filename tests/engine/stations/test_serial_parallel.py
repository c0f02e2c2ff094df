"""Serial vs parallel: what is measured comes from the table, what is counted is counted twice."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from engine import load_lesson, to_json
from engine.errors import InputError
from engine.stations.serial_parallel import build, crossing
from engine.timing_table import read_timings, shipped_path, write_timings

WIDTH = 256


def lesson(**keys):
    return load_lesson(overrides={f"serial_parallel.{key}": value for key, value in keys.items()})


@pytest.fixture(scope="module")
def trace():
    return build(lesson(), "cpu")


@pytest.fixture(scope="module")
def table():
    return read_timings(shipped_path("cpu"))


def test_one_lesson_gives_one_trace_byte_for_byte(trace):
    assert to_json(build(lesson(), "cpu")) == to_json(trace)


def test_times_are_those_of_the_table(trace, table):
    assert trace.reading.recurrent_ms.tolist() == table.steps("loop")
    assert trace.writing.attention_ms.tolist() == table.steps("attention_writes")
    for task, name in enumerate(("loop", "fused", "attention")):
        measured = [table.whole(name, n) for n in trace.lengths]
        np.testing.assert_allclose(10 ** trace.log10_ms[task], measured)
    assert trace.measured.device == table.machine.device
    assert trace.sentence_ms[0, 1] == table.whole("loop", trace.words, 64) / 64


def test_depths_are_n_against_four(trace):
    n = trace.words
    assert trace.reading.recurrent_depths.tolist() == list(range(1, n + 2))
    assert trace.reading.attention_depths.tolist() == [1, 2, 3, 4]
    assert trace.writing.recurrent_depths[-1] == 2 * n
    assert trace.writing.attention_depths[-1] == 4 * n
    assert trace.bill_depths.tolist() == [trace.bill_words + 1, 4]
    assert trace.writing.cells == np.tril(np.ones((n, n))).sum()


def test_operations_are_those_that_torch_counts(trace):
    """Two per multiply–add, as torch's own counter has it, at a length that is quick."""
    from torch.utils.flop_counter import FlopCounterMode

    from engine.stations.serial_parallel import attention_operations, recurrent_operations
    from engine.timing import make_readers

    readers = make_readers(torch.device("cpu"))
    for run, words, expected in (
        (readers.loop, torch.randn(12, 1, WIDTH), recurrent_operations(12, WIDTH)),
        (readers.attention, torch.randn(1, 12, WIDTH), attention_operations(12, WIDTH)),
    ):
        with FlopCounterMode(display=False) as counter:
            run(words, lambda: None)
        assert counter.get_total_flops() == 2 * expected


def test_rates_are_operations_by_time(trace):
    np.testing.assert_allclose(
        trace.gflops * 1e9 * trace.bill_ms * 1e-3, 2 * trace.operations, rtol=1e-12
    )
    assert trace.pair_operations == 2 * trace.bill_cells * WIDTH


def test_the_bill_is_for_the_nearest_measured_length():
    assert [build(lesson(words=n), "cpu").bill_words for n in (2, 100, 1024, 99_999)] == [
        16, 128, 1024, 2048]


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [([0.5, 1.0, 2.0], 200.0), ([0.5, 0.5, 2.0], 200 * 2**0.5), ([2.0, 2.0, 3.0], 0.0),
     ([0.5, 0.5, 0.9], 0.0), ([2.0, 0.5, 2.0], 200 * 2**0.5)],
)
def test_a_crossing_is_where_attention_stays_slower(ratio, expected):
    assert crossing([100, 200, 400], np.array(ratio)) == pytest.approx(expected)


def test_a_table_of_ones_own_is_shown_and_named(tmp_path, table):
    mine = dataclasses.replace(
        table, machine=dataclasses.replace(table.machine, device="my own machine"),
        rows=tuple(dataclasses.replace(row, milliseconds=2 * row.milliseconds)
                   for row in table.rows),
    )
    write_timings(tmp_path / "mine.tsv", "a command", mine)
    found = build(lesson(table=str(tmp_path / "mine.tsv")), "cpu")
    assert found.measured.device == "my own machine"
    assert found.fused_ms == 2 * table.whole("fused", found.words)


@pytest.mark.parametrize("lost", ["loop", "attention", "rnn_writes"])
def test_a_table_that_lacks_something_is_refused(tmp_path, table, lost):
    rows = tuple(row for row in table.rows if row.task != lost)
    write_timings(tmp_path / "t.tsv", "a command", dataclasses.replace(table, rows=rows))
    with pytest.raises(InputError) as error:
        build(lesson(table=str(tmp_path / "t.tsv")), "cpu")
    assert error.value.key == "timings.not_whole"


def test_a_path_in_a_lesson_file_is_looked_for_beside_it(tmp_path, table):
    write_timings(tmp_path / "mine.tsv", "a command", table)
    (tmp_path / "lesson.toml").write_text('[serial_parallel]\ntable = "mine.tsv"\n')
    found = load_lesson(tmp_path / "lesson.toml").serial_parallel.table
    assert found == tmp_path / "mine.tsv"
