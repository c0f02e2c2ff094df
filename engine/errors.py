"""What a lecturer is told when something cannot be done.

An error carries the key of its text and the values in it; the text itself stands in the
word tables, so that it can be said in the lecturer's language at the moment it is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.words import Words, words


@dataclass(frozen=True, init=False)
class Phrase:
    """A part of a message that is itself looked up in the reader's language."""

    key: str  # under `errors.`
    values: dict[str, Any]

    def __init__(self, key: str, /, **values: object) -> None:
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "values", values)

    def text(self, lang: str) -> str:
        return _said(words(lang), self.key, self.values)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.key, self.values)


class LookbackError(Exception):
    """One plain line for the user; `exit_code` is what the command returns."""

    exit_code = 1

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = values

    def text(self, lang: str) -> str:
        """The message in one language, always a single line."""
        return _said(words(lang), self.key, self.values)

    def __str__(self) -> str:
        return self.text("en")

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword arguments do not survive Exception's own pickling, and errors cross processes.
        return _rebuild, (type(self), self.key, self.values)


class InputError(LookbackError):
    """Something the user wrote cannot be used: exit code 2."""

    exit_code = 2


class FaultError(LookbackError):
    """Something around us failed (disk, encoder, font): exit code 1."""


def _said(table: Words, key: str, values: dict[str, Any]) -> str:
    said = {
        name: value.text(table.lang) if isinstance(value, Phrase) else value
        for name, value in values.items()
    }
    return " ".join(table(f"errors.{key}", **said).split())


def _rebuild(kind: Any, key: str, values: dict[str, object]) -> Any:
    return kind(key, **values)
