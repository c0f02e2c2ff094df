"""The recital's pictures hold for every sentence; its channels say what the trace says."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from manim import tempconfig

from engine.errors import InputError
from engine.lesson import load_lesson
from engine.traces import ClosedEyesRecitalTrace
from engine.words import words
from scenes.closed_eyes_recital import ClosedEyesRecital
from scenes.closed_eyes_recital_compared import attention_story
from scenes.closed_eyes_recital_layout import make_hall, make_rows, said_size
from scenes.closed_eyes_recital_measured import HELD, probe_story
from scenes.closed_eyes_recital_stage import INK, join
from scenes.closed_eyes_recital_told import long_story
from scenes.grid import make_grid
from tests import factories
from tests.scenes.geometry import Undrawn, _settings, _state, problems, run_station

BEATS = ["question", "listen", "hand_over", "recite", "listen_long", "recite_long", "kept",
         "curve", "attention", "name"]
LOOKS = [("two", "dark", "en"), ("fourteen", "light", "zh"), ("en", "dark", "both"),
         ("mixed", "light", "en")]
FORTY = " ".join(["The book about history that I found in the old shop last month is very"] * 3)


def told(name: str) -> ClosedEyesRecitalTrace:
    return factories.closed_eyes_recital(factories.PAIRS["short"], factories.PAIRS[name])


def played(trace: ClosedEyesRecitalTrace, **overrides: Any) -> tuple[Any, dict[str, list[Any]]]:
    """The scene after its end, and the bindings that were on screen at each beat's end."""
    with tempconfig(_settings(960, 540)):
        scene: Any = ClosedEyesRecital(
            renderer=Undrawn(), trace=trace, lesson=load_lesson(overrides=overrides)
        )
        bound: dict[str, list[Any]] = {}
        scene.problems, scene.strips = [], {}

        def keep(station: Any, beat: Any) -> None:
            bound[beat.name] = [
                (b.channel, b.reading()) for b in station.channels.current(station.on_screen())
            ]
            strip = station.strip
            scene.strips[beat.name] = (id(strip), strip.width, strip.height, strip.get_x())
            scene.problems += _state(station, beat).problems

        scene.on_beat_end.append(keep)
        scene.render()
    return scene, bound


@pytest.fixture(scope="module")
def default() -> tuple[Any, dict[str, list[Any]]]:
    return played(factories.closed_eyes_recital())


def shown(bound: list[Any], field: str, attribute: str) -> np.ndarray:
    """What is read from the screen for a field, in its order."""
    found = {channel.index: reading for channel, reading in bound
             if channel.field == field and channel.attribute == attribute}
    return np.array([found[index] for index in sorted(found)])


def test_each_sentence_has_its_own_trust() -> None:
    trace = factories.closed_eyes_recital()
    evidence = dataclasses.replace(trace.long.evidence, agreeing=2)
    long = dataclasses.replace(trace.long, trust="unknown", evidence=evidence)
    states = run_station(ClosedEyesRecital, dataclasses.replace(trace, long=long), load_lesson())
    texts = {state.beat.name: "\n".join(state.texts) for state in states}
    zh = words("zh")
    assert problems(states) == []
    assert states[0].beat.captions["zh"] == zh("closed_eyes_recital.captions.question_unknown")
    assert zh("common.trust.seeds", agreeing=3, seeds=3) in texts["question"]
    for beat in (beat for beat in BEATS if beat != "curve"):  # which is of other sentences
        level = "known" if beat in BEATS[:4] else "unknown"
        assert zh(f"common.trust.{level}") in texts[beat], beat


@pytest.mark.parametrize(("sentence", "theme", "lang"), LOOKS)
def test_every_beat_ends_in_a_tidy_picture(sentence: str, theme: str, lang: str) -> None:
    lesson = load_lesson(overrides={"lang": lang, "look.theme": theme})
    assert problems(run_station(ClosedEyesRecital, told(sentence), lesson)) == []


def test_the_default_sentences_give_a_tidy_picture_at_a_calm_pace(default) -> None:
    scene, _ = default
    assert scene.problems == []
    assert [beat.name for beat in scene.beats] == BEATS
    assert 40 < scene.beats[-1].end < 120


def test_the_strip_that_leaves_the_listener_is_the_one_the_speaker_holds(default) -> None:
    strips = default[0].strips
    assert len({identity for identity, *_ in strips.values()}) == 1
    assert len({(round(w, 6), round(h, 6)) for _, w, h, _ in strips.values()}) == 1
    assert strips["listen"][3] < strips["hand_over"][3] == strips["recite_long"][3]
    assert strips["listen_long"][3] == strips["listen"][3], "the long sentence is heard first"


def test_the_strip_shows_every_unit_of_the_sentence_that_was_heard(default) -> None:
    (scene, bound), trace = default, factories.closed_eyes_recital()
    for beat, name in (("recite", "short"), ("recite_long", "long"), ("name", "long")):
        colours = shown(bound[beat], f"{name}.context", "fill")
        wanted = [scene.strip.scale_to(value) for value in getattr(trace, name).context]
        assert colours.tolist() == wanted


def test_words_are_as_high_and_as_inked_as_their_probability(default) -> None:
    (_, bound), trace = default, factories.closed_eyes_recital()
    for beat, name in (("recite", "short"), ("recite_long", "long"), ("attention", "long")):
        p = getattr(trace, name).probabilities
        heights = shown(bound[beat], f"{name}.probabilities", "height")
        assert np.allclose(heights / p, heights[0] / p[0], rtol=1e-4)
        inks = shown(bound[beat], f"{name}.probabilities", "opacity")
        assert np.allclose(inks, [INK(value) for value in p], atol=1e-6)


