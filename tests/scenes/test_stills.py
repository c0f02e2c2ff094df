"""Stills of beats: one picture each, in the theme's colours, without video."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from manim import ManimColor
from PIL import Image

from engine.lesson import load_lesson
from scenes.base import Beat
from scenes.theme import THEMES
from studio import stills
from tests.scenes.demo import Demo, demo_trace


@pytest.mark.parametrize(("aspect", "size"), [("16:9", (480, 270)), ("9:16", (270, 480))])
@pytest.mark.parametrize("theme", THEMES)
def test_every_beat_gives_one_picture(theme: str, aspect: str, size: tuple[int, int]) -> None:
    kept: list[tuple[str, Image.Image]] = []
    lesson = load_lesson(overrides={"look.theme": theme, "look.aspect": aspect})
    stills.draw_stills(
        Demo, lambda beat, picture: kept.append((beat.name, picture)), lesson, demo_trace(), 270
    )
    assert [name for name, _ in kept] == ["question", "weights"]
    ground = np.round(np.array(ManimColor(THEMES[theme].BACKGROUND).to_rgb()) * 255)
    for _, picture in kept:
        assert picture.size == size
        pixels = np.array(picture, dtype=float)
        assert np.allclose(pixels[0, 0], ground, atol=1)
        assert (np.abs(pixels - ground).max(axis=-1) > 100).sum() > 200  # there is type on it


def test_beats_differ_in_their_pictures() -> None:
    kept: list[np.ndarray] = []

    def keep(_: Beat, picture: Image.Image) -> None:
        kept.append(np.array(picture))

    stills.draw_stills(Demo, keep, load_lesson(), demo_trace(), 270)
    assert (kept[0] != kept[1]).any()


def test_the_command_writes_pictures_and_a_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stills, "station_class", lambda station: WithTrace)
    ran = CliRunner().invoke(
        stills.main, ["demo", "--lang", "en", "--size", "180", "--out", str(tmp_path)]
    )
    assert ran.exit_code == 0, ran.output
    assert sorted(path.name for path in tmp_path.glob("*.png")) == [
        "demo.png", "demo_00_question.png", "demo_01_weights.png",
    ]


def test_a_wrong_lesson_key_is_told_in_one_line(tmp_path: Path) -> None:
    ran = CliRunner().invoke(
        stills.main, ["relay_game", "--set", "relay_game.grain=2", "--out", str(tmp_path)]
    )
    assert ran.exit_code == 2
    assert "grain" in ran.output and "Traceback" not in ran.output


class WithTrace(Demo):
    """The demo, its numbers at hand."""

    station = "demo"

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs | {"trace": demo_trace()})
