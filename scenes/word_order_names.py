"""What each way of reading kept, in four lines, with the distances that were measured."""

from __future__ import annotations

import numpy as np
from manim import FadeIn, FadeOut, LaggedStart, VGroup

from engine.tokens import join
from scenes.channels import AS_IT_IS
from scenes.grid import Band
from scenes.mobjects.number_label import NumberLabel
from scenes.mobjects.panel import Panel
from scenes.mobjects.text import label
from scenes.word_order_contexts import InContexts
from scenes.word_order_orders import QUOTED, told

COLUMNS = (0.36, 0.44, 0.2)  # shares: who read, what was told apart, the distance
ROLES = {"bag": "TEXT", "rnn": "HIDDEN", "left": "HIDDEN", "both": "HIDDEN"}


class Names(InContexts):
    """The last beat."""

    def names(self) -> None:
        trace = self.trace
        rows = self.summary()
        standing = (self.title_label, self.footer_label, self._caption)
        leaving = [m for m in self.mobjects if m not in standing]
        plain = trace.forward_distance > 0 or trace.backward_distance == 0
        variant = "plain" if plain else "" if trace.encoder_trained else "untrained"
        with self.beat("name", variant=variant):
            self.release(*leaving)
            self.play(*map(FadeOut, leaving), run_time=0.7)
            self.play(LaggedStart(*map(FadeIn, rows), lag_ratio=0.4, run_time=2.4))

    def summary(self) -> VGroup:
        """Bag, tape, tape stopped at the word, and the reader from both sides."""
        trace = self.trace
        sentences = [join(order.tokens) for order in trace.orders]
        short = max(map(len, sentences)) <= QUOTED
        orders = " ⇄ ".join(sentences) if short else self.say("labels.both_orders")
        lines = {
            "bag": (orders, trace.bag_distance, "bag_distance"),
            "rnn": (orders, trace.state_distance, "state_distance"),
            "left": (trace.word, trace.forward_distance, "forward_distance"),
            "both": (trace.word, trace.backward_distance, "backward_distance"),
        }
        bands = self.grid.stage.inset(0.02 * self.grid.stage.width, 0.0).rows(
            *[1.0] * len(lines), gap=0.16
        )
        return VGroup(*[
            self.line(kind, *values, band)
            for (kind, values), band in zip(lines.items(), bands, strict=True)
        ])

    def line(self, kind: str, compared: str, value: float, field: str, band: Band) -> VGroup:
        """One reader: its name, what it was given, and how far apart the two ended."""
        who, what, far = band.inset(0.3, 0.0).columns(*COLUMNS, gap=0.3)
        ground = Panel.under(self.theme, band)
        name = label(self.theme, self.say(f"labels.name_{kind}"), ROLES[kind], "body",
                     who.width, 600)
        given = label(self.theme, self.say(f"labels.told_{kind}", given=compared), "TEXT",
                      "label", what.width)
        number = NumberLabel(self.theme, value, size="title", format=told)
        self.bind(number, "value", value, AS_IT_IS, field=field)
        name.move_to([who.left + name.width / 2, who.center[1], 0.0])
        given.move_to([what.left + given.width / 2, what.center[1], 0.0])
        number.centre_on(np.array([far.right - number.width / 2, far.center[1], 0.0]))
        return VGroup(ground, name, given, number)
