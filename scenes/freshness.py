"""What a picture depends on, as one fingerprint, put into manim's cache folders.

Manim's own cache key cannot see into numpy scalars, frozen dataclasses or updaters, and keeps
text by font *name*: without this, new numbers can replay an old clip.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.metadata import version
from pathlib import Path

from manim import config

from engine.words import ASSETS
from scenes import fonts

ROOT = Path(__file__).resolve().parent
_MARK = "lookback-"
LIBRARIES = ("manim", "typst", "uharfbuzz", "numpy")


@cache
def code_fingerprint() -> str:
    """Digest of the drawing code, the words, the font and the libraries that draw."""
    digest = hashlib.sha256(fonts.fingerprint().encode())
    for path in sorted([*ROOT.rglob("*.py"), *(ASSETS / "words").glob("*.toml")]):
        digest.update(path.name.encode() + path.read_bytes())
    for name in LIBRARIES:
        digest.update(f"{name} {version(name)}".encode())
    return digest.hexdigest()


def fingerprint(*parts: str) -> str:
    """Sixteen hex digits over the drawing code and everything given: the trace, the lesson."""
    digest = hashlib.sha256(code_fingerprint().encode())
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part.encode())
    return digest.hexdigest()[:16]


def use_fresh_caches(key: str) -> None:
    """Points manim's caches of partial clips, text and formulas at folders of this key."""
    config.partial_movie_dir = _marked(config["partial_movie_dir"], key)
    config.text_dir = _marked(config["text_dir"], fonts.fingerprint())
    config.tex_dir = _marked(config["tex_dir"], version("typst"))


def _marked(folder: str | Path, key: str) -> Path:
    """The folder with our mark as its last part; an earlier mark is replaced."""
    plain = re.sub(rf"[/\\]{_MARK}[^/\\]*$", "", str(folder))
    return Path(plain) / f"{_MARK}{key}"
