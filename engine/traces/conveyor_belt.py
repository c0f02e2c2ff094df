"""The numbers of station 3: an LSTM carries a name to the end of a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.traces.base import Array, Trace, check_length, check_shape


@dataclass(frozen=True)
class Recall:
    """What one trained cell answers, and how its loss reaches back to every word."""

    cell: str  # "rnn", "lstm" or "gru"
    answer: str  # the name it says
    probability: float  # of the right name
    names_right: int  # of all names, each put in front of this sentence in turn: no lucky guess
    names: int
    log10_input_gradients: Array  # [time] of ‖∂L/∂x_t‖, L = -log p(right name)
    log10_state_jacobians: Array  # [time] of ‖∂s_T/∂s_t‖₂, s = h or (h, c): free of L's size
    accuracy_by_distance: Array  # [distance] on held-out sentences, from the card
    distances: Array  # [distance] words between the name and the question


@dataclass(frozen=True)
class ForgetBias:
    """An LSTM with one forget bias, far back in time: the tokens read again and again."""

    bias: float  # mean over units
    lags: Array  # [lag] k: 0 … 100, then every tenth
    log10_direct_path: Array  # [lag] of the largest Π f of any unit: the norm of the path c → c
    log10_full_gradient: Array  # [lag] of ‖∂s_T/∂s_{T-k}‖₂ of the joint state s = (h, c)


@dataclass(frozen=True)
class ConveyorBeltTrace(Trace):
    """c_t = f ⊙ c_{t-1} + i ⊙ g, h_t = o ⊙ tanh(c_t)."""

    station: ClassVar[str] = "conveyor_belt"

    tokens: tuple[str, ...]  # [time] the name, the sentence, the question
    name: str  # the word to be remembered, tokens[0]
    name_added: bool  # whether it was put in front of the lesson's sentence
    unknown: Array  # [time] bool: read as the unknown word

    # The trained LSTM.
    forget_gate: Array  # [time, unit]
    input_gate: Array  # [time, unit]
    output_gate: Array  # [time, unit]
    candidate: Array  # [time, unit] g
    cell_states: Array  # [time + 1, unit] c, first row before any word
    hidden_states: Array  # [time + 1, unit] h
    units: Array  # [shown] indices of the most retentive units, the best first
    log10_direct_path: Array  # [time, shown] of Π_{s>t} f_s per shown unit
    log10_direct_norms: Array  # [time] of the largest Π_{s>t} f_s of any unit
    log10_full_norms: Array  # [time] of ‖∂c_T/∂c_t‖₂, through h and the gates as well
    update_error: float  # max |c_t - (f ⊙ c_{t-1} + i ⊙ g)|
    # The trained GRU on the same input.
    update_gate: Array  # [time, unit] z; in PyTorch's convention z means keep
    gru_hidden_states: Array  # [time + 1, unit]

    recalls: tuple[Recall, ...]  # rnn, lstm, gru, trained alike: every distance from the start
    near_first_rnn: Recall  # the control: the same RNN, taught near distances before far ones
    forget_biases: tuple[ForgetBias, ...]  # untrained: 0, 1, 3
    trained_forget_bias: ForgetBias  # the trained LSTM, just as far back

    def validate(self) -> None:
        time, unit = self.forget_gate.shape
        check_length("tokens", self.tokens, time)
        for name in ("input_gate", "output_gate", "candidate"):
            check_shape(name, getattr(self, name), time, unit)
        check_shape("cell_states", self.cell_states, time + 1, unit)
        check_shape("log10_direct_path", self.log10_direct_path, time, len(self.units))
        for recall in (*self.recalls, self.near_first_rnn):
            check_shape("log10_input_gradients", recall.log10_input_gradients, time)
            check_shape("log10_state_jacobians", recall.log10_state_jacobians, time)
        for far in (*self.forget_biases, self.trained_forget_bias):
            check_shape("log10_direct_path", far.log10_direct_path, len(far.lags))
            check_shape("log10_full_gradient", far.log10_full_gradient, len(far.lags))
