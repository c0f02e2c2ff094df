"""Station 7: a sentence looks at itself, and the pronoun finds whom it means.

One layer, one head (Vaswani et al. 2017), trained on the answers alone: where to look was never
said. Names that change places, and positions left out, show what order has to do with it.
"""

from __future__ import annotations

from scenes.base import Station
from scenes.self_attention_many import ManySentences
from scenes.self_attention_order import TwoOrders
from scenes.self_attention_told import ToldSentence


class SelfAttention(Station):
    """One sentence in full, two names swapped, a thing, many sentences, the name."""

    trailer = ("ask", "beam")

    def construct(self) -> None:
        told = ToldSentence(self)
        told.question()
        told.ask()
        told.beam()
        told.answer()
        told.untrained()
        orders = TwoOrders(told)
        orders.swap()
        orders.bag()
        orders.thing()
        many = ManySentences(orders)
        many.many()
        many.name()
