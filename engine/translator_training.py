"""Training a translator: `python -m engine.training translator`."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Protocol

import click
import torch

from engine.cards import command_line, read_card, write_card
from engine.checkpoints import WEIGHTS_DIR
from engine.decoder import KINDS, Kind
from engine.material import Material, encode, make_held_out, make_material
from engine.measuring import measure
from engine.optimisation import Recipe, Report, train
from engine.progress import Progress
from engine.provenance import provenance
from engine.seq2seq import Sizes, untrained
from engine.traces import Model
from engine.translators import (
    DIRECTIONS,
    FIXED_CONTEXT,
    Direction,
    Interpreter,
    load_interpreter,
    save_interpreter,
    weights_path,
)
from engine.trust import CARRIED, KNOWN, MOST_UNKNOWN
from engine.vocabulary import Vocabulary

STEPS, PAIRS = 14_000, 120_000
TRUST = {"known_from": KNOWN, "carried_from": CARRIED, "most_unknown": MOST_UNKNOWN}


class Vocabularies(Protocol):
    """Anything that has the words of two languages."""

    @property
    def source(self) -> Vocabulary: ...

    @property
    def target(self) -> Vocabulary: ...


def choose_sizes(
    material: Vocabularies, decoder: Kind, hidden: int, embedding: int, context: int
) -> Sizes:
    """Sizes for the vocabularies. A fixed-context translator gets as many parameters as attention:
    what it does not need for looking back makes its states wider."""
    sizes = Sizes(len(material.source), len(material.target), "conditional", embedding, hidden)
    if decoder != "fixed":
        return replace(sizes, decoder=decoder)
    wanted = untrained(sizes, 0).parameter_count()
    candidates = [
        replace(sizes, decoder="fixed", context=context, hidden=width)
        for width in range(hidden // 2, 2 * hidden, 2)
    ]
    return min(candidates, key=lambda s: abs(untrained(s, 0).parameter_count() - wanted))


def train_interpreter(
    material: Material, sizes: Sizes, recipe: Recipe, report: Report | None = None
) -> Interpreter:
    """A translator trained from its seed."""
    model = untrained(sizes, recipe.seed)
    train(model, encode(material.training, material.source, material.target), recipe, report)
    card = Model(f"{material.direction} {sizes.decoder}", "", trained=True)
    return Interpreter(model, material.source, material.target, material.direction, card)


@click.command()
@click.option("--direction", type=click.Choice(DIRECTIONS), default="zh-en")
@click.option("--decoder", type=click.Choice(KINDS), default="conditional")
@click.option("--steps", default=STEPS, help="Updates of the optimiser.")
@click.option("--seed", default=Recipe.seed, help="Of the first weights and of the batches.")
@click.option("--pairs", default=PAIRS, help="Training pairs made by the grammar.")
@click.option("--embedding", default=Sizes.embedding)
@click.option("--hidden", default=Sizes.hidden, help="`fixed` is widened to as many parameters.")
@click.option("--context", default=FIXED_CONTEXT, help="Size of the vector of `fixed`.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=WEIGHTS_DIR)
def translator(
    direction: Direction,
    decoder: Kind,
    steps: int,
    seed: int,
    pairs: int,
    embedding: int,
    hidden: int,
    context: int,
    out: Path,
) -> None:
    """Train one translator; write its weights and their card."""
    material = make_material(direction, pairs)
    sizes = choose_sizes(material, decoder, hidden, embedding, context)
    recipe = Recipe(steps=steps, seed=seed)
    started = time.process_time()
    interpreter = train_interpreter(
        material, sizes, recipe, Progress(f"{direction} {decoder}", steps)
    )
    seconds = time.process_time() - started
    path = weights_path(direction, decoder, seed, context, out)
    save_interpreter(path, interpreter)
    stored = load_interpreter(path, torch.device("cpu"), torch.float32)  # what fp16 left of it
    figures = measure(stored, material.held_out)
    write_card(path, _card(stored, material, recipe, round(seconds), figures))
    click.echo(f"{path.name}: " + ", ".join(f"{key} {value}" for key, value in figures.items()))


@click.command()
def remeasure() -> None:
    """Measure every shipped translator again and write the figures into its card."""
    for direction in DIRECTIONS:
        paths = sorted(WEIGHTS_DIR.glob(f"translator_{direction}_*.safetensors"))
        held_out = make_held_out(direction) if paths else []
        for path in paths:
            stored = load_interpreter(path, torch.device("cpu"), torch.float32)
            figures = measure(stored, held_out)
            card = read_card(path) | {"figures": figures}
            write_card(path, card)
            click.echo(f"{path.name}: {figures}")


def _card(
    stored: Interpreter,
    material: Material,
    recipe: Recipe,
    seconds: int,
    figures: dict[str, float],
) -> dict[str, Any]:
    """What the card says: everything needed to make the file again, and how good it is."""
    return {
        "name": stored.card.name,
        "sha256": stored.card.sha256,
        "command": command_line(),
        "parameters": stored.model.parameter_count(),
        "data": {
            "source": "engine.corpus, the project's own grammar and lexicon",
            "training_pairs": len(material.training),
            "held_out_pairs": len(material.held_out),
            "digest": material.digest(),
            "source_words": len(material.source),
            "target_words": len(material.target),
        },
        "sizes": stored.model.sizes.as_dict(),
        "recipe": asdict(recipe),
        "figures": figures,
        "trust": TRUST,
        "cost": {"cpu_seconds": seconds, "threads": torch.get_num_threads()},
        "versions": list(provenance((), recipe.seed, stored.device).versions),
    }
