"""How far a translation may be trusted, from what the model itself says.

The least likely word of a right translation is rarely below KNOWN, that of a wrong one rarely
above: a translator's card says for its held-out sentences which share reaches KNOWN and how many
of those are right. Probability alone does not recognise sentences of another kind, so the share
of unknown words counts too.
"""

from __future__ import annotations

from typing import Literal

Level = Literal["known", "carried", "unknown"]

KNOWN = 0.8  # least probability of any word, END included, without unknown words
CARRIED = 0.6  # the same where unknown words are carried over
MOST_UNKNOWN = 2  # words
LARGEST_UNKNOWN_SHARE = 1 / 3  # of the source


def may_carry(unknown: int, length: int) -> bool:
    """Whether so many unknown words in a source of some length can be carried over at all."""
    return unknown <= MOST_UNKNOWN and unknown <= LARGEST_UNKNOWN_SHARE * length


def trust(min_probability: float, unknown: int, length: int) -> Level:
    """The level shown in the picture."""
    if unknown == 0:
        return "known" if min_probability >= KNOWN else "unknown"
    carried = may_carry(unknown, length) and min_probability >= CARRIED
    return "carried" if carried else "unknown"