def test_a_sentence_can_be_read_while_it_is_heard() -> None:
    states = run_station(ClosedEyesRecital, factories.closed_eyes_recital(), load_lesson())
    texts = {state.beat.name: state.texts for state in states}
    trace = factories.closed_eyes_recital()
    for beat, recital in (("listen", trace.short), ("listen_long", trace.long)):
        assert set(recital.source) <= set(texts[beat]), beat


def test_what_the_probe_finds_is_seen_behind_the_curtain(default) -> None:
    (_, bound), trace = default, factories.closed_eyes_recital()
    inks = shown(bound["kept"], "long.kept", "opacity")
    assert np.allclose(inks, [HELD(value) for value in trace.long.kept], atol=1e-6)
    assert len(shown(bound["kept"], "long.kept", "height")) == len(trace.long.source)


def test_only_words_that_are_wrong_have_an_edge(default) -> None:
    scene, long = default[0], factories.closed_eyes_recital().long
    edged = [len(word.verdict) > 1 for word in scene.spoken]
    assert edged == (~long.correct).tolist()


def test_both_recitals_are_measured_on_one_axis(default) -> None:
    (_, bound), long = default, factories.closed_eyes_recital().long
    fixed = shown(bound["attention"], "long.share_correct", "length").item()
    attended = shown(bound["attention"], "long.attended_share_correct", "length").item()
    assert fixed / attended == pytest.approx(long.share_correct / long.attended_share_correct)


def test_every_curve_stands_on_one_axis_with_its_counts(default) -> None:
    (_, bound), trace = default, factories.closed_eyes_recital()
    heights = [
        [r for c, r in bound["curve"] if c.field == f"curves[{k}].bleu" and c.attribute != "y"]
        for k in range(2)
    ]
    slope = np.polyfit(np.concatenate([c.bleu for c in trace.curves]), np.concatenate(heights), 1)
    for curve, drawn in zip(trace.curves, heights, strict=True):
        assert np.allclose(np.polyval(slope, curve.bleu), drawn, atol=1e-6)
    counts = shown(bound["curve"], "curves[0].counts", "value")
    assert counts.tolist() == trace.curves[0].counts.tolist()


def test_captions_tell_another_story_where_the_numbers_do() -> None:
    trace = factories.closed_eyes_recital()
    short, long = trace.short, trace.long
    sure = dataclasses.replace(long, probabilities=np.where(long.correct, 0.1, 0.9))
    shy = dataclasses.replace(long, probabilities=np.where(long.correct, 0.9, 0.1))
    assert [long_story(short, each) for each in (sure, shy, short)] == ["", "unsure", "all"]
    assert long_story(long, long) == "same"
    lost = dataclasses.replace(long, kept=np.full(len(long.source), 0.1))
    held = dataclasses.replace(long, kept=np.full(len(long.source), 0.9))
    assert [probe_story(each) for each in (lost, held)] == ["plain", ""]
    own = dataclasses.replace(long, reference_given=False)
    worse = dataclasses.replace(long, attended_correct=np.zeros(len(long.attended_output), bool))
    assert [attention_story(each) for each in (long, own, worse)] == ["", "own", "worse"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_variant_of_every_caption_is_written(lang: str) -> None:
    table = words(lang)
    for beat in BEATS:
        assert f"closed_eyes_recital.captions.{beat}" in table
    for variant in ("recite_part", "recite_long_unsure", "recite_long_same", "recite_long_all",
                    "kept_plain", "curve_flat", "attention_same", "attention_worse",
                    "attention_own", "listen_long_other"):
        assert f"closed_eyes_recital.captions.{variant}" in table


def test_forty_words_on_both_sides_find_room() -> None:
    """Source and words said in the hall; where both recitals are compared, words at least."""
    english = " ".join(FORTY.split()[:40])
    recital = factories.recital("|".join("我上个月在旧书店买了一本" * 4)[:79], english, right=0.5)
    recital = dataclasses.replace(recital, output=recital.reference)
    grid = make_grid(128 / 9, 8.0)
    hall = make_hall(grid, [(recital, english)])
    assert len(recital.source) == 40
    assert said_size(grid, hall, recital, english)[1] == 40
    assert make_rows(grid, recital).counts == (40, 40)


def test_a_recital_that_runs_on_is_cut_and_said_to_be_cut() -> None:
    trace, words = told("two"), 90
    endless = dataclasses.replace(
        trace.long, output=("something",) * words, probabilities=np.full(words, 0.5),
        correct=np.arange(words) == 7,
    )
    trace = dataclasses.replace(trace, long=endless)
    states = run_station(ClosedEyesRecital, trace, load_lesson(overrides={"lang": "en"}))
    assert problems(states) == []
    texts = {state.beat.name: " ".join(state.texts) for state in states}
    assert "more words not drawn" in texts["recite_long"]


def test_a_tall_frame_is_refused_with_what_to_do() -> None:
    lesson = load_lesson(overrides={"look.aspect": "9:16"})
    with pytest.raises(InputError) as refused:
        run_station(ClosedEyesRecital, factories.closed_eyes_recital(), lesson, "9:16")
    assert refused.value.key == "station.frame"


def test_words_become_running_text_with_signs_close_behind_them() -> None:
    assert join(("Yes", ",", "I", "do", ".")) == "Yes, I do."
    assert join(("我", "爱", "你")) == "我爱你"
    assert join(("this", "<unk>", "!")) == "this <unk>!"
