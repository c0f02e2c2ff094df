"""The relay game: its pictures hold for every sentence; its channels say what the trace says."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from manim import tempconfig

from engine.errors import InputError
from engine.lesson import load_lesson
from engine.traces import RelayGameTrace
from engine.words import words
from scenes.grid import Band
from scenes.mobjects.axis import Span
from scenes.mobjects.clip_dial import GradientArrow
from scenes.mobjects.lag_plot import free_place, lag_ticks, log_span
from scenes.mobjects.note import INK, INK_OF_LOG10
from scenes.mobjects.runner import set_words
from scenes.mobjects.text import label
from scenes.relay_game import RelayGame
from scenes.relay_game_parts import amount, factor_text, gain_text, power_text
from scenes.theme import DARK
from tests import factories
from tests.scenes.geometry import Undrawn, _settings, _state, problems, run_station

BEATS = ["question", "plain", "plain_check", "sentence", "band", "step", "slope", "product",
         "shared", "learning", "louder", "exploding", "clipping", "name"]
LOOKS = [("two", "dark"), ("zh", "light"), ("fourteen", "dark"), ("en", "light"), ("mixed", "dark")]


def played(trace: RelayGameTrace, **overrides: Any) -> tuple[RelayGame, dict[str, list[Any]]]:
    """The scene after its end, and the bindings that were on screen at each beat's end."""
    with tempconfig(_settings(960, 540)):
        scene = RelayGame(renderer=Undrawn(), trace=trace, lesson=load_lesson(overrides=overrides))
        bound: dict[str, list[Any]] = {}
        scene.problems = []

        def keep(station: Any, beat: Any) -> None:
            bound[beat.name] = [
                (b.channel, b.reading()) for b in station.channels.current(station.on_screen())
            ]
            scene.problems += _state(station, beat).problems

        scene.on_beat_end.append(keep)
        scene.render()
    return scene, bound


@pytest.fixture(scope="module")
def short() -> tuple[RelayGame, dict[str, list[Any]]]:
    return played(factories.relay_game(factories.SENTENCES["short"]))


def shown(bound: list[Any], field: str, attribute: str) -> dict[int, float]:
    """What is read from the screen for every entry of a field."""
    return {channel.index[0]: reading for channel, reading in bound
            if channel.field == field and channel.attribute == attribute}


@pytest.mark.parametrize(("sentence", "theme"), LOOKS)
def test_every_beat_ends_in_a_tidy_picture(sentence: str, theme: str) -> None:
    trace = factories.relay_game(factories.SENTENCES[sentence])
    lang = "en" if sentence in ("en", "two") else "zh"
    lesson = load_lesson(overrides={"lang": lang, "look.theme": theme})
    states = run_station(RelayGame, trace, lesson)
    assert problems(states) == []
    assert [state.beat.name for state in states] == BEATS


def test_three_words_are_tidy_too(short: tuple[RelayGame, Any]) -> None:
    assert short[0].problems == []


def test_the_ink_of_every_note_is_what_is_left(short: tuple[RelayGame, Any]) -> None:
    scene, bound = short
    ink = shown(bound["band"], "relative_gradients", "fill_opacity")
    assert [ink[i] for i in sorted(ink)] == pytest.approx(list(scene.trace.relative_gradients))


def test_the_factor_at_every_runner_is_that_of_the_step(short: tuple[RelayGame, Any]) -> None:
    scene, bound = short
    told = shown(bound["sentence"], "step_factors", "value")
    assert [told[i] for i in sorted(told)] == pytest.approx(list(scene.trace.step_factors))


def test_runners_stand_on_the_points_of_their_curve(short: tuple[RelayGame, Any]) -> None:
    scene, _ = short
    for at, point in enumerate(reversed(scene.points)):
        assert point.get_x() == pytest.approx(scene.places.xs[at], abs=1e-6)
        assert scene.notes[::-1][at].get_x() == pytest.approx(scene.places.xs[at], abs=1e-6)


def test_heights_on_the_log_axis_are_even(short: tuple[RelayGame, Any]) -> None:
    scene, bound = short
    heights = shown(bound["sentence"], "log10_gradient_norms", "y")
    log10 = scene.trace.log10_gradient_norms
    per_decade = (heights[2] - heights[0]) / (log10[2] - log10[0])
    assert heights[2] - heights[1] == pytest.approx(per_decade * (log10[2] - log10[1]))


