"""Which tense a clause is told in, and the times that go with it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.corpus.draw import Draw
from engine.corpus.noun_phrases import NounPhrase
from engine.corpus.rows import Verb
from engine.corpus.verb_phrases import Forms

# tense: how often, in a sentence of its own
WEIGHTS = {
    "past": 30,
    "present": 16,
    "future": 9,
    "going": 4,
    "progressive": 8,
    "not_present": 6,
    "not_past": 6,
    "want": 6,
    "plan": 2,
    "can": 2,
    "may": 2,
    "should": 3,
    "must": 2,
    "not_future": 2,
    "not_can": 1.5,
    "not_want": 2,
    "not_should": 1,
    "perfect": 4,
    "not_perfect": 2,
    "already": 3,
}
STATE_WEIGHTS = {"present": 70, "not_present": 30}

# The tenses that make one coherent story.
FRAMES = {
    "past": ("past", "not_past"),
    "present": ("present", "not_present", "progressive", "can"),
    "future": ("future", "going", "want", "plan", "should", "must", "not_future", "not_want"),
    "condition": ("condition", "not_condition"),
}

# The kind of time expression that a tense can have; the others have none.
TIMES = {
    "past": "past",
    "not_past": "past",
    "present": "habit",
    "future": "future",
    "not_future": "future",
    "going": "future",
    "want": "future",
    "plan": "future",
    "can": "future",
    "not_can": "future",
    "may": "future",
    "should": "future",
    "must": "future",
    "condition": "future",
    "not_condition": "future",
}
_CONDITION_WEIGHTS = {"condition": 80, "not_condition": 20}


def allowed(draw: Draw, row: Forms, only: Sequence[str] = ()) -> dict[str, float]:
    """The tenses that verb, frame and template leave, with their weights."""
    weights: dict[str, float] = dict((_is_state(row) and STATE_WEIGHTS) or WEIGHTS)
    if draw.frame == "condition":
        return dict(_CONDITION_WEIGHTS)
    if draw.frame:
        weights = {t: w for t, w in weights.items() if t in FRAMES[draw.frame]}
    return {t: w for t, w in weights.items() if not only or t in only}


def _is_state(row: Forms) -> bool:
    return isinstance(row, Verb) and row.state


def draw_tense(draw: Draw, subject: NounPhrase, row: Forms, only: Sequence[str] = ()) -> str | None:
    """A tense that English shows: not "I hit you", which may be today or yesterday.

    None where verb and frame leave no tense: then another verb is needed.
    """
    weights = allowed(draw, row, only)
    if row.en == row.past and not subject.third:
        weights.pop("present", None)
        weights.pop("condition", None)
    if not weights:
        return None
    return draw.weighted(tuple(weights), tuple(weights.values()))
