"""The cells stepped here are the cells that torch.nn runs."""

import pytest
import torch
from torch import nn

from engine.cells import GRURun, LSTMRun, Weights, kind_of, run_cell, run_gru, run_lstm

MODULES = [nn.RNN, nn.LSTM, nn.GRU]
DEVICES = [
    "cpu",
    pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")),
]


def made(module_class, embedding=5, hidden=7, seed=0, device="cpu"):
    torch.manual_seed(seed)
    return module_class(embedding, hidden).double().to(device)


def inputs_for(*shape, seed=1):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("module_class", MODULES)
@pytest.mark.parametrize("shape", [(1, 5), (60, 5), (30, 3, 5)])
def test_a_cell_equals_its_torch_module(module_class, shape, device):
    module = made(module_class, device=device)
    inputs = inputs_for(*shape).to(device)
    run = run_cell(kind_of(module), Weights.of(module), inputs)
    expected, last = module(inputs)
    torch.testing.assert_close(run.hidden_states, expected, rtol=0, atol=1e-12)
    if isinstance(run, LSTMRun):
        torch.testing.assert_close(run.cell_states[-1], last[1][0], rtol=0, atol=1e-12)


def test_a_run_can_go_on_where_another_stopped():
    weights, inputs = Weights.of(made(nn.LSTM)), inputs_for(12, 5)
    whole, head = run_lstm(weights, inputs), run_lstm(weights, inputs[:5])
    tail = run_lstm(weights, inputs[5:], (head.hidden_states[-1], head.cell_states[-1]))
    torch.testing.assert_close(whole.hidden_states[5:], tail.hidden_states, rtol=0, atol=1e-14)
    torch.testing.assert_close(whole.previous_cell[5], head.cell_states[-1], rtol=0, atol=1e-14)


def test_the_lstm_adds_what_it_keeps_and_what_it_writes():
    run = run_lstm(Weights.of(made(nn.LSTM)), inputs_for(40, 5))
    belt = run.forget_gate * run.previous_cell + run.input_gate * run.candidate
    torch.testing.assert_close(run.cell_states, belt, rtol=0, atol=1e-15)
    spoken = run.output_gate * run.cell_states.tanh()
    torch.testing.assert_close(run.hidden_states, spoken, rtol=0, atol=1e-15)
    for gate in (run.input_gate, run.forget_gate, run.output_gate):
        assert ((gate > 0) & (gate < 1)).all()


def test_an_open_forget_gate_keeps_the_cell():
    module = made(nn.LSTM)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.zero_()
        module.bias_ih_l0[:14] = torch.tensor([-50.0] * 7 + [50.0] * 7)  # write nothing, keep all
    kept = inputs_for(7)
    run = run_lstm(Weights.of(module), inputs_for(9, 5), (torch.zeros_like(kept), kept))
    torch.testing.assert_close(run.cell_states[-1], kept, rtol=0, atol=1e-12)


def test_the_grus_update_gate_means_keep():
    module = made(nn.GRU)
    with torch.no_grad():
        module.bias_ih_l0[7:14] = 60.0  # the update gate's bias
    kept = inputs_for(7)
    run = run_gru(Weights.of(module), inputs_for(9, 5), kept)
    assert isinstance(run, GRURun)
    assert (run.update_gate > 1 - 1e-12).all()
    torch.testing.assert_close(run.hidden_states[-1], kept, rtol=0, atol=1e-10)
