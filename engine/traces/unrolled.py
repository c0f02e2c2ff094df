"""The numbers of station 1: one set of weights, used again at every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.traces.base import Array, Trace, check_shape


@dataclass(frozen=True)
class UnrolledTrace(Trace):
    """h_t = tanh(W h_{t-1} + U x_t + b) from h_0 = 0; L = vᵀ h_T with v of length 1."""

    station: ClassVar[str] = "unrolled"

    sentence: str
    tokens: tuple[str, ...]  # [time]
    recurrent_weight: Array  # [unit, unit] W
    input_weight: Array  # [unit, embedding] U
    bias: Array  # [unit] b
    hidden_states: Array  # [time, unit]

    # One entry of W changed, and the sentence read again.
    entry: tuple[int, ...]  # (row, column): the entry to which L is most sensitive
    entry_before: float
    entry_after: float
    changed_states: Array  # [time, unit]
    state_differences: Array  # [time] ‖h_t′ − h_t‖
    states_changed: int  # how many of the differences are not exactly 0

    # Parameters to be learned.
    parameters: int  # H² + HE + H
    steps: Array  # [case]
    shared: Array  # [case] with one set for all steps
    separate: Array  # [case] with a set of its own for every step

    # ∂L/∂W = Σ_t δ_t h_{t-1}ᵀ
    part_norms: Array  # [time] Frobenius norm of step t's part
    weight_gradient: Array  # [unit, unit] the sum of the parts
    weight_gradient_norm: float
    sum_error: float  # largest |Σ_t part_t − ∂L/∂W| of any entry, against autograd

    @property
    def hidden_size(self) -> int:
        return int(self.recurrent_weight.shape[0])

    @property
    def embedding_size(self) -> int:
        return int(self.input_weight.shape[1])

    def validate(self) -> None:
        time, unit = len(self.tokens), self.hidden_size
        check_shape("recurrent_weight", self.recurrent_weight, unit, unit)
        check_shape("bias", self.bias, unit)
        check_shape("weight_gradient", self.weight_gradient, unit, unit)
        for name in ("hidden_states", "changed_states"):
            check_shape(name, getattr(self, name), time, unit)
        for name in ("state_differences", "part_norms"):
            check_shape(name, getattr(self, name), time)
        for name in ("shared", "separate"):
            check_shape(name, getattr(self, name), len(self.steps))
