"""What happens when a drawing process fails, or its parent does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from manim import RIGHT, Dot, Scene

from studio.fast import FastOptions, WorkerError
from studio.fast.options import can_fork
from tests.studio.fast.rendering import LOSSLESS, film

pytestmark = pytest.mark.skipif(not can_fork(), reason="no os.fork here")

PIECES = FastOptions(workers=2, segment_seconds=0.4, **LOSSLESS)
HERE = os.getpid()


class FailsInChild(Scene):
    """An updater that only goes wrong where it is drawn."""

    def construct(self) -> None:
        dot = Dot().add_updater(_complain_in_child)
        for _ in range(5):
            self.play(dot.animate(suspend_mobject_updating=False).shift(RIGHT), run_time=0.4)


def _complain_in_child(mobject: Dot) -> None:
    if os.getpid() != HERE:
        raise ZeroDivisionError("no weights here")


class FailsBetween(Scene):
    """Code between two animations that goes wrong, in child and parent alike."""

    def construct(self) -> None:
        self.play(Dot().animate.shift(RIGHT), run_time=0.2)
        raise LookupError("no such word")


class Interrupted(Scene):
    """Ctrl-C while children draw for a long time."""

    def construct(self) -> None:
        dot = Dot().add_updater(lambda mobject: time.sleep(9 if os.getpid() != HERE else 0))
        self.play(dot.animate(suspend_mobject_updating=False).shift(RIGHT), run_time=0.4)
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("scene_class", "error", "message"),
    [
        (FailsInChild, WorkerError, "no weights here"),
        (FailsBetween, LookupError, "no such word"),
        (Interrupted, KeyboardInterrupt, "^$"),
    ],
)
def test_a_failure_is_told_and_leaves_nothing(
    scene_class: type[Scene], error: type[BaseException], message: str, tmp_path: Path
) -> None:
    began = time.monotonic()
    with pytest.raises(error, match=message):
        film(scene_class, tmp_path, PIECES)
    assert time.monotonic() - began < 8
    assert not _children()
    assert not [p for p in tmp_path.rglob("*") if p.suffix in (".mp4", ".part", ".texts")]


def test_children_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "long.py"
    script.write_text(
        "import sys; from pathlib import Path\n"
        "from manim import *\n"
        "from tests.studio.fast.rendering import film\n"
        "from studio.fast import FastOptions\n"
        "class Long(Scene):\n"
        "    def construct(self):\n"
        "        for _ in range(9): self.play(Dot().animate.shift(RIGHT), run_time=60)\n"
        "film(Long, Path(sys.argv[1]), FastOptions(workers=2, segment_seconds=60))\n"
    )
    parent = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path)], env=os.environ | {"PYTHONPATH": os.getcwd()}
    )
    children = _wait_for(lambda: _children(parent.pid), parent)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    _wait_for(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


def _children(parent: int | None = None) -> list[int]:
    pid = parent or os.getpid()
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]


def _wait_for(condition, process=None):  # type: ignore[no-untyped-def]
    for _ in range(400):
        if process is not None and process.poll() is not None:
            pytest.fail("the parent ended early")
        if result := condition():
            return result
        time.sleep(0.05)
    pytest.fail("waited in vain")
