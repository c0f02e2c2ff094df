"""The conveyor belt: every beat's picture is in order, and shows what the trace says."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from manim import tempconfig

from engine.errors import InputError
from engine.lesson import load_lesson
from engine.words import words
from scenes.conveyor_belt import ConveyorBelt
from scenes.conveyor_belt_layout import chosen_steps
from scenes.conveyor_belt_light import keepers
from scenes.fields import read_field
from scenes.relay_game_parts import amount
from tests import factories
from tests.scenes import geometry
from tests.scenes.geometry import problems, run_station

BEATS = ["question", "belt", "write", "keep", "show", "run", "light", "gru", "answer",
         "gradients", "accuracy", "taught", "biases", "name"]
LOOKS = [("two", "dark", "zh"), ("short", "light", "zh"), ("zh", "dark", "zh"),
         ("fourteen", "light", "both"), ("en", "dark", "en"), ("mixed", "light", "en")]


MODELS = ("recall_rnn", "recall_lstm", "recall_gru", "recall_rnn_near_first")


def trace_of(sentence):
    """A made-up trace that names as many models as a computed one: the footer must hold them."""
    made = factories.conveyor_belt(factories.SENTENCES[sentence])
    models = tuple(replace(made.provenance.models[0], name=name) for name in MODELS)
    return replace(made, provenance=replace(made.provenance, models=models))


def lesson(theme="dark", lang="zh"):
    return load_lesson(overrides={"look.theme": theme, "lang": lang})


@cache
def states(sentence, theme, lang, aspect="16:9"):
    return run_station(ConveyorBelt, trace_of(sentence), lesson(theme, lang), aspect)


@pytest.mark.parametrize(("sentence", "theme", "lang"), LOOKS)
def test_every_beat_ends_in_a_tidy_picture(sentence, theme, lang):
    seen = states(sentence, theme, lang)
    assert [state.beat.name for state in seen] == BEATS
    assert problems(seen) == []


def test_a_narrower_frame_holds_as_well():
    assert problems(states("en", "dark", "en", "4:3")) == []


def test_a_frame_higher_than_wide_is_refused_in_plain_words():
    with pytest.raises(InputError, match="16:9, 4:3"):
        states("two", "dark", "zh", "9:16")


def test_captions_stand_in_both_languages_and_differ():
    for state in states("zh", "dark", "zh"):
        assert set(state.beat.captions) == {"zh", "en"}
        assert state.beat.captions["zh"] != state.beat.captions["en"]


def test_the_clip_says_so_where_the_lstm_is_wrong():
    trace = factories.conveyor_belt()
    recalls = list(trace.recalls)
    recalls[1] = replace(recalls[1], answer="小红", probability=0.1)
    wrong = replace(trace, recalls=tuple(recalls))
    told = {s.beat.name: s for s in run_station(ConveyorBelt, wrong, lesson())}["answer"]
    assert told.beat.captions["en"] == words("en")(
        "conveyor_belt.captions.answer_wrong", name="小明", lstm_says="小红", lstm=0.1,
        gru=recalls[2].probability, rnn=recalls[0].probability, chance=1 / 26)
    assert "玛丽" not in told.texts


def test_checks_of_the_station_are_on_screen():
    seen = {state.beat.name: state.texts for state in states("zh", "dark", "zh")}
    trace = factories.conveyor_belt(factories.SENTENCES["zh"])
    assert any("max" in text for text in seen["keep"])
    assert "1.0 × 10⁻¹⁶" in seen["keep"]
    assert f"{10 ** trace.log10_direct_norms[0]:.3f}" in "".join(seen["light"])


def test_captions_quote_numbers_as_the_picture_writes_them():
    seen = {state.beat.name: state for state in states("zh", "dark", "zh")}
    trace = factories.conveyor_belt(factories.SENTENCES["zh"])
    after = seen["run"].texts[seen["run"].texts.index("最上一道 Π f =") + 1]
    assert after in seen["run"].beat.captions["zh"] and float(after[:3]) > 0
    three = amount(trace.forget_biases[-1].log10_direct_path[-1])
    assert three in seen["biases"].texts and three in seen["biases"].beat.captions["en"]


def at_the_end_of(beat_name, look, sentence, lang):
    """Plays the clip and hands the scene to `look` as a beat ends."""
    with tempconfig(geometry._settings(*geometry.FRAMES["16:9"])):
        scene = ConveyorBelt(renderer=geometry.Undrawn(), trace=trace_of(sentence),
                             lesson=lesson(lang=lang))
        scene.on_beat_end.append(lambda s, beat: look(s) if beat.name == beat_name else None)
        scene.render()


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_number_of_a_gate_keeps_clear_of_the_formula_below(lang):
    gaps = []

    def look(scene):
        for name, gate in scene.panel.gates.items():
            term = scene.panel.formulas[name == "output"].term(name)
            gaps.append(gate.number.get_bottom()[1] - term.get_top()[1])

    at_the_end_of("show", look, "zh", lang)
    assert min(gaps) > 0.0


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_names_of_the_curves_keep_clear_of_the_axis_title(lang):
    seen = []

    def look(scene):
        title = scene.plot.y_title
        for name in scene.curve_names:
            apart = np.abs(name.get_center() - title.get_center())[:2]
            room = np.array([name.width + title.width, name.height + title.height]) / 2
            seen.append(bool((apart > room + 0.1 * name.em).any()))

    at_the_end_of("light", look, "two", lang)
    assert len(seen) == 2 and all(seen)


def test_words_are_counted_in_whole_numbers():
    seen = {state.beat.name: state.texts for state in states("two", "dark", "zh")}
    assert "−1" in seen["accuracy"] and "−1.0" not in seen["accuracy"]


def test_long_sentences_show_both_ends():
    assert chosen_steps(5, 9) == (0, 1, 2, 3, 4)
    assert chosen_steps(50, 5) == (0, 1, 2, 48, 49)
    assert chosen_steps(50, 4) == (0, 1, 48, 49)


def test_keepers_are_the_units_whose_gates_stay_open():
    gates = np.array([[0.1, 0.9, 0.9], [0.9, 0.5, 0.99], [0.9, 0.5, 0.99]])
    assert keepers(gates, 2) == [2, 0]


def test_a_field_can_name_the_shown_units():
    trace = factories.conveyor_belt()
    shown = trace.forget_gate[3, trace.units]
    assert read_field(trace, "mean(forget_gate @ units)", (3,)) == pytest.approx(shown.mean())
    assert read_field(trace, "inverse(recalls[0].names)") == pytest.approx(1 / 26)
