"""The numbers of station 2: a gradient walks back through a tanh RNN."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.traces.base import Array, Trace, check_shape


@dataclass(frozen=True)
class Clipping:
    """∂L/∂W of act 3 before and after clipping (Pascanu et al. 2013, algorithm 1)."""

    log10_norm: float  # of ‖∂L/∂W‖ before; it may be longer than a float can say
    limit: float  # the threshold on the norm; also the bound per entry for clipping by value
    norm_clipped: float  # after clipping by norm
    cosine_by_norm: float  # with the gradient before: 1, the direction is kept
    norm_by_value: float  # after clipping each entry
    cosine_by_value: float  # < 1 where entries were cut: the direction turns


@dataclass(frozen=True)
class RelayGameTrace(Trace):
    """h_t = tanh(W h_{t-1} + U x_t), L = vᵀ h_T; W = gain · orthogonal; v of length 1."""

    station: ClassVar[str] = "relay_game"

    sentence: str
    tokens: tuple[str, ...]  # [time]
    hidden_size: int
    gain: float
    spectral_radius: float  # of W
    spectral_norm: float  # of W: its largest singular value

    # Act 1: zero input, the linear case.
    log10_linear_norms: Array  # [lag] of ‖∂h_T/∂h_{T-k}‖₂, k = 0 … steps
    log10_linear_reference: Array  # [lag] k · log10(gain)
    log10_linear_far: float  # the norm at k = 1000

    # Act 2: the sentence.
    hidden_states: Array  # [time, unit]
    log10_gradient_norms: Array  # [time] of ‖∂L/∂h_t‖
    relative_gradients: Array  # [time] ‖∂L/∂h_t‖ / ‖∂L/∂h_T‖
    step_factors: Array  # [time - 1] ‖∂L/∂h_t‖ / ‖∂L/∂h_{t+1}‖
    log10_input_gradient_norms: Array  # [time] of ‖∂L/∂x_t‖
    weight_parts: Array  # [time] Frobenius norm of step t's part of ∂L/∂W
    weight_gradient_norm: float  # of ∂L/∂W, the sum of all parts
    log10_band: Array  # [seed, time] of ‖∂L/∂h_t‖ / ‖∂L/∂h_T‖ for other seeds
    autograd_error: float  # largest relative error of ∂L/∂h_t and ∂L/∂W against autograd

    # Act 3: the same matrix at a larger gain; the sentence, softly, again and again.
    exploding_gain: float
    exploding_input_scale: float  # how much softer its words are than those of act 2
    log10_exploding_norms: Array  # [lag] of ‖∂h_T/∂h_{T-k}‖₂
    clipping: Clipping

    def validate(self) -> None:
        time, unit = len(self.tokens), self.hidden_size
        check_shape("hidden_states", self.hidden_states, time, unit)
        check_shape("step_factors", self.step_factors, time - 1)
        for name in ("log10_gradient_norms", "relative_gradients", "weight_parts"):
            check_shape(name, getattr(self, name), time)
        check_shape("log10_band", self.log10_band, self.log10_band.shape[0], time)
        check_shape(
            "log10_linear_reference", self.log10_linear_reference, *self.log10_linear_norms.shape
        )
