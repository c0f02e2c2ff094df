"""Slides without slide software: `deck.html` beside the clips waits at the end of each beat."""

from __future__ import annotations

from pathlib import Path

from engine.lesson import Lesson
from studio.cache import Cache
from studio.page import filled, make_html
from studio.page_clips import Clip

NAME = "deck.html"

#: What a key does: its text is page.deck.keys.<name>.
KEYS = {
    "next": ("→", "Space", "PgDn"),
    "back": ("←", "PgUp"),
    "ends": ("Home", "End"),
    "again": ("R",),
    "pause": ("P",),
    "notes": ("N",),
    "contents": ("O",),
    "stills": ("S",),
    "captions": ("C",),
    "language": ("L",),
    "theme": ("T",),
    "full": ("F",),
    "help": ("?",),
}


def make_deck(folder: Path, lesson: Lesson, cache: Cache) -> Path | None:
    """Writes `deck.html` for the clips in `folder`; None where there is none to show, or where
    a deck.html of somebody else's stands there. Raises FaultError as `make_page` does.
    """
    return make_html(NAME, deck, folder, lesson, cache)


def deck(folder: Path, clips: list[Clip], lesson: Lesson) -> str:
    """The deck as HTML. Whatever a person wrote is text in it, never markup."""
    total = sum(1 + len(clip.beats) for clip in clips)
    return filled("deck", "deck", clips=clips, lesson=lesson, keys=KEYS, total=total)
