"""The query-key-value clip: every beat is printable, and shows what its trace says."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from engine.errors import InputError
from engine.lesson import load_lesson
from engine.traces import QueryKeyValueTrace
from engine.words import LANGUAGES, words
from scenes.query_key_value import QueryKeyValue
from tests.attending_factories import PRONOUNS, query_key_value
from tests.factories import PAIRS
from tests.scenes.geometry import BeatState, problems, run_station

BEATS = ["seen", "query", "key", "value", "same", "dot", "split", "divide", "spread", "name"]
SEEN: list[QueryKeyValue] = []


class Watched(QueryKeyValue):
    """Leaves itself behind, so that its channels can be asked for afterwards."""

    station = "query_key_value"

    def setup(self) -> None:
        super().setup()
        SEEN.append(self)


def trace_of(name: str) -> QueryKeyValueTrace:
    """short: exactly equal weights, in Bahdanau's order. en: dividing changes little."""
    trace = query_key_value(PAIRS[name], PRONOUNS[name])
    if name == "short":
        pair = replace(trace.pair, context_difference=0.0, dot_weights=trace.pair.weights)
        return replace(trace, pair=pair, decoder="bahdanau")
    if name == "en":
        return replace(trace, sentence=replace(trace.sentence, undivided_sensitivity=5e-4))
    return trace


@cache
def run(name: str, aspect: str = "16:9") -> tuple[list[BeatState], QueryKeyValue]:
    light = {"look.theme": "light", "lang": "en"} if name in ("short", "en") else {}
    states = run_station(Watched, trace_of(name), load_lesson(overrides=light), aspect)
    return states, SEEN[-1]


def caption(name: str, beat: str, lang: str = "en") -> str:
    return next(s.beat.captions[lang] for s in run(name)[0] if s.beat.name == beat)


def texts(name: str, beat: str) -> str:
    return "\n".join(next(s for s in run(name)[0] if s.beat.name == beat).texts)


def recorded(name: str, *beats: str) -> list:
    return [c for c in run(name)[1].channels.recorded if c.beat in beats]


@pytest.mark.parametrize("name", [*PAIRS])
def test_every_beat_is_printable(name):
    assert not problems(run(name)[0])


def test_it_holds_in_a_narrower_frame():
    assert not problems(run("short", "4:3")[0])


def test_a_frame_that_is_too_narrow_is_refused_by_name():
    with pytest.raises(InputError) as caught:
        run("short", "9:16")
    assert caught.value.key == "station.frame"


def test_the_beats_come_in_their_order_and_take_the_time_they_should():
    states, _ = run("zh")
    assert [state.beat.name for state in states] == BEATS
    assert 50 <= states[-1].beat.end <= 85


def test_names_change_in_place_and_nothing_else():
    zh = words("zh")
    old = zh("query_key_value.labels.old_key")
    assert old in texts("zh", "query") and old not in texts("zh", "key")
    assert zh("query_key_value.labels.key") in texts("zh", "key")
    assert not recorded("zh", "query", "key", "value")


def test_weights_of_both_stations_stand_on_one_scale():
    bars = [c for c in recorded("zh", "", "seen", "same", "value") if c.attribute == "height"]
    assert {c.field for c in bars} == {"pair.weights", "pair.earlier_weights"}
    assert len({c.scale for c in bars}) == 1
    said = {c.label: c.value for c in recorded("zh", "same") if c.attribute == "value"}
    assert said == {"weight_difference": 0.0, "context_difference": 1e-16}


def test_equality_is_only_said_of_what_is_equal():
    assert "not one weight differs" in caption("short", "same")
    assert "not one weight differs" not in caption("zh", "same")


def test_the_order_of_the_model_that_ran_is_named():
    assert "s′₁" in texts("zh", "seen") and "s₀" in texts("short", "seen")


def test_the_dot_product_is_said_to_be_untrained_whatever_it_shows():
    assert all("not trained for it" in caption(name, "dot") for name in ("short", "zh"))
    assert "hardly differ" in caption("short", "dot")


def test_scores_with_and_without_the_root_share_one_scale():
    bars = [c for c in recorded("zh", "split", "divide") if c.attribute == "height"]
    assert {c.field for c in bars} == {"sentence.products", "sentence.scores"}
    assert len({c.scale for c in bars}) == 1
    assert "gradient is gone" in caption("zh", "divide")
    assert "gradient is gone" not in caption("en", "divide")


def test_the_scatter_of_random_products_is_drawn_beside_what_dividing_leaves():
    bars = [c for c in recorded("zh", "divide", "spread") if c.field.startswith("spread.")]
    heights = {(c.field, c.index): c.expected for c in bars if c.attribute == "height"}
    assert len(heights) == 10
    ratio = heights["spread.deviations", (4,)] / heights["spread.divided", (4,)]
    assert ratio == pytest.approx(32.0)


def test_both_languages_have_the_same_texts():
    one, other = (
        {key for key in words(lang).keys() if key.startswith("query_key_value.")}  # noqa: SIM118
        for lang in LANGUAGES
    )
    assert one == other
    assert "query_key_value.note" in one
