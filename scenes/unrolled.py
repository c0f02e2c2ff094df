"""Station 1, unrolled: a loop pulled out over a sentence, every copy with the same weights.

h_t = tanh(W h_{t-1} + U x_t + b). Because W is one matrix at every step, its gradient is the sum
of what the steps give (Werbos 1990, backpropagation through time).
"""

from __future__ import annotations

from scenes.unrolled_gradient import Summed


class Unrolled(Summed):
    """Question, accordion, one tablet, one entry changed, the bill, the gradient, the names."""

    trailer = ("change",)

    def construct(self) -> None:
        self.prepare()
        self.question()
        self.unroll()
        self.share()
        self.change()
        self.parameters()
        self.parts()
        self.total()
        self.names()
