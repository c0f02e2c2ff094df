"""Station 8's numbers: those of station 5 under other names, and torch's own attention."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional

from engine import load_lesson
from engine.stations import looking_back, self_attention
from engine.stations.query_key_value import build, sensitivity
from engine.traces import QueryKeyValueTrace, from_json, to_json

CLOSE = {"rtol": 0, "atol": 1e-12}


@pytest.fixture(scope="module")
def trace() -> QueryKeyValueTrace:
    return build(load_lesson(), "cpu")


def test_relabelling_leaves_the_numbers_of_station_5(trace):
    earlier = looking_back.build(load_lesson(), "cpu").pairs[0]
    pair = trace.pair
    assert pair.source == earlier.source and pair.target == earlier.target
    np.testing.assert_array_equal(pair.earlier_weights, earlier.weights)
    np.testing.assert_allclose(pair.weights, earlier.weights, **CLOSE)
    np.testing.assert_allclose(pair.contexts, earlier.contexts, **CLOSE)
    np.testing.assert_allclose(pair.scores, earlier.scores, **CLOSE)
    np.testing.assert_array_equal(pair.values, earlier.annotations)
    assert np.abs(pair.weights - earlier.weights).max() == pair.weight_difference < 1e-14


def test_the_dot_product_is_that_of_torch(trace):
    pair = trace.pair
    queries, keys, values = (
        torch.from_numpy(part)[None] for part in (pair.queries, pair.keys, pair.values)
    )
    theirs = functional.scaled_dot_product_attention(queries, keys, values)[0].numpy()
    np.testing.assert_allclose(pair.dot_weights @ pair.values, theirs, **CLOSE)


def test_the_projections_are_those_of_station_7(trace):
    told = self_attention.build(load_lesson(), "cpu").told
    one = trace.sentence
    assert one.tokens == told.tokens and one.asking == told.pronoun
    np.testing.assert_allclose(one.weights, told.weights[told.pronoun], **CLOSE)
    np.testing.assert_allclose(one.scores, told.scores[told.pronoun], **CLOSE)
    np.testing.assert_allclose(one.products, one.keys @ one.queries[one.asking], **CLOSE)
    np.testing.assert_allclose(one.scores * np.sqrt(trace.units), one.products, **CLOSE)
    assert one.product_error < 1e-12


def test_sensitivity_is_the_size_of_softmaxs_own_jacobian(trace):
    scores = torch.from_numpy(trace.sentence.scores)
    jacobian = torch.autograd.functional.jacobian(lambda s: s.softmax(dim=-1), scores)
    assert trace.sentence.sensitivity == pytest.approx(float(jacobian.norm()))
    assert sensitivity(torch.full((4,), 0.25)) > trace.sentence.sensitivity
    assert trace.sentence.undivided_sensitivity < trace.sentence.sensitivity


def test_products_of_random_vectors_scatter_by_the_root_of_their_size(trace):
    spread = trace.spread
    np.testing.assert_allclose(spread.deviations, np.sqrt(spread.sizes), rtol=0.05)
    np.testing.assert_allclose(spread.divided, spread.deviations / np.sqrt(spread.sizes))


def test_a_pair_and_a_sentence_of_its_own_come_before_those_of_other_stations():
    lesson = load_lesson(overrides={
        "query_key_value.pair": {"source": "我爱你"},
        "query_key_value.sentence": "Xiaohong said she was tired"})
    trace = build(lesson, "cpu")
    assert trace.pair.source == ("我", "爱", "你")
    assert trace.sentence.tokens[trace.sentence.asking] == "she"


def test_a_trace_survives_its_file(trace):
    assert to_json(from_json(to_json(trace))) == to_json(trace)
