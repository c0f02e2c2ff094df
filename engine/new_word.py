"""A word that a user teaches the translator: one line of a table, or one entry of a lesson."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MOST_NEW_WORDS = 100  # more is a corpus of one's own, not an addition to the lexicon

Cell = Annotated[str, Field(min_length=1, max_length=200)]


class NewWord(BaseModel):
    """Word, translation and kind; every other cell follows by rule where it is left out.

    What the cells may hold depends on the kind; `engine.corpus.new_words` checks them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    word: Cell  # in either language
    translation: Cell
    kind: Cell  # what it is: food, place, name, verb …
    plural: Cell | None = None  # English
    countable: Cell | None = None  # yes or no
    measure: Cell | None = None  # Chinese measure word: 个, 杯
    measure_en: Cell | None = None  # of what is not counted: glass of
    gender: Cell | None = None  # of a person: m or f
    past: Cell | None = None  # English forms of a verb
    participle: Cell | None = None
    ing: Cell | None = None
    comparative: Cell | None = None  # of an adjective
    objects: Cell | None = None  # kinds of things that a verb takes
    fits: Cell | None = None  # kinds of things that an adjective describes
    preposition: Cell | None = None  # before a place
    article: Cell | None = None  # the, before a place: yes or no
    tense: Cell | None = None  # that a time expression goes with

    def given(self) -> dict[str, str]:
        """The cells that were filled in beside the three that everyone needs."""
        cells: dict[str, str] = self.model_dump(exclude_none=True)
        return {name: cells[name] for name in cells if name not in NEEDED}


NEEDED = ("word", "translation", "kind")
COLUMNS = tuple(NewWord.model_fields)
