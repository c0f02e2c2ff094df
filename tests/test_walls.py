"""The rooms and the walls between them: who may import whom."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ENGINE, SCENES, STUDIO = (
    sorted((ROOT / room).rglob("*.py")) for room in ("engine", "scenes", "studio")
)
TORCH_FREE = (
    "__init__", "errors", "lesson", "lesson_errors", "tokens", "words", "stations/__init__"
)  # fmt: skip
LIGHT = {*(ROOT / "engine" / f"{name}.py" for name in TORCH_FREE)}
LIGHT |= set((ROOT / "engine" / "traces").rglob("*.py"))


def imported(file: Path) -> set[str]:
    """The top packages that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.partition(".")[0])
    return found


def named(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def test_every_room_is_looked_at():
    assert len(ENGINE) > 10 and len(SCENES) > 5 and len(STUDIO) > 10


@pytest.mark.parametrize("file", ENGINE, ids=named)
def test_engine_knows_no_pictures(file):
    assert not imported(file) & {"manim", "scenes", "studio", "render"}


@pytest.mark.parametrize("file", SCENES, ids=named)
def test_scenes_know_no_models_and_no_files(file):
    assert not imported(file) & {"torch", "safetensors", "studio", "render"}


@pytest.mark.parametrize("file", STUDIO, ids=named)
def test_studio_never_loads_torch(file):
    assert not imported(file) & {"torch", "safetensors", "render"}


@pytest.mark.parametrize("file", sorted(LIGHT), ids=named)
def test_contracts_are_free_of_torch(file):
    assert "torch" not in imported(file)


@pytest.mark.parametrize("file", SCENES, ids=named)
def test_no_number_in_a_scene_is_drawn_by_lot(file):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    lots = {"random", "default_rng", "randn", "rand", "randint", "random_color"}
    assert not (attributes | names | imported(file)) & lots


def loaded_after(code: str) -> set[str]:
    """The top packages in memory after running `code` in a fresh interpreter."""
    code += "\nimport sys; print(*{name.partition('.')[0] for name in sys.modules})"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(ran.stdout.split())


def test_importing_the_engine_loads_neither_torch_nor_manim():
    loaded = loaded_after("import engine, engine.traces, engine.lesson, engine.tokens")
    assert "engine" in loaded
    assert not loaded & {"torch", "manim"}


def test_the_command_itself_loads_nothing_heavy():
    loaded = loaded_after("import render")
    assert "click" in loaded
    assert not loaded & {"torch", "manim", "numpy", "pydantic", "jieba", "av", "rich"}


def test_planning_a_run_loads_neither_torch_nor_manim():
    loaded = loaded_after("import studio.production, studio.request, studio.plan, studio.tracing")
    assert not loaded & {"torch", "manim"}


def test_the_drawing_process_never_loads_torch():
    loaded = loaded_after("import manim, scenes.base, studio.worker, studio.lanes, studio.fast")
    assert "manim" in loaded and "torch" not in loaded
