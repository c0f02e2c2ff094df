"""Attention: a query is scored against every source position, and the values are averaged.

Both kinds return the scores before the softmax, the weights after it, and the context.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from engine.deferred import StepLinear


class Attended(NamedTuple):
    """One look back at the source."""

    scores: Tensor  # [*batch, source], e_ij before the softmax, padding included
    weights: Tensor  # [*batch, source], alpha_ij after it; 0 at padding, each row sums to 1
    context: Tensor  # [*batch, value], c_i = sum_j alpha_ij h_j


class AdditiveAttention(nn.Module):
    """e_ij = v^T tanh(W s + U h_j) (Bahdanau, Cho and Bengio 2015, section 3.1 and A.1.2).

    The query s asks, U h_j is the key, and h_j itself is the value.
    """

    def __init__(self, query: int, annotation: int, units: int) -> None:
        super().__init__()
        self.query = StepLinear(query, units, bias=False)  # W_a
        self.key = nn.Linear(annotation, units, bias=False)  # U_a
        self.energy = nn.Linear(units, 1, bias=False)  # v_a

    def keys(self, annotations: Tensor) -> Tensor:
        """U h_j for every position: it does not depend on the query, so it is made once."""
        keys: Tensor = self.key(annotations)
        return keys  # [batch, source, units]

    def forward(self, query: Tensor, keys: Tensor, values: Tensor, padding: Tensor) -> Attended:
        """query [batch, hidden], keys [batch, source, units], values [batch, source, value],
        padding [batch, source], True where there is no word."""
        asked = self.query(query).unsqueeze(1)  # [batch, 1, units]
        scores = self.energy(torch.tanh(asked + keys)).squeeze(-1)  # [batch, source]
        return attend(scores, values, padding)


def scaled_dot_product(
    queries: Tensor, keys: Tensor, values: Tensor, padding: Tensor | None = None
) -> Attended:
    """e_ij = q_i . k_j / sqrt(d) (Vaswani et al. 2017, equation 1).

    queries [*batch, target, unit], keys [*batch, source, unit], values [*batch, source, value],
    padding broadcastable to [*batch, target, source].
    """
    scores = queries @ keys.transpose(-1, -2) / math.sqrt(keys.shape[-1])
    weights = masked_softmax(scores, padding)  # [*batch, target, source]
    return Attended(scores, weights, weights @ values)


def attend(scores: Tensor, values: Tensor, padding: Tensor) -> Attended:
    """Weights and context for the scores of one query. scores [batch, source]."""
    weights = masked_softmax(scores, padding)  # [batch, source]
    context = torch.bmm(weights.unsqueeze(1), values).squeeze(1)  # [batch, value]
    return Attended(scores, weights, context)


def masked_softmax(scores: Tensor, padding: Tensor | None) -> Tensor:
    """Softmax over the last axis, exactly 0 at padding.

    A row of nothing but padding gives zeros: nothing was there to look at.
    """
    if padding is None:
        return scores.softmax(dim=-1)
    lowest = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(padding, lowest).softmax(dim=-1)
    return weights.masked_fill(padding, 0.0)
