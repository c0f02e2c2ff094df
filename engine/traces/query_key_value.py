"""The numbers of station 8: station 5 under its later names, then two projections of h."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from engine.traces.base import Array, Trace, check_length, check_rows, check_shape


@dataclass(frozen=True)
class Relabelled:
    """One sentence pair of station 5: the same vectors called query, key and value."""

    source: tuple[str, ...]  # [source]
    target: tuple[str, ...]  # [target]
    unknown: Array  # [source] bool
    queries: Array  # [target, unit] q_i = W s, what asks
    keys: Array  # [source, unit] k_j = U h_j, what is compared
    values: Array  # [source, value] v_j = h_j, what is brought back
    scores: Array  # [target, source] vᵀ tanh(q_i + k_j)
    weights: Array  # [target, source] computed from q, k and v
    contexts: Array  # [target, value]
    earlier_weights: Array  # [target, source] as station 5 has them
    weight_difference: float  # max |α - α of station 5|
    context_difference: float  # max |c - c of station 5|
    dot_scores: Array  # [target, source] q_i·k_j / √unit: the same vectors, another comparison
    dot_weights: Array  # [target, source] for which nothing was trained


@dataclass(frozen=True)
class Projected:
    """One sentence of station 7: query, key and value are three trained projections of x."""

    tokens: tuple[str, ...]  # [time]
    unknown: Array  # [time] bool
    asking: int  # position of the pronoun
    inputs: Array  # [time, unit] x_t, word and place
    queries: Array  # [time, unit] W_Q x
    keys: Array  # [time, unit] W_K x
    values: Array  # [time, unit] W_V x
    products: Array  # [time] q·k, of the asking word, not divided
    scores: Array  # [time] q·k / √d
    weights: Array  # [time] softmax of these
    undivided_weights: Array  # [time] softmax of the products
    sensitivity: float  # ‖∂α/∂score‖, Frobenius: how far a change of score moves the weights
    undivided_sensitivity: float  # the same at the products
    product_error: float  # max difference of weights and sum from torch's own attention


@dataclass(frozen=True)
class Spread:
    """How far dot products of random vectors scatter: entries of mean 0 and variance 1."""

    sizes: Array  # [size] int, d
    deviations: Array  # [size] standard deviation of q·k as measured
    divided: Array  # [size] the same after division by √d
    pairs: int  # of vectors per size


@dataclass(frozen=True)
class QueryKeyValueTrace(Trace):
    """The pair's first word in detail, then the asking word of a sentence that looks at itself."""

    station: ClassVar[str] = "query_key_value"

    pair: Relabelled
    sentence: Projected
    spread: Spread
    decoder: str  # "bahdanau" or "conditional": which state asks
    attention_size: int  # units of q and k in the pair
    units: int  # d, units of q and k in the sentence

    def validate(self) -> None:
        pair, one = self.pair, self.sentence
        target, source = pair.weights.shape
        check_length("source", pair.source, source)
        check_length("target", pair.target, target)
        check_shape("queries", pair.queries, target, self.attention_size)
        check_shape("keys", pair.keys, source, self.attention_size)
        for name in ("weights", "earlier_weights", "dot_weights"):
            check_shape(name, getattr(pair, name), target, source)
            check_rows(name, getattr(pair, name))
        time = len(one.tokens)
        for name in ("inputs", "queries", "keys", "values"):
            check_shape(name, getattr(one, name), time, self.units)
        for name in ("weights", "undivided_weights"):
            check_shape(name, getattr(one, name), time)
            check_rows(name, np.atleast_2d(getattr(one, name)))
