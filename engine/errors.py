"""What a lecturer is told when something cannot be done.

An error carries the key of its text and the values in it; the text itself stands in the
word tables, so that it can be said in the lecturer's language at the moment it is shown.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from typing import Any

from engine.words import Words, words

MOST_SHOWN = 600  # characters of one value in a message

#: Why the system refused a file, and the text under `errors.system` for each.
_CAUSES = {
    errno.ENOENT: "missing",
    errno.EISDIR: "a_folder",
    errno.ENOTDIR: "no_folder",
    errno.EACCES: "forbidden",
    errno.EPERM: "forbidden",
    errno.EROFS: "read_only",
    errno.ENAMETOOLONG: "long_name",
    errno.ELOOP: "circle",
    errno.EEXIST: "in_the_way",
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
}


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


def cause(error: OSError | ValueError) -> Phrase:
    """Why a file cannot be used, in the reader's language."""
    known = _CAUSES.get(error.errno or 0) if isinstance(error, OSError) else "no_name"
    reason = getattr(error, "strerror", None) or error
    return Phrase(f"system.{known or 'other'}", reason=reason)


def _said(table: Words, key: str, values: dict[str, Any]) -> str:
    said = {name: _shown(value, table.lang) for name, value in values.items()}
    return " ".join(_plain(table(f"errors.{key}", **said)).split())


def _shown(value: Any, lang: str) -> Any:
    """A value as it goes into a message: numbers stay numbers, long texts lose their middle."""
    if isinstance(value, Phrase):
        return value.text(lang)
    if isinstance(value, int | float):
        return value
    text, half = str(value), MOST_SHOWN // 2
    return text if len(text) <= MOST_SHOWN else f"{text[:half]} … {text[-half:]}"


def _plain(text: str) -> str:
    """Nothing that a terminal would obey: no control characters, no turning of the line."""
    return "".join(ascii(sign)[1:-1] if _unseen(sign) else sign for sign in text)


def _unseen(sign: str) -> bool:
    return not sign.isprintable() and not sign.isspace()


def _rebuild(kind: Any, key: str, values: dict[str, object]) -> Any:
    return kind(key, **values)
