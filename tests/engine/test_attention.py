"""Attention against its formulas, written out by hand, and against autograd."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from engine.attention import AdditiveAttention, attend, masked_softmax, scaled_dot_product
from engine.deferred import flush

BATCH, SOURCE, HIDDEN, UNITS = 2, 4, 6, 5


@pytest.fixture(autouse=True)
def _double() -> object:
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def _inputs() -> tuple[Tensor, Tensor, Tensor]:
    padding = torch.tensor([[False] * 4, [False, False, True, True]])
    return torch.randn(BATCH, HIDDEN), torch.randn(BATCH, SOURCE, HIDDEN), padding


def test_additive_scores_weights_and_context_follow_the_paper_term_by_term() -> None:
    attention = AdditiveAttention(HIDDEN, HIDDEN, UNITS)
    query, annotations, padding = _inputs()
    scores, weights, context = attention(query, attention.keys(annotations), annotations, padding)
    w, u, v = attention.query.weight, attention.key.weight, attention.energy.weight[0]
    for b in range(BATCH):
        e = []
        for j in range(SOURCE):
            inside = [
                sum(w[a, k] * query[b, k] + u[a, k] * annotations[b, j, k] for k in range(HIDDEN))
                for a in range(UNITS)
            ]
            e.append(sum(v[a].item() * math.tanh(inside[a].item()) for a in range(UNITS)))
        words = [j for j in range(SOURCE) if not padding[b, j]]
        alpha = [math.exp(e[j]) / sum(math.exp(e[k]) for k in words) for j in words]
        c = sum(alpha[j] * annotations[b, j] for j in words)
        assert torch.allclose(scores[b], torch.tensor(e), rtol=0, atol=1e-12)
        assert torch.allclose(weights[b, words], torch.tensor(alpha), rtol=0, atol=1e-12)
        assert torch.allclose(context[b], c, rtol=0, atol=1e-12)


def test_rows_sum_to_one_and_padding_gets_exactly_nothing() -> None:
    attention = AdditiveAttention(HIDDEN, HIDDEN, UNITS)
    query, annotations, padding = _inputs()
    _, weights, _ = attention(query, attention.keys(annotations), annotations, padding)
    assert torch.allclose(weights.sum(-1), torch.ones(BATCH), rtol=0, atol=1e-15)
    assert bool((weights[padding] == 0).all())
    assert bool((weights[~padding] > 0).all())


def test_padding_changes_no_number() -> None:
    attention = AdditiveAttention(HIDDEN, HIDDEN, UNITS)
    query, annotations, padding = _inputs()
    padded = attention(query, attention.keys(annotations), annotations, padding)
    short = annotations[1:, :2]
    alone = attention(query[1:], attention.keys(short), short, padding[1:, :2])
    assert torch.allclose(padded.weights[1:, :2], alone.weights, rtol=0, atol=1e-15)
    assert torch.allclose(padded.context[1:], alone.context, rtol=0, atol=1e-15)


def test_gradients_equal_finite_differences() -> None:
    _, annotations, padding = _inputs()
    scores = torch.randn(BATCH, SOURCE, requires_grad=True)
    annotations.requires_grad_()
    assert torch.autograd.gradcheck(
        lambda s, h: attend(s, h, padding).context, (scores, annotations)
    )


def test_deferred_weight_gradient_equals_autograd() -> None:
    attention = AdditiveAttention(HIDDEN, HIDDEN, UNITS)
    query, annotations, padding = _inputs()
    probe = torch.randn(BATCH, HIDDEN)

    def loss(queried: Tensor) -> Tensor:
        scores = attention.energy(torch.tanh(queried[:, None] + attention.key(annotations)))
        return (attend(scores[..., 0], annotations, padding).context * probe).sum()

    total = torch.zeros(())
    for step in range(3):
        total = total + loss(attention.query(query * (step + 1)))
    total.backward()
    assert attention.query.weight.grad is None  # only noted so far
    flush(attention)
    deferred = attention.query.weight.grad.clone()

    weight = attention.query.weight.detach().requires_grad_()
    plain = sum(loss((query * (step + 1)) @ weight.T) for step in range(3))
    (expected,) = torch.autograd.grad(plain, weight)
    assert torch.allclose(deferred, expected, rtol=1e-12, atol=1e-14)


def test_flushing_twice_adds_nothing() -> None:
    attention = AdditiveAttention(HIDDEN, HIDDEN, UNITS)
    attention.query(torch.randn(3, HIDDEN)).sum().backward()
    flush(attention)
    first = attention.query.weight.grad.clone()
    flush(attention)
    assert torch.equal(attention.query.weight.grad, first)


def test_scaled_dot_product_equals_its_formula_and_torch() -> None:
    queries, keys, values = torch.randn(3, 7, 5), torch.randn(3, 4, 5), torch.randn(3, 4, 6)
    attended = scaled_dot_product(queries, keys, values)
    by_hand = (queries[1, 2] * keys[1, 3]).sum() / math.sqrt(5)
    assert abs(float(attended.scores[1, 2, 3] - by_hand)) < 1e-14
    expected = scaled_dot_product_attention(queries, keys, values)
    assert torch.allclose(attended.context, expected, rtol=0, atol=1e-12)
    assert torch.allclose(attended.weights.sum(-1), torch.ones(3, 7), rtol=0, atol=1e-14)


def test_a_row_of_nothing_but_padding_looks_at_nothing() -> None:
    weights = masked_softmax(torch.randn(2, 3), torch.tensor([[True] * 3, [False] * 3]))
    assert torch.equal(weights[0], torch.zeros(3))
    assert abs(float(weights[1].sum()) - 1) < 1e-15


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_cpu_and_gpu_agree() -> None:
    attention = AdditiveAttention(HIDDEN, HIDDEN, UNITS)
    query, annotations, padding = _inputs()
    here = attention(query, attention.keys(annotations), annotations, padding)
    attention.cuda()
    query, annotations, padding = query.cuda(), annotations.cuda(), padding.cuda()
    there = attention(query, attention.keys(annotations), annotations, padding)
    for a, b in zip(here, there, strict=True):
        assert torch.allclose(a, b.cpu(), rtol=0, atol=1e-12)
