"""A station of one beat, to put anything on screen and look at what the checks say."""

from __future__ import annotations

from collections.abc import Callable

from engine.lesson import Lesson, load_lesson
from scenes.base import Station
from tests.scenes.demo import Demo, DemoTrace, demo_trace
from tests.scenes.geometry import problems, run_station


class OneBeat(Demo):
    """Runs `act`, set by a test, inside one beat."""

    station = "demo"
    act = staticmethod(lambda scene: None)

    def construct(self) -> None:
        with self.beat("question"):
            self.act(self)


def found(
    act: Callable[[Station], None],
    lesson: Lesson | None = None,
    trace: DemoTrace | None = None,
) -> list[str]:
    """The problems of a beat in which `act` is called with the scene."""
    kind = type("OneBeat", (OneBeat,), {"act": staticmethod(act), "station": "demo"})
    return problems(run_station(kind, trace or demo_trace(), lesson or load_lesson()))
