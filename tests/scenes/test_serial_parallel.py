"""Serial vs parallel: boards and bars say what was measured, on whatever machine."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from manim import tempconfig

from engine.errors import InputError
from engine.lesson import load_lesson
from engine.traces import SerialParallelTrace
from engine.words import words
from scenes.channels import Linear
from scenes.serial_parallel import SerialParallel
from scenes.serial_parallel_boards import HALF, tiles
from scenes.serial_parallel_charts import ByLog, times
from scenes.serial_parallel_lanes import Block, Clockwork, Growing, Lit, Ready
from scenes.serial_parallel_race import ms_text, slowed
from scenes.theme import DARK
from tests import measured_factories as factories
from tests.scenes.geometry import Undrawn, _settings, _state, problems, run_station

BEATS = ["question", "race", "chain", "batch", "bill", "lengths", "writing", "name"]
LONG_NAME = "A processor with a name as long as a table of times may hold"


def played(trace: SerialParallelTrace, **overrides: Any) -> tuple[SerialParallel, dict[str, Any]]:
    """The scene after its end, and what was bound and on screen at each beat's end."""
    bound: dict[str, Any] = {}
    with tempconfig(_settings(960, 540)):
        lesson = load_lesson(overrides=overrides)
        scene = SerialParallel(renderer=Undrawn(), trace=trace, lesson=lesson)
        scene.problems, scene.texts = [], []

        def keep(station: Any, beat: Any) -> None:
            bound[beat.name] = [(b.channel, b.reading())
                                for b in station.channels.current(station.on_screen())]
            state = _state(station, beat)
            scene.problems += state.problems
            scene.texts.append(state.texts)

        scene.on_beat_end.append(keep)
        scene.render()
    return scene, bound


@pytest.fixture(scope="module")
def usual() -> tuple[SerialParallel, dict[str, Any]]:
    return played(factories.serial_parallel())


def shown(bound: list[Any], field: str, attribute: str) -> dict[tuple[int, ...], float]:
    return {c.index: reading for c, reading in bound
            if c.field == field and c.attribute == attribute}


@pytest.mark.parametrize(
    ("attention", "lang", "theme", "aspect", "device"),
    [(0.02, "en", "light", "16:9", LONG_NAME), (30.0, "zh", "dark", "16:9", "CPU"),
     (1.0, "both", "dark", "16:9", "AMD EPYC"), (1.0, "en", "light", "4:3", LONG_NAME),
     (4000.0, "zh", "dark", "4:3", "CPU")],
)
def test_every_beat_ends_in_a_tidy_picture(
    attention: float, lang: str, theme: str, aspect: str, device: str
) -> None:
    trace = factories.serial_parallel(attention, device=device)
    lesson = load_lesson(overrides={"lang": lang, "look.theme": theme})
    states = run_station(SerialParallel, trace, lesson, aspect)
    assert problems(states) == []
    assert [state.beat.name for state in states] == BEATS


def test_the_usual_machine_is_tidy_too(usual: tuple[SerialParallel, Any]) -> None:
    assert usual[0].problems == []


def test_a_block_ends_where_its_step_was_done(usual: tuple[SerialParallel, Any]) -> None:
    scene, bound = usual
    tips = shown(bound["race"], "reading.recurrent_ms", "tip")
    measured = scene.trace.reading.recurrent_ms
    xs = np.array([tips[i,] for i in range(len(measured))])
    assert np.allclose(np.diff(xs) / np.diff(measured), (xs[-1] - xs[0]) / np.ptp(measured))


def test_blocks_follow_each_other_without_a_gap(usual: tuple[SerialParallel, Any]) -> None:
    for lane in usual[0].blocks:
        for before, after in pairwise(lane):
            assert after.start == pytest.approx(before.read_channel("tip"), abs=1e-3)


def test_at_the_depth_of_attention_the_chain_has_only_begun(
    usual: tuple[SerialParallel, Any]
) -> None:
    scene, bound = usual
    states = shown(bound["chain"], "reading.recurrent_depths", "fill_opacity")
    lit = [index for index, opacity in states.items() if opacity == 1.0]
    depths = scene.trace.reading.recurrent_depths
    assert sorted(lit) == [(i,) for i in range(len(depths)) if depths[i] <= 4]
    grid = shown(bound["chain"], "reading.attention_depths", "fill_opacity")
    assert set(grid.values()) == {1.0}


