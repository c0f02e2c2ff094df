"""Which word of a sentence a pronoun can mean: by gender, and by what stands before it.

Two people of one gender leave "he" open. No model can settle that from the words alone, so such
sentences are refused here rather than guessed at. Loads no torch.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from safetensors import SafetensorError, safe_open

from engine.coreference_words import words_of
from engine.errors import InputError
from engine.words import ASSETS

#: What a pronoun agrees with: "m", "f" or "thing".
PRONOUNS = {"他": "m", "她": "f", "它": "thing", "he": "m", "she": "f", "it": "thing"}
MOST_NAMED = 12  # words listed in a message

Kinds = Mapping[str, str]  # word, folded → "m", "f" or "thing"


@dataclass(frozen=True)
class Meant:
    """A pronoun and the one word before it that it agrees with; positions in the sentence."""

    pronoun: int
    antecedent: int


def agreement(word: str) -> str | None:
    """What a word agrees with if it is a pronoun we know, in any case; else None."""
    return PRONOUNS.get(word.casefold())


def kind(word: str, kinds: Kinds) -> str | None:
    """Whether a word is a man's name, a woman's, or a thing; None for any other word."""
    return kinds.get(word.casefold())


def who_is_meant(tokens: Sequence[str], kinds: Kinds, where: str) -> Meant:
    """The first pronoun that one word before it agrees with.

    Raises InputError where there is no pronoun, none of them has a word to mean, or the first
    that has one could mean two different words.
    """
    pronouns = [i for i, token in enumerate(tokens) if agreement(token)]
    if not pronouns:
        raise InputError("coreference.no_pronoun", where=where, known=" ".join(PRONOUNS))
    for position in pronouns:
        found = candidates(tokens, position, kinds)
        if len({tokens[i].casefold() for i in found}) > 1:
            words = [tokens[i] for i in dict.fromkeys(found)]
            raise InputError("coreference.undecidable", where=where, pronoun=tokens[position],
                             one=words[0], other=words[1])
        if found:
            return Meant(position, found[-1])
    first = tokens[pronouns[0]]
    raise InputError("coreference.nobody", where=where, pronoun=first, known=_some(first, kinds))


def candidates(tokens: Sequence[str], pronoun: int, kinds: Kinds) -> list[int]:
    """Positions before a pronoun of the words that it agrees with."""
    wanted = agreement(tokens[pronoun])
    return [i for i, token in enumerate(tokens[:pronoun]) if kind(token, kinds) == wanted]


def people(tokens: Sequence[str], kinds: Kinds) -> list[int]:
    """Positions of all names of people."""
    return [i for i, token in enumerate(tokens) if kind(token, kinds) in ("m", "f")]


def _some(pronoun: str, kinds: Kinds) -> str:
    """A few words that could have stood there, in the pronoun's own script."""
    latin = pronoun.isascii()
    fitting = [w for w, k in kinds.items() if k == agreement(pronoun) and w.isascii() == latin]
    return ", ".join(word.capitalize() if latin else word for word in fitting[:MOST_NAMED])


@cache
def known_kinds() -> Kinds:
    """Every word that the shipped model can mean, from the header of its weights.

    Raises InputError where they are missing or damaged.
    """
    path = ASSETS / "weights" / "coreference_seed1.safetensors"
    if not path.is_file():
        raise InputError("weights.missing", path=path)
    try:
        with safe_open(path, framework="np") as file:
            rows = json.loads(file.metadata()["lookback"])["referents"]
    except (SafetensorError, OSError, LookupError, TypeError, ValueError) as error:
        raise InputError("weights.unreadable", path=path, why=error) from error
    return {form.casefold(): kind for zh, en, kind in rows for form in (zh, en)}


def decidable(sentence: str) -> bool:
    """Whether a sentence has a pronoun that the model can decide."""
    try:
        who_is_meant(words_of(sentence), known_kinds(), "sentence")
    except InputError:
        return False
    return True
