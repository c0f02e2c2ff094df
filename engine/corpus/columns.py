"""What the columns of the lexicon files may hold, where it is not free text.

`NOUN_CLASSES` are the kinds of things that verbs take as objects and that adjectives fit, so that
nobody eats a table.
"""

from __future__ import annotations

_CLASSES = """
person animal creature food snack meal drink readable show song clothes furniture device car bike
transport tool container tableware toy plant paper instrument room opening task question idea news
text topic
"""
NOUN_CLASSES = tuple(_CLASSES.split())

# Columns not named here hold words.
CHOICES: dict[str, tuple[str, ...]] = {
    "gender": ("m", "f"),
    "noun_class": NOUN_CLASSES,
    "objects": NOUN_CLASSES,
    "fits": (*NOUN_CLASSES, "place"),
    "bare": ("the", "plural", "a"),
    "tense": ("past", "future", "habit", "now"),
    "preposition": ("in", "at", "on", "under", "behind", "beside", "in front of", "near"),
    "way": ("to", "at", "in", "into", "from", "-"),
    "target": ("any", "city", "place"),
    "frame": ("any", "past", "future", "present"),
    "owned": ("no", "yes", "always"),
}
