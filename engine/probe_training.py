"""Training the probe of the fixed context: `python -m engine.training probe`."""

from __future__ import annotations

from dataclasses import asdict, replace

import click
import torch

from engine.cards import command_line, write_card
from engine.length_curves import CANDIDATES, by_length
from engine.material import make_material, more_held_out
from engine.probes import accuracy_by_position, load_probe, probe_path, save_probe, train_probe
from engine.tables import POSITIONS, ProbeRow, write_table
from engine.translator_training import PAIRS
from engine.translators import DIRECTIONS, FIXED_CONTEXT, Direction, load_interpreter, weights_path

BUCKETS = ((3, 10), (11, 20), (21, 40))


@click.command()
@click.option("--direction", type=click.Choice(DIRECTIONS), default="zh-en")
@click.option("--pairs", default=PAIRS, help="As the translator was trained with.")
@click.option("--epochs", default=12)
def probe(direction: Direction, pairs: int, epochs: int) -> None:
    """Train the probe of the shipped fixed-context translator; measure it by position."""
    translator = weights_path(direction, "fixed", 1, FIXED_CONTEXT)
    interpreter = load_interpreter(translator, torch.device("cpu"), torch.float32)
    material = make_material(direction, pairs)
    sentences = [interpreter.source.encode(side.source) for side in material.training]
    path = probe_path(translator)
    digest = save_probe(path, train_probe(interpreter, sentences, epochs), interpreter)
    stored, _ = load_probe(path, interpreter)
    rows: list[ProbeRow] = []
    for low, high, sides in by_length(more_held_out(material, CANDIDATES), BUCKETS):
        encoded = [interpreter.source.encode(side.source) for side in sides]
        found = accuracy_by_position(interpreter, stored, encoded)
        rows += [replace(row, shortest=low, longest=high) for row in found]
    if direction == "zh-en":  # the table that the station draws
        write_table(POSITIONS, command_line(), rows)
    card = {
        "name": path.stem,
        "sha256": digest,
        "command": command_line(),
        "data": {"training_sentences": len(sentences), "reads": interpreter.card.name},
        "figures": {"by_position": [asdict(row) for row in rows]},
    }
    write_card(path, card)
    click.echo(f"{path.name}: " + ", ".join(f"{row.accuracy:.3f}" for row in rows))
