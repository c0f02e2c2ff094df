"""Station 1: a loop is pulled out over a sentence; every copy has the same weights.

One entry of W is changed and the sentence read again, to see which states move. The gradient of
the shared W is put together step by step, and held against autograd's.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from torch import Tensor, nn

from engine.arrays import as_array
from engine.cells import Weights, run_rnn
from engine.device import choose_device
from engine.gradients import Gradients, backpropagate
from engine.lesson import Lesson
from engine.provenance import provenance
from engine.tokens import tokenize
from engine.traces import Model, UnrolledTrace

GAIN = 0.9  # of W, an orthogonal matrix times this
BIAS = 0.2  # deviation of the biases: seen on the tablet, and small beside the words


def build(lesson: Lesson, device: str = "auto") -> UnrolledTrace:
    """The numbers of one loop pulled out over the lesson's sentence.

    Raises InputError for a sentence without words or an unknown device."""
    spec, place = lesson.unrolled, choose_device(device)
    tokens = tokenize(spec.sentence, "unrolled.sentence")
    weights, readout = drawn(spec.hidden_size, spec.embedding_size, lesson.seed)
    weights, readout = weights.to(place), readout.to(place)
    words = vectors(tokens, spec.embedding_size, lesson.seed).to(place)  # [time, embedding]
    run = run_rnn(weights, words)
    gradients = backpropagate(run, readout)
    parts = step_parts(gradients)  # [time, unit, unit]
    total = parts.sum(dim=0)  # [unit, unit]
    entry = most_sensitive(total)
    matrix = weights.recurrent_weight.clone()  # [unit, unit]
    matrix[entry] += spec.change
    changed = run_rnn(replace(weights, recurrent_weight=matrix), words)
    differences = (changed.hidden_states - run.hidden_states).norm(dim=-1)  # [time]
    parameters = count(weights)
    steps = np.array(spec.steps, dtype=np.int64)
    return UnrolledTrace(
        provenance=provenance((Model("tanh RNN", "", False),), lesson.seed, place),
        sentence=spec.sentence,
        tokens=tokens,
        recurrent_weight=as_array(weights.recurrent_weight),
        input_weight=as_array(weights.input_weight),
        bias=as_array(weights.input_bias),
        hidden_states=as_array(run.hidden_states),
        entry=entry,
        entry_before=float(weights.recurrent_weight[entry]),
        entry_after=float(matrix[entry]),
        changed_states=as_array(changed.hidden_states),
        state_differences=as_array(differences),
        states_changed=int((differences > 0).sum()),
        parameters=parameters,
        steps=steps,
        shared=np.full_like(steps, parameters),
        separate=steps * parameters,
        part_norms=as_array(torch.linalg.matrix_norm(parts)),
        weight_gradient=as_array(total),
        weight_gradient_norm=float(total.norm()),
        sum_error=float((total - by_autograd(weights, words, readout)).abs().max()),
    )


def drawn(units: int, embedding: int, seed: int) -> tuple[Weights, Tensor]:
    """Untrained weights and a readout v, drawn on the CPU so that every device gets the same."""
    dice = torch.Generator().manual_seed(seed)
    matrix = torch.empty(units, units, dtype=torch.float64)  # [unit, unit]
    nn.init.orthogonal_(matrix, GAIN, generator=dice)
    inwards = torch.randn(units, embedding, generator=dice, dtype=torch.float64)
    inwards = inwards / embedding**0.5  # [unit, embedding]; words are heard at variance 1
    bias = BIAS * torch.randn(units, generator=dice, dtype=torch.float64)  # [unit]
    readout = torch.randn(units, generator=dice, dtype=torch.float64)  # [unit]
    weights = Weights(inwards, matrix, bias, torch.zeros_like(bias))
    return weights, readout / readout.norm()


def vectors(tokens: tuple[str, ...], size: int, seed: int) -> Tensor:
    """One random vector for each different token. # [time, embedding]"""
    dice = torch.Generator().manual_seed(seed + 1)
    distinct = tuple(dict.fromkeys(tokens))
    table = torch.randn(len(distinct), size, generator=dice, dtype=torch.float64)
    return table[[distinct.index(token) for token in tokens]]


def count(weights: Weights) -> int:
    """H² + HE + H: the entries of W, U and b. The second bias of a cell stays 0 here."""
    learned = (weights.recurrent_weight, weights.input_weight, weights.input_bias)
    return sum(tensor.numel() for tensor in learned)


def step_parts(gradients: Gradients) -> Tensor:
    """What every step gives to ∂L/∂W: δ_t h_{t-1}ᵀ. # [time, unit, unit]"""
    lengths = 10 ** gradients.log10_lengths[1:, None]  # [time, 1]
    deltas = lengths * gradients.gates[:, 0]  # [time, unit]
    return torch.einsum("tu,tv->tuv", deltas, gradients.run.previous_hidden)


def most_sensitive(gradient: Tensor) -> tuple[int, int]:
    """Row and column of the entry with the largest derivative."""
    row, column = divmod(int(gradient.abs().argmax()), gradient.shape[1])
    return row, column


def by_autograd(weights: Weights, words: Tensor, readout: Tensor) -> Tensor:
    """∂L/∂W as torch finds it. # [unit, unit]"""
    matrix = weights.recurrent_weight.clone().requires_grad_()
    hidden = weights.start(words)  # [unit]
    for word in words:
        driven = weights.input_weight @ word + weights.input_bias  # [unit]
        hidden = torch.tanh(matrix @ hidden + driven)  # [unit]
    return torch.autograd.grad(hidden @ readout, matrix)[0]
