"""Exact Jacobians, carried gradients and clipping, held against autograd in float64."""

import math
import time

import pytest
import torch
from torch import nn

from engine.cells import LSTMRun, Weights, kind_of, run_cell, run_lstm, run_rnn
from engine.gradients import (
    backpropagate,
    clip_by_norm,
    clip_by_value,
    cosine,
    direct_path,
    per_step_factors,
)
from engine.jacobians import lagged_products, step_jacobians
from tests.engine.test_cells import MODULES, inputs_for, made


def run_of(module, steps=30, seed=1):
    inputs = inputs_for(steps, module.input_size, seed=seed)
    return run_cell(kind_of(module), Weights.of(module), inputs)


def relative(value, expected):
    return float((value - expected).norm() / expected.norm())


def joint_state(run):
    """The last state, h alone or h beside c."""
    last = run.hidden_states[-1]
    return torch.cat((last, run.cell_states[-1])) if isinstance(run, LSTMRun) else last


def autograd_jacobian(module, steps=30):
    """∂s_T/∂s_0 by autograd, row by row."""
    kind, weights, inputs = kind_of(module), Weights.of(module), inputs_for(steps, 5)
    size = module.hidden_size

    def last_state(first):
        from engine.cells import run_gru

        if kind == "lstm":
            return joint_state(run_lstm(weights, inputs, (first[:size], first[size:])))
        return joint_state({"rnn": run_rnn, "gru": run_gru}[kind](weights, inputs, first))

    start = torch.zeros(size * (2 if kind == "lstm" else 1), dtype=torch.float64)
    return torch.autograd.functional.jacobian(last_state, start)


@pytest.mark.parametrize("module_class", MODULES)
@pytest.mark.parametrize("steps", [1, 30, 100])
def test_jacobian_products_equal_autograd(module_class, steps):
    module = made(module_class)
    product = lagged_products(step_jacobians(run_of(module, steps)), [steps])
    ours = product.matrices[0] * 10 ** product.log10_scales[0]
    expected = autograd_jacobian(module, steps)
    assert relative(ours, expected) < 1e-10
    norm = torch.linalg.matrix_norm(expected, 2).log10()
    assert float(product.log10_norms()[0]) == pytest.approx(float(norm), abs=1e-9)


@pytest.mark.parametrize("module_class", MODULES)
def test_batched_jacobians_equal_single_ones(module_class):
    module = made(module_class)
    inputs = inputs_for(6, 3, 5)
    kind, weights = kind_of(module), Weights.of(module)
    batched = step_jacobians(run_cell(kind, weights, inputs))
    single = step_jacobians(run_cell(kind, weights, inputs[:, 1]))
    torch.testing.assert_close(batched[:, 1], single, rtol=0, atol=1e-14)
    both = lagged_products(batched, [6, 2]).log10_norms()[:, 1]
    torch.testing.assert_close(both, lagged_products(single, [6, 2]).log10_norms())


@pytest.mark.parametrize("module_class", MODULES)
def test_carried_gradients_equal_autograd(module_class):
    module = made(module_class)
    inputs = inputs_for(40, 5).requires_grad_()
    readout = inputs_for(7, seed=3)
    states = module(inputs)[0]
    states.retain_grad()
    (states[-1] @ readout).backward()

    run = run_of(module, 40)
    last = torch.cat((readout, torch.zeros_like(readout))) if isinstance(run, LSTMRun) else readout
    ours = backpropagate(run, last)
    by_input = ours.inputs * 10 ** ours.log10_lengths[1:, None]
    for mine, theirs in zip(by_input, inputs.grad, strict=True):
        assert relative(mine, theirs) < 1e-10
    norms = inputs.grad.norm(dim=-1).log10()
    torch.testing.assert_close(ours.log10_inputs(), norms, rtol=0, atol=1e-10)
    for name, (unit, log10_length) in {
        "weight_hh_l0": ours.recurrent_weight(),
        "weight_ih_l0": ours.input_weight(),
    }.items():
        assert relative(unit * 10**log10_length, getattr(module, name).grad) < 1e-10


def test_the_gradient_at_each_hidden_state_equals_autograd():
    module = made(nn.RNN)
    weights, inputs, readout = Weights.of(module), inputs_for(25, 5), inputs_for(7, seed=3)
    hidden = torch.zeros(7, dtype=torch.float64, requires_grad=True)
    states = [hidden]
    for step in inputs:
        states.append(run_rnn(weights, step[None], states[-1]).hidden_states[0])
    expected = torch.stack(torch.autograd.grad(states[-1] @ readout, states))
    ours = backpropagate(run_rnn(weights, inputs), readout)
    torch.testing.assert_close(
        ours.log10_hidden(), expected.norm(dim=-1).log10(), rtol=0, atol=1e-10
    )
    factors = expected[:-1].norm(dim=-1) / expected[1:].norm(dim=-1)
    torch.testing.assert_close(per_step_factors(ours.log10_hidden()), factors, rtol=1e-9, atol=0)


