"""The corpus: as many sentence pairs as are asked for, the same for the same seed."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.corpus.alignment import SentencePair, sentence_pair
from engine.corpus.draw import Draw
from engine.corpus.held_out import held_out_sentences
from engine.corpus.lexicon import Lexicon, load_lexicon
from engine.corpus.rewording import reword
from engine.corpus.sentences import clause_templates, sentence
from engine.corpus.templates import TEMPLATES, load_templates
from engine.errors import InputError

load_templates()
_TRIES = 20_000  # in a row without a new sentence: the structures asked for are exhausted


def generate(
    n: int,
    seed: int,
    *,
    exclude: Iterable[SentencePair | tuple[str, ...]] = (),
    templates: Collection[str] | None = None,
    exclude_templates: Collection[str] = (),
    max_tokens: int = 64,
    clauses: int | None = None,
    variants: Collection[str] = (),
    containing: Collection[str] = (),
    lexicon: Lexicon | None = None,
) -> list[SentencePair]:
    """n different sentence pairs, deterministic for a seed.

    exclude: pairs or Chinese token tuples never to be made; the held-out sentences never are.
    templates: clause templates to draw from; exclude_templates: any structure not to be used.
    clauses: how many clauses each sentence has; without it 1 to 6.
    variants: "zh" and/or "en", sides that may use a second wording of the same meaning. Without
    them each sentence has one translation either way; train zh → en with ("zh",) only.
    containing: Chinese words of which each sentence has at least one.

    Raises InputError for an unknown template, and where no more sentences can be found.
    """
    _check_templates([*(templates or ()), *exclude_templates])
    draw = Draw(
        seed,
        lexicon or load_lexicon(),
        variants=variants,
        without=exclude_templates,
        favour=containing,
    )
    choices = clause_templates(
        None if templates is None else frozenset(templates), frozenset(exclude_templates)
    )
    seen = {tokens if isinstance(tokens, tuple) else tokens.zh for tokens in exclude}
    seen |= {pair.zh for pair in held_out_sentences()}
    wanted, tries = frozenset(containing), 0
    pairs: list[SentencePair] = []
    while len(pairs) < n:
        if tries > _TRIES:
            raise InputError("corpus.exhausted", count=len(pairs), wanted=n)
        tries += 1
        draw.start()
        phrase = sentence(draw, choices, clauses)
        if not draw.without.isdisjoint(draw.used) or len(phrase.en) > max_tokens:
            continue
        if draw.variants:
            phrase = reword(draw, phrase)
        pair = sentence_pair(phrase, tuple(dict.fromkeys(draw.used)))
        if len(pair.zh) > max_tokens or pair.zh in seen:
            continue
        if wanted and wanted.isdisjoint(pair.zh):
            continue
        seen.add(pair.zh)
        pairs.append(pair)
        tries = 0
    return pairs


# Structures inside clauses and between them; clause templates are known by their own names.
STRUCTURES = (
    "about",
    "adverb",
    "ago",
    "although",
    "after",
    "as_soon_as",
    "attributive",
    "before",
    "ba",
    "because",
    "clock",
    "company",
    "coordination",
    "en_variant",
    "full_stop",
    "if",
    "manner",
    "possessive",
    "relative_clause",
    "ride",
    "same_subject",
    "subordinate",
    "time_first",
    "when",
    "while",
    "zhe",
    "zh_variant",
)


def template_names() -> tuple[str, ...]:
    """Every structure that can be asked for or excluded."""
    return (*TEMPLATES, *STRUCTURES)


def _check_templates(names: Iterable[str]) -> None:
    known = template_names()
    for name in names:
        if name not in known:
            raise InputError("corpus.template", value=name, known=", ".join(known))
