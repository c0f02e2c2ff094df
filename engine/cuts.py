"""A sentence of any language into the words that a corpus of one's own is learnt in.

As `engine.tokens` does it (Chinese by a dictionary, others at spaces, punctuation apart); scripts
that put no spaces between words and for which there is no dictionary here fall into characters.
"""

from __future__ import annotations

import re
import unicodedata

from engine.tokens import BAR, tokenize

#: Kana, Thai, Lao, Tibetan, Burmese, Khmer, Tai Le … Tai Tham, Javanese, Balinese.
_UNSPACED = re.compile(
    r"[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f"
    r"\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\u1b00-\u1b7f\ua980-\ua9df]"
)


def cut(sentence: str, where: str = "sentence") -> tuple[str, ...]:
    """The words of a sentence; the writer's own bars are kept as they stand.

    Raises InputError for a sentence that is empty or holds characters that are no text.
    """
    words = tokenize(sentence, where)
    if BAR in sentence:
        return words
    return tuple(part for word in words for part in _without_spaces(word))


def _without_spaces(word: str) -> list[str]:
    return characters(word) if _UNSPACED.search(word) else [word]


def characters(word: str) -> list[str]:
    """A word's characters, each with the marks that belong to it."""
    parts: list[str] = []
    for sign in word:
        if parts and unicodedata.category(sign).startswith("M"):
            parts[-1] += sign
        else:
            parts.append(sign)
    return parts
