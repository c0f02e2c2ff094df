"""A clip's key knows the code that draws it, and no other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from studio.digests import SCENES, _scene_code


def edited(folder: Path, name: str) -> Path:
    """A copy of the scenes in which one file has one more line."""
    scenes = folder / "scenes"
    shutil.copytree(SCENES, scenes, ignore=shutil.ignore_patterns("__pycache__"))
    with (scenes / name).open("a", encoding="utf-8") as file:
        file.write("\n# one more line\n")
    return scenes


@pytest.mark.parametrize(
    ("file", "matters"),
    [
        ("conveyor_belt.py", True),
        ("relay_game_parts.py", True),  # of another station, and used by this one
        ("mobjects/text.py", True),
        ("looking_back.py", False),
        ("looking_back_order.py", False),
    ],
)
def test_only_what_a_station_imports_matters(tmp_path, file, matters):
    before = _scene_code(SCENES, "conveyor_belt")
    assert (_scene_code(edited(tmp_path, file), "conveyor_belt") != before) == matters
