"""What must wait for what, counted a second way."""

from __future__ import annotations

import pytest

from engine.dependencies import (
    attentive_reading,
    attentive_way,
    attentive_writing,
    hops,
    ready_at,
    recurrent_reading,
    recurrent_way,
    recurrent_writing,
    translating_way,
)

FIRST = ("source", 0)


@pytest.mark.parametrize("words", [1, 2, 7, 40])
def test_reading_is_a_chain_for_the_rnn_and_four_steps_for_attention(words):
    serial, parallel = ready_at(recurrent_reading(words)), ready_at(attentive_reading(words))
    assert [serial["state", t] for t in range(words)] == list(range(2, words + 2))
    assert {serial["project", t] for t in range(words)} == {1}
    assert max(parallel.values()) == 4
    assert len(parallel) == 4 * words


@pytest.mark.parametrize("words", [1, 2, 7, 40])
def test_writing_is_a_chain_for_both(words):
    assert max(ready_at(recurrent_writing(words)).values()) == 2 * words
    assert max(ready_at(attentive_writing(words)).values()) == 4 * words


def test_a_graph_in_the_wrong_order_is_found_out():
    with pytest.raises(KeyError):
        ready_at({("state", 1): (("state", 0),), ("state", 0): ()})


@pytest.mark.parametrize("words", [1, 2, 100])
def test_a_message_goes_from_hand_to_hand_or_at_once(words):
    last, said = ("source", words - 1), ("target", words - 1)
    assert hops(recurrent_way(words), FIRST, last) == words - 1
    assert hops(attentive_way(words), FIRST, ("attended", words - 1)) == 1
    assert hops(translating_way(words, words, False), FIRST, said) == 2 * words - 1
    assert hops(translating_way(words, words, True), FIRST, said) == 1
    assert hops(translating_way(words, words, True), FIRST, last) == words - 1


def test_looking_back_is_shorter_only_where_the_chain_was_longer():
    assert hops(translating_way(3, 1, True), FIRST, ("target", 0)) == 1
    assert hops(translating_way(1, 1, False), FIRST, ("target", 0)) == 1


def test_where_there_is_no_way_it_is_said():
    with pytest.raises(ValueError, match="no way"):
        hops(recurrent_way(3), ("source", 2), FIRST)
