"""The frame in the encoder's own pixels, kept from frame to frame."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import av
import numpy as np
from av.video.reformatter import VideoReformatter

from studio.fast.tiles import Box

_MARGIN = 2  # rows and columns that a chroma sample may look at; keeps seams exact


class Picture(Protocol):
    """Something that follows an RGBA picture and can be handed to an encoder."""

    def update(self, pixels: np.ndarray, changes: Iterable[Box]) -> None:
        """Follow ``pixels`` [row, column, RGBA] where ``changes`` says it changed."""

    @property
    def frame(self) -> av.VideoFrame:
        """The picture as a frame; valid until the next update."""


class YuvPicture:
    """One yuv420p picture; only changed rectangles are converted.

    Equal, byte for byte, to converting the whole picture each time.
    """

    def __init__(self, height: int, width: int) -> None:
        self.frame = av.VideoFrame(width, height, "yuv420p")
        self._planes = _planes_of(self.frame)
        self._reformatter = VideoReformatter()
        self._size = height, width

    def update(self, pixels: np.ndarray, changes: Iterable[Box]) -> None:
        """See :class:`Picture`."""
        for box in changes:
            self._convert(pixels, box)

    def _convert(self, pixels: np.ndarray, box: Box) -> None:
        around = self._widened(box)
        source = av.VideoFrame.from_numpy_buffer(pixels[around.window], format="rgba")
        converted = self._reformatter.reformat(source, format="yuv420p", threads=1)
        inside = _shifted(box, -around.top, -around.left)
        for target, fresh, edges, part in zip(
            self._planes,
            _planes_of(converted),
            (box, _halved(box), _halved(box)),
            (inside, _halved(inside), _halved(inside)),
            strict=True,
        ):
            target[edges.window] = fresh[part.window]

    def _widened(self, box: Box) -> Box:
        height, width = self._size
        return Box(
            max(0, box.top - _MARGIN),
            min(height, box.bottom + _MARGIN),
            max(0, box.left - _MARGIN),
            min(width, box.right + _MARGIN),
        )


class RgbaPicture:
    """The picture as it is, for encoders that keep an alpha channel or other pixels."""

    def update(self, pixels: np.ndarray, changes: Iterable[Box]) -> None:
        """See :class:`Picture`."""
        if list(changes):
            self._pixels = pixels

    @property
    def frame(self) -> av.VideoFrame:
        """See :class:`Picture`."""
        return av.VideoFrame.from_ndarray(self._pixels, format="rgba")


def _shifted(box: Box, rows: int, columns: int) -> Box:
    top, bottom, left, right = box
    return Box(top + rows, bottom + rows, left + columns, right + columns)


def _halved(box: Box) -> Box:
    """The chroma samples of a box; its edges are even, as x264 asks of a picture's too."""
    top, bottom, left, right = box
    return Box(top // 2, bottom // 2, left // 2, right // 2)


def _planes_of(frame: av.VideoFrame) -> list[np.ndarray]:
    """Writable views of a frame's planes, each [row, column]."""
    return [
        np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[: plane.height, : plane.width]
        for plane in frame.planes
    ]
