"""The correctness gate: every fast frame is stock's frame of the same scene, bit for bit."""

from __future__ import annotations

from pathlib import Path

import pytest
from manim import Scene

from studio.fast import FastOptions
from tests.studio.fast.rendering import different, rgba_frames
from tests.studio.fast.scenes import GATE


@pytest.mark.parametrize("scene_class", GATE, ids=lambda scene: scene.__name__)
def test_every_frame_is_stocks(scene_class: type[Scene], tmp_path: Path) -> None:
    stock, slow = rgba_frames(scene_class, tmp_path, None)
    assert any((frame != stock[0]).any() for frame in stock)
    for options in (FastOptions(), FastOptions(tiles=False)):
        fast, quick = rgba_frames(scene_class, tmp_path, options)
        assert different(stock, fast) == []
        assert quick.time == pytest.approx(slow.time, abs=1e-9)
