"""Words that the translator is to learn: from a table or from the lesson, checked at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.lesson import Lesson


def new_word_flags(learn: str | Path | None, allow_unknown: bool) -> dict[str, Any]:
    """The overrides of a lesson for --learn and --allow-unknown.

    Raises InputError naming file, line and column of what is wrong in a table.
    """
    overrides: dict[str, Any] = {"translation.allow_unknown": True} if allow_unknown else {}
    if learn is None:
        return overrides
    from engine.corpus.lexicon import load_lexicon
    from engine.corpus.new_words import entries_of
    from engine.new_words_table import read_new_words

    words, places = read_new_words(Path(learn))
    entries_of(words, places, load_lexicon())
    table = [word.model_dump(exclude_none=True) for word in words]
    return overrides | {"translation.learn": table}


def check_new_words(lesson: Lesson) -> None:
    """Raises InputError for a word of the lesson that cannot be learnt."""
    words = lesson.translation.learn
    if not words:
        return
    from engine.corpus.lexicon import load_lexicon
    from engine.corpus.new_words import entries_of

    places = [f"translation.learn[{index}]" for index in range(len(words))]
    entries_of(words, places, load_lexicon())


def learned(trace: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What learning did to each model of a trace: which text says it, with which values."""
    for record in json.loads(trace)["provenance"]["learned"]:
        key = "learned_fixed" if record["new_aer"] is None else "learned"
        yield key, {**record, "words": len(record["words"])}
