"""Station 9, the finale: one line from the RNN to self-attention.

How far a message has to go, what is left of it on the way back, what one vector can hold, and
a map of all stops. Every number is that of an earlier clip, or a shortest path.
"""

from __future__ import annotations

from scenes.finale_map import Map


class Finale(Map):
    trailer = ("chain", "leap")

    def construct(self) -> None:
        self.prepare()
        self.question()
        self.chain()
        self.leap()
        self.ways()
        self.gradients()
        self.trained()
        self.bottleneck()
        self.map()
        self.name()
