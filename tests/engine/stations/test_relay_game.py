"""The relay game's numbers, computed a second way."""

import numpy as np
import pytest
import torch

from engine import load_lesson, to_json
from engine.stations.relay_game import build, drawn, repeated

SENTENCE = "我|上个月|在|旧|书店|淘到|的|那|本|讲|量子力学|的|书|，|它|很|有趣"
CPU = torch.device("cpu")


def lesson(**keys):
    return load_lesson(
        overrides={
            "relay_game.sentence": SENTENCE,
            **{f"relay_game.{key}": value for key, value in keys.items()},
        }
    )


@pytest.fixture(scope="module")
def trace():
    return build(lesson(), "cpu")


def test_act_1_is_exactly_a_power_of_the_gain(trace):
    expected = 0.9 ** np.arange(101)
    np.testing.assert_allclose(10**trace.log10_linear_norms, expected, rtol=1e-12)
    assert 10 ** trace.log10_linear_norms[50] == pytest.approx(5.15e-3, rel=1e-3)
    assert trace.log10_linear_far == pytest.approx(1000 * np.log10(0.9), rel=1e-12)
    assert trace.spectral_norm == pytest.approx(0.9) == trace.spectral_radius


def test_act_2_fades_faster_than_the_gain(trace):
    steps_back = np.arange(len(trace.tokens))[::-1]
    assert (trace.relative_gradients[:-1] < 0.9 ** steps_back[:-1]).all()
    assert trace.relative_gradients[-1] == 1.0
    np.testing.assert_allclose(
        trace.step_factors[::-1].cumprod()[::-1], trace.relative_gradients[:-1], rtol=1e-12
    )
    assert trace.autograd_error < 1e-10


def test_act_2_equals_torch_and_its_autograd(trace):
    network = drawn(trace.tokens, trace.hidden_size, 0, CPU)
    module = torch.nn.RNN(trace.hidden_size, trace.hidden_size, bias=False).double()
    with torch.no_grad():
        module.weight_ih_l0.copy_(network.weights.input_weight)
        module.weight_hh_l0.copy_(0.9 * network.weights.recurrent_weight)
    words = network.words.clone().requires_grad_()
    states = module(words)[0]
    (states[-1] @ network.readout).backward()
    np.testing.assert_allclose(trace.hidden_states, states.detach(), rtol=0, atol=1e-12)
    by_word = words.grad.norm(dim=-1).log10()
    np.testing.assert_allclose(trace.log10_input_gradient_norms, by_word, rtol=0, atol=1e-10)
    whole = float(module.weight_hh_l0.grad.norm())
    assert trace.weight_gradient_norm == pytest.approx(whole, rel=1e-10)


def test_the_first_word_has_no_part_in_the_recurrent_weight_gradient(trace):
    # It is added to the zero state, which W cannot have changed.
    assert trace.weight_parts[0] == 0.0
    assert (trace.weight_parts[1:] > 0).all()
    assert trace.weight_parts.sum() >= trace.weight_gradient_norm


def test_a_repeated_word_has_one_embedding(trace):
    words = drawn(trace.tokens, 32, 0, CPU).words
    first, second = (i for i, token in enumerate(trace.tokens) if token == "的")
    assert torch.equal(words[first], words[second])
    torch.testing.assert_close(words.norm(dim=-1), torch.ones(len(words), dtype=torch.float64))


def test_the_band_holds_other_seeds(trace):
    assert trace.log10_band.shape == (8, len(trace.tokens))
    assert (trace.log10_band[:, -1] == 0).all()
    assert len(np.unique(trace.log10_band[:, 0])) == 8
    alone = build(load_lesson(overrides={"relay_game.sentence": SENTENCE, "seed": 1}), "cpu")
    np.testing.assert_allclose(
        trace.log10_band[0], np.log10(alone.relative_gradients), rtol=0, atol=1e-12
    )


@pytest.mark.parametrize("seed", range(3))
def test_act_3_explodes_and_only_clipping_by_norm_keeps_the_direction(seed):
    trace = build(load_lesson(overrides={"relay_game.sentence": SENTENCE, "seed": seed}), "cpu")
    assert trace.log10_exploding_norms[-1] > 4
    clip = trace.clipping
    assert clip.log10_norm > 3
    assert clip.norm_clipped == pytest.approx(clip.limit)
    assert clip.cosine_by_norm == pytest.approx(1.0, abs=1e-12)
    assert clip.cosine_by_value < 0.9


def test_the_sentence_is_read_again_and_again_in_act_3():
    assert repeated(torch.arange(3.0)[:, None], 7).flatten().tolist() == [0, 1, 2, 0, 1, 2, 0]


@pytest.mark.parametrize(
    "keys",
    [
        {"sentence": "hello"},
        {"gain": 0.0, "exploding_gain": 0.0},
        {"gain": 1e6, "exploding_gain": 1e6},
        {"exploding_gain": 100.0, "steps": 1000, "hidden_size": 64},
    ],
)
def test_extreme_lessons_still_give_a_valid_trace(keys):
    trace = build(lesson(**keys), "cpu")
    assert "NaN" not in to_json(trace)


def test_the_same_lesson_gives_the_same_json(trace):
    assert to_json(build(lesson(), "cpu")) == to_json(trace)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_the_gpu_gives_the_same_numbers(trace):
    other = build(lesson(), "cuda")
    np.testing.assert_allclose(other.log10_gradient_norms, trace.log10_gradient_norms, atol=1e-8)
    np.testing.assert_allclose(other.log10_exploding_norms, trace.log10_exploding_norms, atol=1e-5)
