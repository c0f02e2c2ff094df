"""Exact one-step Jacobians of the three cells, and products of a thousand of them.

Every cell's new state depends on the old one in two ways: straight across (`direct`), and
through its gates (`via_gates`). With both written as one number per unit, one formula serves
all three cells. The state of an LSTM is the joint (h, c): its h alone is not a state.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from engine.cells import CellRun, GRURun, LSTMRun, RNNRun


@dataclass(frozen=True)
class Slopes:
    """Derivatives of the new state, unit by unit. `part` runs over h, or over (h, c)."""

    via_gates: Tensor  # [time, *batch, part, gate, hidden]; by each gate's recurrent input
    via_inputs: Tensor  # [time, *batch, part, gate, hidden]; by each gate's projected x
    direct: Tensor  # [time, *batch, part, part, hidden]; new part by old part, gates held still


def slopes(run: CellRun) -> Slopes:
    """The derivatives of each step of a run, all steps at once."""
    match run:
        case RNNRun():
            return _rnn_slopes(run)
        case LSTMRun():
            return _lstm_slopes(run)
        case GRURun():
            return _gru_slopes(run)


def _rnn_slopes(run: RNNRun) -> Slopes:
    slope = (1 - run.hidden_states**2)[..., None, None, :]  # [time, *batch, 1, 1, hidden]
    return Slopes(slope, slope, torch.zeros_like(slope))


def _lstm_slopes(run: LSTMRun) -> Slopes:
    i, f, g, o = run.input_gate, run.forget_gate, run.candidate, run.output_gate
    squashed = torch.tanh(run.cell_states)  # [time, *batch, hidden]
    read = o * (1 - squashed**2)  # [time, *batch, hidden]; dh/dc
    zero = torch.zeros_like(f)
    by_gate = (g * i * (1 - i), run.previous_cell * f * (1 - f), i * (1 - g**2), zero)
    to_cell = torch.stack(by_gate, dim=-2)  # [time, *batch, gate, hidden]
    through_output = torch.stack((zero, zero, zero, squashed * o * (1 - o)), dim=-2)
    to_hidden = read[..., None, :] * to_cell + through_output  # [time, *batch, gate, hidden]
    via_gates = torch.stack((to_hidden, to_cell), dim=-3)  # [time, *batch, part, gate, hidden]
    from_cell = torch.stack((read * f, f), dim=-2)  # [time, *batch, part, hidden]
    direct = torch.stack((torch.zeros_like(from_cell), from_cell), dim=-2)
    return Slopes(via_gates, via_gates, direct)


def _gru_slopes(run: GRURun) -> Slopes:
    r, z, n = run.reset_gate, run.update_gate, run.candidate
    write = (1 - z) * (1 - n**2)  # [time, *batch, hidden]; dh by the candidate's total input
    by_reset = write * run.recalled * r * (1 - r)  # [time, *batch, hidden]
    by_update = (run.previous_hidden - n) * z * (1 - z)  # [time, *batch, hidden]
    # [time, *batch, gate, hidden] each
    via_gates = torch.stack((by_reset, by_update, write * r), dim=-2)
    via_inputs = torch.stack((by_reset, by_update, write), dim=-2)
    return Slopes(via_gates[..., None, :, :], via_inputs[..., None, :, :], z[..., None, None, :])


def step_jacobians(run: CellRun) -> Tensor:
    """∂s_t/∂s_{t-1} for every step: [time, *batch, state, state], state = h or (h, c).

    For the RNN this is diag(1 − h²) U (Pascanu, Mikolov and Bengio 2013, eq. 5, transposed)."""
    local = slopes(run)
    recurrent = run.weights.recurrent_by_gate  # [gate, hidden, hidden]
    by_hidden = torch.einsum("...pgu,guv->...puv", local.via_gates, recurrent)
    across = torch.diag_embed(local.direct)  # [time, *batch, part, part, hidden, hidden]
    blocks = across.movedim(-3, -2).clone()  # [time, *batch, part, hidden, part, hidden]
    blocks[..., 0, :] += by_hidden  # gates read h only, never c
    return blocks.flatten(-2).flatten(-3, -2)


@dataclass(frozen=True)
class ScaledProducts:
    """Products of Jacobians as matrix × 10^scale, so that no length under- or overflows.

    A scale of -inf means that the product is exactly zero."""

    matrices: Tensor  # [lag, *batch, state, state], largest entry ±1
    log10_scales: Tensor  # [lag, *batch]

    def log10_norms(self) -> Tensor:
        """log₁₀ of the spectral norm, exact (largest singular value): [lag, *batch]."""
        largest = torch.linalg.svdvals(self.matrices)[..., 0]  # [lag, *batch]
        return self.log10_scales + torch.log10(largest)

    def block(self, start: int, stop: int) -> ScaledProducts:
        """The same products seen in some units only: the diagonal block start…stop."""
        return ScaledProducts(self.matrices[..., start:stop, start:stop], self.log10_scales)


def lagged_products(jacobians: Tensor, lags: list[int]) -> ScaledProducts:
    """∂s_T/∂s_{T−lag} = J_T J_{T−1} … J_{T−lag+1} for each lag, in the order given.

    Lag 0 is the identity. Raises ValueError for a lag outside 0…T."""
    if not lags or min(lags) < 0 or max(lags) > len(jacobians):
        raise ValueError(f"lags {lags} must lie in 0…{len(jacobians)}")
    product = torch.eye(jacobians.shape[-1]).to(jacobians).expand_as(jacobians[0])
    scale = product.new_zeros(jacobians.shape[1:-2])  # [*batch]
    kept, wanted = {0: (product, scale)}, set(lags)
    for lag in range(1, max(lags) + 1):
        product, scale = _normalised(product @ jacobians[-lag], scale)
        if lag in wanted:
            kept[lag] = (product, scale)
    matrices, scales = zip(*(kept[lag] for lag in lags), strict=True)
    return ScaledProducts(torch.stack(matrices), torch.stack(scales))


def _normalised(product: Tensor, scale: Tensor) -> tuple[Tensor, Tensor]:
    largest = product.abs().amax((-2, -1))  # [*batch]
    return product / floored(largest)[..., None, None], scale + torch.log10(largest)


def floored(magnitudes: Tensor) -> Tensor:
    """No smaller than the smallest normal number, to divide by."""
    return magnitudes.clamp_min(torch.finfo(magnitudes.dtype).tiny)
