"""What to paste elsewhere to show one clip: the clip by itself, or its page in a frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from engine.words import words
from studio.page_clips import Clip

NAMES = {"zh": "中文", "en": "English"}


@dataclass(frozen=True)
class Snippet:
    """One way to embed."""

    key: str  # of its name and its remark in [page.embed]
    text: str


def snippets(clip: Clip, lang: str) -> Iterator[Snippet]:
    """The ways to embed a clip, in the page's first language."""
    title = words(lang)(f"{clip.station}.title")
    yield Snippet("html", _player(clip, title))
    yield Snippet("myst", _myst(clip, title))
    yield Snippet("sphinx", f"```{{raw}} html\n{_player(clip, title, '_static/')}\n```")
    yield Snippet("quarto", f"```{{=html}}\n{_player(clip, title)}\n```")
    yield Snippet("platform", _frame(clip, title))


def address(path: str) -> str:
    """A relative address of a file, whatever it is called."""
    return "./" + quote(path)


def _player(clip: Clip, title: str, folder: str = "") -> str:
    def source(name: str) -> str:
        return escape(folder + quote(name) if folder else address(name))

    poster = f' poster="{source(clip.poster)}"' if clip.poster else ""
    if not clip.kind:
        return f'<img src="{source(clip.film)}" alt="{escape(title)}" style="max-width:100%">'
    tracks = "".join(
        f'\n  <track kind="captions" srclang="{track.lang}" label="{NAMES[track.lang]}"'
        f' src="{source(track.file)}">'
        for track in clip.tracks
    )
    return (
        f'<video controls playsinline preload="metadata" style="max-width:100%"'
        f'\n  aria-label="{escape(title)}"\n  src="{source(clip.film)}"{poster}>{tracks}\n</video>'
    )


def _myst(clip: Clip, title: str) -> str:
    return f":::{{figure}} {address(clip.film)}\n:alt: {title}\n{title}\n:::"


def _frame(clip: Clip, title: str) -> str:
    return (
        f'<iframe src="index.html?station={quote(clip.stem)}" title="{escape(title)}"'
        f'\n  style="width:100%;aspect-ratio:4/3;border:0" allowfullscreen></iframe>'
    )