def test_the_plain_note_is_inked_at_every_lag(short: tuple[RelayGame, Any]) -> None:
    scene, bound = short
    ink = shown(bound["plain"], "log10_linear_norms", "fill_opacity")
    assert len(ink) == scene.steps + 1
    assert ink[50] == pytest.approx(10 ** scene.trace.log10_linear_norms[50])


def test_the_check_prints_both_numbers(short: tuple[RelayGame, Any]) -> None:
    _, bound = short
    printed = {(c.field, c.index): reading for c, reading in bound["plain_check"]
               if c.attribute == "value"}
    for lag in (50, 100):
        measured = printed["log10_linear_norms", (lag,)]
        assert measured == pytest.approx(printed["log10_linear_reference", (lag,)])
        assert amount(measured, 2) == {50: "5.15 × 10⁻³", 100: "2.66 × 10⁻⁵"}[lag]


def test_clipped_arrows_have_length_and_turn(short: tuple[RelayGame, Any]) -> None:
    scene, bound = short
    angles = {c.field: reading for c, reading in bound["clipping"] if c.attribute == "angle"}
    turned = angles["clipping.cosine_by_value"] - angles["clipping.cosine_by_norm"]
    assert np.cos(turned) == pytest.approx(scene.trace.clipping.cosine_by_value)
    lengths = {c.field: reading for c, reading in bound["clipping"] if c.attribute == "length"}
    limit = scene.panel.dial.radius(np.log10(scene.trace.clipping.limit))
    assert lengths["clipping.norm_clipped"] == pytest.approx(limit)


def test_one_mobject_per_word_from_the_first_beat_to_the_last_walk(
    short: tuple[RelayGame, Any],
) -> None:
    scene, _ = short
    assert tuple(runner.word.text for runner in scene.row) == scene.trace.tokens


def test_a_single_word_leaves_out_what_it_cannot_show() -> None:
    scene, _ = played(factories.relay_game("你好"), **{"lang": "en"})
    assert [beat.name for beat in scene.beats] == [
        "question", "plain", "plain_check", "sentence", "louder", "exploding", "clipping", "name"]
    assert scene.beats[3].captions["en"] == words("en")("relay_game.captions.sentence_alone")


def variants(scene: RelayGame) -> dict[str, str]:
    return {beat.name: beat.captions["en"] for beat in scene.beats}


def test_nothing_is_said_to_explode_or_vanish_that_does_not() -> None:
    trace = factories.relay_game(factories.SENTENCES["two"], steps=4)
    still = dataclasses.replace(
        trace,
        log10_linear_norms=np.zeros(5),
        log10_linear_reference=np.zeros(5),
        log10_exploding_norms=np.linspace(0, -0.2, 5),
        relative_gradients=np.array([0.9, 1.0]),
        log10_gradient_norms=np.log10([0.9, 1.0]),
        clipping=dataclasses.replace(trace.clipping, log10_norm=-0.3),
    )
    said = variants(played(still)[0])
    assert "does not explode" in said["exploding"]
    assert "here they do neither" in said["name"]
    assert "stays as it is" in said["clipping"]


def test_vanished_numbers_are_smaller_than_something_and_never_zero() -> None:
    trace = factories.relay_game(factories.SENTENCES["short"])
    gone = np.array([-np.inf, -np.inf, 0.0])
    nothing = dataclasses.replace(
        trace,
        gain=0.0,
        log10_linear_norms=np.concatenate([[0.0], np.full(100, -np.inf)]),
        log10_linear_reference=np.concatenate([[0.0], np.full(100, -np.inf)]),
        relative_gradients=np.array([0.0, 0.0, 1.0]),
        log10_gradient_norms=gone,
        log10_band=np.tile(gone, (8, 1)),
        step_factors=np.zeros(2),
        weight_parts=np.array([0.0, 0.0, 1.0]),
        log10_exploding_norms=np.arange(101) * 6.0,
        exploding_gain=1e6,
    )
    states = run_station(RelayGame, nothing, load_lesson())
    assert problems(states) == []
    texts = {text for state in states for text in state.texts}
    assert {"< 10⁻³⁰⁰"} <= texts
    assert "1.00 × 10⁶⁰⁰" in texts
    assert not texts & {"0", "0.00", "0.000"} - {"0"}  # the axis has a 0: no step back


