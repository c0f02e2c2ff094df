"""A moving picture (animated WebP) of a clip, for places that play no film: small, silent, looping.

It must stay within a number of bytes. What is given up for that is said: first size, then
pictures a second.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import av

from studio.clips import pictures
from studio.cutting import frame_rate

MILLION = 1_000_000
ENCODER = {"quality": "70", "compression_level": "2"}  # a higher level takes minutes, saves little


@dataclass(frozen=True)
class Form:
    """How large, and how often a second the picture changes."""

    short: int  # pixels of the shorter side
    rate: int  # pictures a second at most

    @property
    def weight(self) -> float:
        """How many bytes it takes, against another form of the same film."""
        return self.short**1.3 * self.rate**0.6


#: From the best to the least that still can be read.
FORMS = tuple(
    Form(*form)
    for form in ((720, 12), (540, 12), (540, 10), (480, 10), (480, 8), (432, 8), (360, 8), (360, 6),
                 (324, 5), (288, 4), (240, 3), (180, 2))
)  # fmt: skip


@dataclass(frozen=True)
class Moving:
    """What was written."""

    width: int
    height: int
    rate: float  # pictures a second
    bytes: int
    best: bool  # nothing was traded
    fits: bool


def write_moving(film: Path, to: Path, budget: float) -> Moving:
    """Writes `to`, in the best of FORMS that takes at most `budget` MB, else in the least.

    After a try that is too large, those that would be as well are passed over.
    """
    candidates = list(FORMS)
    while True:
        form = candidates.pop(0)
        size, rate = _write(film, to, form)
        taken = to.stat().st_size
        fits = taken <= budget * MILLION
        if fits or not candidates:
            return Moving(*size, rate, taken, form is FORMS[0], fits)
        allowed = form.weight * budget * MILLION / taken
        while len(candidates) > 1 and candidates[0].weight > allowed * 1.1:
            candidates.pop(0)


def _write(film: Path, to: Path, form: Form) -> tuple[tuple[int, int], float]:
    """One try; width and height, and the pictures a second that it came to."""
    rate = frame_rate(film)
    step = max(1, math.ceil(rate / form.rate))
    shown = _steps(film, step, form.short)
    first = next(shown)
    with av.open(str(to), "w", format="webp", options={"loop": "0"}) as out:  # 0: for ever
        stream = out.add_stream("libwebp_anim", rate=rate / step, options=ENCODER)
        stream.width, stream.height, stream.pix_fmt = first.width, first.height, first.format.name
        for frame in _without_repeats(chain([first], shown)):
            frame.time_base = step / rate
            out.mux(stream.encode(frame))
        out.mux(stream.encode())
    return (first.width, first.height), float(rate / step)


def _steps(film: Path, step: int, short: int) -> Iterator[av.VideoFrame]:
    """Every `step`-th picture, no larger than it was, numbered from 0."""
    for number, frame in enumerate(pictures(film)):
        if number % step == 0:
            scale = min(1.0, short / min(frame.width, frame.height))
            sides = (2 * round(side * scale / 2) for side in (frame.width, frame.height))
            small = frame.reformat(*sides)
            small.pts = number // step
            yield small


def _without_repeats(frames: Iterable[av.VideoFrame]) -> Iterator[av.VideoFrame]:
    """The pictures that differ from the one before; and the last, for it says where the end is."""
    before, last = None, None
    for frame in frames:
        now = [bytes(plane) for plane in frame.planes]
        if now != before:
            yield frame
        before, last = now, frame if now == before else None
    if last is not None:
        yield last
