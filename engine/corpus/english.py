"""English forms that follow from a rule: third person, article, superlative."""

from __future__ import annotations

_THIRD = {"have": "has", "go": "goes", "do": "does", "be": "is"}
_AN_BEFORE_CONSONANT_LETTER = ("hour", "honest")
_A_BEFORE_VOWEL_LETTER = ("uni", "use", "eu", "one")
_SUPERLATIVE = {"better": "best", "worse": "worst", "farther": "farthest"}


def third_person(verb: str) -> str:
    """wait for → waits for, have a meeting → has a meeting, carry → carries."""
    first, *rest = verb.split()
    if first in _THIRD:
        first = _THIRD[first]
    elif first.endswith(("s", "sh", "ch", "x", "z", "o")):
        first += "es"
    elif first.endswith("y") and first[-2] not in "aeiou":
        first = first[:-1] + "ies"
    else:
        first += "s"
    return " ".join([first, *rest])


def article(following: str) -> str:
    """a or an, by the sound that the following word begins with."""
    word = following.lower()
    if word.startswith(_AN_BEFORE_CONSONANT_LETTER):
        return "an"
    if word.startswith(_A_BEFORE_VOWEL_LETTER):
        return "a"
    return "an" if word[0] in "aeiou" else "a"


def superlative(comparative: str) -> str:
    """bigger → biggest, more famous → most famous."""
    if comparative.startswith("more "):
        return "most " + comparative.removeprefix("more ")
    return _SUPERLATIVE.get(comparative, comparative[:-1] + "st")
