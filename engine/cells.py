"""RNN, LSTM and GRU stepped explicitly, with every gate kept.

Weights have PyTorch's layout, gates stacked on the first axis, so that a trained
`torch.nn` module and these cells are the same function (the tests hold them to 1e-12).
`*batch` stands for any number of batch axes, none included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

Kind = Literal["rnn", "lstm", "gru"]

GATES: dict[Kind, tuple[str, ...]] = {
    "rnn": ("hidden",),
    "lstm": ("input", "forget", "candidate", "output"),
    "gru": ("reset", "update", "candidate"),
}


@dataclass(frozen=True)
class Weights:
    """The four parameters of one recurrent layer."""

    input_weight: Tensor  # [gate * hidden, embedding]
    recurrent_weight: Tensor  # [gate * hidden, hidden]
    input_bias: Tensor  # [gate * hidden]
    recurrent_bias: Tensor  # [gate * hidden]

    @classmethod
    def of(cls, module: nn.RNNBase) -> Weights:
        """Those of a one-layer, one-way `torch.nn` module, detached."""
        names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
        return cls(*(getattr(module, name).detach() for name in names))

    @property
    def hidden_size(self) -> int:
        return int(self.recurrent_weight.shape[1])

    @property
    def recurrent_by_gate(self) -> Tensor:
        """One square matrix per gate: [gate, hidden, hidden]."""
        return torch.stack(torch.split(self.recurrent_weight, self.hidden_size))

    def bias_of_gate(self, gate: int) -> Tensor:
        """Both biases of one gate together: [hidden]."""
        return torch.split(self.input_bias + self.recurrent_bias, self.hidden_size)[gate]

    def to(self, target: torch.dtype | torch.device | str) -> Weights:
        tensors = (self.input_weight, self.recurrent_weight, self.input_bias, self.recurrent_bias)
        return Weights(*(tensor.to(target) for tensor in tensors))

    def project(self, inputs: Tensor) -> Tensor:
        """W x + b for every step at once."""
        return inputs @ self.input_weight.T + self.input_bias  # [time, *batch, gate * hidden]

    def recur(self, hidden: Tensor) -> Tensor:
        """U h + b for one step."""
        return hidden @ self.recurrent_weight.T + self.recurrent_bias  # [*batch, gate * hidden]

    def start(self, inputs: Tensor) -> Tensor:
        """The zero state a sequence begins with."""
        return inputs.new_zeros(*inputs.shape[1:-1], self.hidden_size)  # [*batch, hidden]


@dataclass(frozen=True)
class RNNRun:
    """What one RNN did over one sequence."""

    weights: Weights
    inputs: Tensor  # [time, *batch, embedding]
    previous_hidden: Tensor  # [time, *batch, hidden]; h_{t-1} beside h_t
    hidden_states: Tensor  # [time, *batch, hidden]


@dataclass(frozen=True)
class LSTMRun:
    """What one LSTM did over one sequence, gate by gate."""

    weights: Weights
    inputs: Tensor  # [time, *batch, embedding]
    previous_hidden: Tensor  # [time, *batch, hidden]
    hidden_states: Tensor  # [time, *batch, hidden]
    previous_cell: Tensor  # [time, *batch, hidden]; c_{t-1} beside c_t
    cell_states: Tensor  # [time, *batch, hidden]
    input_gate: Tensor  # [time, *batch, hidden], in (0, 1)
    forget_gate: Tensor  # [time, *batch, hidden], in (0, 1); 1 keeps
    candidate: Tensor  # [time, *batch, hidden], in (-1, 1)
    output_gate: Tensor  # [time, *batch, hidden], in (0, 1)


@dataclass(frozen=True)
class GRURun:
    """What one GRU did over one sequence, gate by gate."""

    weights: Weights
    inputs: Tensor  # [time, *batch, embedding]
    previous_hidden: Tensor  # [time, *batch, hidden]
    hidden_states: Tensor  # [time, *batch, hidden]
    reset_gate: Tensor  # [time, *batch, hidden], in (0, 1)
    update_gate: Tensor  # [time, *batch, hidden], in (0, 1); 1 keeps, as PyTorch has it
    candidate: Tensor  # [time, *batch, hidden], in (-1, 1)
    recalled: Tensor  # [time, *batch, hidden]; U_n h_{t-1} + b, before the reset gate


CellRun = RNNRun | LSTMRun | GRURun


def run_rnn(weights: Weights, inputs: Tensor, hidden: Tensor | None = None) -> RNNRun:
    """h_t = tanh(W x_t + U h_{t-1} + b) (Elman 1990)."""
    hidden = weights.start(inputs) if hidden is None else hidden  # [*batch, hidden]
    states = [hidden]
    for projected in weights.project(inputs):
        hidden = torch.tanh(projected + weights.recur(hidden))  # [*batch, hidden]
        states.append(hidden)
    trail = torch.stack(states)  # [time + 1, *batch, hidden]
    return RNNRun(weights, inputs, trail[:-1], trail[1:])


def run_lstm(
    weights: Weights, inputs: Tensor, state: tuple[Tensor, Tensor] | None = None
) -> LSTMRun:
    """c_t = f c_{t-1} + i g, h_t = o tanh(c_t) (Hochreiter and Schmidhuber 1997; the forget
    gate from Gers, Schmidhuber and Cummins 2000)."""
    hidden, cell = (weights.start(inputs),) * 2 if state is None else state  # [*batch, hidden]
    steps, hiddens, cells = [], [hidden], [cell]
    for projected in weights.project(inputs):
        gates = lstm_gates(projected + weights.recur(hidden))
        write, keep, candidate, read = gates  # [*batch, hidden] each
        cell = keep * cell + write * candidate  # [*batch, hidden]
        hidden = read * torch.tanh(cell)  # [*batch, hidden]
        steps.append(torch.stack(gates))
        hiddens.append(hidden)
        cells.append(cell)
    h, c = torch.stack(hiddens), torch.stack(cells)  # [time + 1, *batch, hidden] each
    i, f, g, o = torch.stack(steps, dim=1)  # [time, *batch, hidden] each
    return LSTMRun(weights, inputs, h[:-1], h[1:], c[:-1], c[1:], i, f, g, o)


def lstm_gates(total: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Input gate, forget gate, candidate and output gate from their summed inputs."""
    i, f, g, o = total.chunk(4, dim=-1)  # [*batch, hidden] each
    return i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()


