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
_CLAUSE_ENDS = "，。！？；：…,.!?;:—"


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
    """Blocks of one or two lines, each line short enough for its language.

    Of all ways to cut, the one with few blocks of like length that end where clauses end.
    """
    most = MOST_CHARACTERS[lang]
    units = [
        u[i : i + most] for u in phrases(" ".join(text.split())) for i in range(0, len(u), most)
    ]
    # best[i]: the least cost of the units from i on, and their blocks
    best: list[tuple[float, list[tuple[str, ...]]]] = [(0.0, [])] * (len(units) + 1)
    for first in range(len(units) - 1, -1, -1):
        options = []
        for after in range(first + 1, len(units) + 1):
            found = _block(units[first:after], most)
            if found is None:
                break
            cost, lines = found
            cost += _unrest(units[after - 1], 0.6) if after < len(units) else 0.0
            options.append((cost + best[after][0], [lines, *best[after][1]]))
        best[first] = min(options, key=lambda option: option[0])
    return [block for block in best[0][1] if block]


def first_clause(text: str, most: int) -> str:
    """How a text begins: its first clause, or as many whole words of it as `most` signs hold."""
    text = " ".join(text.split())
    ends = [place for place, sign in enumerate(text) if sign in _CLAUSE_ENDS]
    clause = text[: next((end for end in ends if end > 1), len(text))].strip()
    if len(clause) <= most:
        return clause
    kept = ""
    for piece in phrases(clause):
        if len((kept + piece).rstrip()) >= most:
            break
        kept += piece
    return (kept.rstrip() or clause[: most - 1]) + "…"


def _block(units: Sequence[str], most: int) -> tuple[float, tuple[str, ...]] | None:
    """The cost of showing these units together, and their lines; None where two are too few."""
    whole = "".join(units).strip()
    if not whole:
        return 0.0, ()
    cost = 1.0 + (1 - len(whole) / (MOST_LINES * most)) ** 2
    if len(whole) <= most:
        return cost, (whole,)
    ways = []
    for middle in range(1, len(units)):
        upper, lower = "".join(units[:middle]).strip(), "".join(units[middle:]).strip()
        if 0 < len(upper) <= most and 0 < len(lower) <= most:
            uneven = abs(len(upper) - len(lower)) / most
            ways.append((cost + 0.3 * uneven + _unrest(upper, 0.25), (upper, lower)))
    return min(ways) if ways else None


def _unrest(text: str, cost: float) -> float:
    """What it costs to break after `text`: nothing at the end of a clause."""
    return 0.0 if text.rstrip()[-1:] in tuple(_CLAUSE_ENDS) else cost


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
