"""The conveyor belt's numbers, computed a second way from the shipped weights."""

import numpy as np
import pytest
import torch

from engine import load_lesson, to_json
from engine.errors import InputError
from engine.recall import load_memory, weights_path
from engine.stations.conveyor_belt import build, chosen_lags

SENTENCE = "小明|昨天|在|旧|书店|买|了|一|本|讲|量子力学|的|书|，|然后|他|在|咖啡馆|喝|茶"
CPU = torch.device("cpu")


def lesson(sentence=SENTENCE, name="小明", steps=60):
    keys = {"sentence": sentence, "name": name, "steps": steps}
    return load_lesson(overrides={f"conveyor_belt.{key}": value for key, value in keys.items()})


@pytest.fixture(scope="module")
def trace():
    return build(lesson(), "cpu")


def memory_of(cell):
    return load_memory(weights_path(cell), CPU, torch.float64)


def test_the_belt_is_kept_plus_written(trace):
    kept = trace.forget_gate * trace.cell_states[:-1]
    written = trace.input_gate * trace.candidate
    np.testing.assert_allclose(trace.cell_states[1:], kept + written, rtol=0, atol=1e-12)
    assert trace.update_error < 1e-12
    spoken = trace.output_gate * np.tanh(trace.cell_states[1:])
    np.testing.assert_allclose(trace.hidden_states[1:], spoken, rtol=0, atol=1e-12)


@pytest.mark.parametrize("index", range(3))
def test_the_reach_of_each_loss_equals_autograd(trace, index):
    recall = trace.recalls[index]
    memory = memory_of(recall.cell)
    words = memory.model.embedding(memory.encode(trace.tokens)).detach().requires_grad_()
    states = memory.model.cell(words)[0]
    name = memory.names.index(trace.name)
    log_probability = memory.model.readout(states[-1]).log_softmax(dim=-1)[name]
    (-log_probability).backward()
    expected = words.grad.norm(dim=-1).log10().numpy()
    np.testing.assert_allclose(recall.log10_input_gradients, expected, rtol=0, atol=1e-9)
    assert recall.probability == pytest.approx(log_probability.exp().item(), rel=1e-10)


def test_trained_alike_only_the_gated_cells_answer_and_reach_back(trace):
    rnn, lstm, gru = trace.recalls
    assert lstm.answer == gru.answer == trace.name == "小明"
    assert lstm.names_right == gru.names_right == lstm.names
    assert rnn.names_right < rnn.names / 5  # whatever it says, it says of nearly every name
    assert rnn.log10_state_jacobians[0] < -3
    assert lstm.log10_state_jacobians[0] > -1
    assert gru.log10_state_jacobians[0] > -1
    # The control: the plain cell can do it, if it is taught near distances first.
    assert trace.near_first_rnn.names_right == lstm.names


def test_the_direct_path_is_the_product_of_forget_gates(trace):
    whole = trace.forget_gate[1:].prod(axis=0)
    best = np.argsort(-whole, kind="stable")[: len(trace.units)]
    assert trace.units.tolist() == best.tolist()
    np.testing.assert_allclose(10 ** trace.log10_direct_path[0], whole[best], rtol=1e-12)
    assert trace.log10_direct_path[-1].tolist() == [0.0] * len(trace.units)
    assert trace.log10_direct_norms[0] == pytest.approx(np.log10(whole.max()))


def test_the_full_path_from_cell_to_cell_equals_autograd(trace):
    memory = memory_of("lstm")
    words = memory.model.embedding(memory.encode(trace.tokens)).detach()
    _, (hidden, cell) = memory.model.cell(words[:1])

    def last_cell(first):
        return memory.model.cell(words[1:], (hidden, first))[1][1][0]

    jacobian = torch.autograd.functional.jacobian(last_cell, cell)[:, 0]
    norm = float(torch.linalg.matrix_norm(jacobian, 2).log10())
    assert trace.log10_full_norms[0] == pytest.approx(norm, abs=1e-9)
    assert trace.log10_full_norms[-1] == 0.0


def test_forget_biases_slow_the_fading(trace):
    zero, one, three = trace.forget_biases
    assert (zero.bias, one.bias, three.bias) == pytest.approx((0.0, 1.0, 3.0))
    ends = [far.log10_direct_path[-1] for far in trace.forget_biases]
    assert ends == sorted(ends)
    assert ends[0] < -10
    for far in (*trace.forget_biases, trace.trained_forget_bias):
        assert far.lags.tolist() == list(range(61))
        assert far.log10_direct_path[0] == 0.0
        assert far.log10_full_gradient[0] == pytest.approx(0.0, abs=1e-12)
        assert (np.diff(far.log10_direct_path) < 0).all()


def test_lags_are_dense_near_by_and_sparse_far_away():
    assert chosen_lags(7) == list(range(8))
    far = chosen_lags(1000)
    assert far[:102] == [*range(101), 110]
    assert far[-1] == 1000
    assert len(far) == 191


@pytest.mark.parametrize(
    ("sentence", "name", "first", "added"),
    [
        ("他|昨天|喝|茶", "玛丽", "玛丽", True),
        ("The teacher reads an old book", "玛丽", "Mary", True),
        ("Mary reads an old book", "小明", "Mary", False),
        ("blorp", "小明", "Xiaoming", True),
    ],
)
def test_any_sentence_can_stand_between_name_and_question(sentence, name, first, added):
    trace = build(lesson(sentence, name, steps=5), "cpu")
    assert (trace.tokens[0], trace.name, trace.name_added) == (first, first, added)
    assert [recall.answer for recall in trace.recalls[1:]] == [first] * 2
    assert trace.unknown.tolist() == [token == "blorp" for token in trace.tokens]


def test_a_name_that_was_never_trained_is_refused():
    with pytest.raises(InputError, match="小强"):
        build(lesson("他|昨天|喝|茶", "小强"), "cpu")


def test_the_same_lesson_gives_the_same_json(trace):
    assert to_json(build(lesson(), "cpu")) == to_json(trace)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_the_gpu_gives_the_same_numbers(trace):
    other = build(lesson(), "cuda")
    np.testing.assert_allclose(other.cell_states, trace.cell_states, rtol=0, atol=1e-10)
    for ours, theirs in zip(trace.recalls, other.recalls, strict=True):
        np.testing.assert_allclose(
            ours.log10_input_gradients, theirs.log10_input_gradients, atol=1e-6
        )
