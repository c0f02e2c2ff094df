"""The bottleneck of a translator of one's own, measured on what its corpus held out.

The same tables as the shipped ones have, so that the recital's curves are always those of the
models that recite.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from engine.cards import command_line
from engine.length_curves import BUCKETS
from engine.measuring import translate_all
from engine.own_corpus import OwnMaterial, Pair
from engine.own_models import MEASURED, own_path
from engine.probe_training import BUCKETS as PROBED
from engine.probes import accuracy_by_position, load_probe, save_probe, train_probe
from engine.quality import bleu, exact_match, token_recall
from engine.tables import LengthRow, ProbeRow, write_table
from engine.translators import Interpreter, load_interpreter

PROBE, LENGTHS, POSITIONS = MEASURED
FEWEST = 5  # held-out sentences behind a point
CPU = torch.device("cpu")


def write_own_tables(folder: Path, material: OwnMaterial) -> None:
    """The probe of the fixed context, quality by length, and what the probe finds by position."""
    fixed, attentive = (
        load_interpreter(own_path(folder, kind), CPU, torch.float32)
        for kind in ("fixed", "conditional")
    )
    sentences = [fixed.source.encode(source) for source, _ in material.training]
    save_probe(folder / PROBE, train_probe(fixed, sentences), fixed)
    found = list(_positions(folder, fixed, material.held_out))
    by_length = [
        row
        for each in (fixed, attentive)
        for low, high, pairs in _by_length(material.held_out, BUCKETS)
        for row in [_quality(each, pairs, low, high)]
    ]
    for name, rows in ((LENGTHS, by_length), (POSITIONS, found)):
        if rows:
            write_table(folder / name, command_line(), rows)


def _positions(
    folder: Path, fixed: Interpreter, held_out: Sequence[Pair]
) -> Iterator[ProbeRow]:
    probe, _ = load_probe(folder / PROBE, fixed)
    for low, high, pairs in _by_length(held_out, PROBED):
        encoded = [fixed.source.encode(source) for source, _ in pairs]
        try:
            rows = accuracy_by_position(fixed, probe, encoded)
        except ZeroDivisionError:  # too short, or too alike: no two words to tell apart
            continue
        yield from (replace(row, shortest=low, longest=high) for row in rows)


def _by_length(
    pairs: Sequence[Pair], buckets: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, list[Pair]]]:
    """The ranges of source lengths that have enough pairs."""
    for low, high in buckets:
        inside = [pair for pair in pairs if low <= len(pair[0]) <= high]
        if len(inside) >= FEWEST:
            yield low, high, inside


def _quality(interpreter: Interpreter, pairs: Sequence[Pair], low: int, high: int) -> LengthRow:
    outputs = translate_all(interpreter, [source for source, _ in pairs])
    references = [target for _, target in pairs]
    sizes = interpreter.model.sizes
    fixed = sizes.decoder == "fixed"
    return LengthRow(
        model="fixed" if fixed else "attention",
        context=sizes.context if fixed else 0,
        parameters=interpreter.model.parameter_count(),
        shortest=low,
        longest=high,
        count=len(pairs),
        exact_match=round(exact_match(outputs, references), 4),
        bleu=round(bleu(outputs, references), 2),
        token_recall=round(token_recall(outputs, references), 4),
    )
