"""A fast lane for manim 0.22, on its public constructor hooks only.

``SceneClass(renderer=FastRenderer(FastOptions(...)))`` makes the frames that stock makes:
only what changed is drawn, converted and encoded anew, in as many processes as there are
cores.
"""

from studio.fast.options import PRESETS, FastOptions, Preset
from studio.fast.renderer import FastRenderer
from studio.fast.workers import WorkerError

__all__ = ["PRESETS", "FastOptions", "FastRenderer", "Preset", "WorkerError"]
