"""How far to trust whom a pronoun is said to mean: what the model's seeds agree on.

A sentence counts as known where every seed gives the same answer, looks at that word most, and
finds it likelier than KNOWN. Words that the model does not know are bearable while enough others
are left: it was trained with words missing, but not with all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Level = Literal["known", "carried", "unknown"]

KNOWN = 0.9  # least p of the answer, over all seeds
LARGEST_UNKNOWN_SHARE = 0.6  # of the sentence


@dataclass(frozen=True)
class Judged:
    """What one seed makes of the first seed's answer."""

    probability: float  # of that answer
    weight: float  # α from the pronoun to the antecedent
    agrees: bool  # same answer, and its word looked at most


def trust(seeds: Sequence[Judged], right: bool, unknown: int, length: int) -> Level:
    """The level shown in the picture. `right`: the answer agrees with the pronoun."""
    sure = all(one.agrees and one.probability >= KNOWN for one in seeds)
    if not (sure and right) or unknown > LARGEST_UNKNOWN_SHARE * length:
        return "unknown"
    return "carried" if unknown else "known"
