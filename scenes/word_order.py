"""Station 0, word order: a sentence is not a bag.

The same words in two orders fill a bag alike and leave an RNN in two states. But one word before
two endings leaves a reader from the left in exactly one state: the clue comes after it, and only
a reader from the right has met it (Schuster and Paliwal 1997).
"""

from __future__ import annotations

from scenes.word_order_names import Names


class WordOrder(Names):
    """Bag against tape, then one side against two."""

    trailer = ("tape",)

    def construct(self) -> None:
        self.prepare()
        self.question()
        self.bag()
        self.tape()
        self.asked()
        self.measured()
        self.ambiguous()
        self.from_left()
        self.from_right()
        self.names()
