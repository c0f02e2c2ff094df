"""The self-attention clip: every beat is printable, and shows what its trace says."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from engine.errors import InputError
from engine.lesson import load_lesson
from engine.traces import SelfAttentionTrace
from engine.words import LANGUAGES, words
from scenes.mobjects.sight import LOOP, SIGHT, Sight
from scenes.self_attention import SelfAttention
from scenes.theme import DARK
from tests.attending_factories import PRONOUNS, self_attention
from tests.scenes.geometry import BeatState, problems, run_station

BEATS = ["question", "ask", "beam", "answer", "untrained", "swap", "bag", "thing", "many", "name"]
SEEN: list[SelfAttention] = []


class Watched(SelfAttention):
    """Leaves itself behind, so that its channels can be asked for afterwards."""

    station = "self_attention"

    def setup(self) -> None:
        super().setup()
        SEEN.append(self)


def trace_of(name: str) -> SelfAttentionTrace:
    """mixed: words that the model does not know. en: a sentence that it does not know at all."""
    trust = {"mixed": "carried", "en": "unknown"}.get(name, "known")
    trace = self_attention(PRONOUNS[name], trust)
    if name == "fourteen":  # looks elsewhere, and no better than before training
        told = trace.told
        return replace(trace, told=replace(told, antecedent=9, untrained_weights=told.weights))
    return trace


@cache
def run(name: str, aspect: str = "16:9") -> tuple[list[BeatState], SelfAttention]:
    light = {"look.theme": "light", "lang": "en"} if name in ("short", "en") else {}
    states = run_station(Watched, trace_of(name), load_lesson(overrides=light), aspect)
    return states, SEEN[-1]


def beat_of(name: str, beat: str) -> BeatState:
    return next(state for state in run(name)[0] if state.beat.name == beat)


def recorded(name: str, *beats: str) -> list:
    return [c for c in run(name)[1].channels.recorded if c.beat in beats]


@pytest.mark.parametrize("name", [*PRONOUNS])
def test_every_beat_is_printable(name):
    assert not problems(run(name)[0])


def test_it_holds_in_a_narrower_frame():
    assert not problems(run("short", "4:3")[0])


def test_a_frame_that_is_too_narrow_is_refused_by_name():
    with pytest.raises(InputError) as caught:
        run("short", "9:16")
    assert caught.value.key == "station.frame"


def test_the_beats_come_in_their_order_and_take_the_time_they_should():
    states, _ = run("short")
    assert [state.beat.name for state in states] == BEATS
    assert 50 <= states[-1].beat.end <= 90


def test_every_word_asks_at_once_in_dots_of_one_scale():
    weights = run("short")[1].trace.told.weights
    dots = {c.index: c for c in recorded("short", "question", "ask") if c.attribute == "radius"}
    full = max(c.expected / c.value for c in dots.values())
    for index, weight in np.ndenumerate(weights):
        if weight * full > 2e-3:
            assert dots[index].expected == pytest.approx(full * weight)


def test_arcs_are_as_wide_as_the_weights_before_and_after_training():
    look = run("short")[1].trace.told
    arcs = [c for c in recorded("short", "ask", "beam", "answer", "untrained")
            if c.attribute == "stroke_width"]
    assert {c.field for c in arcs} == {"told.weights", "told.untrained_weights"}
    assert all(c.expected == pytest.approx(SIGHT(c.value)) for c in arcs)
    entries = {c.index: c.value for c in arcs if c.field == "told.untrained_weights"}
    row = look.untrained_weights[look.pronoun]
    assert entries == {(look.pronoun, j): pytest.approx(row[j]) for j in range(len(row))}


def test_outputs_end_as_they_are_without_positions():
    cells = recorded("short", "bag")
    last = {c.field for c in cells if c.attribute == "fill"}
    assert {"reordered.unordered_outputs", "reordered.unordered_swapped_outputs"} <= last
    said = {c.label: c.value for c in cells if c.attribute == "value"}
    assert said["unordered_difference"] == 4e-16 < said["difference"]


def test_held_out_sentences_are_shown_for_every_seed_after_training_and_before():
    bars = [c for c in recorded("short", "thing", "many") if c.attribute == "height"]
    shown = [c for c in bars if c.field.startswith("held_out")]
    assert {c.field for c in shown} == {"held_out.shares", "held_out.untrained_shares"}
    assert {c.index[0] for c in shown} == {0, 1, 2}
    assert len({c.scale for c in shown}) == 1


def test_a_sentence_that_the_model_does_not_know_is_said_to_be_so():
    zh = words("zh")
    assert beat_of("en", "answer").beat.captions["zh"].startswith("模型说")
    assert words("en")("self_attention.trust.unknown") in beat_of("en", "answer").texts
    assert zh("self_attention.trust.carried") in beat_of("mixed", "answer").texts


def test_captions_follow_the_numbers():
    en = {name: beat_of(name, "beam").beat.captions["en"] for name in ("short", "fourteen")}
    assert "never where to look" in en["short"]
    assert "was to be found" in en["fourteen"]
    assert "learned" in beat_of("short", "untrained").beat.captions["en"]
    assert "learned" not in beat_of("fourteen", "untrained").beat.captions["en"]


def test_both_languages_have_the_same_texts():
    one, other = (
        {key for key in words(lang).keys() if key.startswith("self_attention.")}  # noqa: SIM118
        for lang in LANGUAGES
    )
    assert one == other
    assert "self_attention.note" in one


def test_a_look_at_oneself_is_a_loop_and_a_look_below_hangs():
    here = np.zeros(3)
    loop = Sight(DARK, here, here, 0.5)
    assert loop.width > 0.5 * LOOP
    assert loop.point_from_proportion(0.5)[1] == pytest.approx(0.5, abs=0.01)
    hanging = Sight(DARK, here, np.array([2.0, 0.0, 0.0]), -0.5)
    assert hanging.point_from_proportion(0.5)[1] == pytest.approx(-0.5, abs=0.01)
