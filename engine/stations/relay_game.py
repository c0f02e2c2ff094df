"""Station 2: the note that walks from the loss back to the first word.

Act 1 has no input: the tanh RNN is linear there and the note shrinks by the gain at each
step. Act 2 reads the lesson's sentence with the same matrix. Act 3 reads it again, softly and
over and over, with the same matrix at a larger gain.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from engine.arrays import as_array
from engine.cells import RNNRun, Weights, run_rnn
from engine.device import choose_device
from engine.gradients import (
    Gradients,
    backpropagate,
    clip_by_norm,
    clip_by_value,
    cosine,
    per_step_factors,
)
from engine.jacobians import lagged_products, step_jacobians
from engine.lesson import Lesson
from engine.provenance import provenance
from engine.tokens import tokenize
from engine.traces import Clipping, Model, RelayGameTrace
from engine.traces.base import Array

FAR_LAG = 1000
#: How loud the words of act 3 are: loud ones saturate tanh, and then nothing explodes.
SOFT_INPUT = 0.1
#: Below this autograd runs out of normal numbers and cannot be compared with.
SMALLEST_COMPARED = 1e-290


@dataclass(frozen=True)
class Network:
    """An untrained tanh RNN, drawn from a seed, with a linear readout: L = vᵀ h_T."""

    weights: Weights  # W orthogonal times a gain, U normal, no biases
    words: Tensor  # [time, unit] one random unit vector per distinct token
    readout: Tensor  # [unit] v, of length 1

    def at_gain(self, gain: float) -> Network:
        """The same network with its recurrent matrix stretched."""
        matrix = gain * self.weights.recurrent_weight  # [unit, unit]
        return replace(self, weights=replace(self.weights, recurrent_weight=matrix))


def build(lesson: Lesson, device: str = "auto") -> RelayGameTrace:
    """The numbers of the relay game for the lesson's sentence.

    Raises InputError for a sentence without words or an unknown device."""
    spec, place = lesson.relay_game, choose_device(device)
    tokens = tokenize(spec.sentence, "relay_game.sentence")
    plain = drawn(tokens, spec.hidden_size, lesson.seed, place)
    network, loud = plain.at_gain(spec.gain), plain.at_gain(spec.exploding_gain)
    run = run_rnn(network.weights, network.words)
    gradients = backpropagate(run, network.readout)
    soft = run_rnn(loud.weights, SOFT_INPUT * repeated(loud.words, spec.steps))
    linear = linear_norms(network, FAR_LAG)
    matrix = network.weights.recurrent_weight
    log10_hidden = gradients.log10_hidden()[1:]  # [time]
    return RelayGameTrace(
        provenance=provenance((Model("tanh RNN", "", False),), lesson.seed, place),
        sentence=spec.sentence,
        tokens=tokens,
        hidden_size=spec.hidden_size,
        gain=spec.gain,
        spectral_radius=float(torch.linalg.eigvals(matrix).abs().max()),
        spectral_norm=float(torch.linalg.matrix_norm(matrix, 2)),
        log10_linear_norms=as_array(linear[: spec.steps + 1]),
        log10_linear_reference=powers(spec.gain, spec.steps),
        log10_linear_far=float(linear[FAR_LAG]),
        hidden_states=as_array(run.hidden_states),
        log10_gradient_norms=as_array(log10_hidden),
        relative_gradients=as_array(10 ** (log10_hidden - log10_hidden[-1])),
        step_factors=as_array(per_step_factors(log10_hidden)),
        log10_input_gradient_norms=as_array(gradients.log10_inputs()),
        weight_parts=as_array(10 ** gradients.log10_parts()),
        weight_gradient_norm=float(10 ** gradients.recurrent_weight()[1]),
        log10_band=band(tokens, lesson),
        autograd_error=autograd_error(network, gradients),
        exploding_gain=spec.exploding_gain,
        exploding_input_scale=SOFT_INPUT,
        log10_exploding_norms=as_array(jacobian_norms(soft)),
        clipping=clipping(backpropagate(soft, loud.readout), spec.clip_norm),
    )


def drawn(tokens: tuple[str, ...], size: int, seed: int, device: torch.device) -> Network:
    """A network at gain 1. Drawn on the CPU, so that every device gets the same numbers."""
    dice = torch.Generator().manual_seed(seed)
    matrix = torch.empty(size, size, dtype=torch.float64)  # [unit, unit]
    nn.init.orthogonal_(matrix, generator=dice)
    # Unit vectors through a standard normal matrix: every unit hears a word at variance 1.
    inwards = torch.randn(size, size, generator=dice, dtype=torch.float64)  # [unit, embedding]
    readout = torch.randn(size, generator=dice, dtype=torch.float64)  # [unit]
    distinct = tuple(dict.fromkeys(tokens))
    table = torch.randn(len(distinct), size, generator=dice, dtype=torch.float64)
    table = table / table.norm(dim=-1, keepdim=True)  # [distinct, embedding]
    words = table[[distinct.index(token) for token in tokens]]  # [time, embedding]
    silence = torch.zeros(size, dtype=torch.float64)  # [unit]
    weights = Weights(inwards, matrix, silence, silence).to(device)
    return Network(weights, words.to(device), (readout / readout.norm()).to(device))


def linear_norms(network: Network, steps: int) -> Tensor:
    """log₁₀ ‖∂h_T/∂h_{T−k}‖ for k = 0…steps where every input is zero: [lag]."""
    silence = torch.zeros_like(network.words[:1]).expand(steps, -1)  # [time, embedding]
    return jacobian_norms(run_rnn(network.weights, silence))


def jacobian_norms(run: RNNRun) -> Tensor:
    """log₁₀ ‖∂h_T/∂h_{T−k}‖₂ for every k from 0 to T: [lag]."""
    lags = list(range(len(run.inputs) + 1))
    return lagged_products(step_jacobians(run), lags).log10_norms()


def powers(gain: float, steps: int) -> Array:
    """k · log₁₀(gain) for k = 0…steps: the line that act 1 has to lie on. # [lag]"""
    if gain == 0:
        return np.array([0.0] + [-math.inf] * steps)
    return np.array([lag * math.log10(gain) for lag in range(steps + 1)])


