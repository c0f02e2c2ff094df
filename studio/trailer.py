"""What a trailer shows: of each station the beats that tell, so many that it lasts 60 to 90 s."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil
from typing import Any

from scenes.reading import subtitle_seconds

LEAST, MOST = 60.0, 90.0  # seconds


@dataclass(frozen=True)
class Stretch:
    """Neighbouring beats of one station. The first may start late, where its film can be cut."""

    beats: tuple[dict[str, Any], ...]  # as .beats.json has them
    start: float  # seconds in the station's clip

    @property
    def end(self) -> float:
        return float(self.beats[-1]["end"])

    @property
    def seconds(self) -> float:
        return self.end - self.start


@dataclass
class Choice:
    """One station's share, growing towards the question that its best beat answers."""

    beats: list[dict[str, Any]]  # all of the station's
    first: int
    last: int  # inclusive
    entries: list[float] = field(default_factory=list)  # seconds at which its film can be cut

    @property
    def stretch(self) -> Stretch:
        beats = tuple(self.beats[self.first : self.last + 1])
        return Stretch(beats, float(beats[0]["start"]))

    def longer(self) -> float | None:
        """Seconds that the beat before would add; None where there is none."""
        if self.first == 0:
            return None
        before = self.beats[self.first - 1]
        return float(before["end"] - before["start"])


def choose(tables: list[dict[str, Any]], entries: list[list[float]], spent: float) -> list[Stretch]:
    """A stretch of every station; `spent` seconds are taken by something else.

    Starts from the beats that each scene names in `trailer` (else its poster's). Where that is
    too short, the beats before join in; where it is too long, the longest begin later, but never
    so late that their captions cannot be read.
    """
    choices = [_named(table, at) for table, at in zip(tables, entries, strict=True)]
    _grow(choices, spent)
    stretches = [choice.stretch for choice in choices]
    share = MOST
    while spent + sum(one.seconds for one in stretches) > MOST and share > 0:
        share -= 0.5
        stretches = [_shortened(choice, share) for choice in choices]
    return stretches


def _named(table: dict[str, Any], entries: list[float]) -> Choice:
    names = [beat["name"] for beat in table["beats"]]
    wanted = [name for name in table.get("trailer", ()) if name in names] or [table["poster"]]
    places = [names.index(name) for name in wanted]
    return Choice(table["beats"], min(places), max(places), entries)


def _grow(choices: list[Choice], spent: float) -> None:
    """Beats before the chosen ones, where the shortest share is, until it is long enough."""
    while (total := spent + sum(c.stretch.seconds for c in choices)) < LEAST:
        room = [c for c in choices if (more := c.longer()) and total + more <= MOST]
        if not room:
            return
        min(room, key=lambda choice: choice.stretch.seconds).first -= 1


def _shortened(choice: Choice, share: float) -> Stretch:
    """The stretch with its first beat cut to about `share` seconds, if its film allows it."""
    whole = choice.stretch
    first = whole.beats[0]
    needed = max(subtitle_seconds(text, lang) for lang, text in first["captions"].items())
    latest = min(float(first["end"]) - needed, whole.end - share)
    late = [at for at in choice.entries if whole.start < at <= latest]
    return replace(whole, start=max(late, default=whole.start))


def frames(second: float, rate: Fraction) -> int:
    """The frame that begins at a second, or the one that is meant by a rounded one."""
    return ceil(second * rate - Fraction(1, 2))
