"""Rendering a small scene in a test, and looking at what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import av
import numpy as np
from manim import Scene, tempconfig

from studio.fast import FastOptions, FastRenderer

LOSSLESS = {"preset": "ultrafast", "crf": 0}


@contextmanager
def small(folder: Path, **settings: Any) -> Iterator[None]:
    """240 × 136 pixels at 10 frames a second, silent, files under ``folder``."""
    base = {"pixel_width": 240, "pixel_height": 136, "frame_rate": 10, "media_dir": str(folder)}
    quiet = {"progress_bar": "none", "verbosity": "ERROR", "disable_caching": True}
    with tempconfig(base | quiet | settings):
        yield


def rgba_frames(
    scene_class: Callable[..., Scene], folder: Path, options: FastOptions | None, **settings: Any
) -> Any:
    """Every frame before encoding, stock's with no options; and the scene."""
    frames: list[np.ndarray] = []
    with small(folder, format="none", **settings):
        scene = scene_class(**({"renderer": FastRenderer(options)} if options else {}))
        writer = scene.renderer.file_writer
        if options:
            writer.write_picture = lambda pixels, changes, repeat: frames.extend(
                [pixels.copy()] * repeat
            )
        else:
            writer.write_frame = lambda pixels, *, repeat=1: frames.extend([pixels] * repeat)
        scene.render()
    return frames, scene


def film(
    scene_class: Callable[..., Scene], folder: Path, options: FastOptions, **settings: Any
) -> Any:
    """Render to a file; the scene, whose ``renderer.file_writer`` knows the paths."""
    with small(folder, **settings):
        scene = scene_class(renderer=FastRenderer(options))
        scene.render()
    return scene


def decoded(path: Path) -> list[np.ndarray]:
    """The frames of a film, after checking that each is shown exactly when it should be."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        frames = list(container.decode(stream))
        times = [frame.pts * frame.time_base * stream.average_rate for frame in frames]
    assert times == list(range(len(frames)))
    return [frame.to_ndarray() for frame in frames]


def to_yuv(frame: np.ndarray) -> np.ndarray:
    """An RGBA frame in the encoder's pixels, converted whole."""
    return av.VideoFrame.from_ndarray(frame, format="rgba").to_ndarray(format="yuv420p")


def different(a: Sequence[np.ndarray], b: Sequence[np.ndarray]) -> list[int]:
    """The numbers of the frames that differ; both must be equally long."""
    return [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if (x != y).any()]
