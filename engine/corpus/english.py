"""English forms that follow from a rule; whoever adds a word may give irregular ones instead."""

from __future__ import annotations

import re

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


def plural(noun: str) -> str:
    """hot pot → hot pots, box → boxes, city → cities; the last word is the one that changes."""
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if re.search(r"(s|x|z|ch|sh)$", noun) else "s")


def past(verb: str) -> str:
    """hand in → handed in, carry → carried, plan → planned."""
    first, rest = _first(verb)
    if re.search(r"[^aeiou]y$", first):
        return first[:-1] + "ied" + rest
    return (first + "d" if first.endswith("e") else _doubled(first) + "ed") + rest


def ing(verb: str) -> str:
    """hand in → handing in, bake → baking, lie → lying, plan → planning."""
    first, rest = _first(verb)
    if first.endswith("ie"):
        return first[:-2] + "ying" + rest
    silent = first.endswith("e") and not first.endswith(("ee", "ye", "oe"))
    return (first[:-1] if silent else _doubled(first)) + "ing" + rest


def comparative(adjective: str) -> str:
    """tall → taller, big → bigger, busy → busier, famous → more famous."""
    syllables = len(re.findall(r"[aeiouy]+", adjective.removesuffix("e")))
    if re.search(r"[^aeiou]y$", adjective) and syllables == 2:
        return adjective[:-1] + "ier"
    if syllables > 1 or " " in adjective or "-" in adjective:
        return f"more {adjective}"
    return adjective + "r" if adjective.endswith("e") else _doubled(adjective) + "er"


def _first(words: str) -> tuple[str, str]:
    """The word that is inflected, and the rest with its space."""
    first, space, rest = words.partition(" ")
    return first, space + rest


def _doubled(word: str) -> str:
    """plan → plann: the last consonant after a single vowel in a word of one syllable."""
    short = re.fullmatch(r"[^aeiouy]*[aeiou][^aeiouwxy]", word)
    return word + word[-1] if short else word
