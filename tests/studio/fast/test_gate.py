"""The correctness gate: every fast frame against stock's frame of the same scene."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from manim import Scene

from studio.fast import FastOptions
from tests.studio.fast.rendering import rgba_frames
from tests.studio.fast.scenes import GATE

scenes = pytest.mark.parametrize("scene_class", GATE, ids=lambda scene: scene.__name__)


def psnr(a: np.ndarray, b: np.ndarray) -> float:
    """Peak signal-to-noise ratio of two 8-bit pictures, in dB."""
    error = np.mean((a.astype(float) - b) ** 2)
    return float("inf") if error == 0 else 10 * np.log10(255**2 / error)


@scenes
def test_without_tiles_every_frame_is_stocks(scene_class: type[Scene], tmp_path: Path) -> None:
    stock, slow = rgba_frames(scene_class, tmp_path, None)
    fast, quick = rgba_frames(scene_class, tmp_path, FastOptions(tiles=False))
    assert len(stock) == len(fast) > 0
    assert [i for i, (a, b) in enumerate(zip(stock, fast, strict=True)) if (a != b).any()] == []
    assert quick.time == pytest.approx(slow.time, abs=1e-9)


@scenes
def test_with_tiles_no_eye_sees_a_difference(scene_class: type[Scene], tmp_path: Path) -> None:
    stock, _ = rgba_frames(scene_class, tmp_path, None)
    fast, _ = rgba_frames(scene_class, tmp_path, FastOptions())
    assert len(stock) == len(fast)
    for a, b in zip(stock, fast, strict=True):
        assert psnr(a, b) >= 70
        assert np.abs(a.astype(int) - b).max() <= 24
