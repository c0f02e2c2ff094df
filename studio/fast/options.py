"""What the fast lane may be told: how many workers, how exact, how the film is encoded."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace

# For drawn pictures, flat and sharp-edged: B-frames, looking ahead and searching below a pixel
# take half of veryfast's time; without them, crf 24 is still smaller than stock, and closer.
LEAN = "subme=0:mbtree=0:rc-lookahead=0:scenecut=0:weightp=0:bframes=0"


def can_fork() -> bool:
    """Whether a half-built scene can be split into processes here.

    macOS has ``os.fork``, but its font libraries do not survive it.
    """
    return hasattr(os, "fork") and sys.platform != "darwin"


def usable_cores() -> int:
    """The cores this process may run on, which in a container are fewer than the machine's."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class FastOptions:
    """How one scene is drawn and encoded.

    With ``tiles`` only the changed 32-pixel tiles of a frame are redrawn, else all of it; the
    pixels are the same. ``workers`` is the number of forked processes (0: one per usable core;
    1: no forking). ``preset``, ``crf`` and ``x264_params`` are x264's; other encoders keep
    manim's settings. A scene is cut into segments of about ``segment_seconds``, never across
    a section.
    """

    tiles: bool = True
    workers: int = 0
    preset: str = "veryfast"
    crf: int = 24
    x264_params: str = LEAN
    segment_seconds: float = 3.0

    def __post_init__(self) -> None:
        if self.workers < 0:
            raise ValueError(f"workers must be 0 (one per core) or more, not {self.workers}")
        if not 0 <= self.crf <= 51:
            raise ValueError(f"crf must lie between 0 and 51, not {self.crf}")
        if self.segment_seconds <= 0:
            raise ValueError(f"segment_seconds must be positive, not {self.segment_seconds}")

    @property
    def worker_count(self) -> int:
        """Processes that draw: 1 where forking is not possible."""
        return (self.workers or usable_cores()) if can_fork() else 1

    @property
    def x264_options(self) -> dict[str, str]:
        """The encoder settings as libav names them."""
        return {"preset": self.preset, "crf": str(self.crf), "x264-params": self.x264_params}


@dataclass(frozen=True)
class Preset:
    """A named size, frame rate and encoder setting."""

    width: int
    height: int
    frame_rate: int
    options: FastOptions

    @property
    def manim_config(self) -> dict[str, int]:
        """The part that manim's own configuration holds."""
        return {
            "pixel_width": self.width,
            "pixel_height": self.height,
            "frame_rate": self.frame_rate,
        }

    def with_workers(self, workers: int) -> FastOptions:
        """This preset's options with another number of workers."""
        return replace(self.options, workers=workers)


PRESETS = {
    "draft": Preset(854, 480, 15, FastOptions()),
    "preview": Preset(1920, 1080, 30, FastOptions(preset="ultrafast", x264_params="cabac=1")),
    "final": Preset(1920, 1080, 60, FastOptions()),
    "archive": Preset(1920, 1080, 60, FastOptions(preset="medium", crf=23, x264_params="")),
}
