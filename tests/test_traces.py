"""Traces check themselves, and survive the way to disk and back bit for bit."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.traces import from_json, to_json
from tests import factories

TRACES = {
    "relay_game": factories.relay_game,
    "conveyor_belt": factories.conveyor_belt,
    "closed_eyes_recital": factories.closed_eyes_recital,
    "looking_back": factories.looking_back,
}


def same(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray):
        return (
            isinstance(other, np.ndarray)
            and one.dtype == other.dtype
            and (one.shape == other.shape and bool((one == other).all()))
        )
    if dataclasses.is_dataclass(one):
        return type(one) is type(other) and all(
            same(getattr(one, f.name), getattr(other, f.name)) for f in dataclasses.fields(one)
        )
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


@pytest.mark.parametrize("make", TRACES.values(), ids=TRACES)
def test_the_way_to_disk_and_back(make):
    trace = make()
    text = to_json(trace)
    assert same(from_json(text), trace)
    assert to_json(from_json(text)) == text


@pytest.mark.parametrize("make", TRACES.values(), ids=TRACES)
def test_the_file_says_where_its_numbers_come_from(make):
    table = json.loads(to_json(make()))
    assert table["station"] in TRACES
    told = {"models", "seed", "dtype", "device", "versions", "learned", "lesson"}
    assert set(table["provenance"]) == told


@pytest.mark.parametrize("station", TRACES)
def test_a_trace_cannot_be_changed(station):
    with pytest.raises(dataclasses.FrozenInstanceError):
        TRACES[station]().provenance = None


def test_a_value_that_is_no_number_is_refused():
    trace = factories.relay_game()
    broken = trace.relative_gradients.copy()
    broken[0] = np.nan
    with pytest.raises(ValueError, match="relative_gradients holds a value that is not finite"):
        dataclasses.replace(trace, relative_gradients=broken)


def test_only_a_logarithm_may_be_minus_infinity():
    trace = factories.relay_game()
    gone = trace.log10_gradient_norms.copy()
    gone[0] = -np.inf
    vanished = dataclasses.replace(trace, log10_gradient_norms=gone)
    assert '"log10_gradient_norms": [\n  null,' in to_json(vanished)
    assert same(from_json(to_json(vanished)), vanished)
    with pytest.raises(ValueError, match="weight_parts"):
        dataclasses.replace(trace, weight_parts=gone)


def test_shapes_must_agree():
    trace = factories.relay_game()
    with pytest.raises(ValueError, match="step_factors has shape"):
        dataclasses.replace(trace, step_factors=trace.step_factors[1:])


def test_rows_of_weights_sum_to_one():
    trace = factories.looking_back()
    pair = trace.pairs[0]
    with pytest.raises(ValueError, match="rows of weights do not sum to 1"):
        dataclasses.replace(trace, pairs=(dataclasses.replace(pair, weights=pair.weights * 0.99),))


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "{}", '{"station": "nowhere"}', '{"station": "relay_game"}', "\0"]
)
def test_anything_else_is_no_trace(text):
    with pytest.raises(ValueError):
        from_json(text)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_written_exactly(value):
    trace = dataclasses.replace(factories.relay_game("我|爱|你"), spectral_norm=value)
    assert from_json(to_json(trace)).spectral_norm == value
