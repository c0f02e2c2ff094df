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
        inner = Box(
            box.top - around.top,
            box.bottom - around.top,
            box.left - around.left,
            box.right - around.left,
        )
        planes = zip(self._planes, _planes_of(converted), (1, 2, 2), strict=True)
        for target, fresh, coarser in planes:
            target[_scaled(box, coarser).window] = fresh[_scaled(inner, coarser).window]

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


def _scaled(box: Box, coarser: int) -> Box:
    """A box of pixels in the samples of a plane ``coarser`` times as coarse."""
    return Box(*(-(-edge // coarser) for edge in box))


def _planes_of(frame: av.VideoFrame) -> list[np.ndarray]:
    """Writable views of a frame's planes, each [row, column]."""
    return [
        np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[: plane.height, : plane.width]
        for plane in frame.planes
    ]