@pytest.mark.parametrize("module_class", MODULES)
def test_per_step_parts_add_up_to_the_weight_gradient(module_class):
    run = run_of(made(module_class), 20)
    readout = inputs_for(joint_state(run).numel(), seed=3)
    ours = backpropagate(run, readout)
    deltas = (ours.gates * 10 ** ours.log10_lengths[1:, None, None]).flatten(1)
    parts = torch.einsum("tu,tv->tuv", deltas, run.previous_hidden)
    unit, log10_length = ours.recurrent_weight()
    assert relative(parts.sum(0), unit * 10**log10_length) < 1e-12
    # The first step starts from the zero state: it has no part in ∂L/∂U at all.
    torch.testing.assert_close(
        ours.log10_parts()[1:], torch.linalg.matrix_norm(parts[1:]).log10(), rtol=0, atol=1e-10
    )
    assert float(parts[0].norm()) == 0.0


def test_the_linear_case_decays_exactly():
    orthogonal = nn.init.orthogonal_(torch.empty(16, 16, dtype=torch.float64))
    zeros = torch.zeros(16, dtype=torch.float64)
    weights = Weights(torch.zeros(16, 4).double(), 0.9 * orthogonal, zeros, zeros)
    run = run_rnn(weights, torch.zeros(1000, 4, dtype=torch.float64))
    lags = [1, 10, 50, 100, 1000]
    norms = lagged_products(step_jacobians(run), lags).log10_norms()
    for lag, norm in zip(lags, norms.tolist(), strict=True):
        assert norm == pytest.approx(lag * math.log10(0.9), abs=1e-11)
    assert 10 ** float(norms[2]) == pytest.approx(5.15e-3, rel=1e-3)


@pytest.mark.parametrize(("module_class", "gain"), [(nn.RNN, 0.1), (nn.LSTM, 1), (nn.RNN, 30.0)])
def test_a_thousand_steps_stay_finite(module_class, gain):
    module = made(module_class, hidden=16)
    with torch.no_grad():
        module.weight_hh_l0 *= gain
        module.weight_ih_l0 *= 0.01
    run = run_of(module, 1000)
    products = lagged_products(step_jacobians(run), [0, 1, 500, 1000])
    assert torch.isfinite(products.log10_norms()).all()
    assert float(products.log10_norms()[0]) == 0.0
    ours = backpropagate(run, torch.ones(joint_state(run).numel(), dtype=torch.float64))
    for curve in (ours.log10_hidden(), ours.log10_inputs(), ours.recurrent_weight()[1]):
        assert torch.isfinite(curve).all()


def test_a_gradient_of_exactly_zero_is_minus_infinity_never_nan():
    zeros = torch.zeros(3, 4, 4, dtype=torch.float64)
    assert lagged_products(zeros, [3]).log10_norms().tolist() == [-math.inf]
    weights = Weights.of(made(nn.RNN))
    still = Weights(weights.input_weight, weights.recurrent_weight * 0, *[weights.input_bias] * 2)
    ours = backpropagate(run_rnn(still, inputs_for(4, 5)), inputs_for(7))
    assert ours.log10_hidden()[:-1].tolist() == [-math.inf] * 4
    assert per_step_factors(ours.log10_hidden()).tolist() == [0.0] * 4
    assert torch.isfinite(ours.recurrent_weight()[0]).all()


def test_lags_outside_the_run_are_refused():
    with pytest.raises(ValueError, match=r"0…3"):
        lagged_products(torch.zeros(3, 4, 4), [4])


def test_a_thousand_full_norms_take_seconds_not_minutes():
    module = made(nn.RNN, hidden=64)
    run = run_of(module, 1000)
    began = time.process_time()
    lagged_products(step_jacobians(run), list(range(1001))).log10_norms()
    assert time.process_time() - began < 4  # about 0.4 s on an idle core


def test_the_direct_path_is_the_product_of_the_forget_gates():
    run = run_of(made(nn.LSTM), 30)
    path = direct_path(run.forget_gate)
    for lag in (1, 7, 30):
        product = run.forget_gate[-lag:].prod(0).log10()
        torch.testing.assert_close(path[lag - 1], product, rtol=0, atol=1e-12)


def test_clipping_by_norm_keeps_the_direction_and_by_value_does_not():
    direction = torch.tensor([0.6, 0.0, -0.8], dtype=torch.float64)
    by_norm = clip_by_norm(direction, log10_length=2.0, limit=1.5)
    assert float(by_norm.norm()) == pytest.approx(1.5)
    assert cosine(by_norm, direction) == pytest.approx(1.0, abs=1e-15)
    by_value = clip_by_value(direction, log10_length=2.0, limit=1.5)
    assert by_value.tolist() == [1.5, 0.0, -1.5]
    assert cosine(by_value, direction) == pytest.approx(1.4 / math.sqrt(2))


def test_a_short_gradient_is_not_clipped():
    direction = torch.tensor([0.6, -0.8], dtype=torch.float64)
    for clip in (clip_by_norm, clip_by_value):
        torch.testing.assert_close(clip(direction, -1.0, 1.0), direction / 10)


def test_clipping_survives_a_length_no_float_can_hold():
    direction = torch.tensor([0.6, -0.8], dtype=torch.float64)
    assert float(clip_by_norm(direction, 5000.0, 1.0).norm()) == pytest.approx(1.0)
    assert clip_by_value(direction, 5000.0, 1.0).tolist() == [1.0, -1.0]
