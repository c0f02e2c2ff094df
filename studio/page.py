"""The page of a lesson: `index.html` beside the clips, which needs nothing but its folder.

It has a player with captions and beats for each station in the folder, the sentences, the
numbers and where they come from, and what to paste to show a clip elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from engine.lesson import Lesson
from engine.traces import Trace
from engine.words import ASSETS, LANGUAGES, words
from studio.cache import Cache, checksum
from studio.delivery import place
from studio.digests import ROOT, digest, of_files
from studio.page_clips import BEATS, Clip, clips_in, files_of, lesson_files
from studio.request import as_fault

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

NAME = "index.html"
MARK = b'<meta name="generator" content="Lookback">'
TEMPLATES = ASSETS / "page"


def make_page(folder: Path, lesson: Lesson, cache: Cache) -> Path | None:
    """Writes `index.html` for the clips in `folder`; None where there is none to show, or
    where an index.html of somebody else's stands there.

    Raises FaultError when the folder cannot be written to.
    """
    return make_html(NAME, page, folder, lesson, cache)


def make_html(
    name: str, write: Callable[[Path, list[Clip], Lesson], str], folder: Path, lesson: Lesson,
    cache: Cache,
) -> Path | None:  # fmt: skip
    """A page of the folder's clips under `name`, unless nothing it is made from has changed."""
    target = folder / name
    stems = sorted(path.name.removesuffix(BEATS) for path in folder.glob(f"*{BEATS}"))
    if not stems or not _is_ours(target):
        return None
    try:
        key = _key(name, folder, lesson, stems)
        entry = cache.get("pages", key)
        if entry is None:
            clips = clips_in(folder)
            if not clips:
                return None
            workspace = cache.workspace()
            html = write(folder, clips, lesson)
            (workspace / name).write_text(html, encoding="utf-8", errors="replace")
            entry = cache.put("pages", key, workspace)
            shutil.rmtree(workspace, ignore_errors=True)
        if checksum(target) != entry.files[name]:
            place(entry.path(name), target)
    except OSError as error:
        raise as_fault(error, folder) from None
    return target


def page(folder: Path, clips: list[Clip], lesson: Lesson) -> str:
    """The page as HTML. Whatever a person wrote is text in it, never markup."""
    return filled("index", "page", clips=clips, lesson=lesson, others=lesson_files(folder))


def filled(template: str, code: str, lesson: Lesson, **values: object) -> str:
    """A template with one script and one style sheet of ours in it; only that script may run."""
    script = (TEMPLATES / f"{code}.js").read_text(encoding="utf-8")
    hashed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment().get_template(f"{template}.html.jinja").render(
        **values,
        lesson=lesson,
        lang=LANGUAGES[0] if lesson.lang == "both" else lesson.lang,
        script=script,
        script_hash=hashed,
        style="".join((TEMPLATES / f"{name}.css").read_text(encoding="utf-8")
                      for name in ("colors", code)),
    )  # fmt: skip


def sentences(trace: Trace | None) -> list[tuple[tuple[str, ...], tuple[str, ...], str]]:
    """The sentences that a clip shows: words, words of the other side, level of trust."""
    if trace is None:
        return []
    pairs = getattr(trace, "pairs", None)
    if pairs is not None:
        return [(pair.source, pair.target, pair.trust) for pair in pairs]
    recitals = [getattr(trace, name, None) for name in ("short", "long")]
    if all(recitals):
        return [(recital.source, recital.output, "") for recital in recitals]  # type: ignore[union-attr]
    if hasattr(trace, "told"):
        return [(trace.told.tokens, (), trace.told.trust)]
    if hasattr(trace, "pair"):
        return [(trace.pair.source, trace.pair.target, "")]
    return [(getattr(trace, "tokens", ()), (), "")]


def _is_ours(target: Path) -> bool:
    """Whether nobody else's page stands there."""
    try:
        with target.open("rb") as file:
            return MARK in file.read(2000)
    except OSError:
        return not target.exists()


def _key(name: str, folder: Path, lesson: Lesson, stems: list[str]) -> str:
    """What a page is made from: texts are read, of films and pictures only the names."""
    parts = [name, lesson.name, lesson.lang, lesson.look.theme]
    parts += [_code(), version("jinja2"), _words(), str(lesson_files(folder))]
    for stem in stems:
        names = files_of(folder, stem)
        parts += [stem, *names, *sorted(path.name for path in (folder / stem).glob("*.*"))]
        texts = (name for name in names if name.endswith((".json", ".vtt")))
        parts += [checksum(folder / name) or "" for name in texts]
    return digest(*parts)


@cache
def _code() -> str:
    own = [*(ROOT / "studio").glob("page*.py"), *TEMPLATES.iterdir()]
    return of_files([*own, *(ROOT / "engine" / "traces").glob("*.py")], ROOT)


@cache
def _words() -> str:
    return digest(*(f"{key}={words(lang)(key)}" for lang in LANGUAGES
                    for key in sorted(words(lang).keys())))  # fmt: skip


@cache
def environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from studio import page_embed, page_figures, page_grid, page_numbers

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "say": say,
        "both": both,
        "attribute": attribute,
        "has": lambda key: key in words(LANGUAGES[0]),
        "language_names": page_embed.NAMES,
        "sentences": sentences,
        "numbers_of": page_numbers.numbers_of,
        "figures_said": page_figures.figures_said,
        "alignment_grid": page_grid.alignment_grid,
        "snippets": page_embed.snippets,
    }
    environment.filters |= {"address": page_embed.address, "clock": clock, "anchor": anchor}
    return environment


def say(key: str, /, **values: object) -> Markup:
    """A text of ours in every language; the style sheet shows one of them."""
    return both({lang: words(lang)(key, **values) for lang in LANGUAGES})


def both(texts: Mapping[str, str]) -> Markup:
    """One text in every language, escaped."""
    from markupsafe import Markup

    span = Markup('<span class="{0}" lang="{0}">{1}</span>')
    return Markup("").join(span.format(lang, texts[lang].strip()) for lang in LANGUAGES)


def attribute(name: str, key: str, lang: str, /, **values: object) -> Markup:
    """An attribute whose text changes with the page's language."""
    from markupsafe import Markup

    said = {language: words(language)(key, **values) for language in LANGUAGES}
    spare = (Markup(' data-{}-{}="{}"').format(name, *item) for item in said.items())
    return Markup('{}="{}"').format(name, said[lang]) + Markup("").join(spare)


def clock(seconds: float) -> str:
    """75.2 is 1:15."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


def anchor(clip: Clip) -> str:
    """The id of a clip on the page: letters that need no escaping anywhere."""
    return re.sub(r"[^\w-]", lambda sign: f".{ord(sign[0]):x}", clip.stem, flags=re.ASCII)
