"""Sentences with a pronoun, drawn from a small grammar: the label is who the pronoun means.

The grammar is `assets/tables/coreference.toml`. People's names are those of the lexicon; two
people in one sentence differ in gender, so that every pronoun has one answer. Loads no torch.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from zlib import crc32

from engine.coreference_words import words_of
from engine.corpus.lexicon import load_lexicon
from engine.corpus.rows import Name
from engine.tokens import join
from engine.words import ASSETS

GRAMMAR = ASSETS / "tables" / "coreference.toml"
HELD_OUT = 10  # one sentence in so many is never trained on
THINGS = ("readables", "things")
_SLOT = re.compile(r"\{(\w+)\}")
_PRONOUNS = {"zh": {"m": "他", "f": "她", "thing": "它"},
             "en": {"m": "he", "f": "she", "thing": "it"}}


@dataclass(frozen=True)
class Referent:
    """Someone or something that can be meant, in both languages."""

    zh: str
    en: str
    kind: str  # "m", "f" or "thing"


@dataclass(frozen=True)
class Example:
    """One sentence; positions count tokens."""

    tokens: tuple[str, ...]
    pronoun: int
    antecedent: int
    kept: frozenset[int]  # tokens that are never made unknown: pronoun, people, things


@dataclass(frozen=True)
class _Thing:
    zh: str
    measure: str
    en: str  # with its article


@cache
def _grammar() -> dict[str, Any]:
    return tomllib.loads(GRAMMAR.read_text(encoding="utf-8"))


@cache
def _things(*lists: str) -> tuple[_Thing, ...]:
    return tuple(_Thing(*row) for name in lists for row in _grammar()[name])


@cache
def referents() -> tuple[Referent, ...]:
    """All that can be meant: the lexicon's names, then the grammar's things."""
    names = load_lexicon().table("names", Name)
    people = [Referent(row.zh, row.en, row.gender) for row in names if row.gender in ("m", "f")]
    things = [Referent(thing.zh, thing.en.split()[-1], "thing") for thing in _things(*THINGS)]
    return (*people, *things)


def examples(count: int, seed: int, held_out: bool = False) -> list[Example]:
    """Different sentences, half of them in each language; never one of the other part."""
    found: dict[tuple[str, ...], Example] = {}
    supply = _supply(random.Random(seed))
    while len(found) < count:
        drawn = next(supply)
        if is_held_out(drawn.text) == held_out:  # cheap, and so before words are cut
            example = _example(drawn)
            if example is not None:
                found.setdefault(example.tokens, example)
    return list(found.values())


def is_held_out(text: str) -> bool:
    """Whether a sentence belongs to the part that is never trained on."""
    return crc32(text.encode()) % HELD_OUT == 0


@dataclass(frozen=True)
class _Drawn:
    """A sentence of the grammar before its words are cut."""

    lang: str
    actors: dict[str, Referent]
    meant: str  # which of them
    before: str  # text up to the pronoun
    text: str

    @property
    def pronoun(self) -> str:
        return _PRONOUNS[self.lang][self.actors[self.meant].kind]


def _supply(rng: random.Random) -> Iterator[_Drawn]:
    while True:
        for lang in ("zh", "en"):
            yield _drawn(lang, rng)


def _drawn(lang: str, rng: random.Random) -> _Drawn:
    """One sentence of the grammar."""
    entities, template = rng.choice(_grammar()[lang]["templates"]).split(" | ")
    actors = _actors(entities, rng)
    meant = rng.choice(sorted(actors))
    kind = actors[meant].kind
    before, after = template.split("{end}")
    clause = rng.choice(_grammar()[lang]["quality" if kind == "thing" else "person"])
    first = _expanded(before, lang, actors, rng).split()
    last = _expanded(f"{clause}{after} {rng.choice(_grammar()[lang]['stop'])}", lang, actors, rng)
    text = join((*first, _PRONOUNS[lang][kind], *last.split()))
    return _Drawn(lang, actors, meant, join(tuple(first)), text)


def _example(drawn: _Drawn) -> Example | None:
    """Its words as a user's would be cut; None where its pronoun is no word of its own there."""
    tokens, actor = words_of(drawn.text), drawn.actors[drawn.meant]
    pronoun = _token_at(tokens, drawn.before)
    words = {getattr(one, drawn.lang): one for one in drawn.actors.values()}
    places = [i for i, w in enumerate(tokens[:pronoun]) if words.get(w) == actor]
    if pronoun is None or tokens[pronoun] != drawn.pronoun or not places:
        return None
    kept = frozenset(i for i, w in enumerate(tokens) if w in words) | {pronoun}
    return Example(tokens, pronoun, places[-1], kept)


def _token_at(tokens: tuple[str, ...], before: str) -> int | None:
    """The token that comes right after some text; None where none begins there."""
    for i in range(len(tokens)):
        if join(tokens[:i]) == before:
            return i
    return None


def _actors(entities: str, rng: random.Random) -> dict[str, Referent]:
    """Who plays A, B and T: A and B of different gender, R a T that can be read."""
    pools = {k: [r for r in referents() if r.kind == k] for k in ("m", "f", "thing")}
    readable = pools["thing"][: len(_things("readables"))]
    genders = rng.sample(["m", "f"], 2)
    roles = {"A": pools[genders[0]], "B": pools[genders[1]], "T": pools["thing"], "R": readable}
    return {entity.replace("R", "T"): rng.choice(roles[entity]) for entity in entities}


def _expanded(text: str, lang: str, actors: dict[str, Referent], rng: random.Random) -> str:
    """The template with every slot filled, slots inside of fillings too."""
    thing = next((t for t in _things(*THINGS) if "T" in actors and t.zh == actors["T"].zh), None)

    def fill(match: re.Match[str]) -> str:
        slot = match[1]
        if slot in ("A", "B") or (slot == "T" and lang == "zh"):
            return str(getattr(actors[slot], lang))
        if thing is not None and slot in ("T", "N", "M"):
            return {"T": thing.en, "N": actors["T"].en, "M": thing.measure}[slot]
        return str(rng.choice(_grammar()[lang][slot]))

    while _SLOT.search(text):
        text = _SLOT.sub(fill, text)
    return text
