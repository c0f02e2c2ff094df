"""The recipe that trains a translator, and the loop that follows it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from engine.batching import Example, as_tensors, batches, swap_unknown
from engine.deferred import flush
from engine.seq2seq import Translator
from engine.vocabulary import PAD

Report = Callable[[int, float], None]  # (step, loss)


@dataclass(frozen=True)
class Recipe:
    """Adam with a short warm-up and a cosine; the values that worked best here."""

    steps: int = 4000
    peak: float = 3e-3  # learning rate after the warm-up
    warm_up: int = 100  # steps
    floor: float = 0.02  # share of the peak left at the end
    clip: float = 1.0  # largest norm of the gradient (Pascanu et al. 2013)
    batch_tokens: int = 700  # target tokens; smaller and more updates beat larger and fewer
    unknown_share: float = 0.15  # of sentences that lose one or two words to <unk>
    seed: int = 1

    def learning_rate(self, step: int) -> float:
        """The rate at a step from 1 to `steps`."""
        cosine = (1 + math.cos(math.pi * step / self.steps)) / 2
        warmth = min(1.0, step / self.warm_up)
        return self.peak * warmth * (self.floor + (1 - self.floor) * cosine)


def train(
    model: Translator, examples: Sequence[Example], recipe: Recipe, report: Report | None = None
) -> list[float]:
    """Train in place and return the loss of every step, in nats per target token."""
    rng = random.Random(recipe.seed)
    supply = batches(examples, recipe.batch_tokens, rng)
    optimizer = torch.optim.Adam(model.parameters(), lr=recipe.peak, betas=(0.9, 0.98))
    losses = []
    model.train()
    for step in range(1, recipe.steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = recipe.learning_rate(step)
        batch = [_swapped(example, recipe, rng) for example in next(supply)]
        losses.append(update(model, batch, optimizer, recipe.clip))
        if report:
            report(step, losses[-1])
    model.eval()
    return losses


def update(
    model: Translator, batch: Sequence[Example], optimizer: torch.optim.Optimizer, clip: float
) -> float:
    """One step of the optimiser on one batch; returns its loss."""
    optimizer.zero_grad(set_to_none=True)
    loss = cross_entropy(model, batch)
    loss.backward()  # type: ignore[no-untyped-call]
    flush(model)
    nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return float(loss.detach())


def cross_entropy(model: Translator, batch: Sequence[Example]) -> Tensor:
    """Mean -log p of the batch's next words, padding left out. A scalar."""
    source, previous, following = (part.to(model.bias.device) for part in as_tensors(batch))
    logits = model(source, previous)  # [batch, target, word]
    return functional.cross_entropy(logits.flatten(0, 1), following.flatten(), ignore_index=PAD)


def _swapped(example: Example, recipe: Recipe, rng: random.Random) -> Example:
    return swap_unknown(example, rng) if rng.random() < recipe.unknown_share else example