def test_writing_lights_a_row_of_the_triangle_for_each_word(
    usual: tuple[SerialParallel, Any]
) -> None:
    scene, bound = usual
    assert sum(len(row.points) // 16 for row in scene.cells) == scene.trace.writing.cells
    rows = shown(bound["writing"], "writing.attention_ms", "fill_opacity")
    assert len(rows) == scene.trace.words


def test_bars_of_a_chart_share_one_scale(usual: tuple[SerialParallel, Any]) -> None:
    scene, bound = usual
    lengths = shown(bound["batch"], "sentence_ms", "length")
    per_ms = [length / scene.trace.sentence_ms[index] for index, length in lengths.items()]
    assert len(lengths) == 6
    assert np.allclose(per_ms, per_ms[0])


def test_pairs_take_their_share_of_attentions_operations(usual: tuple[SerialParallel, Any]) -> None:
    scene, bound = usual
    whole = shown(bound["bill"], "operations", "length")[2,]
    part = shown(bound["bill"], "pair_operations", "length")[()]
    assert part / whole == pytest.approx(scene.trace.pair_operations / scene.trace.operations[2])


def test_the_crossing_stands_between_its_lengths(usual: tuple[SerialParallel, Any]) -> None:
    _, bound = usual
    assert len(shown(bound["lengths"], "crossings", "x")) == 1


@pytest.mark.parametrize(
    ("attention", "story"), [(1.0, ""), (0.02, "ahead"), (30.0, "behind")]
)
def test_the_caption_says_which_is_faster_wherever_they_cross(
    usual: tuple[SerialParallel, Any], attention: float, story: str
) -> None:
    scene = usual[0]
    kept, scene.trace = scene.trace, factories.serial_parallel(attention)
    assert scene.length_story() == story
    scene.trace = kept
    assert "attention is faster up to about" in scene.beats[5].captions["en"]


def test_a_tall_frame_is_refused_in_plain_words() -> None:
    with pytest.raises(InputError) as refused:
        run_station(SerialParallel, factories.serial_parallel(), load_lesson(), "9:16")
    assert refused.value.key == "station.frame"


def test_the_machine_is_named_in_every_beat(usual: tuple[SerialParallel, Any]) -> None:
    assert all(any("synthetic CPU" in text for text in texts) for texts in usual[0].texts)


def test_times_read_short() -> None:
    assert [ms_text(v) for v in (0.3149, 13.17, 241.9)] == ["0.31", "13.2", "242"]
    assert slowed(5.0, 0.55377) == "9 000"
    assert [times(r) for r in (4.04, 12.3)] == ["4.0", "12"]


def test_a_clock_lights_and_grows_what_is_due() -> None:
    tile, row = (tiles(np.zeros((1, 3)), 1.0, 1.0, "#ffffff").set_fill(opacity=0.0)
                 for _ in range(2))
    block = Block(DARK, "HIDDEN", 0.0, 0.0, 0.3)
    lit = [Lit(tile, 6.0), Lit(row, 1.0, HALF), Lit(row, 9.0)]
    clock = Clockwork(10.0, lit, [Growing(block, 2.0, 8.0)], Linear(0.0, 10.0, 0.0, 5.0))
    clock.interpolate_mobject(0.5)
    assert tile.get_fill_opacity() == 0.0 and row.get_fill_opacity() == HALF
    assert (block.start, block.read_channel("tip")) == (1.0, 2.5)
    clock.interpolate_mobject(1.0)
    assert tile.get_fill_opacity() == row.get_fill_opacity() == 1.0
    assert block.read_channel("tip") == 4.0


def test_scales_say_what_they_do() -> None:
    assert [Ready(4)(v) for v in (3, 4, 5)] == [1.0, 1.0, 0.0]
    assert ByLog((16.0, 64.0), (0.0, 2.0))(32.0) == pytest.approx(1.0)
    assert "4" in Ready(4).describe() and "64" in ByLog((16.0, 64.0), (0.0, 2.0)).describe()


def test_both_languages_tell_every_beat() -> None:
    for lang in ("zh", "en"):
        assert all(f"serial_parallel.captions.{beat}" in words(lang) for beat in BEATS)
