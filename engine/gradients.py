"""Gradients carried back through a recurrent run, step by step, in log space.

The loss is a function of the last state, as in the clips. Each gradient is kept as a unit
vector and the log₁₀ of its length, so that a thousand steps neither vanish nor overflow in
the arithmetic; what vanishes on screen vanishes in the mathematics. A log₁₀ of -inf means
exactly zero (every unit saturated, or a weight matrix of zeros).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.cells import CellRun
from engine.jacobians import floored, slopes, step_jacobians


@dataclass(frozen=True)
class Gradients:
    """∂L with respect to everything a run touched.

    `directions[t]` is ∂L/∂s_t at length 1 with s = h, or (h, c) side by side; index 0 is the
    initial state. `gates[t - 1]` and `inputs[t - 1]` belong to step t and are to be multiplied
    by 10^log10_lengths[t].
    """

    run: CellRun
    directions: Tensor  # [time + 1, *batch, state]
    log10_lengths: Tensor  # [time + 1, *batch]
    gates: Tensor  # [time, *batch, gate, hidden]; by each gate's recurrent input
    projected: Tensor  # [time, *batch, gate, hidden]; by each gate's projected x
    inputs: Tensor  # [time, *batch, embedding]

    def log10_hidden(self) -> Tensor:
        """log₁₀ ‖∂L/∂h_t‖ for t = 0…T: [time + 1, *batch]."""
        hidden = self.directions[..., : self.run.weights.hidden_size]  # [time + 1, *batch, hidden]
        return self.log10_lengths + torch.log10(hidden.norm(dim=-1))

    def log10_inputs(self) -> Tensor:
        """log₁₀ ‖∂L/∂x_t‖ for t = 1…T: [time, *batch]."""
        return self.log10_lengths[1:] + torch.log10(self.inputs.norm(dim=-1))

    def log10_parts(self) -> Tensor:
        """log₁₀ ‖part_t‖_F, where ∂L/∂U = Σ_t part_t and part_t = δ_t h_{t-1}ᵀ: [time, *batch]."""
        carried = torch.log10(self.gates.flatten(-2).norm(dim=-1))  # [time, *batch]
        facing = torch.log10(self.run.previous_hidden.norm(dim=-1))  # [time, *batch]
        return self.log10_lengths[1:] + carried + facing

    def recurrent_weight(self) -> tuple[Tensor, Tensor]:
        """∂L/∂U summed over steps: unit matrix [*batch, gate * hidden, hidden], log₁₀ ‖∂L/∂U‖."""
        return self._summed(self.gates, self.run.previous_hidden)

    def input_weight(self) -> tuple[Tensor, Tensor]:
        """∂L/∂W_in summed over steps, as `recurrent_weight`."""
        return self._summed(self.projected, self.run.inputs)

    def _summed(self, deltas: Tensor, facing: Tensor) -> tuple[Tensor, Tensor]:
        # The scale at which no term overflows; 0 where every term is exactly zero.
        top = self.log10_lengths.amax(0).nan_to_num(neginf=0.0)  # [*batch]
        terms = 10 ** (self.log10_lengths[1:] - top)[..., None] * deltas.flatten(-2)
        total = torch.einsum("t...u,t...v->...uv", terms, facing)  # [*batch, gate * hidden, facing]
        length = torch.linalg.matrix_norm(total)  # [*batch]
        return total / floored(length)[..., None, None], top + torch.log10(length)


def backpropagate(run: CellRun, last: Tensor) -> Gradients:
    """Carry `last` = ∂L/∂s_T [*batch, state] back to the start, one exact Jacobian at a time."""
    local = slopes(run)
    directions, log10_lengths = _carried_back(step_jacobians(run), last)
    parts = local.direct.shape[-2]
    adjoints = torch.stack(
        directions[1:].chunk(parts, dim=-1), dim=-2
    )  # [time, *batch, part, hidden]
    gates = torch.einsum("...pgu,...pu->...gu", local.via_gates, adjoints)
    projected = torch.einsum("...pgu,...pu->...gu", local.via_inputs, adjoints)
    inputs = projected.flatten(-2) @ run.weights.input_weight  # [time, *batch, embedding]
    return Gradients(run, directions, log10_lengths, gates, projected, inputs)


def _carried_back(jacobians: Tensor, last: Tensor) -> tuple[Tensor, Tensor]:
    direction, log10_length = _unit(last, last.new_zeros(last.shape[:-1]))
    directions, log10_lengths = [direction], [log10_length]
    for jacobian in jacobians.flip(0):
        carried = (direction[..., None, :] @ jacobian)[..., 0, :]  # [*batch, state]
        direction, log10_length = _unit(carried, log10_length)
        directions.append(direction)
        log10_lengths.append(log10_length)
    return torch.stack(directions[::-1]), torch.stack(log10_lengths[::-1])


def _unit(vector: Tensor, log10_length: Tensor) -> tuple[Tensor, Tensor]:
    length = vector.norm(dim=-1)  # [*batch]
    return vector / floored(length)[..., None], log10_length + torch.log10(length)


def per_step_factors(log10_norms: Tensor) -> Tensor:
    """What each step multiplies the gradient's length by, on its way from t + 1 to t: [time].

    0 where nothing is left to multiply."""
    factors = 10 ** (log10_norms[:-1] - log10_norms[1:])  # [time, *batch]
    return factors.masked_fill(log10_norms[:-1].isneginf(), 0.0)


def direct_path(forget_gates: Tensor) -> Tensor:
    """log₁₀ Π f over the last 1, 2, … T steps, unit by unit: [lag, *batch, hidden].

    The LSTM's straight road c_{T-lag} → c_T with every gate held still; the full gradient also
    runs through h and the gates (Gers, Schmidhuber and Cummins 2000)."""
    return torch.log10(forget_gates).flip(0).cumsum(0)


def clip_by_norm(direction: Tensor, log10_length: float, limit: float) -> Tensor:
    """The gradient, shortened to `limit` where it is longer: its direction never changes
    (Pascanu, Mikolov and Bengio 2013, algorithm 1). `direction` has length 1."""
    return direction * 10 ** min(log10_length, math.log10(limit))


def clip_by_value(direction: Tensor, log10_length: float, limit: float) -> Tensor:
    """The gradient with each entry cut to ±limit: its direction turns wherever one is cut."""
    # 1e300 stands for "longer than a float can say": every entry it reaches is cut anyway.
    return (direction * 10 ** min(log10_length, 300.0)).clamp(-limit, limit)


def cosine(one: Tensor, other: Tensor) -> float:
    """Of the angle between two tensors seen as vectors; 0 where one of them is zero."""
    a, b = one.flatten(), other.flatten()
    return float(a @ b / floored(a.norm() * b.norm()))
