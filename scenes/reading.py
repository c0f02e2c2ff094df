"""How long captions take to read, in one language or two. Nothing in here draws."""

from __future__ import annotations

from engine.words import LANGUAGES
from scenes.fonts import is_han

HAN_PER_SECOND = 5.0  # a calm pace of reading while watching
LATIN_PER_SECOND = 16.0
SHORTEST = 1.5  # seconds that any caption stays
#: The usual limits of subtitles, in characters a second: also for the language not on screen.
MOST_PER_SECOND = {"zh": 9.0, "en": 17.0}
_CLOCK = 0.002  # seconds that a caption file's thousandths may take away


def shown_languages(lang: str) -> tuple[str, ...]:
    """The languages on screen for a lesson's `lang`: zh, en or both."""
    return LANGUAGES if lang == "both" else (lang,)


def reading_seconds(text: str) -> float:
    """How long a caption takes to read calmly. Han characters and Latin letters differ."""
    han = sum(is_han(sign) for sign in text)
    return max(SHORTEST, han / HAN_PER_SECOND + (len(text) - han) / LATIN_PER_SECOND)


def subtitle_seconds(text: str, lang: str) -> float:
    """How long a caption has to stay as a subtitle, by the limit of its language."""
    return len(text) / MOST_PER_SECOND[lang] + _CLOCK
