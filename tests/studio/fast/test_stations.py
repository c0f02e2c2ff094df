"""Every station there is, drawn by forked workers, against plain manim frame by frame."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.lesson import load_lesson
from engine.stations import STATIONS
from studio.fast import FastOptions
from tests import factories
from tests.studio.fast.rendering import LOSSLESS, decoded, film, rgba_frames, to_yuv

DRAWN = [name for name in STATIONS if find_spec(f"scenes.{name}") and hasattr(factories, name)]
SMALL = {"pixel_width": 480, "pixel_height": 270, "frame_rate": 1}


#: A root's bar, thinner than a pixel here, comes out twice as strong as manim's.
LEVELS = {"query_key_value": 24}


def far_apart(a: list[np.ndarray], b: list[np.ndarray], levels: int) -> list[int]:
    """The numbers of the frames in which some sample differs by more than so many levels."""
    pairs = zip(a, b, strict=True)
    return [i for i, (x, y) in enumerate(pairs) if np.abs(x.astype(int) - y).max() > levels]


@pytest.mark.parametrize("station", DRAWN)
def test_a_station_is_drawn_as_manim_draws_it(station: str, tmp_path: Path) -> None:
    def scene(**options: Any) -> Any:
        return scene_class(trace=trace, lesson=load_lesson(), **options)

    trace = getattr(factories, station)()
    scene_class = getattr(import_module(f"scenes.{station}"), station.title().replace("_", ""))
    stock, slow = rgba_frames(scene, tmp_path, None, **SMALL)
    fast = film(scene, tmp_path, FastOptions(workers=2, **LOSSLESS), **SMALL)
    frames = decoded(fast.renderer.file_writer.movie_file_path)
    assert far_apart([to_yuv(frame) for frame in stock], frames, LEVELS.get(station, 0)) == []
    assert [beat.name for beat in fast.beats] == [beat.name for beat in slow.beats]
    times = [[(beat.start, beat.end) for beat in s.beats] for s in (fast, slow)]
    assert np.allclose(*times, atol=1e-9)
