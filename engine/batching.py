"""Sentence pairs as indices, and batches of them that waste little on padding."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.vocabulary import BEGIN, END, PAD, UNKNOWN

Link = tuple[int, int]  # (target position, source position)
POOL = 4096  # examples sorted by length at a time: short enough to stay shuffled


@dataclass(frozen=True)
class Example:
    """One sentence pair in word indices, with its sure links."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    links: tuple[Link, ...] = ()


def pad(rows: Sequence[Sequence[int]]) -> Tensor:
    """Rows of unequal length as one tensor, filled up with PAD."""
    width = max(map(len, rows))
    return torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows])  # [batch, time]


def as_tensors(batch: Sequence[Example]) -> tuple[Tensor, Tensor, Tensor]:
    """source [batch, source], previous words [batch, target] and next words [batch, target]."""
    source = pad([example.source for example in batch])
    target = pad([(BEGIN, *example.target, END) for example in batch])
    return source, target[:, :-1], target[:, 1:]


def batches(
    examples: Sequence[Example], tokens: int, rng: random.Random
) -> Iterator[list[Example]]:
    """Endless batches of about `tokens` target tokens each, of similar lengths within a batch."""
    order = list(range(len(examples)))
    while True:
        rng.shuffle(order)
        for start in range(0, len(order), POOL):
            pool = [examples[i] for i in order[start : start + POOL]]
            pool.sort(key=lambda example: (len(example.target), len(example.source)))
            bunches = list(bunch(pool, tokens))
            rng.shuffle(bunches)
            yield from bunches


def bunch(examples: Sequence[Example], tokens: int) -> Iterator[list[Example]]:
    """Consecutive examples, as many as fit into `tokens` when padded to the longest."""
    batch: list[Example] = []
    width = 0
    for example in examples:
        width = max(width, len(example.target) + 1)
        if batch and width * (len(batch) + 1) > tokens:
            yield batch
            batch, width = [], len(example.target) + 1
        batch.append(example)
    if batch:
        yield batch


def swap_unknown(example: Example, rng: random.Random) -> Example:
    """Replace one or two linked words by UNKNOWN on both sides.

    Trained on some of these, a model carries a word that it does not know to the right place
    instead of talking fluent nonsense about another one.
    """
    targets = Counter(target for target, _ in example.links)
    sources = Counter(source for _, source in example.links)
    single = [link for link in example.links if targets[link[0]] == sources[link[1]] == 1]
    if not single:
        return example
    source, target = list(example.source), list(example.target)
    for to, came_from in rng.sample(single, min(len(single), rng.choice((1, 1, 2)))):
        source[came_from] = target[to] = UNKNOWN
    return Example(tuple(source), tuple(target), example.links)