def run_gru(weights: Weights, inputs: Tensor, hidden: Tensor | None = None) -> GRURun:
    """h_t = z h_{t-1} + (1 - z) n, n = tanh(W_n x + r (U_n h + b)) (Cho et al. 2014, with the
    reset gate applied after the product and z as *keep*, as PyTorch does)."""
    hidden = weights.start(inputs) if hidden is None else hidden  # [*batch, hidden]
    steps, states = [], [hidden]
    for projected in weights.project(inputs):
        gates = gru_gates(projected, weights.recur(hidden))
        _, keep, candidate, _ = gates  # [*batch, hidden] each
        hidden = keep * hidden + (1 - keep) * candidate  # [*batch, hidden]
        steps.append(torch.stack(gates))
        states.append(hidden)
    trail = torch.stack(states)  # [time + 1, *batch, hidden]
    reset, update, candidate, recalled = torch.stack(steps, dim=1)  # [time, *batch, hidden] each
    return GRURun(weights, inputs, trail[:-1], trail[1:], reset, update, candidate, recalled)


def gru_gates(projected: Tensor, recurrent: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Reset gate, update gate, candidate, and what the candidate recalls before its reset."""
    in_r, in_z, in_n = projected.chunk(3, dim=-1)  # [*batch, hidden] each
    re_r, re_z, recalled = recurrent.chunk(3, dim=-1)  # [*batch, hidden] each
    reset, update = (in_r + re_r).sigmoid(), (in_z + re_z).sigmoid()  # [*batch, hidden] each
    return reset, update, torch.tanh(in_n + reset * recalled), recalled


def run_cell(kind: Kind, weights: Weights, inputs: Tensor) -> CellRun:
    """Any of the three, from the zero state."""
    match kind:
        case "rnn":
            return run_rnn(weights, inputs)
        case "lstm":
            return run_lstm(weights, inputs)
        case "gru":
            return run_gru(weights, inputs)


def kind_of(module: nn.RNNBase) -> Kind:
    """Which of the three a `torch.nn` module is."""
    kinds: dict[str, Kind] = {"RNN_TANH": "rnn", "LSTM": "lstm", "GRU": "gru"}
    return kinds[module.mode]
