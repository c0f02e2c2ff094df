"""How good a resolver is: whom it means and where it looks, on sentences it never saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor

from engine.batching import pad
from engine.coreference import Reader
from engine.coreference_corpus import Example, examples
from engine.vocabulary import PAD, UNKNOWN

HELD_OUT_SEED = 42
HELD_OUT = 500  # sentences


@dataclass(frozen=True)
class Found:
    """What a resolver makes of some sentences. [sentence] each."""

    weights: Tensor  # α from the pronoun to the word it means
    looked: Tensor  # bool: nothing was looked at more
    right: Tensor  # bool: it says the right one


@cache
def held_out() -> tuple[Example, ...]:
    """The sentences that all figures are about."""
    return tuple(examples(HELD_OUT, HELD_OUT_SEED, held_out=True))


@torch.no_grad()
def find(
    reader: Reader, sentences: Sequence[Example], ordered: bool = True, bare: bool = False
) -> Found:
    """Weights and answers; `bare` makes every word unknown but people, things and the pronoun."""
    model, device = reader.model, reader.device
    words = pad([_indices(reader, one, bare) for one in sentences]).to(device)  # [sentence, time]
    pronoun = torch.tensor([one.pronoun for one in sentences], device=device)  # [sentence]
    meant = torch.tensor([one.antecedent for one in sentences], device=device)
    seen = model.look(model.read(words, ordered), (words == PAD).unsqueeze(1))
    rows = torch.arange(len(words), device=device)
    weights = seen.weights[rows, pronoun]  # [sentence, time]
    guess = model.answer(seen.context[rows, pronoun])  # [sentence, word]
    return Found(
        weights[rows, meant],
        weights.argmax(dim=-1) == meant,
        guess.argmax(dim=-1) == words[rows, meant],
    )


def _indices(reader: Reader, one: Example, bare: bool) -> list[int]:
    indices = reader.vocabulary.encode(one.tokens)
    return [w if i in one.kept or not bare else UNKNOWN for i, w in enumerate(indices)]


def figures(reader: Reader, untrained: Reader) -> dict[str, Any]:
    """What the card says of held-out sentences."""
    sentences = held_out()
    found, before = find(reader, sentences), find(untrained, sentences)
    unordered, bare = find(reader, sentences, ordered=False), find(reader, sentences, bare=True)
    return {
        "held_out_sentences": len(sentences),
        "right": _share(found.right),
        "looked_at_most": _share(found.looked),
        "weight": _share(found.weights),
        "untrained_right": _share(before.right),
        "untrained_weight": _share(before.weights),
        "right_without_positions": _share(unordered.right),
        "right_with_other_words_unknown": _share(bare.right),
    }


def _share(values: Tensor) -> float:
    return round(float(values.double().mean()), 4)
