"""What is done to a finished film: its index to the front, a poster out of it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import av

from studio.cutting import copied_stream, has_alpha

if TYPE_CHECKING:
    from PIL.Image import Image


def seconds(film: Path) -> float:
    """Length of the video."""
    with av.open(str(film)) as container:
        stream = container.streams.video[0]
        if stream.duration is not None and stream.time_base is not None:
            return float(stream.duration * stream.time_base)
        return float(Fraction(container.duration or 0, av.time_base))


def starts_at_once(film: Path) -> bool:
    """Whether the index of an MP4 stands before its pictures, so that a browser need not wait."""
    kinds = []
    with film.open("rb") as file:
        while head := file.read(8):
            size, kind = int.from_bytes(head[:4], "big"), head[4:]
            kinds.append(kind)
            skip = int.from_bytes(file.read(8), "big") - 16 if size == 1 else size - 8
            if size == 0:
                break
            file.seek(skip, 1)
    return b"moov" in kinds and kinds.index(b"moov") < kinds.index(b"mdat")


def copy_with_index_first(film: Path, to: Path) -> None:
    """The same pictures, not encoded again, with the index at the front."""
    with (
        av.open(str(film)) as source,
        av.open(str(to), "w", format="mp4", options={"movflags": "faststart"}) as copy,
    ):
        streams = {one: copied_stream(copy, one) for one in source.streams}
        for packet in source.demux():
            if packet.dts is not None:
                packet.stream = streams[packet.stream]
                copy.mux(packet)


def pictures(film: Path, from_second: float = 0.0) -> Iterator[av.VideoFrame]:
    """The frames of a film, from the last one at or before `from_second` that needs no other.

    With their alpha channel, where the film has one: in VP9 it lies beside the packets.
    """
    with av.open(str(film)) as container:
        stream = container.streams.video[0]
        assert stream.time_base is not None
        if from_second > 0:
            container.seek(int(from_second / stream.time_base), stream=stream)
        if not has_alpha(stream):
            stream.thread_type = "AUTO"
            yield from container.decode(stream)
            return
        decoder = av.CodecContext.create("libvpx-vp9", "r")
        for packet in container.demux(stream):
            for frame in decoder.decode(packet if packet.size else None):
                frame.time_base = stream.time_base
                yield frame


def image(frame: av.VideoFrame) -> Image:
    """A frame as a picture of Pillow's: RGBA where there is an alpha channel, else RGB."""
    from PIL import Image

    if frame.format.name == "yuva420p":
        return Image.fromarray(frame.to_ndarray(format="rgba"))
    return frame.to_image()


def save_frame(film: Path, second: float, to: Path) -> None:
    """The picture shown at `second` (the last one, where the film is shorter), as PNG."""
    shown = None
    for frame in pictures(film, second):
        if shown is not None and frame.time is not None and frame.time > second:
            break
        shown = frame
    if shown is None:
        raise ValueError(f"{film.name} holds no picture")
    image(shown).save(to, format="PNG", optimize=True)
