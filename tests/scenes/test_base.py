"""Stations: beats, captions, channels, freshness; and that the geometry checks can fail."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from manim import RIGHT, ManimColor, Square, config, tempconfig

from engine.errors import FaultError, InputError
from engine.lesson import Lesson, load_lesson
from engine.traces import Model, to_json
from scenes.base import Station
from scenes.channels import AS_IT_IS, Diverging, Linear, Log10, read_back, write
from scenes.fields import read_field
from scenes.freshness import fingerprint, use_fresh_caches
from scenes.reading import MOST_PER_SECOND, reading_seconds
from scenes.sources import read_trace
from scenes.theme import DARK, LIGHT
from tests.scenes.demo import Demo, demo_trace
from tests.scenes.geometry import FRAMES, Undrawn, problems, run_station
from tests.scenes.one_beat import found

SENTENCES = {
    "one": ("我",),
    "short": ("欢迎", "来", "杭州"),
    "long": ("我", "上个月", "在", "旧书店", "淘到", "的", "量子力学", "书", "，", "它") * 3,
    "mixed": ("我", "用", "PyTorch", "训练", "Donaudampfschifffahrt", "RNN", "。"),
}


def with_look(lang: str = "zh", theme: str = "dark") -> Lesson:
    return load_lesson(overrides={"lang": lang, "look.theme": theme})


@pytest.mark.parametrize("aspect", FRAMES)
@pytest.mark.parametrize("lang", ["zh", "en", "both"])
@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_demo_has_no_problem_in_any_shape(sentence: str, lang: str, aspect: str) -> None:
    states = run_station(Demo, demo_trace(SENTENCES[sentence]), with_look(lang), aspect)
    assert [state.beat.name for state in states] == ["question", "weights"]
    assert problems(states) == []


def test_beats_follow_each_other_and_last_as_long_as_their_words() -> None:
    states = run_station(Demo, demo_trace(), with_look("en"))
    beats = [state.beat for state in states]
    assert beats[0].start == 0
    assert all(one.end == other.start for one, other in pairwise(beats))
    for beat in beats:
        assert beat.end - beat.start >= reading_seconds(beat.captions["en"]) - 0.1
    assert beats[0].captions["zh"].startswith("写下")
    assert all(abs(beat.end * 15 - round(beat.end * 15)) < 0.02 for beat in beats)


@pytest.mark.parametrize("shown", ["zh", "en", "both"])
def test_captions_can_be_read_in_the_language_that_is_not_on_screen(shown: str) -> None:
    for state in run_station(Demo, demo_trace(), with_look(shown)):
        for lang, most in MOST_PER_SECOND.items():
            letters = len(state.beat.captions[lang])
            assert letters / (state.beat.end - state.beat.start) <= most


def test_a_question_leaves_time_to_guess() -> None:
    class Hurried(Demo):
        station = "demo"

        def construct(self) -> None:
            with self.beat("question", guess=0.0):
                pass

    class Patient(Demo):
        station = "demo"

        def construct(self) -> None:
            with self.beat("question", guess=3.0):
                pass

    english = with_look("en")  # its reading is slower than either language's limit
    fast, slow = (run_station(kind, demo_trace(), english)[0].beat for kind in (Hurried, Patient))
    assert slow.end - fast.end == pytest.approx(3.0, abs=0.1)


def test_captions_are_on_screen_in_the_lesson_s_languages() -> None:
    shown = {lang: run_station(Demo, demo_trace(), with_look(lang))[0] for lang in ("zh", "both")}
    chinese, english = (shown["zh"].beat.captions[lang] for lang in ("zh", "en"))
    assert chinese in shown["zh"].texts and english not in shown["zh"].texts
    assert chinese in shown["both"].texts and english in shown["both"].texts


def scene(kind: type[Station] = Demo, lesson: Lesson | None = None) -> Station:
    return kind(renderer=Undrawn(), trace=demo_trace(), lesson=lesson or with_look())


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_ground_is_the_theme_s(theme: str) -> None:
    wanted = {"dark": DARK, "light": LIGHT}[theme].BACKGROUND
    assert scene(lesson=with_look(theme=theme)).camera.background_color == ManimColor(wanted)


def test_the_station_s_name_comes_from_the_class() -> None:
    class ClosedEyesRecital(Demo):
        pass

    assert scene().station == "demo"
    assert ClosedEyesRecital.station.fget(object.__new__(ClosedEyesRecital)) == (
        "closed_eyes_recital"
    )


def test_a_footer_of_many_models_keeps_to_its_band() -> None:
    models = tuple(Model(f"recall_of_names_{cell}", "", True) for cell in ("rnn", "lstm", "gru"))
    trace = replace(demo_trace(), provenance=replace(demo_trace().provenance, models=models))
    for aspect in FRAMES:
        assert problems(run_station(Demo, trace, with_look("en"), aspect)) == []


# Channels


def test_nothing_is_bound_that_the_trace_does_not_say() -> None:
    def act(scene: Station) -> None:
        scene.bind(Square(), "width", 0.2, AS_IT_IS, field="weights", index=(0,))

    with pytest.raises(ValueError, match=r"weights\[0\] is 0\.16"):
        found(act)


def test_a_mobject_that_no_longer_shows_its_number_is_found() -> None:
    def act(scene: Station) -> None:
        square = Square(1.0, fill_opacity=1.0)
        scene.grid.stage.place(square)
        weight = scene.trace.weights[2]
        scene.bind(square, "height", weight, Linear(0, 1, 0, 4), field="weights", index=(2,))
        scene.add(square)
        square.stretch(1.2, 1)

    (problem,) = found(act)
    assert "weights[2] should show as height 2.0" in problem


def test_released_and_dimmed_mobjects_stand_for_nothing() -> None:
    def act(scene: Station) -> None:
        squares = [Square(0.5, fill_opacity=1.0).shift(i * RIGHT) for i in range(2)]
        scene.bind_each(squares, "opacity", scene.trace.weights[:2], AS_IT_IS, field="weights")
        scene.add(*squares)
        scene.play(*scene.dim(squares[0]))
        scene.release(squares[1])
        squares[1].set_opacity(0.9)

    assert found(act) == []


def test_dimming_twice_is_dimming_once_and_can_be_undone() -> None:
    levels = []

    def act(scene: Station) -> None:
        square = Square(0.5, fill_opacity=0.6, stroke_width=0)
        scene.add(square)
        for opacity in (1 / 3, 1 / 3, 1.0):
            scene.play(*scene.dim(square, opacity=opacity))
            levels.append(square.get_fill_opacity())

    assert found(act) == []
    assert levels == pytest.approx([0.2, 0.2, 0.6])


def test_two_attributes_share_one_movement() -> None:
    def act(scene: Station) -> None:
        square = Square(1.0, fill_opacity=1.0, stroke_width=0)
        scene.add(square)
        weight = scene.trace.weights[1]
        at = {"field": "weights", "index": (1,)}
        first = scene.bind_animation(square, "height", weight, AS_IT_IS, **at)
        second = scene.bind_animation(square, "opacity", weight, AS_IT_IS, **at)
        assert first is second
        scene.play(first, second)
        assert square.height == pytest.approx(weight)

    assert found(act) == []


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("stroke_width", 7.5), ("opacity", 0.4), ("fill_opacity", 0.3), ("height", 1.7),
     ("width", 0.6), ("radius", 0.9), ("x", -1.0), ("y", 2.0), ("fill", "#336699"),
     ("stroke", "#AA5500"), ("height", 0.0)],
)
def test_what_is_written_reads_back(attribute: str, value: float | str) -> None:
    from scenes.channels import same

    square = Square(1.0, fill_opacity=1.0)
    write(square, attribute, value)
    assert same(read_back(square, attribute), value)


def test_an_unknown_attribute_is_named() -> None:
    with pytest.raises(KeyError, match="no attribute 'girth'"):
        read_back(Square(), "girth")


def test_scales() -> None:
    assert Linear(0, 2, 10, 20)(0.5) == 12.5
    assert Log10(-4, 0)(1e-2) == pytest.approx(0.5)
    assert Log10(-4, 0)(0.0) == 0.0
    assert Diverging(DARK, 2.0)(-2.0) == DARK.NEGATIVE
    assert Linear(0, 1, 0, 16).describe() == "linear [0, 1] -> [0, 16]"


def test_channels_are_recorded_for_the_file_beside_the_clip() -> None:
    with tempconfig({"dry_run": True}):
        station = scene()
        station.render()
    records = [channel.as_dict() for channel in station.channels.recorded]
    assert records[2] == {
        "beat": "weights", "label": "α", "field": "weights", "index": (2,), "value": 0.5,
        "scale": "as it is", "attribute": "opacity", "expected": 0.5,
    }


def test_fields_are_looked_up_by_name() -> None:
    trace = demo_trace()
    assert read_field(trace, "weights", (1,)) == pytest.approx(1 / 3)
    assert read_field(trace, "sum(weights)") == pytest.approx(1.0)
    assert read_field(trace, "exp10(log10(weights))", (1,)) == pytest.approx(1 / 3)
    assert read_field(trace, "provenance.models[0].trained") == 1.0
    for field, index in (("wheights", ()), ("weights", (9,)), ("foo(weights)", ())):
        with pytest.raises(KeyError):
            read_field(trace, field, index)


# Freshness and sources


def test_other_numbers_other_cache_folder() -> None:
    folders = []
    for trace in (demo_trace(), demo_trace(("你", "好")), demo_trace()):
        Demo(renderer=Undrawn(), trace=trace, lesson=with_look())
        folders.append(str(config["partial_movie_dir"]))
    assert folders[0] == folders[2] != folders[1]
    assert folders[0].count("lookback-") == 1
    assert "{video_dir}" in folders[0] and "lookback-" in str(config["text_dir"])


def test_the_look_is_part_of_the_fingerprint() -> None:
    text = to_json(demo_trace())
    assert fingerprint(text, "zh dark") == fingerprint(text, "zh dark")
    assert fingerprint(text, "zh dark") != fingerprint(text, "en dark")
    assert fingerprint("ab", "c") != fingerprint("a", "bc")


def test_marking_a_folder_twice_keeps_one_mark() -> None:
    use_fresh_caches("1" * 16)
    use_fresh_caches("2" * 16)
    assert str(config["partial_movie_dir"]).endswith("lookback-" + "2" * 16)
    assert str(config["partial_movie_dir"]).count("lookback-") == 1


def test_a_file_that_is_no_trace_is_refused_in_one_line(tmp_path: Path) -> None:
    broken = tmp_path / "demo.json"
    broken.write_text("{}", encoding="utf-8")
    for path in (broken, tmp_path / "missing.json"):
        with pytest.raises(FaultError) as error:
            read_trace(path, "demo")
        assert path.name in error.value.text("en") and "\n" not in error.value.text("en")


def test_a_sentence_with_a_glyph_that_is_not_there_is_the_user_s_matter() -> None:
    with pytest.raises(InputError, match="U\\+1F600"):
        run_station(Demo, demo_trace(("我", "爱", "😀")), with_look())


def test_the_demo_s_numbers_are_its_trace_s() -> None:
    trace = demo_trace()
    states = run_station(Demo, trace, with_look())
    assert "Σ α = 1.000" in states[-1].texts
    heavier = replace(trace, weights=np.array([0.2, 0.3, 0.5]))
    assert problems(run_station(Demo, heavier, with_look())) == []