def test_a_tall_frame_is_refused_in_plain_words() -> None:
    with pytest.raises(InputError) as refused:
        run_station(RelayGame, factories.relay_game(), load_lesson(), "9:16")
    assert refused.value.key == "station.frame"


def test_the_narrow_frame_holds_too() -> None:
    trace = factories.relay_game(factories.SENTENCES["en"])
    assert problems(run_station(RelayGame, trace, load_lesson(), "4:3")) == []


@pytest.mark.parametrize(
    ("log10", "text"),
    [(-np.inf, "< 10⁻³⁰⁰"), (-3.5, "3.2 × 10⁻⁴"), (np.log10(0.604), "0.604"), (0.0, "1.00"),
     (-1e-17, "1.00"), (1.5, "31.62"), (600.0, "1.0 × 10⁶⁰⁰")],
)
def test_amounts_read_as_a_reader_wants_them(log10: float, text: str) -> None:
    assert amount(log10) == text


def test_factors_gains_and_powers_read_short() -> None:
    assert [factor_text(f) for f in (0.5741, 12.0, 0.0, 1e-7)] == [
        "0.57", "12.00", "< 10⁻³⁰⁰", "1 × 10⁻⁷"]
    assert [gain_text(g) for g in (0.9, 2.0, 1e6)] == ["0.9", "2", "1.0 × 10⁶"]
    assert power_text(0.9, "50") == "0.9⁵⁰"
    assert power_text(1e6, "ᵏ") == "(1.0 × 10⁶)ᵏ"


def test_ink_is_full_from_one_on() -> None:
    assert [INK(v) for v in (0.0, 0.25, 1.0, 7.0)] == [0.0, 0.25, 1.0, 1.0]
    assert [INK_OF_LOG10(v) for v in (-np.inf, -1.0, 0.0, 600.0)] == [0.0, 0.1, 1.0, 1.0]


@pytest.mark.parametrize(
    ("tokens", "slot", "mode"),
    [(("我", "爱你"), 2.0, "flat"), (("量子力学", "书"), 0.75, "wrapped"),
     (("yesterday", "it"), 0.9, "staggered"), (("量子力学", "yesterday"), 0.3, "upright")],
)
def test_words_are_set_in_the_first_way_that_fits(
    tokens: tuple[str, ...], slot: float, mode: str
) -> None:
    setting = set_words(tokens, slot)
    assert setting.mode == mode
    assert setting.em >= 0.199


def test_words_that_no_way_fits_are_refused() -> None:
    with pytest.raises(InputError) as refused:
        set_words(("Donaudampfschifffahrtsgesellschaftskapitän",), 0.3)
    assert refused.value.key == "sentence.does_not_fit"


def test_a_log_axis_holds_every_value_that_has_not_vanished() -> None:
    assert log_span(np.array([0.0, -4.2])).low == -4.5
    assert log_span(np.array([0.0, -np.inf])) == Span(-300.0, 0.0, log=True)
    assert log_span(np.array([0.0])).high == 0.0
    assert lag_ticks(100, 20) == list(range(0, 101, 10))
    assert lag_ticks(1000, 2) == [0, 1000]


def test_an_arrow_reads_back_its_length_and_angle() -> None:
    arrow = GradientArrow(np.array([1.0, 2.0, 0.0]), "#ffffff", 4)
    arrow.write_channel("length", 2.5)
    arrow.write_channel("angle", 0.7)
    assert arrow.read_channel("length") == pytest.approx(2.5)
    assert arrow.read_channel("angle") == pytest.approx(0.7)


def test_a_name_finds_a_place_beside_its_curve_that_nothing_else_takes() -> None:
    area = Band(0.0, 4.0, 0.0, 2.0)
    curve = np.array([[0.0, 1.0, 0.0], [4.0, 1.0, 0.0]])
    other = np.array([[0.0, 1.5, 0.0], [4.0, 1.5, 0.0]])
    name = label(DARK, "gain 2", size="smallest")
    place = free_place(name, curve, [curve, other], area)
    assert place is not None
    assert 0.3 < place[1] < 0.9  # under the curve: above it there is another one
    assert free_place(name, curve, [curve], Band(0.0, 0.1, 0.0, 0.1)) is None
