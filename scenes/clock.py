"""One clock for every way to run a scene: whole frames, however it is drawn."""

from __future__ import annotations

import math
from typing import Any

from manim import Animation, Scene, Wait, config


class Clock(Scene):
    """A scene whose animations and waits last whole frames."""

    def get_run_time(self, animations: list[Animation]) -> float:
        """Rounded to whole frames, so that drawn, cached and skipped runs keep one clock."""
        seconds = super().get_run_time(animations)
        frames = max(1, round(seconds * config.frame_rate))
        still = len(animations) == 1 and isinstance(animations[0], Wait)
        # manim rounds the frames of a wait down and those of an animation up.
        return (frames + (1e-4 if still else -1e-4)) / config.frame_rate

    def wait(self, duration: float = 1.0, **kwargs: Any) -> None:
        """Stillness, rounded up to whole frames."""
        super().wait(math.ceil(duration * config.frame_rate - 1e-6) / config.frame_rate, **kwargs)
