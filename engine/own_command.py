"""`python -m engine.training --corpus pairs.tsv`: from a file of sentence pairs to a folder that
`render.py --model` takes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import click
import torch

from engine.batching import Example
from engine.cards import command_line
from engine.decoder import Kind
from engine.errors import InputError
from engine.optimisation import Recipe
from engine.own_corpus import MOST_WORDS, OwnMaterial, make_own_material
from engine.own_folder import check_place, own_figures, whole_folder, write_folder_card
from engine.own_models import own_path
from engine.own_tables import write_own_tables
from engine.own_training import Outcome, default_steps, train_until_best
from engine.pairs_file import FAULTS, MOST_PAIRS, PairsFile, read_pairs
from engine.progress import Progress
from engine.provenance import provenance
from engine.seq2seq import untrained
from engine.tokens import clean
from engine.traces import Model
from engine.translator_training import choose_sizes
from engine.translators import FIXED_CONTEXT, Interpreter, load_interpreter, save_interpreter

SMALL = 2_000  # pairs, up to which smaller batches learn sooner
MOST_LABEL = 40  # characters of what a pair of languages is called
MANY = 20_000  # pairs, from which on states are wider
CPU = torch.device("cpu")


@dataclass(frozen=True)
class Order:
    """What was asked for."""

    material: OwnMaterial
    languages: str
    hidden: int
    embedding: int
    steps: int | None
    minutes: float | None


@dataclass(frozen=True)
class Trained:
    """One translator of a folder and how it came about."""

    interpreter: Interpreter
    recipe: Recipe
    outcome: Outcome
    seconds: float  # of the CPU


@click.command()
@click.argument("pairs", type=click.Path(path_type=Path), metavar="PAIRS.TSV")
@click.option("--out", type=click.Path(path_type=Path), help="A folder; default: PAIRS-model.")
@click.option("--languages", default="source-target", help="What to call them, such as de-fr.")
@click.option("--fixed", is_flag=True, help="Also one without attention, for closed_eyes_recital.")
@click.option("--seed", default=1, type=click.IntRange(0), help="Of weights, batches and split.")
@click.option("--seeds", default=1, type=click.IntRange(1, 5), help="Models, from seeds in a row.")
@click.option("--steps", type=click.IntRange(1), help="At most; default: 40 times the corpus.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="At most, each.")
@click.option("--hidden", type=click.IntRange(4, 1024), help="Units; default: by the corpus.")
@click.option("--embedding", type=click.IntRange(2, 1024), help="Default: half of --hidden.")
@click.option("--words", default=MOST_WORDS, type=click.IntRange(10), help="Of each vocabulary.")
@click.option("--pairs", "most", default=MOST_PAIRS, type=click.IntRange(20), help="At most.")
def corpus(
    pairs: Path,
    out: Path | None,
    languages: str,
    fixed: bool,
    seed: int,
    seeds: int,
    steps: int | None,
    minutes: float | None,
    hidden: int | None,
    embedding: int | None,
    words: int,
    most: int,
) -> None:
    """Train a translator of your own on PAIRS.TSV: a source and its translation on each line,
    with a tab between."""
    folder = (out or Path(f"{pairs.stem}-model")).resolve()
    check_place(folder)
    label = _label(languages)
    file = read_pairs(pairs, most)
    click.echo(_counted(file), err=True)
    material = make_own_material(file.pairs, seed, words)
    hidden = hidden or _hidden(len(material.training))
    order = Order(material, label, hidden + hidden % 2, embedding or hidden // 2, steps, minutes)
    with whole_folder(folder) as place:
        kinds: list[tuple[Kind, int]] = [("conditional", k) for k in range(seeds)]
        kinds += [("fixed", 0)] if fixed else []
        trained = [_train(order, kind, seed + k, own_path(place, kind, k + 1)) for kind, k in kinds]
        figures = {each.interpreter.card.name: _measured(each, order) for each in trained}
        if fixed:
            write_own_tables(place, material)
        write_folder_card(place, _card(order, file, trained, figures))
    click.echo(f"{folder}: " + ", ".join(f"{k} {v}" for k, v in figures["conditional"].items()))


def _train(order: Order, kind: Kind, seed: int, path: Path) -> Trained:
    """Trains one translator, writes it, and opens it again as half precision has left it."""
    material, started = order.material, time.process_time()
    examples = material.examples()
    small = len(examples) <= SMALL
    recipe = Recipe(seed=seed, batch_tokens=350 if small else 700)
    steps = order.steps or default_steps(examples, recipe)
    recipe = replace(recipe, steps=steps, warm_up=max(1, min(100, steps // 10)))
    sizes = choose_sizes(material, kind, order.hidden, order.embedding, FIXED_CONTEXT)
    model = untrained(sizes, seed)
    held_out: Sequence[Example] = [material.encode(pair) for pair in material.held_out]
    progress = Progress(f"{order.languages} {path.stem}", steps)
    outcome = train_until_best(
        model, examples, held_out, recipe, order.minutes,
        lambda step, loss, best: progress(step, loss),
    )
    card = Model(path.stem, "", trained=True)
    made = Interpreter(model, material.source, material.target, order.languages, card)
    save_interpreter(path, made)
    stored = load_interpreter(path, CPU, torch.float32)
    return Trained(stored, recipe, outcome, time.process_time() - started)


def _hidden(pairs: int) -> int:
    """Units of the decoder's state: more where there is more to learn."""
    return 64 if pairs <= SMALL else 128 if pairs <= MANY else 256


def _measured(trained: Trained, order: Order) -> dict[str, float]:
    return own_figures(trained.interpreter, order.material.held_out)


def _label(languages: str) -> str:
    """What the pair of languages is called. Raises InputError for what cannot be shown."""
    label = clean(languages, "--languages")
    if not label or len(label) > MOST_LABEL:
        raise InputError("model.languages", most=MOST_LABEL)
    return label


def _counted(file: PairsFile) -> str:
    """How many pairs there are, and what was left out."""
    left = [
        f"{count} {name}" + (f" (line {', '.join(map(str, file.faults.lines[name]))} …)"
                             if name in FAULTS else "")
        for name, count in file.faults.counts.items()
        if count
    ]
    return f"{len(file.pairs)} pairs" + (f"; left out: {', '.join(left)}" if left else "")


def _card(
    order: Order, file: PairsFile, trained: Sequence[Trained], figures: dict[str, dict[str, float]]
) -> dict[str, Any]:
    """Everything needed to make the folder again, and how good what lies in it is."""
    material = order.material
    return {
        "languages": order.languages,
        "command": command_line(),
        "data": {
            "digest": file.digest,
            "pairs": len(file.pairs),
            "left_out": file.faults.counts,
            "training_pairs": len(material.training),
            "held_out_pairs": len(material.held_out),
            "source_words": len(material.source),
            "target_words": len(material.target),
            "links": len(material.links),
        },
        "models": {
            each.interpreter.card.name: {
                "sha256": each.interpreter.card.sha256,
                "parameters": each.interpreter.model.parameter_count(),
                "sizes": each.interpreter.model.sizes.as_dict(),
                "recipe": asdict(each.recipe),
                "outcome": asdict(each.outcome),
                "cpu_seconds": round(each.seconds),
                "figures": figures[each.interpreter.card.name],
            }
            for each in trained
        },
        "versions": list(provenance((), trained[0].recipe.seed, CPU).versions),
        "threads": torch.get_num_threads(),
    }