def repeated(words: Tensor, steps: int) -> Tensor:
    """The sentence read again and again until `steps` words are read. # [steps, embedding]"""
    return words[torch.arange(steps, device=words.device) % len(words)]


def band(tokens: tuple[str, ...], lesson: Lesson) -> Array:
    """log₁₀ of ‖∂L/∂h_t‖ / ‖∂L/∂h_T‖ with other matrices and embeddings. # [seed, time]"""
    spec, cpu = lesson.relay_game, torch.device("cpu")
    curves = []
    for seed in range(lesson.seed + 1, lesson.seed + 1 + spec.seeds):
        network = drawn(tokens, spec.hidden_size, seed, cpu).at_gain(spec.gain)
        run = run_rnn(network.weights, network.words)
        norms = backpropagate(run, network.readout).log10_hidden()[1:]  # [time]
        curves.append(as_array(norms - norms[-1]))
    return np.stack(curves)


def autograd_error(network: Network, ours: Gradients) -> float:
    """Largest relative error of ∂L/∂h_t over all t, and of ∂L/∂W, against autograd."""
    matrix = network.weights.recurrent_weight.clone().requires_grad_()
    weights = replace(network.weights, recurrent_weight=matrix)
    states = [weights.start(network.words)]
    for word in network.words:
        states.append(torch.tanh(weights.project(word) + weights.recur(states[-1])))
    # The first state is a constant; every later one is a runner.
    found = torch.autograd.grad(states[-1] @ network.readout, [*states[1:], matrix])
    mine = ours.directions[1:] * 10 ** ours.log10_lengths[1:, None]  # [time, unit]
    unit, log10_length = ours.recurrent_weight()
    pairs = [*zip(mine, found[:-1], strict=True), (unit * 10**log10_length, found[-1])]
    compared = [pair for pair in pairs if pair[1].norm() > SMALLEST_COMPARED]
    return max((relative_error(*pair) for pair in compared), default=0.0)


def relative_error(value: Tensor, expected: Tensor) -> float:
    """‖value − expected‖ / ‖expected‖."""
    return float((value - expected).norm() / expected.norm())


def clipping(gradients: Gradients, limit: float) -> Clipping:
    """∂L/∂W of act 3, clipped as a whole and entry by entry."""
    direction, log10_length = gradients.recurrent_weight()
    log10_norm = float(log10_length)
    by_norm = clip_by_norm(direction, log10_norm, limit)  # [unit, unit]
    by_value = clip_by_value(direction, log10_norm, limit)  # [unit, unit]
    return Clipping(
        log10_norm=log10_norm,
        limit=limit,
        norm_clipped=float(by_norm.norm()),
        cosine_by_norm=cosine(by_norm, direction),
        norm_by_value=float(by_value.norm()),
        cosine_by_value=cosine(by_value, direction),
    )
