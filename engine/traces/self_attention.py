"""The numbers of station 7: every word of a sentence asks every word of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from engine.traces.base import Array, Trace, check_length, check_rows, check_shape


@dataclass(frozen=True)
class SelfLook:
    """One sentence through self-attention (Vaswani et al. 2017, eq. 1), and whom its pronoun means.

    What is not said to be of every seed is of the first.
    """

    tokens: tuple[str, ...]  # [time]
    unknown: Array  # [time] bool: read as the unknown word
    pronoun: int  # its position
    antecedent: int  # of the one word before it that it agrees with
    scores: Array  # [query, key] q·k / √d, before softmax
    weights: Array  # [query, key] α, after softmax
    untrained_weights: Array  # [query, key] the same architecture before training
    answer: str  # the likeliest referent, as the sentence writes it
    probability: float  # of that answer
    right: bool  # whether it is the antecedent
    leave_one_out: Array  # [key] log p(answer) - log p(answer) with that word hidden
    seed_weights: Array  # [seed] α from the pronoun to the antecedent
    seed_probabilities: Array  # [seed] p of the answer
    agreeing: int  # seeds that give this answer and look at its word most
    trust: str  # "known", "carried" or "unknown"

    @property
    def attended(self) -> int:
        """Position of the word that the pronoun looks at most."""
        return int(self.weights[self.pronoun].argmax())


@dataclass(frozen=True)
class Reordered:
    """What comes back to every word before and after two names change places."""

    order: Array  # [time] int: where each word of the swapped sentence stood before
    outputs: Array  # [time, unit] z = Σ α v, with positions
    swapped_outputs: Array  # [time, unit]
    unordered_outputs: Array  # [time, unit] the same weights, positions left out
    unordered_swapped_outputs: Array  # [time, unit]
    difference: float  # max |swapped output - that word's output before|, with positions
    unordered_difference: float  # the same without them


@dataclass(frozen=True)
class HeldOutLooks:
    """α from pronoun to antecedent over sentences that training never had."""

    count: int  # sentences
    edges: Array  # [bin + 1] of α
    shares: Array  # [seed, bin] of the sentences
    untrained_shares: Array  # [seed, bin]
    weights: Array  # [seed] mean α
    untrained_weights: Array  # [seed]
    right: Array  # [seed] share answered right
    looked: Array  # [seed] share in which the antecedent is looked at most
    unordered_right: Array  # [seed] share answered right when positions are left out


@dataclass(frozen=True)
class SelfAttentionTrace(Trace):
    """The lesson's sentence told in full, names that change places, and a thing that is meant."""

    station: ClassVar[str] = "self_attention"

    told: SelfLook
    names: SelfLook
    swapped: SelfLook
    thing: SelfLook
    reordered: Reordered
    held_out: HeldOutLooks
    seeds: tuple[int, ...]
    units: int  # d

    def validate(self) -> None:
        for name in ("told", "names", "swapped", "thing"):
            _check_look(name, getattr(self, name), len(self.seeds))
        time = len(self.names.tokens)
        check_shape("reordered.order", self.reordered.order, time)
        check_shape("reordered.outputs", self.reordered.outputs, time, self.units)
        held, seeds = self.held_out, len(self.seeds)
        for name in ("shares", "untrained_shares"):
            check_shape(name, getattr(held, name), seeds, len(held.edges) - 1)
            check_rows(name, getattr(held, name))


def _check_look(name: str, look: SelfLook, seeds: int) -> None:
    time = len(look.tokens)
    check_length(f"{name}.unknown", tuple(np.atleast_1d(look.unknown)), time)
    for field in ("scores", "weights", "untrained_weights"):
        check_shape(f"{name}.{field}", getattr(look, field), time, time)
    check_rows(f"{name}.weights", look.weights)
    check_rows(f"{name}.untrained_weights", look.untrained_weights)
    check_shape(f"{name}.leave_one_out", look.leave_one_out, time)
    check_shape(f"{name}.seed_weights", look.seed_weights, seeds)
