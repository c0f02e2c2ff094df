"""Captions from beats: WebVTT and SubRip, in lines that can be read, inside the clip's time.

A beat's caption is cut into cues of at most two lines, at the ends of clauses where there are
any, between words otherwise. Chinese words are jieba's, with the corpus lexicon on top.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.tokens import phrases

MOST_LINES = 2
MOST_CHARACTERS = {"zh": 18, "en": 42}
SHORTEST = 0.001  # seconds: a cue that ends where it starts is not shown at all
_CLAUSE_ENDS = "，。！？；：、…,.!?;:—"
_SENTENCE_ENDS = "。！？.!?"


class Beat(Protocol):
    """What captions need to know of a beat."""

    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def captions(self) -> dict[str, str]: ...


@dataclass(frozen=True)
class Cue:
    """One caption on screen: seconds and at most two lines."""

    start: float
    end: float
    lines: tuple[str, ...]


def cues(beats: Iterable[Beat], lang: str, duration: float) -> list[Cue]:
    """The cues of one language, in order, none beyond `duration` seconds."""
    found = []
    for beat in beats:
        start, end = max(0.0, beat.start), min(beat.end, duration)
        blocks = split_caption(beat.captions[lang], lang)
        found += _in_turn(blocks, start, end)
    return [cue for cue in found if cue.end - cue.start >= SHORTEST]


def split_caption(text: str, lang: str) -> list[tuple[str, ...]]:
    """Blocks of one or two lines, each line short enough for its language."""
    most = MOST_CHARACTERS[lang]
    lines = break_lines(" ".join(text.split()), most)
    return _blocks(lines)


def break_lines(text: str, most: int) -> list[str]:
    """The text in lines of at most `most` characters, as even as its clauses allow."""
    units = [piece for unit in phrases(text) for piece in _chopped(unit, most)]
    # best[i]: the least penalty for the units from i on, and where the first line ends
    best: list[tuple[float, int]] = [(0.0, len(units))] * (len(units) + 1)
    for first in range(len(units) - 1, -1, -1):
        options = []
        for after in range(first + 1, len(units) + 1):
            line = "".join(units[first:after]).strip()
            if len(line) > most:
                break
            options.append((_penalty(line, most, after == len(units)) + best[after][0], after))
        best[first] = min(options)
    lines, at = [], 0
    while at < len(units):
        after = best[at][1]
        lines.append("".join(units[at:after]).strip())
        at = after
    return [line for line in lines if line]


def _penalty(line: str, most: int, last: bool) -> float:
    """One for each line, so that there are few; then for emptiness and for a broken clause."""
    slack = (most - len(line)) / most
    broken = 0.0 if last or line[-1:] in _CLAUSE_ENDS else 0.35
    return 1.0 + 0.5 * slack**2 + broken


def _chopped(unit: str, most: int) -> list[str]:
    """A unit longer than a line, in pieces; nearly always the unit itself."""
    return [unit[i : i + most] for i in range(0, len(unit), most)]


def _blocks(lines: list[str]) -> list[tuple[str, ...]]:
    """Lines in pairs; a sentence that ends a first line also ends its block."""
    blocks: list[tuple[str, ...]] = []
    for left, line in enumerate(lines):
        rest = len(lines) - left
        full = not blocks or len(blocks[-1]) == MOST_LINES
        if full or (blocks[-1][-1][-1] in _SENTENCE_ENDS and rest % MOST_LINES == 0):
            blocks.append((line,))
        else:
            blocks[-1] = (*blocks[-1], line)
    return blocks


def _in_turn(blocks: Sequence[tuple[str, ...]], start: float, end: float) -> list[Cue]:
    """The blocks one after another, each as long as its share of the text."""
    weights = [sum(len(line) for line in block) for block in blocks]
    shown, at = [], start
    for block, weight in zip(blocks, weights, strict=True):
        after = min(at + (end - start) * weight / sum(weights), end)
        shown.append(Cue(at, after, block))
        at = after
    return shown


def to_vtt(found: Iterable[Cue], lang: str) -> str:
    """A WebVTT file. Nothing in a caption is markup."""
    parts = [f"WEBVTT\nLanguage: {lang}"]
    for number, cue in enumerate(found, 1):
        text = "\n".join(_vtt_escaped(line) for line in cue.lines)
        parts.append(f"{number}\n{_clock(cue.start, '.')} --> {_clock(cue.end, '.')}\n{text}")
    return "\n\n".join(parts) + "\n"


def to_srt(found: Iterable[Cue]) -> str:
    """A SubRip file. It has no escapes: what players would take for a tag is written wide."""
    parts = []
    for number, cue in enumerate(found, 1):
        text = "\n".join(_srt_inert(line) for line in cue.lines)
        parts.append(f"{number}\n{_clock(cue.start, ',')} --> {_clock(cue.end, ',')}\n{text}\n")
    return "\n".join(parts)


def _vtt_escaped(line: str) -> str:
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _srt_inert(line: str) -> str:
    line = line.replace("-->", "→")
    line = re.sub(r"<(?=[/A-Za-z!])", "＜", line)
    return re.sub(r"\{(?=\\)", "｛", line)


def _clock(second: float, point: str) -> str:
    # Rounded down, so that no cue ends after the clip.
    thousandths = int(second * 1000 + 1e-6)
    minutes, thousandths = divmod(thousandths, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{thousandths // 1000:02}{point}{thousandths % 1000:03}"
