"""The looking-back clip: every beat is printable, and shows what its trace says."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from engine.lesson import load_lesson
from engine.traces import LookingBackTrace
from engine.words import LANGUAGES, words
from scenes.looking_back import LookingBack
from scenes.looking_back_layout import disputed, label_lanes
from scenes.mobjects.level_bar import LevelBar
from scenes.mobjects.number_label import NumberLabel
from tests.factories import PAIRS, looking_back
from tests.scenes.geometry import BeatState, problems, run_station, visible_items

BEATS = ["question", "listen", "ask", "score", "softmax", "sum", "speak", "rest", "monotone",
         "crossing", "untrained", "uniform", "leave_one_out", "name"]
LIGHT_ENGLISH = {"look.theme": "light", "lang": "en"}
SEEN: list[LookingBack] = []


class Watched(LookingBack):
    """Leaves itself behind, so that its channels can be asked for afterwards."""

    station = "looking_back"

    def setup(self) -> None:
        super().setup()
        SEEN.append(self)
        self.gaps: list[float] = []
        self.on_beat_end.append(lambda scene, beat: scene.measure(beat.name))

    def measure(self, beat: str) -> None:
        """How far every number keeps from the bars over and under it, manim units."""
        if beat != "uniform":
            return
        items = list(visible_items(self.mobjects))
        bars = [item.box for item in items if isinstance(item.mobject, LevelBar)]
        for number in (item.box for item in items if isinstance(item.mobject, NumberLabel)):
            self.gaps += [max(bar[0][1] - number[1][1], number[0][1] - bar[1][1]) for bar in bars
                          if bar[0][0] < number[1][0] and number[0][0] < bar[1][0]]


def trace_of(name: str) -> LookingBackTrace:
    """The pair of a name told in detail, with the crossing pair beside it.

    two: alone, without crossings. short: one given word that the model would not say.
    mixed: an unknown word, in Bahdanau's order. en: a sentence that the model does not know.
    """
    trace = looking_back((PAIRS[name], PAIRS["zh"]))
    pair, other = trace.pairs
    if name == "two":
        return replace(trace, pairs=(replace(pair, crossings=0),))
    if name == "short":
        return replace(trace, pairs=(replace(pair, said=("i", "love", "tea")), other))
    if name == "en":
        evidence = replace(pair.evidence, agreeing=1)
        return replace(trace, pairs=(replace(pair, trust="unknown", evidence=evidence), other))
    if name == "mixed":
        unknown = np.array([word == "PyTorch" for word in pair.source])
        pair = replace(pair, unknown=unknown, trust="carried")
        return replace(trace, pairs=(pair, other), decoder="bahdanau")
    return trace


@cache
def run(name: str) -> tuple[list[BeatState], LookingBack]:
    lesson = load_lesson(overrides=LIGHT_ENGLISH if name in ("short", "en") else {})
    states = run_station(Watched, trace_of(name), lesson)
    return states, SEEN[-1]


def texts_at(name: str, beat: str) -> str:
    return "\n".join(next(s for s in run(name)[0] if s.beat.name == beat).texts)


def recorded(name: str, *beats: str) -> list:
    return [c for c in run(name)[1].channels.recorded if c.beat in beats]


@pytest.mark.parametrize("name", [*PAIRS])
def test_every_beat_is_printable(name):
    assert not problems(run(name)[0])


def test_the_beats_come_in_their_order_and_take_the_time_they_should():
    states, _ = run("zh")
    assert [state.beat.name for state in states] == BEATS
    assert 40 <= states[-1].beat.end <= 120


def test_every_weight_that_can_be_seen_is_a_dot_of_its_size():
    dots = {c.index: c for c in recorded("short", "rest") if c.attribute == "radius"}
    full = max(c.expected / c.value for c in dots.values())
    for index, weight in np.ndenumerate(run("short")[1].trace.pairs[0].weights):
        if weight * full > 2e-3:
            assert dots[index].expected == pytest.approx(full * weight)


def test_beams_are_as_wide_as_the_weights_on_one_scale():
    weights = run("zh")[1].trace.pairs[0].weights
    beams = [c for c in recorded("zh", "softmax", "rest") if c.attribute == "stroke_width"]
    assert {c.index for c in beams} == set(np.ndindex(weights.shape))
    full = beams[0].expected / beams[0].value
    assert all(c.expected == pytest.approx(full * weights[c.index]) for c in beams)


def test_the_controls_stand_on_the_scales_of_what_they_are_compared_with():
    marks = recorded("zh", "untrained")
    assert {c.field for c in marks} == {"pairs[1].weights", "pairs[1].untrained_weights"}
    assert len({c.scale for c in marks}) == 1
    bars = [c for c in recorded("zh", "uniform") if c.attribute == "length"]
    assert {c.field for c in bars} == {"pairs[1].probabilities", "pairs[1].uniform_probabilities"}
    assert len({c.scale for c in bars}) == 1


def test_the_order_of_the_model_that_ran_is_named():
    assert "s′₁" in texts_at("zh", "ask")
    assert "s₀" in texts_at("mixed", "ask") and "s′" not in texts_at("mixed", "ask")


def test_a_pair_alone_is_not_told_to_be_a_contrast():
    beats = {state.beat.name: state.beat for state in run("two")[0]}
    assert "monotone" not in beats
    told = words("zh")("looking_back.captions.crossing_only_none")
    assert beats["crossing"].captions["zh"] == told


def test_words_the_model_would_not_say_are_named_whatever_their_capitals():
    assert disputed(trace_of("short").pairs[0]) == [2]
    assert "tea" in texts_at("short", "rest")
    assert "tea" not in texts_at("short", "speak")


def test_unknown_words_are_named_and_the_trust_is_that_of_the_pair_on_screen():
    zh = words("zh")
    assert zh("looking_back.labels.carried", words="PyTorch") in texts_at("mixed", "rest")
    assert zh("common.trust.carried") in texts_at("mixed", "rest")
    assert zh("common.trust.known") in texts_at("mixed", "crossing")


def test_a_sentence_that_the_model_does_not_know_is_said_to_be_one():
    en = words("en")
    beats = {state.beat.name: state.beat for state in run("en")[0]}
    for lang in LANGUAGES:
        told = words(lang)("looking_back.captions.question_unknown")
        assert beats["question"].captions[lang] == told
    badges = [en(f"common.trust.{key}") for key in ("unknown", "short_unknown")]
    for beat in ("question", "rest"):
        assert any(badge in texts_at("en", beat) for badge in badges)
    assert en("common.trust.seeds", agreeing=1, seeds=3) in texts_at("en", "question")
    assert not any(badge in texts_at("en", "crossing") for badge in badges)


def test_what_trust_is_decided_by_can_be_read():
    evidence, zh = trace_of("zh").pairs[0].evidence, words("zh")
    told = zh("common.trust.needed", needed=evidence.needed, content=evidence.content_words)
    assert told in texts_at("zh", "question")
    shown = [c for c in recorded("zh", "question") if c.label == "min p"]
    assert [c.field for c in shown] == ["pairs[0].evidence.least_probability"]
    assert shown[0].value == evidence.least_probability
    other = trace_of("zh").pairs[1].evidence
    told = zh("common.trust.needed", needed=other.needed, content=other.content_words)
    assert told in texts_at("zh", "leave_one_out")


def test_the_captions_of_the_controls_say_the_numbers_of_the_trace():
    pair = trace_of("zh").pairs[1]
    beats = {state.beat.name: state.beat.captions["en"] for state in run("zh")[0]}
    assert f"{pair.weights.max():.2f}" in beats["untrained"]
    drop = pair.probabilities - pair.uniform_probabilities
    assert pair.target[int(drop.argmax())] in beats["uniform"]
    agree = int((pair.leave_one_out.argmax(axis=1) == pair.alignment).sum())
    assert str(agree) in beats["leave_one_out"]


def test_both_languages_have_the_same_texts():
    one, other = (
        {key for key in sorted(words(lang).keys()) if key.startswith("looking_back.")}
        for lang in LANGUAGES
    )
    assert one == other
    assert "looking_back.note" in one


@pytest.mark.parametrize(
    ("count", "pitch", "needed", "lanes"), [(3, 0.5, 0.2, 1), (5, 0.15, 0.2, 2), (4, 0.07, 0.2, 3)]
)
def test_labels_take_turns_where_they_would_touch(count, pitch, needed, lanes):
    taken = label_lanes(count, pitch, needed)
    assert max(taken) + 1 == lanes
    for a in range(count):
        for b in range(a):
            assert taken[a] != taken[b] or (a - b) * pitch >= needed


def test_weights_that_stand_on_screen_add_up_to_one_by_eye():
    """0.99, 0.00 and 0.00 under a sum of 1.000 would not."""
    shown = [c for c in recorded("short", "softmax") if c.attribute == "value"]
    weights = [c for c in shown if c.field == "pairs[0].weights"]
    assert len(weights) == len(trace_of("short").pairs[0].source)
    texts = texts_at("short", "softmax")
    assert all(f"{c.value:.3f}" in texts for c in weights)


def test_a_frozen_share_is_a_number_not_a_letter():
    """1/9, not 1/J: nobody has been told what J is."""
    count = len(trace_of("zh").pairs[1].source)
    for lang in ("zh", "en"):
        assert words(lang)("looking_back.labels.frozen", count=count).endswith(f"1/{count}")
        beat = next(state.beat for state in run("zh")[0] if state.beat.name == "uniform")
        assert f"1/{count}" in beat.captions[lang]


def test_numbers_after_short_bars_do_not_touch_the_bars_over_them():
    run("zh")
    assert (gaps := run("zh")[1].gaps) and min(gaps) > 0.08  # the height of an exponent


def test_a_footer_too_long_for_its_line_leaves_the_quantity_out():
    """Several seeds and a twin in 4:3: a second line would lie on the caption."""
    trace = trace_of("zh")
    models = (replace(trace.provenance.models[0], name="translator_zh-en_conditional_seed1/2/3"),
              replace(trace.provenance.models[0], name="untrained twin", trained=False))
    trace = replace(trace, provenance=replace(trace.provenance, models=models))
    for lang in ("zh", "en"):
        lesson = load_lesson(overrides={"lang": lang, "look.aspect": "4:3"})
        assert not problems(run_station(LookingBack, trace, lesson, "4:3"))
