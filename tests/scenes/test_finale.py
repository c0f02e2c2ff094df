"""The finale: its pictures hold for every sentence and count; its numbers are bound."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from manim import tempconfig

from engine.errors import InputError
from engine.lesson import load_lesson
from engine.traces import FinaleTrace
from engine.words import words
from scenes.finale import Finale
from scenes.finale_map import STOPS
from tests import factories, measured_factories
from tests.scenes.geometry import Undrawn, _settings, _state, problems, run_station

BEATS = ["question", "chain", "leap", "ways", "gradients", "trained", "bottleneck", "map", "name"]
LONG = "|".join(["字"] * 40)
LOOKS = [
    ("two", "short", 2, "en", "light", "16:9"),
    ("zh", LONG, 1000, "zh", "dark", "16:9"),
    ("en", "en", 100, "en", "light", "4:3"),
    ("fourteen", "mixed", 7, "both", "dark", "16:9"),
    ("你好", "你好", 100, "zh", "light", "4:3"),
]


def played(trace: FinaleTrace) -> tuple[Finale, dict[str, Any]]:
    """The scene after its end, and what was bound and on screen at each beat's end."""
    bound: dict[str, Any] = {}
    with tempconfig(_settings(960, 540)):
        scene = Finale(renderer=Undrawn(), trace=trace, lesson=load_lesson())
        scene.problems = []

        def keep(station: Any, beat: Any) -> None:
            bound[beat.name] = [(b.channel, b.reading())
                                for b in station.channels.current(station.on_screen())]
            scene.problems += _state(station, beat).problems

        scene.on_beat_end.append(keep)
        scene.render()
    return scene, bound


@pytest.fixture(scope="module")
def usual() -> tuple[Finale, dict[str, Any]]:
    return played(measured_factories.finale())


def shown(bound: list[Any], field: str, attribute: str) -> dict[tuple[int, ...], float]:
    return {c.index: reading for c, reading in bound
            if c.field == field and c.attribute == attribute}


@pytest.mark.parametrize(("relay", "belt", "count", "lang", "theme", "aspect"), LOOKS)
def test_every_beat_ends_in_a_tidy_picture(
    relay: str, belt: str, count: int, lang: str, theme: str, aspect: str
) -> None:
    sentences = [factories.SENTENCES.get(name, name) for name in (relay, belt)]
    trace = measured_factories.finale(*sentences, words=count)
    lesson = load_lesson(overrides={"lang": lang, "look.theme": theme})
    states = run_station(Finale, trace, lesson, aspect)
    assert problems(states) == []
    assert [state.beat.name for state in states] == BEATS


def test_the_usual_lesson_is_tidy_too(usual: tuple[Finale, Any]) -> None:
    assert usual[0].problems == []


def test_the_count_of_hops_is_that_of_the_way(usual: tuple[Finale, Any]) -> None:
    scene, bound = usual
    assert shown(bound["chain"], "ways[0].within", "value") == {(): 99.0}
    assert shown(bound["leap"], "ways[3].within", "value") == {(): 1.0}
    assert len(scene.chain_arcs.points) == 4 * 99  # one arc for each


def test_bars_of_the_ways_share_one_scale(usual: tuple[Finale, Any]) -> None:
    scene, bound = usual
    per_hop = []
    for i, way in enumerate(scene.trace.ways):
        for field in ("within", "across"):
            for length in shown(bound["ways"], f"ways[{i}].{field}", "length").values():
                per_hop.append(length / getattr(way, field))
    assert len(per_hop) == 6
    assert np.allclose(per_hop, per_hop[0])


def test_all_curves_stand_on_one_axis(usual: tuple[Finale, Any]) -> None:
    scene, bound = usual
    ends = []
    for field, index in (("log10_relay", (0,)), ("log10_attention", (0,)),
                         ("log10_cells", (0, 0)), ("log10_cells", (2, 0))):
        (heights,) = [reading for c, reading in bound["trained"]
                      if c.field == field and c.index == index]
        ends.append((float(getattr(scene.trace, field)[index]), heights))
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(ends)]
    assert np.allclose(slopes, slopes[0])


def test_every_word_of_every_curve_is_bound(usual: tuple[Finale, Any]) -> None:
    scene, bound = usual
    told = {(c.field, c.index) for c, _ in bound["trained"]}
    trace = scene.trace
    assert {("log10_relay", (t,)) for t in range(len(trace.relay_tokens))} <= told
    assert {("log10_cells", (c, t)) for c in range(3)
            for t in range(len(trace.belt_tokens))} <= told


def test_bars_of_bleu_share_one_scale(usual: tuple[Finale, Any]) -> None:
    scene, bound = usual
    for field in ("fixed_bleu", "attention_bleu"):
        heights = shown(bound["bottleneck"], field, "height")
        values = getattr(scene.trace, field)
        assert np.allclose([heights[i,] for i in range(len(values))],
                           values / 100 * scene.bar_area().height)


def test_each_stop_of_the_map_has_its_number(usual: tuple[Finale, Any]) -> None:
    told = [c.field for c, _ in usual[1]["map"] if c.attribute == "value"]
    assert len(told) == len(STOPS)
    assert {"fixed_bleu", "attention_bleu", "log10_cells_left", "ways[3].within"} == set(told)


def test_the_last_beat_leaves_the_vector_lit(usual: tuple[Finale, Any]) -> None:
    scene, bound = usual
    lit = [c.field for c, _ in bound["name"] if c.attribute == "value"]
    assert lit == ["fixed_bleu"]
    opacities = [stop[0].get_fill_opacity() for stop in scene.stops]
    assert [round(o, 2) for o in opacities] == [0.33, 0.33, 1.0, 0.33, 0.33]


def captions(trace: FinaleTrace) -> dict[str, str]:
    return {beat.name: beat.captions["en"] for beat in played(trace)[0].beats}


def test_nothing_is_said_that_the_numbers_do_not_show() -> None:
    trace = measured_factories.finale("你好", words=2)
    flat = np.full_like(trace.log10_cells, -1.0)
    told = captions(dataclasses.replace(
        trace, log10_cells=flat, log10_cells_left=np.zeros(3),
        fixed_bleu=np.linspace(90.0, 95.0, 7)))
    assert "so short" in told["leap"]
    assert "has one word" in told["gradients"]
    assert "Gates level" not in told["trained"]
    assert "did no worse" in told["name"]


def test_gradients_that_have_vanished_are_smaller_than_something() -> None:
    trace = measured_factories.finale(factories.SENTENCES["short"])
    gone = np.array([-np.inf, -np.inf, 0.5])
    states = run_station(Finale, dataclasses.replace(
        trace, log10_relay=gone, log10_relay_left=-np.inf), load_lesson())
    assert problems(states) == []
    assert "< 10⁻³⁰⁰" in states[4].texts


def test_a_tall_frame_is_refused_in_plain_words() -> None:
    with pytest.raises(InputError) as refused:
        run_station(Finale, measured_factories.finale(), load_lesson(), "9:16")
    assert refused.value.key == "station.frame"


def test_both_languages_tell_every_beat() -> None:
    for lang in ("zh", "en"):
        assert all(f"finale.captions.{beat}" in words(lang) for beat in BEATS)
