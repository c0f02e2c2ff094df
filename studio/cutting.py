"""Parts of a finished film by copying packets: no picture is encoded twice, none is lost.

Every beat starts a section, every section an encoder of its own: so a beat begins with a picture
that needs no other, and nothing in it looks beyond its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av

#: Web players may start such a file before they have all of it.
INDEX_FIRST = {".mp4": {"movflags": "+faststart"}, ".mov": {"movflags": "+faststart"}}


class CannotCut(ValueError):
    """There is no picture at that place that needs no other."""


def frame_rate(film: Path) -> Fraction:
    """Frames per second."""
    with av.open(str(film)) as container:
        rate = container.streams.video[0].average_rate
    assert rate is not None
    return Fraction(rate)


def frame_count(film: Path) -> int:
    """How many pictures there are, without decoding any."""
    with av.open(str(film)) as container:
        return sum(1 for _ in _packets(container))


def entry_points(film: Path) -> list[int]:
    """The frames that need no other, in order."""
    rate = frame_rate(film)
    with av.open(str(film)) as container:
        return sorted(_frame(p, rate) for p in _packets(container) if p.is_keyframe)


def cut(film: Path, first: int, after: int, to: Path) -> None:
    """Writes frames `first` … `after` − 1 as a film of their own.

    Raises CannotCut where that would need encoding, or where there are no such frames.
    """
    rate = frame_rate(film)
    options = INDEX_FIRST.get(to.suffix, {})
    with av.open(str(film)) as source, av.open(str(to), "w", container_options=options) as part:
        there = source.streams.video[0]
        stream = copied_stream(part, there)
        chosen = [p for p in _packets(source) if first <= _frame(p, rate) < after]
        if len(chosen) != after - first or not chosen[0].is_keyframe:
            raise CannotCut(f"{film.name} cannot be cut at frames {first} and {after}")
        start = min(packet.pts for packet in chosen)
        for packet in chosen:
            packet.pts -= start
            packet.dts -= start
            packet.stream = stream
            part.mux(packet)


def copied_stream(container: Any, stream: Any) -> Any:
    """A stream for the same packets. That there is alpha is said beside the packets in WebM."""
    copy = container.add_stream_from_template(stream)
    if has_alpha(stream):
        copy.metadata["alpha_mode"] = "1"
    return copy


def has_alpha(stream: Any) -> bool:
    """Whether a WebM's video has an alpha channel beside its packets."""
    return any(k.lower() == "alpha_mode" and v == "1" for k, v in stream.metadata.items())


def _packets(container: Any) -> Iterator[Any]:
    return (p for p in container.demux(container.streams.video[0]) if p.dts is not None)


def _frame(packet: Any, rate: Fraction) -> int:
    return round(packet.pts * packet.time_base * rate)
