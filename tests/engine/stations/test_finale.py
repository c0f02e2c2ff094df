"""The finale's numbers are those of the earlier clips, and its own are computed a second way."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine import load_lesson, to_json
from engine.stations import conveyor_belt, finale, relay_game
from engine.tables import LENGTHS, LengthRow, read_table

CPU = torch.device("cpu")
SHORT = {"relay_game.sentence": "我|昨天|买|了|一|本|书", "relay_game.gain": 0.8,
         "conveyor_belt.sentence": "小红昨天在书店买了一本书", "conveyor_belt.steps": 20, "seed": 3}


@pytest.fixture(scope="module")
def lesson():
    return load_lesson(overrides=SHORT)


@pytest.fixture(scope="module")
def trace(lesson):
    return finale.build(lesson, "cpu")


def test_the_relay_gradients_are_those_of_the_relay_game(lesson, trace):
    relay = relay_game.build(lesson, "cpu")
    assert trace.relay_tokens == relay.tokens
    assert (trace.log10_relay == relay.log10_input_gradient_norms).all()
    assert trace.log10_relay_left == trace.log10_relay[0] - trace.log10_relay[-1]


def test_the_belts_gradients_are_those_of_the_conveyor_belt(lesson, trace):
    belt = conveyor_belt.build(lesson, "cpu")
    assert trace.belt_tokens == belt.tokens
    for recall, curve in zip(belt.recalls, trace.log10_cells, strict=True):
        assert (curve == recall.log10_input_gradients).all()
    assert [recall.cell for recall in belt.recalls] == list(finale.CELLS)


def test_attention_gradients_are_those_of_the_formula(lesson, trace):
    """∂c/∂x_j = α_j V + (α_j / √d) (v_j − c) (Kᵀq)ᵀ, and the query's own way for the last word."""
    size = lesson.relay_game.hidden_size
    network = relay_game.drawn(trace.relay_tokens, size, lesson.seed, CPU)
    query, key, value = finale.projections(size, lesson.seed, CPU)
    words, aim = network.words, network.readout
    asked, keys, values = query @ words[-1], words @ key.T, words @ value.T
    weights = torch.softmax(keys @ asked / size**0.5, dim=0)  # [word]
    surplus = weights * ((values - weights @ values) @ aim) / size**0.5  # [word]; by the score
    by_word = weights[:, None] * (aim @ value) + surplus[:, None] * (asked @ key)
    by_word[-1] += (surplus @ keys) @ query
    np.testing.assert_allclose(
        trace.log10_attention, by_word.norm(dim=-1).log10(), rtol=0, atol=1e-12
    )


def test_projections_are_orthogonal_and_repeat():
    drawn = finale.projections(16, 5, CPU)
    identity = torch.eye(16, dtype=torch.float64).expand(3, 16, 16)
    torch.testing.assert_close(drawn @ drawn.mT, identity)
    assert (drawn == finale.projections(16, 5, CPU)).all()


def test_hops_are_ninety_nine_against_one(trace):
    ways = {way.model: (way.within, way.across) for way in trace.ways}
    assert ways == {"recurrent": (99, 0), "translating": (99, 199), "attending": (99, 1),
                    "self_attending": (1, 0)}
    assert trace.attention_hops == 1


def test_hops_follow_the_lesson():
    assert [way.within for way in finale.ways(7)] == [6, 6, 6, 1]


def test_scores_are_those_of_the_table(trace):
    table = read_table(LENGTHS, LengthRow)
    rows = {(row.model, row.context, row.shortest): row.bleu for row in table}
    for i, shortest in enumerate(trace.shortest):
        assert trace.fixed_bleu[i] == rows["fixed", trace.fixed_size, shortest]
        assert trace.attention_bleu[i] == rows["attention", 0, shortest]


def test_one_lesson_gives_one_trace_byte_for_byte(lesson, trace):
    assert to_json(finale.build(lesson, "cpu")) == to_json(trace)


def test_where_no_gradient_is_left_at_all_nothing_is_divided():
    assert finale.left(np.array([-np.inf, -np.inf])) == 0.0
    assert finale.left(np.array([-np.inf, 1.0])) == -np.inf
