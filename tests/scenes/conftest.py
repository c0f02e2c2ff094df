"""Fixtures of the picture tests."""

from __future__ import annotations

import pytest
from manim import config, tempconfig

from engine.lesson import Lesson, load_lesson
from scenes.theme import DARK, LIGHT, Theme


@pytest.fixture(autouse=True)
def quiet_manim(tmp_path):
    """Manim writes nothing but into the test's own folder, and says nothing."""
    settings = {"media_dir": str(tmp_path / "media"), "verbosity": "ERROR", "dry_run": True,
                "pixel_width": 960, "pixel_height": 540, "progress_bar": "none"}
    with tempconfig(settings):
        assert config.frame_height == 8.0
        yield


@pytest.fixture(params=[DARK, LIGHT], ids=lambda theme: theme.name)
def theme(request) -> Theme:
    return request.param


@pytest.fixture(scope="session")
def lesson() -> Lesson:
    return load_lesson()
