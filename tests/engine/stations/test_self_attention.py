"""Station 7's numbers: whom the pronoun means, and what happens when words change places."""

from __future__ import annotations

import numpy as np
import pytest

from engine import load_lesson
from engine.errors import InputError
from engine.stations.self_attention import build
from engine.traces import SelfAttentionTrace, from_json, to_json


@pytest.fixture(scope="module")
def trace() -> SelfAttentionTrace:
    return build(load_lesson(), "cpu")


def test_the_pronoun_finds_whom_it_means(trace):
    for look, meant in ((trace.told, "小明"), (trace.names, "小明"), (trace.swapped, "小明"),
                        (trace.thing, "书")):
        assert look.tokens[look.antecedent] == meant == look.answer
        assert look.attended == look.antecedent and look.right
        assert look.trust == "known" and look.agreeing == len(trace.seeds)
        assert look.weights[look.pronoun, look.antecedent] > 0.8
        assert look.seed_weights[0] == look.weights[look.pronoun, look.antecedent]


def test_hiding_the_word_that_is_meant_costs_most(trace):
    for look in (trace.told, trace.names, trace.thing):
        assert look.leave_one_out.argmax() == look.antecedent
        assert look.leave_one_out[look.antecedent] > 1


def test_before_training_no_word_is_looked_at_much(trace):
    look = trace.told
    assert look.untrained_weights[look.pronoun].max() < 2 / len(look.tokens)


def test_names_change_places_and_nothing_else(trace):
    order = trace.reordered.order
    assert trace.swapped.tokens == tuple(trace.names.tokens[i] for i in order)
    assert (order != np.arange(len(order))).sum() == 2


def test_without_positions_the_outputs_only_change_places(trace):
    told = trace.reordered
    apart = told.unordered_swapped_outputs - told.unordered_outputs[told.order]
    assert np.abs(apart).max() == told.unordered_difference < 1e-12
    assert told.difference > 0.01


def test_held_out_sentences_tell_the_same_by_every_seed(trace):
    held = trace.held_out
    assert held.count == 500
    assert held.right.min() >= 0.99 and held.weights.min() > 0.9
    assert held.untrained_weights.max() < 0.2


def test_english_sentences_bring_english_examples():
    trace = build(load_lesson(overrides={
        "self_attention.sentence": "Xiaohong told Xiaoming that he was tired"}), "cpu")
    assert trace.told.answer == "Xiaoming"
    assert trace.names.tokens == trace.told.tokens  # it has two names of its own
    assert trace.thing.tokens[trace.thing.antecedent] == "book"


def test_words_it_does_not_know_are_marked_and_lower_the_trust():
    sentence = "小明|在|火星|遇到|小红|，|他|很|累"
    look = build(load_lesson(overrides={"self_attention.sentence": sentence}), "cpu").told
    assert look.unknown.tolist() == [word == "火星" for word in look.tokens]
    assert look.trust in ("carried", "unknown")


@pytest.mark.parametrize(
    ("key", "sentence", "error"),
    [
        ("sentence", "小明告诉小刚他很累", "coreference.undecidable"),
        ("sentence", "今天天气很好", "coreference.no_pronoun"),
        ("names.zh", "小明说他很累", "coreference.two_names"),
        ("thing.zh", "小红买了书", "coreference.no_pronoun"),
    ],
)
def test_sentences_that_cannot_be_decided_are_refused_by_name(key, sentence, error):
    with pytest.raises(InputError) as caught:
        build(load_lesson(overrides={f"self_attention.{key}": sentence}), "cpu")
    assert caught.value.key == error
    assert f"self_attention.{key}" in caught.value.text("en")


def test_a_trace_survives_its_file(trace):
    assert to_json(from_json(to_json(trace))) == to_json(trace)
