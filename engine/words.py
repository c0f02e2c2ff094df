"""The words of every language: one TOML table each, `assets/words/<lang>.toml`.

Every text that a clip, a caption or an error shows is looked up here, so that a scene or
a function never holds a sentence of its own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

ASSETS = Path(__file__).resolve().parent.parent / "assets"
LANGUAGES = ("zh", "en")


class Words:
    """One language's texts, found by dotted keys such as `looking_back.captions.question`."""

    def __init__(self, lang: str, table: Mapping[str, object]) -> None:
        self.lang = lang
        self._texts = dict(_flatten(table))

    def __call__(self, key: str, /, **values: object) -> str:
        """The text under `key` with its named values filled in.

        Raises KeyError for a key the table lacks: that is a fault of ours, not the user's.
        """
        if key not in self._texts:
            raise KeyError(f"assets/words/{self.lang}.toml has no {key!r}")
        # Without values the text is taken as it stands, so that braces need no escaping there.
        return self._texts[key].format(**values) if values else self._texts[key]

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def keys(self) -> frozenset[str]:
        return frozenset(self._texts)


def _flatten(table: Mapping[str, object], prefix: str = "") -> list[tuple[str, str]]:
    texts: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, Mapping):
            texts += _flatten(value, f"{prefix}{key}.")
        else:
            texts.append((f"{prefix}{key}", str(value)))
    return texts


@cache
def words(lang: str) -> Words:
    """The table of one language, read once. `lang` is one of LANGUAGES."""
    path = ASSETS / "words" / f"{lang}.toml"
    return Words(lang, tomllib.loads(path.read_text(encoding="utf-8")))
