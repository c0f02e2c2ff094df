"""The numbers of station 5: each written word looks back at every source word."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from engine.traces.base import Array, Trace, check_length, check_rows, check_shape
from engine.traces.evidence import Evidence


def _none() -> Array:
    return np.zeros(0)


@dataclass(frozen=True)
class Lookback:
    """One sentence pair through additive attention (Bahdanau et al. 2015, eq. 5 and 6), or through
    one cross-attention of a Transformer (see `engine.marian_lookback`)."""

    source: tuple[str, ...]  # [source]
    target: tuple[str, ...]  # [target]
    target_given: bool  # whether the user wrote it; else the model's own greedy words
    unknown: Array  # [source] bool: carried as the unknown word
    annotations: Array  # [source, unit] h_j, both directions
    queries: Array  # [target, unit] the state that asks
    scores: Array  # [target, source] e_ij, before softmax
    weights: Array  # [target, source] α_ij, after softmax
    contexts: Array  # [target, unit] c_i = Σ_j α_ij h_j
    context_error: float  # max ‖c_i - Σ_j α_ij h_j‖
    probabilities: Array  # [target] p(y_i) of each target word
    said: tuple[str, ...]  # [target] the word the model finds most likely there; equal to the
    # target's word, capitals included, where it is that one
    said_probabilities: Array  # [target]
    untrained_weights: Array  # [target, source] the same architecture before training
    untrained_probabilities: Array  # [target] p(y_i) before training
    uniform_probabilities: Array  # [target] p(y_i) with α frozen at 1/J
    leave_one_out: Array  # [target, source] log p(y_i) - log p(y_i) with h_j out of every sum
    crossings: int  # pairs of links that cross in the argmax alignment
    trust: str  # "known", "carried" or "unknown"
    min_probability: float  # least p of the target's words and of stopping after them
    evidence: Evidence  # what that trust is decided by
    # [target] of a Transformer only: the share of each row that went to the end sign </s> and was
    # left out before the row was brought back to 1; empty where there is no such column
    end_weights: Array = field(default_factory=_none)

    @property
    def alignment(self) -> Array:
        """The most attended source word of each target word. # [target]"""
        return np.asarray(self.weights.argmax(axis=-1))


@dataclass(frozen=True)
class LookingBackTrace(Trace):
    """The lesson's pairs, in order, through one trained model."""

    station: ClassVar[str] = "looking_back"

    pairs: tuple[Lookback, ...]
    decoder: str  # "bahdanau" or "conditional": which state asks; "marian": a Transformer
    attention_size: int  # units that compare; with "marian" of one head
    layer: int = 0  # of a Transformer's decoder, from 1
    head: int = 0  # of that layer, from 1; 0 for the mean of all `heads`
    heads: int = 0

    def validate(self) -> None:
        for pair in self.pairs:
            target, source = pair.weights.shape
            check_length("source", pair.source, source)
            check_length("target", pair.target, target)
            for name in ("scores", "untrained_weights", "leave_one_out"):
                check_shape(name, getattr(pair, name), target, source)
            pair.evidence.check(target)
            check_rows("weights", pair.weights)
            check_rows("untrained_weights", pair.untrained_weights)
