"""The parallel corpus: a hand-written Chinese–English grammar and lexicon with gold alignments.

    from engine.corpus import generate
    pairs = generate(60_000, seed=1)

Loads no torch.
"""

from __future__ import annotations

from engine.corpus.alignment import SentencePair
from engine.corpus.generate import generate, template_names
from engine.corpus.held_out import held_out_sentences
from engine.corpus.vocabulary import corpus_tokens, known_words

__all__ = [
    "SentencePair",
    "corpus_tokens",
    "generate",
    "held_out_sentences",
    "known_words",
    "template_names",
]
