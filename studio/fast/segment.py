"""One stretch of the film: one encoder, one file."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from manim._config.video_encoder import VideoEncoderSpec

from studio.fast.options import FastOptions
from studio.fast.picture import Picture, RgbaPicture, YuvPicture
from studio.fast.tiles import Box


def picture_for(spec: VideoEncoderSpec) -> Picture:
    """The picture that suits an encoder's pixel format."""
    if spec.pixel_format == "yuv420p":
        return YuvPicture(spec.height, spec.width)
    return RgbaPicture()


class Segment:
    """Encodes frames into ``path``, which appears only when :meth:`close` has been called."""

    def __init__(
        self,
        path: Path,
        spec: VideoEncoderSpec,
        options: FastOptions,
        picture: Picture,
        threads: int = 0,
    ) -> None:
        self.path = path
        self._unfinished = path.with_name(path.name + ".part")
        self._picture = picture
        self.frames = 0  # written so far; each lasts one tick of the time base
        self._tick = Fraction(spec.frame_rate.denominator, spec.frame_rate.numerator)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._container = av.open(str(self._unfinished), "w", format=spec.container_format)
        self._stream = self._add_stream(spec, options)
        self._stream.thread_count = threads  # of the encoder; 0 lets it choose

    def write(self, pixels: np.ndarray, changes: Iterable[Box], repeat: int) -> None:
        """Show ``pixels`` [row, column, RGBA] for ``repeat`` frames."""
        self._picture.update(pixels, changes)
        frame = self._picture.frame
        for _ in range(repeat):
            frame.pts, frame.time_base = self.frames, self._tick
            self.frames += 1
            self._container.mux(self._stream.encode(frame))

    def close(self) -> None:
        """Flush the encoder and let the file appear under its name."""
        self._container.mux(self._stream.encode())
        self._container.close()
        self._unfinished.replace(self.path)

    def abort(self) -> None:
        """Leave nothing behind."""
        with suppress(Exception):
            self._container.close()
        self._unfinished.unlink(missing_ok=True)

    def _add_stream(self, spec: VideoEncoderSpec, options: FastOptions) -> Any:
        encoder_options = dict(spec.options)
        if spec.codec == "libx264":
            encoder_options |= options.x264_options
        stream = self._container.add_stream(
            spec.codec, rate=spec.frame_rate, options=encoder_options
        )
        stream.pix_fmt = spec.pixel_format
        stream.width, stream.height = spec.width, spec.height
        return stream
