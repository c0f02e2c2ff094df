"""An empty sound track, for platforms that take no film without one."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

RATE = 48_000  # samples a second
BIT_RATE = 32_000  # silence takes less
_CHUNK = 1024  # samples of one AAC frame


def add_silence(film: Path, to: Path) -> None:
    """The same pictures and chapters, not encoded again, with a silent stereo AAC track."""
    options = {"movflags": "+faststart"}
    with (
        av.open(str(film)) as source,
        av.open(str(to), "w", format="mp4", container_options=options) as copy,
    ):
        copy.metadata.update(source.metadata)
        copy.set_chapters(source.chapters())
        there = source.streams.video[0]
        pictures = copy.add_stream_from_template(there)
        sound = copy.add_stream("aac", rate=RATE, layout="stereo")
        sound.bit_rate = BIT_RATE
        assert there.duration is not None and there.time_base is not None
        silence = _Silence(sound, there.duration * there.time_base)
        for packet in source.demux(there):
            if packet.dts is None:
                continue
            for quiet in silence.until(packet.dts * there.time_base):
                copy.mux(quiet)
            packet.stream = pictures
            copy.mux(packet)
        for quiet in silence.rest():
            copy.mux(quiet)


class _Silence:
    """Packets of nothing, handed out in the order in which a player needs them."""

    def __init__(self, stream: Any, duration: Fraction) -> None:
        self._stream = stream
        self._samples = int(duration * RATE)
        self._at = 0

    def until(self, second: Fraction) -> list[Any]:
        """What belongs before `second`."""
        packets: list[Any] = []
        while self._at < min(self._samples, second * RATE):
            count = min(_CHUNK, self._samples - self._at)
            frame = av.AudioFrame.from_ndarray(
                np.zeros((2, count), np.float32), format="fltp", layout="stereo"
            )
            frame.sample_rate, frame.pts = RATE, self._at
            frame.time_base = Fraction(1, RATE)
            self._at += count
            packets += self._stream.encode(frame)
        return packets

    def rest(self) -> list[Any]:
        """Up to the end."""
        return [*self.until(Fraction(self._samples + RATE, RATE)), *self._stream.encode()]
