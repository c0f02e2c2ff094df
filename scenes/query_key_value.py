"""Station 8: the picture of station 5 under its later names, then two projections of h.

Nothing is computed differently for being called query, key and value (Bahdanau et al. 2015);
Vaswani et al. (2017) compare by dot product, divide by the root of d, and project h twice.
"""

from __future__ import annotations

from scenes.base import Station
from scenes.query_key_value_named import Named
from scenes.query_key_value_projected import OwnProjections


class QueryKeyValue(Station):
    """Three new names, the same numbers; another comparison, two projections, the root of d."""

    trailer = ("value", "same")

    def construct(self) -> None:
        named = Named(self)
        named.seen()
        named.query()
        named.key()
        named.value()
        named.same()
        named.dot()
        projected = OwnProjections(named)
        projected.split()
        projected.divide()
        projected.spread()
        projected.name()
