"""The unrolled loop: every beat's picture is in order, and shows what the trace says."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from engine.errors import InputError
from engine.lesson import load_lesson
from scenes.unrolled import Unrolled
from tests import factories
from tests.scenes.geometry import problems, run_station

BEATS = ["question", "unroll", "share", "change", "parameters", "parts", "total", "name"]
LOOKS = [("two", "dark", "zh"), ("short", "light", "zh"), ("zh", "dark", "zh"),
         ("fourteen", "light", "both"), ("en", "dark", "en"), ("mixed", "light", "en"),
         ("|".join("字" * 40), "light", "zh")]


def trace_of(sentence, **changes):
    return replace(factories.unrolled(factories.SENTENCES.get(sentence, sentence)), **changes)


def lesson(theme="dark", lang="zh"):
    return load_lesson(overrides={"look.theme": theme, "lang": lang})


@cache
def states(sentence, theme="dark", lang="zh", aspect="16:9"):
    return run_station(Unrolled, trace_of(sentence), lesson(theme, lang), aspect)


@pytest.mark.parametrize(("sentence", "theme", "lang"), LOOKS)
def test_every_beat_ends_in_a_tidy_picture(sentence, theme, lang):
    seen = states(sentence, theme, lang)
    assert [state.beat.name for state in seen] == BEATS
    assert problems(seen) == []


@pytest.mark.parametrize(("sentence", "lang"), [("zh", "zh"), ("en", "en")])
def test_a_narrower_frame_holds_as_well(sentence, lang):
    assert problems(states(sentence, "dark", lang, "4:3")) == []


def test_a_frame_higher_than_wide_is_refused_in_plain_words():
    with pytest.raises(InputError, match="16:9, 4:3"):
        states("two", "dark", "zh", "9:16")


def test_the_clip_takes_about_a_minute():
    for lang in ("zh", "en"):
        assert 45 < states("zh" if lang == "zh" else "en", "dark", lang)[-1].beat.end < 80


def test_the_checks_are_on_screen():
    seen = {state.beat.name: state.texts for state in states("zh")}
    assert "120" in seen["share"]
    assert {"120", "360", "1 200", "12 000"} <= set(seen["parameters"])
    assert "2.0 × 10⁻¹⁶" in seen["total"]
    trace = trace_of("zh")
    assert {f"{trace.entry_before:.3f}".replace("-", "−"),
            f"{trace.entry_after:.3f}".replace("-", "−")} <= set(seen["change"])


def test_captions_say_only_what_the_numbers_show():
    def captions(**changes):
        seen = run_station(Unrolled, trace_of("你 好", **changes), lesson())
        return {state.beat.name: state.beat.captions["en"] for state in seen}

    told = {state.beat.name: state.beat.captions["en"] for state in states("short", "light")}
    assert "2 copies, from the second on" in told["change"] and "smaller" not in told["parts"]
    told = captions(states_changed=0, part_norms=np.array([0.0, 1.0]))
    assert "no state moves" in told["change"] and "smaller" not in told["parts"]


def test_one_word_alone_is_told_as_it_is():
    seen = run_station(Unrolled, trace_of("你好", states_changed=0), lesson())
    assert problems(seen) == []
    told = {state.beat.name: state.beat.captions["en"] for state in seen}
    assert "with a single step nothing moves" in told["change"] and "is 0" in told["parts"]


@pytest.mark.parametrize("units", [1, 16])
def test_other_sizes_hold(units):
    made = trace_of("short")
    rng = np.random.default_rng(1)
    square, tall = rng.normal(size=(units, units)), np.tanh(rng.normal(size=(3, units)))
    sized = replace(
        made, recurrent_weight=square, weight_gradient=square, bias=square[0],
        input_weight=rng.normal(size=(units, units)), hidden_states=tall, changed_states=tall,
        entry=(0, 0), entry_before=float(square[0, 0]), entry_after=float(square[0, 0]),
    )
    assert problems(run_station(Unrolled, sized, lesson())) == []
