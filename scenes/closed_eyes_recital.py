"""Station 4: listen to the end, keep one strip of fixed size, recite with closed eyes.

A bidirectional GRU reads; a GRU writes from one context vector alone (Cho et al. 2014). A short
and a long sentence go through the same strip; then what the strip still holds, how quality
changes with length, and the same sentence with attention.
"""

from __future__ import annotations

from scenes.closed_eyes_recital_compared import Compared


class ClosedEyesRecital(Compared):
    """Question, short, long, what is kept, the curve, the contrast, the name."""

    trailer = ("curve",)

    def construct(self) -> None:
        self.prepare()
        self.question()
        self.listen()
        self.hand()
        self.recite()
        self.listen_long()
        self.recite_long()
        self.kept()
        self.curve()
        self.attention()
        self.name_it()
