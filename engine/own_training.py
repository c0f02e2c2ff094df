"""A translator for any two languages: `python -m engine.training --corpus pairs.tsv`."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass

import torch

from engine.batching import Example, batches, bunch, swap_unknown
from engine.optimisation import Recipe, cross_entropy, update
from engine.seq2seq import Translator
from engine.vocabulary import END

EVALUATIONS = 40  # of the held-out loss, over a whole training
ENOUGH = 0.004  # nats per held-out word: there is nothing left to learn
PATIENCE = 8  # evaluations without a better one, after which training ends
MOST_EVALUATED = 200  # held-out pairs

Report = Callable[[int, float, float], None]  # (step, loss of the step, best held-out loss)


@dataclass(frozen=True)
class Outcome:
    """How a training went."""

    steps: int  # taken
    best_step: int  # whose weights are kept
    held_out_loss: float  # nats per target word
    stopped_early: bool


def default_steps(examples: Sequence[Example], recipe: Recipe) -> int:
    """Forty times through the corpus, but neither endless nor over before it has begun."""
    words = sum(len(example.target) + 1 for example in examples)
    return max(300, min(20_000, 40 * words // recipe.batch_tokens))


def train_until_best(
    model: Translator,
    examples: Sequence[Example],
    held_out: Sequence[Example],
    recipe: Recipe,
    minutes: float | None = None,
    report: Report | None = None,
) -> Outcome:
    """Train in place and leave the weights that were best on what was held out.

    With `minutes` the learning rate sinks with the clock where that is faster than the steps.
    """
    course = _Course(model, held_out[:MOST_EVALUATED], recipe)
    rng = random.Random(recipe.seed)
    supply = batches(examples, recipe.batch_tokens, rng)
    optimizer = torch.optim.Adam(model.parameters(), lr=recipe.peak, betas=(0.9, 0.98))
    started, done, step = time.monotonic(), 0.0, 0
    while done < 1 and not course.stalled:
        step += 1
        done = step / recipe.steps
        if minutes is not None:
            done = max(done, (time.monotonic() - started) / (60 * minutes))
        for group in optimizer.param_groups:
            group["lr"] = recipe.learning_rate(max(1, round(min(done, 1.0) * recipe.steps)))
        batch = [_swapped(example, recipe, rng) for example in next(supply)]
        loss = update(model, batch, optimizer, recipe.clip)
        if done >= course.due or done >= 1:
            course.evaluate(step, done)
        if report:
            report(step, loss, course.best)
    model.load_state_dict(course.weights)
    model.eval()
    return Outcome(step, course.best_step, course.best, stopped_early=done < 1)


class _Course:
    """The held-out loss over time, and the weights where it was least."""

    def __init__(self, model: Translator, held_out: Sequence[Example], recipe: Recipe) -> None:
        self.model, self.held_out, self.tokens = model, held_out, 4 * recipe.batch_tokens
        self.best, self.best_step = float("inf"), 0
        self.weights = deepcopy(model.state_dict())
        self.due, self.worse = 1 / EVALUATIONS, 0

    @property
    def stalled(self) -> bool:
        return self.worse >= PATIENCE or self.best <= ENOUGH

    def evaluate(self, step: int, done: float) -> None:
        self.due = done + 1 / EVALUATIONS
        loss = held_out_loss(self.model, self.held_out, self.tokens)
        if loss < self.best:
            self.best, self.best_step, self.worse = loss, step, 0
            self.weights = deepcopy(self.model.state_dict())
        else:
            self.worse += 1


@torch.no_grad()
def held_out_loss(model: Translator, examples: Sequence[Example], tokens: int) -> float:
    """Mean -log p of a held-out word, END included, in nats."""
    total = count = 0.0
    for batch in bunch(sorted(examples, key=lambda e: len(e.target)), tokens):
        words = sum(len((*example.target, END)) for example in batch)
        total += float(cross_entropy(model, batch)) * words
        count += words
    return total / count


def _swapped(example: Example, recipe: Recipe, rng: random.Random) -> Example:
    return swap_unknown(example, rng) if rng.random() < recipe.unknown_share else example
