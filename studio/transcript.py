"""A transcript that one can speak from: what is said when, what is on screen, and every number.

Markdown. Whatever a person wrote is text in it: no mark-up, no directive, no citation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine.traces import Trace
from engine.words import words
from studio.chapters import Chapter, of_beats
from studio.page_numbers import Group, Table, numbers_of, said

MOST_VALUES = 6
_MARKUP = re.compile(r"([\\`*_{}\[\]#|~$@!^])")
_LINE_START = re.compile(r"^([-+=:]|\d+(?=[.)](?:\s|$)))")
_ADDRESS = re.compile(r"(?i)(:)(?=//)|(?<=www)(\.)|(:)(?=:)")


@dataclass(frozen=True)
class Script:
    """What a transcript is made from: the clip's beats and channels, and its numbers."""

    table: dict[str, Any]  # the .beats.json
    trace: Trace

    @property
    def station(self) -> str:
        return str(self.table["station"])


def transcript(script: Script, lang: str) -> str:
    """The whole file in one language."""
    say = words(lang)
    table = script.table
    parts = [
        f"# {inert(say(f'{script.station}.title'))}",
        say("transcript.about", minutes=_clock(table["duration"]), beats=len(table["beats"])),
        *_beats(script, lang),
    ]
    if f"{script.station}.note" in say:
        parts += [f"## {say('page.simplified')}", _paragraph(say(f"{script.station}.note"))]
    parts += [f"## {say('page.numbers')}", *_numbers(numbers_of(script.trace), 3)]
    parts += [f"## {say('page.provenance')}", _provenance(script.trace, lang)]
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def inert(text: str) -> str:
    """A text in one line in which Markdown and HTML find nothing to do."""
    text = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _MARKUP.sub(r"\\\1", text)
    return _ADDRESS.sub(lambda sign: "\\" + sign[0], text)


def _paragraph(text: str) -> str:
    """An inert text that begins a line, where numbers and dashes would begin a list."""
    return _LINE_START.sub(lambda m: f"{m[1]}\\" if m[1].isdigit() else f"\\{m[1]}", inert(text))


def _beats(script: Script, lang: str) -> Iterator[str]:
    """For each beat its title and time, what is said, and what carries which numbers."""
    beats = script.table["beats"]
    chapters = of_beats(script.station, beats)
    for number, (beat, chapter) in enumerate(zip(beats, chapters, strict=True), 1):
        yield f"## {number}. {inert(chapter.titles[lang])} ({_span(chapter)})"
        yield _paragraph(beat["captions"][lang])
        here = [c for c in script.table.get("channels", ()) if c["beat"] == beat["name"]]
        lines = [f"- {line}" for line in _legend(here, lang)]
        if lines:
            yield words(lang)("transcript.on_screen")
            yield "\n".join(lines)


def _legend(channels: list[dict[str, Any]], lang: str) -> Iterator[str]:
    """Which marks stand for which numbers, and the first of these."""

    def same(channel: dict[str, Any]) -> tuple[str, str, str]:
        mark = _attribute(str(channel["attribute"]), lang)
        return mark, str(channel["field"]), str(channel["label"])

    for (mark, field, label), group in groupby(sorted(channels, key=same), same):
        found = list(group)
        values = list(dict.fromkeys(said(float(one["value"])) for one in found))
        more = f" … (+{len(values) - MOST_VALUES})" if len(values) > MOST_VALUES else ""
        name = f"{inert(label)}: " if label else ""
        shown = ", ".join(values[:MOST_VALUES]) + more
        yield f"{name}{mark} × {len(found)} = `{_code(field)}` = {shown}"


def _attribute(attribute: str, lang: str) -> str:
    """An attribute of a mark in words; `y12` is one of the heights of a curve."""
    key = f"transcript.attributes.{re.sub(r'^y[0-9]+$', 'y', attribute)}"
    return words(lang)(key) if key in words(lang) else inert(attribute)


def _numbers(group: Group, level: int) -> Iterator[str]:
    """A trace's numbers as Markdown tables; large ones are named only."""
    if group.name:
        yield f"{'#' * min(level, 6)} `{_code(group.name)}`"
    lines = [f"- `{_code(n.name)}` = {inert(n.value)}" for n in group.numbers]
    lines += [f"- `{_code(n.name)}`: {inert(n.value)}" for n in group.large]
    if lines:
        yield "\n".join(lines)
    for table in group.tables:
        yield from _table(table)
    for inner in group.groups:
        yield from _numbers(inner, level + 1)


def _table(table: Table) -> Iterator[str]:
    if table.matrix and table.columns:
        yield f"`{_code(table.columns[0].path)}`"
    names = [inert(table.axis), *(_column(c.name, table) for c in table.columns)]
    rows = [[inert(name), *map(inert, cells)] for name, cells in table.lines]
    lines = [names, ["---"] * len(names), *rows]
    yield "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _column(name: str, table: Table) -> str:
    """What a column is called: a word of the sentence in a matrix, else a field."""
    return inert(name) if table.matrix else f"`{_code(name)}`"


def _provenance(trace: Trace, lang: str) -> str:
    """One line on where the numbers come from."""
    from_ = trace.provenance
    names = [
        words(lang)(f"common.model_{'trained' if m.trained else 'untrained'}", name=m.name)
        for m in from_.models
    ]
    computed = words(lang)("page.on_device", dtype=from_.dtype, device=from_.device)
    return _paragraph(" · ".join([*names, words(lang)("common.seed", seed=from_.seed), computed]))


def _code(text: str) -> str:
    return text.replace("`", "'").replace("\n", " ")


def _span(chapter: Chapter) -> str:
    return f"{_clock(chapter.start)}–{_clock(chapter.end)}"


def _clock(second: float) -> str:
    minutes, rest = divmod(int(second), 60)
    return f"{minutes}:{rest:02}"
