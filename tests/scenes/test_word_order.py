"""Word order: every beat's picture is in order, and shows what the trace says."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from engine.errors import InputError
from engine.lesson import load_lesson
from scenes.fitting import block
from scenes.word_order import WordOrder
from scenes.word_order_layout import in_bag
from tests import factories
from tests.scenes.geometry import problems, run_station

BEATS = ["question", "bag", "tape", "asked", "measured", "ambiguous", "forward", "backward",
         "name"]
LOOKS = [("short", "dark", "zh"), ("two", "light", "zh"), ("zh", "dark", "zh"),
         ("fourteen", "light", "both"), ("en", "dark", "en"), ("mixed", "light", "en")]
MODELS = ("order_rnn", "order_bag", "translator_zh-en_conditional_seed1")


def trace_of(sentence, **changes):
    """A made-up trace that names as many models as a computed one: the footer must hold them."""
    made = factories.word_order(factories.SENTENCES.get(sentence, sentence))
    models = tuple(replace(made.provenance.models[0], name=name) for name in MODELS)
    return replace(made, provenance=replace(made.provenance, models=models), **changes)


def lesson(theme="dark", lang="zh"):
    return load_lesson(overrides={"look.theme": theme, "lang": lang})


@cache
def states(sentence, theme="dark", lang="zh", aspect="16:9"):
    return run_station(WordOrder, trace_of(sentence), lesson(theme, lang), aspect)


@pytest.mark.parametrize(("sentence", "theme", "lang"), LOOKS)
def test_every_beat_ends_in_a_tidy_picture(sentence, theme, lang):
    seen = states(sentence, theme, lang)
    told = [beat for beat in BEATS if beat != "asked" or sentence == "short"]
    assert [state.beat.name for state in seen] == told
    assert problems(seen) == []


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_narrower_frame_holds_as_well(lang):
    assert problems(states("short", "dark", lang, "4:3")) == []


def test_a_frame_higher_than_wide_is_refused_in_plain_words():
    with pytest.raises(InputError, match="16:9, 4:3"):
        states("short", "dark", "zh", "9:16")


def test_the_clip_takes_about_a_minute():
    for lang in ("zh", "en"):
        assert 45 < states("short", "dark", lang)[-1].beat.end < 80


def test_the_checks_are_on_screen():
    seen = {state.beat.name: state.texts for state in states("short")}
    trace = trace_of("short")
    assert "0" in seen["bag"] and "=" in seen["bag"]
    assert f"{trace.state_distance:.2f}" in seen["tape"] and "≠" in seen["tape"]
    assert {"0.998", "0.420", "0.570"} <= set(seen["asked"])
    assert {"2 000", "235", "1/235"} & {t.split()[-1] for t in seen["measured"]}
    assert "0" in seen["forward"]
    assert {"0", f"{trace.backward_distance:.2f}"} <= set(seen["backward"])


def test_every_strip_on_screen_has_the_key_to_its_colours():
    """Sum and state share their shades, not their scale."""
    seen = {state.beat.name: " ".join(state.texts) for state in states("short", "dark", "en")}
    assert "bag sum (±" in seen["tape"] and "state h (±1)" in seen["tape"]
    assert "bag sum" not in seen["asked"] and "length of a bar" in seen["asked"]


def test_captions_and_picture_write_a_number_alike():
    seen = {state.beat.name: state for state in states("short", "dark", "en")}
    accuracy = f"{np.mean(trace_of('short').bag_accuracies):.3f}"
    assert accuracy in seen["measured"].texts
    assert accuracy in seen["measured"].beat.captions["en"]
    assert "2 000" in seen["measured"].beat.captions["zh"]


def test_captions_say_only_what_the_numbers_show():
    wrong = [replace(a, rnn=a.rnn[::-1].copy()) for a in trace_of("short").answers]
    told = trace_of("short", answers=tuple(wrong), forward_distance=0.5, same_before=False,
                    states_trained=False)
    seen = run_station(WordOrder, told, lesson())
    captions = {state.beat.name: state.beat.captions["en"] for state in seen}
    assert "does not get both right" in captions["asked"]
    assert "the words before differ" in captions["forward"]
    assert "Even untrained" in captions["tape"] and "reads in order" in captions["name"]


def test_a_block_fills_its_room_with_square_cells():
    assert block(24, 1.8, 1.2) == (4, pytest.approx(0.3))
    assert block(24, 0.1, 2.4) == (24, pytest.approx(0.1))
    assert block(7, 7.0, 0.2)[0] == 1


def test_words_lie_inside_their_bag_or_are_refused():
    from scenes.grid import Band

    band = Band(0.0, 3.0, 0.0, 1.0)
    places = in_bag(band, ["ab"] * 7, 0.3, 0.2)
    for shape, at in places:
        assert np.all([shape.width / 2 <= at[0] <= 3 - shape.width / 2, 0 < at[1] < 1])
    with pytest.raises(InputError, match="shorten"):
        in_bag(band, ["ab"] * 70, 0.3, 0.2)
