"""Segments joined into one film by copying packets: nothing is decoded, nothing shifts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import av

from studio.cutting import copied_stream


@contextmanager
def appearing_whole(path: Path) -> Iterator[Path]:
    """A path to write to; it becomes ``path`` when the block ends well, else it vanishes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.stem}.part{path.suffix}")
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def join_segments(
    segments: Sequence[Path],
    film: Path,
    frame_rate: Fraction,
    *,
    comment: str = "",
    chapters: Sequence[Any] = (),
) -> int:
    """Write ``film`` from segments of one encoder setting; return its number of frames.

    A segment starts at the exact tick at which the frames before it end. MP4 and MOV get
    their index at the front, so that a browser can start before it has the whole file.
    """
    options = {"movflags": "+faststart"} if film.suffix in (".mp4", ".mov") else {}
    delay = max((_decoding_delay(segment) for segment in segments), default=Fraction(0))
    frames = 0
    with appearing_whole(film) as path, av.open(str(path), "w", container_options=options) as out:
        out.metadata["comment"] = comment
        if chapters:  # as PyAV has them; they are written before the first packet
            out.set_chapters(list(chapters))
        stream = None
        for segment in segments:
            with av.open(str(segment)) as source:
                if stream is None:
                    stream = copied_stream(out, source.streams.video[0])
                start = frames / frame_rate  # seconds
                for packet in _moved_packets(source, start, delay):
                    packet.stream = stream
                    out.mux(packet)
                    frames += 1
    return frames


def _packets(source: Any) -> Iterator[Any]:
    """The packets that hold a frame, in decoding order."""
    return (p for p in source.demux(source.streams.video[0]) if p.dts is not None)


def _decoding_delay(segment: Path) -> Fraction:
    """How long before its showing a segment's first frame is decoded, in seconds."""
    with av.open(str(segment)) as source:
        first = next(_packets(source))
        return (first.pts - first.dts) * first.time_base


def _moved_packets(source: Any, start: Fraction, delay: Fraction) -> Iterator[Any]:
    """A segment's packets so that it shows from ``start`` on and decodes ``delay`` before.

    A very short segment reorders fewer frames than the others and would else be decoded
    later than the one after it.
    """
    first = None
    for packet in _packets(source):
        first = first or (packet.pts, packet.dts)
        base = packet.time_base
        packet.pts += round(start / base) - first[0]
        packet.dts += round((start - delay) / base) - first[1]
        yield packet
