"""Numbers at their limits: the relay's trace and its whole picture hold, without one NaN."""

from __future__ import annotations

import dataclasses
import math
import re
from typing import Any

import numpy as np
import pytest
from manim import tempconfig

import engine
from engine.lesson import Lesson, load_lesson
from engine.traces import RelayGameTrace, from_json, to_json
from scenes.mobjects.number_label import NumberLabel, format_log10, format_number
from scenes.relay_game import RelayGame
from tests.scenes.geometry import Undrawn, _settings, _state

EDGES: dict[str, dict[str, Any]] = {
    "nothing, then a million per step": {"gain": 0.0, "exploding_gain": 1e6, "steps": 1000,
                                         "clip_norm": 1e-6, "hidden_size": 16},
    "a million, then the smallest": {"gain": 1e6, "exploding_gain": 5e-324, "steps": 2,
                                     "hidden_size": 2, "seeds": 5, "clip_norm": 1e6},
}  # fmt: skip
SENTENCE = "我|爱|你"


def lesson(**values: Any) -> Lesson:
    named = {f"relay_game.{name}": value for name, value in values.items()}
    return load_lesson(overrides={"relay_game.sentence": SENTENCE, "lang": "en", **named})


def played(trace: RelayGameTrace, spec: Lesson) -> tuple[list[str], list[str], int]:
    """Problems and texts at every beat's end, and how many mobjects hold a point that is none."""
    problems: list[str] = []
    texts: list[str] = []
    broken: list[object] = []
    with tempconfig(_settings(960, 540)):
        scene = RelayGame(renderer=Undrawn(), trace=trace, lesson=spec)

        def look(station: RelayGame, beat: Any) -> None:
            state = _state(station, beat)
            problems.extend(f"{beat.name}: {problem}" for problem in state.problems)
            texts.extend(state.texts)
            parts = [part for mobject in station.mobjects for part in mobject.get_family()]
            broken.extend(part for part in parts if not np.isfinite(part.points).all())

        scene.on_beat_end.append(look)
        scene.render()
    return problems, texts, len(broken)


@pytest.mark.parametrize("name", EDGES)
def test_the_picture_holds_at_the_limits(name):
    spec = lesson(**EDGES[name])
    trace = engine.trace(spec, "relay_game", "cpu")
    assert isinstance(trace, RelayGameTrace) and from_json(to_json(trace)).tokens == trace.tokens
    problems, texts, broken = played(trace, spec)
    assert (problems, broken) == ([], 0)
    assert not [text for text in texts if re.search(r"\b(nan|inf)\b", text, re.IGNORECASE)]
    if spec.relay_game.gain == 0:
        assert "< 10⁻³⁰⁰" in texts, "what has vanished is not said to be 0"
        assert "0.00" not in texts and "0.000" not in texts


@pytest.mark.parametrize("gain", [0.0, 1e-300, 0.5, 1.0, 2.0, 1e3, 1e6])
def test_the_linear_case_is_the_power_it_should_be_over_a_thousand_steps(gain):
    trace = engine.trace(lesson(gain=gain, steps=1000, hidden_size=4, seeds=5), "relay_game", "cpu")
    norms, wanted = trace.log10_linear_norms, trace.log10_linear_reference
    if gain == 0:
        assert norms[0] == wanted[0] == 0 and np.isneginf(norms[1:]).all()
    else:
        assert norms == pytest.approx(np.arange(1001) * math.log10(gain), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("log10", "text"),
    [(-math.inf, "< 10⁻³⁰⁰"), (-300.5, "< 10⁻³⁰⁰"), (-300.0, "1.0 × 10⁻³⁰⁰"),
     (-299.9999, "1.0 × 10⁻³⁰⁰"), (308.5, "3.2 × 10³⁰⁸"), (6000.0, "1.0 × 10⁶⁰⁰⁰")],
)  # fmt: skip
def test_numbers_that_no_float_holds_are_written(log10, text):
    assert format_log10(log10) == text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_never_written(value):
    with pytest.raises(ValueError):
        format_number(value)


@pytest.mark.parametrize("value", [0.0, -0.0, 5e-324, -1e-12, 1e308, -1e6])
def test_extreme_numbers_have_a_place(value):
    from scenes.theme import THEMES

    number = NumberLabel(THEMES["dark"], value)
    assert np.isfinite(number.points).all() and number.text != "−0.00"


def test_a_trace_with_a_nan_is_no_trace():
    trace = engine.trace(lesson(hidden_size=2, steps=2, seeds=5), "relay_game", "cpu")
    for field, bad in (("autograd_error", math.nan), ("step_factors", np.array([math.inf, 1.0])),
                       ("log10_linear_norms", np.array([0.0, math.nan, 0.0]))):
        with pytest.raises(ValueError, match="not finite"):
            dataclasses.replace(trace, **{field: bad})
