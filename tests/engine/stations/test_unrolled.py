"""The unrolled loop's numbers, computed a second way."""

import numpy as np
import pytest
import torch

from engine import load_lesson, to_json
from engine.errors import InputError
from engine.stations.unrolled import build, drawn, vectors


def lesson(sentence="我|昨天|在|杭州|买|了|一|本|书", seed=0, **keys):
    keys = {f"unrolled.{key}": value for key, value in (keys | {"sentence": sentence}).items()}
    return load_lesson(overrides=keys | {"seed": seed})


@pytest.fixture(scope="module")
def trace():
    return build(lesson(), "cpu")


def read(trace, matrix, words):
    """h_t = tanh(W h + U x + b), written out."""
    hidden, states = np.zeros(len(matrix)), []
    for word in words:
        hidden = np.tanh(matrix @ hidden + trace.input_weight @ word + trace.bias)
        states.append(hidden)
    return np.array(states)


def test_states_before_and_after_one_entry_is_changed(trace):
    words = vectors(trace.tokens, 6, 0).numpy()
    before = read(trace, trace.recurrent_weight, words)
    matrix = trace.recurrent_weight.copy()
    matrix[trace.entry] += 0.5
    after = read(trace, matrix, words)
    np.testing.assert_allclose(trace.hidden_states, before, rtol=0, atol=1e-12)
    np.testing.assert_allclose(trace.changed_states, after, rtol=0, atol=1e-12)
    moved = np.linalg.norm(after - before, axis=-1)
    np.testing.assert_allclose(trace.state_differences, moved, rtol=0, atol=1e-12)
    assert trace.entry_after - trace.entry_before == pytest.approx(0.5)


def test_every_copy_moves_but_the_first_which_only_knows_zero(trace):
    assert trace.state_differences[0] == 0.0
    assert (trace.state_differences[1:] > 0).all()
    assert trace.states_changed == len(trace.tokens) - 1


@pytest.mark.parametrize(("units", "embedding"), [(8, 6), (1, 1), (5, 16)])
def test_parameters_are_counted_as_torch_counts_them(units, embedding):
    told = build(lesson(hidden_size=units, embedding_size=embedding, steps=[2, 50]), "cpu")
    module = torch.nn.RNN(embedding, units)
    doubled = sum(p.numel() for p in module.parameters())  # torch keeps b twice
    assert told.parameters == doubled - units == units**2 + units * embedding + units
    assert told.shared.tolist() == [told.parameters] * 2
    assert told.separate.tolist() == [2 * told.parameters, 50 * told.parameters]


@pytest.mark.parametrize("seed", range(3))
def test_the_parts_sum_to_the_gradient(seed):
    told = build(lesson(seed=seed), "cpu")
    _, readout = drawn(8, 6, seed)
    words = vectors(told.tokens, 6, seed)
    # W is given to every step as a leaf of its own: each leaf's gradient is that step's part.
    leaves = [torch.tensor(told.recurrent_weight, requires_grad=True) for _ in told.tokens]
    hidden = torch.zeros(8, dtype=torch.float64)
    for leaf, word in zip(leaves, words, strict=True):
        driven = torch.tensor(told.input_weight) @ word + torch.tensor(told.bias)
        hidden = torch.tanh(leaf @ hidden + driven)
    parts = torch.autograd.grad(hidden @ readout, leaves)
    norms = [float(part.norm()) for part in parts]
    np.testing.assert_allclose(told.part_norms, norms, rtol=1e-10, atol=1e-15)
    np.testing.assert_allclose(told.weight_gradient, sum(parts).numpy(), rtol=0, atol=1e-13)
    assert told.weight_gradient_norm == pytest.approx(np.linalg.norm(told.weight_gradient))
    assert told.sum_error < 1e-14
    assert told.entry == np.unravel_index(np.abs(told.weight_gradient).argmax(), (8, 8))


@pytest.mark.parametrize("sentence", ["你好", "|".join("字" * 40), "I love you"])
def test_any_length_holds(sentence):
    told = build(lesson(sentence), "cpu")
    assert len(told.hidden_states) == len(told.tokens)
    if len(told.tokens) == 1:
        assert told.states_changed == 0 and told.weight_gradient_norm == 0.0


def test_a_word_said_twice_has_one_vector():
    words = vectors(("a", "b", "a"), 4, 0)
    assert torch.equal(words[0], words[2]) and not torch.equal(words[0], words[1])


@pytest.mark.parametrize(("key", "value"), [
    ("hidden_size", 17), ("embedding_size", 0), ("steps", [0]), ("steps", []), ("change", 11.0),
])
def test_values_out_of_range_are_refused(key, value):
    with pytest.raises(InputError, match=f"unrolled.{key}"):
        lesson(**{key: value})


def test_the_same_lesson_gives_the_same_bytes(trace):
    assert to_json(build(lesson(), "cpu")) == to_json(trace)
    assert to_json(build(lesson(seed=1), "cpu")) != to_json(trace)
