"""Station 5: before each word one looks back at the source, which lies open on the table.

Bahdanau, Cho and Bengio (2015): scores against every annotation, softmax, weighted sum; then
the word. The order drawn is that of the model that ran (`trace.decoder`).
"""

from __future__ import annotations

from engine.words import Words
from scenes.base import Station
from scenes.looking_back_controls import Controls
from scenes.looking_back_first import FirstWord
from scenes.looking_back_order import WordOrder
from scenes.looking_back_rows import OtherWords


class LookingBack(Station):
    """The first word in detail, the other words, other word orders, controls, the name."""

    trailer = ("crossing",)

    def _word(self, table: Words, key: str, values: dict[str, object]) -> str:
        """The text for the model that ran: a Transformer's, where it has one of its own."""
        trace = self.trace
        if trace.decoder != "marian":
            return super()._word(table, key, values)
        values = {"layer": trace.layer, "head": trace.head, "heads": trace.heads, **values}
        for kind in ("_marian_head" if trace.head else "_marian_mean", "_marian", ""):
            if f"{self.station}.{key}{kind}" in table:
                return super()._word(table, f"{key}{kind}", values)
        return super()._word(table, key, values)

    def construct(self) -> None:
        first = FirstWord(self)
        first.question()
        first.listen()
        first.ask()
        first.score()
        first.softmax()
        first.sum()
        first.speak()
        rows = OtherWords(first)
        rows.rest()
        order = WordOrder(rows)
        order.monotone()
        order.crossing()
        controls = Controls(order)
        controls.untrained()
        controls.uniform()
        controls.leave_one_out()
        controls.name()
