"""Training the self-attention of station 7, and measuring whom it means on held-out sentences."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import torch
from torch import Tensor, nn
from torch.nn import functional

from engine.batching import pad
from engine.cards import write_card
from engine.checkpoints import WEIGHTS_DIR
from engine.coreference import (
    SEEDS,
    Reader,
    Resolver,
    load_reader,
    save_reader,
    untrained,
    untrained_twin,
    weights_path,
)
from engine.coreference_corpus import GRAMMAR, Example, examples, referents
from engine.coreference_figures import figures
from engine.progress import Progress
from engine.provenance import provenance
from engine.traces import Model
from engine.vocabulary import PAD, UNKNOWN, Vocabulary

Report = Callable[[int, float], None]  # (step, loss)

TRAINING_SEED = 41  # of the sentences; a model's own seed is the recipe's
TRAINING = 12_000  # sentences


@dataclass(frozen=True)
class Recipe:
    """Adam with a short warm-up and a straight way down."""

    steps: int = 1500
    peak: float = 5e-3  # learning rate after the warm-up
    warm_up: int = 50  # steps
    floor: float = 0.05  # share of the peak left at the end
    clip: float = 1.0  # largest norm of the gradient (Pascanu et al. 2013)
    batch: int = 64  # sentences
    calm: float = 2e-2  # weight of the pronoun's mean square score at first: see `_update`
    calmed: float = 0.4  # share of the steps after which it is 0
    unknown_power: float = 3.0  # share of words read as <unk>: uniform^power, per sentence
    seed: int = 1

    def learning_rate(self, step: int) -> float:
        """The rate at a step from 1 to `steps`."""
        return self.peak * min(1, step / self.warm_up) * max(self.floor, 1 - step / self.steps)

    def calming(self, step: int) -> float:
        """The weight of the mean square score at a step."""
        return self.calm * max(0.0, 1 - step / (self.calmed * self.steps))


def train_reader(
    material: Sequence[Example], recipe: Recipe, report: Report | None = None
) -> tuple[Reader, list[float]]:
    """A resolver trained from its seed, and the loss of every step in nats."""
    vocabulary = Vocabulary.of(example.tokens for example in material)
    model = untrained(len(vocabulary), recipe.seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=recipe.peak, betas=(0.9, 0.98))
    rng, losses = random.Random(recipe.seed), []
    for step in range(1, recipe.steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = recipe.learning_rate(step)
        batch = rng.sample(material, recipe.batch)
        rows = [forgotten(example, vocabulary, recipe, rng) for example in batch]
        losses.append(_update(model, pad(rows), batch, optimizer, recipe, step, rng))
        if report:
            report(step, losses[-1])
    card = Model("coreference", "", trained=True)
    return Reader(model.eval(), vocabulary, referents(), card), losses


def forgotten(
    example: Example, vocabulary: Vocabulary, recipe: Recipe, rng: random.Random
) -> list[int]:
    """A sentence as indices, some of its other words unknown: any words can stand there then."""
    share = rng.random() ** recipe.unknown_power
    return [
        UNKNOWN if i not in example.kept and rng.random() < share else word
        for i, word in enumerate(vocabulary.encode(example.tokens))
    ]


def _update(
    model: Resolver,
    words: Tensor,
    batch: Sequence[Example],
    optimizer: torch.optim.Optimizer,
    recipe: Recipe,
    step: int,
    rng: random.Random,
) -> float:
    """One step of the optimiser; returns the cross entropy of whom the pronouns mean.

    Beside its pronoun one other word of every sentence is asked which word it means: itself.

    Early on large scores cost something, whichever word they are for: else the names that happen
    to be overlooked at first get no gradient and stay so (.74 right instead of 1.00)."""
    optimizer.zero_grad(set_to_none=True)
    rows = torch.arange(len(batch))
    pronoun = torch.tensor([example.pronoun for example in batch])  # [batch]
    antecedent = torch.tensor([example.antecedent for example in batch])  # [batch]
    other = torch.tensor([rng.choice(_others(example)) for example in batch])  # [batch]
    seen = model.look(model.read(words), (words == PAD).unsqueeze(1))
    meant = model.answer(seen.context[rows, pronoun])  # [batch, word]
    itself = model.answer(seen.context[rows, other])  # [batch, word]
    answered = functional.cross_entropy(meant, words[rows, antecedent])
    others = functional.cross_entropy(itself, words[rows, other], ignore_index=UNKNOWN)
    padding = words == PAD  # [batch, time]
    unseen = padding.unsqueeze(1) | padding.unsqueeze(2)  # [batch, query, key]
    size = seen.scores.masked_fill(unseen, 0.0).square().mean()
    loss = answered + others + recipe.calming(step) * size
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
    optimizer.step()
    return float(answered.detach())


def _others(example: Example) -> list[int]:
    """The positions of all words but the pronoun."""
    return [i for i in range(len(example.tokens)) if i != example.pronoun]


@click.command()
@click.option("--seed", type=int, help="Of the first weights and of the batches; all without it.")
@click.option("--steps", default=Recipe.steps, help="Updates of the optimiser.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=WEIGHTS_DIR)
def coreference(seed: int | None, steps: int, out: Path) -> None:
    """Train self-attention to say whom a pronoun means; write weights and cards."""
    material = examples(TRAINING, TRAINING_SEED)
    for one in SEEDS if seed is None else (seed,):
        recipe, started = Recipe(steps=steps, seed=one), time.process_time()
        path = out / weights_path(one).name
        reader, _ = train_reader(material, recipe, Progress(path.stem, steps))
        seconds = time.process_time() - started
        digest = save_reader(path, reader)
        saved = load_reader(path, torch.device("cpu"))
        found = figures(saved, untrained_twin(saved, one))
        write_card(path, _card(path, digest, recipe, seconds, found))
        click.echo(f"{path.name}: {found}")


def _card(
    path: Path, digest: str, recipe: Recipe, seconds: float, found: dict[str, Any]
) -> dict[str, Any]:
    """What the card says."""
    options = f"--seed {recipe.seed} --steps {recipe.steps}"
    return {
        "name": path.stem,
        "sha256": digest,
        "command": f"python -m engine.training coreference {options}",
        "data": {"source": f"assets/tables/{GRAMMAR.name}", "training_sentences": TRAINING},
        "recipe": asdict(recipe),
        "figures": found,
        "cost": {"cpu_seconds": round(seconds), "threads": torch.get_num_threads()},
        "versions": list(provenance((), recipe.seed, torch.device("cpu")).versions),
    }
