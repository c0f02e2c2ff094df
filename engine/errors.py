"""What a lecturer is told when something cannot be done.

An error carries the key of its text and the values in it; the text itself stands in the
word tables, so that it can be said in the lecturer's language at the moment it is shown.
"""

from __future__ import annotations

from engine.words import words


class LookbackError(Exception):
    """One plain line for the user; `exit_code` is what the command returns."""

    exit_code = 1

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = values

    def text(self, lang: str) -> str:
        """The message in one language, always a single line."""
        message = words(lang)(f"errors.{self.key}", **self.values)
        return " ".join(message.split())

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


def _rebuild(kind: type[LookbackError], key: str, values: dict[str, object]) -> LookbackError:
    return kind(key, **values)
