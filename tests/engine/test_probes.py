"""The probe finds what is in a vector, and nothing in a vector of another sentence."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from engine import probes
from engine.errors import InputError
from engine.probes import accuracy_by_position, load_probe, probe_path, save_probe, train_probe
from engine.seq2seq import Sizes, untrained
from engine.tables import LengthRow, ProbeRow, read_table, write_table
from engine.traces import Model
from engine.translators import Interpreter
from engine.vocabulary import SPECIAL, Vocabulary

WORDS, CONTEXT = 40, 24


def interpreter() -> Interpreter:
    words = Vocabulary(SPECIAL + tuple(f"w{i:02}" for i in range(WORDS - len(SPECIAL))))
    sizes = Sizes(WORDS, WORDS, "fixed", embedding=8, hidden=8, context=CONTEXT)
    return Interpreter(untrained(sizes, 0), words, words, "zh-en", Model("tiny", "abc", True))


def sentences(count: int, seed: int) -> list[list[int]]:
    rng = random.Random(seed)
    return [[rng.randrange(4, WORDS) for _ in range(10)] for _ in range(count)]


@pytest.fixture
def _first_half_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Contexts that hold the first five words of ten, and nothing of the others."""
    table = torch.randn(WORDS, CONTEXT, generator=torch.Generator().manual_seed(0))

    def contexts(_: Interpreter, rows: Sequence[Sequence[int]]) -> Tensor:
        return torch.stack([table[list(row[:5])].sum(dim=0) for row in rows])

    monkeypatch.setattr(probes, "contexts", contexts)


@pytest.mark.usefixtures("_first_half_is_kept")
def test_accuracy_is_high_where_words_are_kept_and_at_chance_where_they_are_not() -> None:
    probe = train_probe(interpreter(), sentences(800, 1), epochs=10)
    rows = accuracy_by_position(interpreter(), probe, sentences(200, 2))
    accuracy = [row.accuracy for row in rows]
    assert min(accuracy[:2]) > 0.9
    assert max(abs(a - 0.5) for a in accuracy[3:]) < 0.1
    assert all(abs(row.chance - 0.5) < 0.15 for row in rows)
    assert all(row.count > 150 for row in rows)


@pytest.mark.usefixtures("_first_half_is_kept")
def test_a_word_that_was_heard_is_found_likelier_than_one_that_was_not() -> None:
    model = interpreter()
    probe = train_probe(model, sentences(800, 1), epochs=10)
    heard = [4, 5, 6, 7, 8]
    context = probes.contexts(model, [heard])[0]
    kept = probe.kept(context, [*heard, 20, 21, 22])
    assert float(kept[:5].min()) > float(kept[5:].max())
    assert bool(((kept > 0) & (kept < 1)).all())


def test_contexts_are_those_of_the_translator() -> None:
    model = interpreter()
    rows = [[4, 5, 6], [7, 8]]
    found = probes.contexts(model, rows)
    for row, context in zip(rows, found, strict=True):
        memory, _ = model.model.prepare(model.model.read(torch.tensor([row])))
        assert torch.allclose(memory.context[0], context, atol=1e-6)


def test_a_probe_opens_only_for_the_translator_it_reads(tmp_path: Path) -> None:
    model = interpreter()
    probe = probes.ContentProbe(WORDS, CONTEXT)
    torch.nn.init.normal_(probe.reader)
    path = probe_path(tmp_path / "translator_tiny.safetensors")
    assert path.name == "probe_tiny.safetensors"
    save_probe(path, probe, model)
    loaded, card = load_probe(path, model)
    assert torch.allclose(loaded.reader, probe.reader, atol=1e-2)
    assert card.trained
    retrained = replace(model, card=Model("tiny", "def", True))
    with pytest.raises(InputError, match="other weights"):
        load_probe(path, retrained)


def test_tables_come_back_as_they_were_written(tmp_path: Path) -> None:
    lengths = [LengthRow("fixed", 64, 350_000, 3, 5, 200, 0.9, 95.25, 0.97)]
    write_table(tmp_path / "lengths.tsv", "python -m engine.training lengths", lengths)
    assert read_table(tmp_path / "lengths.tsv", LengthRow) == lengths
    positions = [ProbeRow(3, 10, k, 100, 0.8 - k / 100, 0.5) for k in range(1, 6)]
    write_table(tmp_path / "positions.tsv", "python -m engine.training probe", positions)
    assert read_table(tmp_path / "positions.tsv", ProbeRow) == positions
    text = (tmp_path / "positions.tsv").read_text(encoding="utf-8")
    assert text.startswith("# python -m engine.training probe\nshortest\tlongest\t")
