"""How far a translation may be trusted, from what the translator and its other seeds say.

A sentence counts as known where every seed of the translator says the same, none of them finds
any of its words, or stopping there, less likely than KNOWN, and every two neighbours of the source
are of kinds that stand side by side in the corpus. One model's probability does not recognise
sentences of another kind: models that differ only in their seed part company there, and the corpus
itself says which rows of words it has.
The translator's card says how many wrong translations that lets through and how many it stops:
`python -m engine.training detector`.
"""

from __future__ import annotations

from typing import Literal

from engine.traces import Evidence

Level = Literal["known", "carried", "unknown"]

KNOWN = 0.75  # least probability of any word, END included, without unknown words
ALONE = 0.97  # the same where there is one model only, and none to agree with
CARRIED = 0.6  # the same where unknown words are carried over
MOST_UNKNOWN = 2  # words
LARGEST_UNKNOWN_SHARE = 1 / 3  # of the source


def may_carry(unknown: int, length: int) -> bool:
    """Whether so many unknown words in a source of some length can be carried over at all."""
    return unknown <= MOST_UNKNOWN and unknown <= LARGEST_UNKNOWN_SHARE * length


def trust(evidence: Evidence, unknown: int, length: int) -> Level:
    """The level shown in the picture. unknown: words of the source that no model knows."""
    if evidence.agreeing < len(evidence.seeds) or evidence.invented or evidence.unseen:
        return "unknown"
    return level(evidence.least_probability, unknown, length, len(evidence.seeds))


def level(least: float, unknown: int, length: int, seeds: int) -> Level:
    """The same where all models agree. least: p of the least likely word under any of them."""
    if unknown == 0:
        return "known" if least >= (KNOWN if seeds > 1 else ALONE) else "unknown"
    return "carried" if may_carry(unknown, length) and least >= CARRIED else "unknown"
