"""Word order's numbers, computed a second way from the shipped weights."""

import numpy as np
import pytest
import torch
from torch import nn

from engine import load_lesson, to_json
from engine.cards import read_card
from engine.errors import InputError
from engine.order import load_witness, weights_path
from engine.stations.word_order import build, direction, stepped
from engine.translators import shipped

CPU = torch.device("cpu")


def lesson(**keys):
    return load_lesson(overrides={f"word_order.{key}": value for key, value in keys.items()})


@pytest.fixture(scope="module")
def trace():
    return build(lesson(), "cpu")


def test_the_bags_are_equal_to_the_last_bit_and_the_tapes_are_not(trace):
    one, other = trace.orders
    assert (one.bag == other.bag).all() and trace.bag_distance == 0.0
    assert trace.state_distance == pytest.approx(
        np.linalg.norm(one.hidden_states[-1] - other.hidden_states[-1])
    )
    assert trace.state_distance > 1


def test_bag_and_tape_are_those_of_the_shipped_weights(trace):
    rnn, bag = (load_witness(weights_path(kind), CPU, torch.float64) for kind in ("rnn", "bag"))
    for order in trace.orders:
        words = rnn.model.embedding(rnn.encode(order.tokens))
        states = rnn.model.cell(words)[0].detach().numpy()
        np.testing.assert_allclose(order.hidden_states, states, rtol=0, atol=1e-12)
        table = bag.model.embedding.weight.detach().numpy()
        total = sum(table[bag.vocabulary.entry(token)] for token in order.tokens)
        np.testing.assert_allclose(order.bag, total, rtol=0, atol=1e-12)


def test_only_who_reads_in_order_can_say_who_did_it(trace):
    first, second = trace.answers
    assert trace.candidates == ("我", "你") and (first.doer, second.doer) == (0, 1)
    assert (first.bag == second.bag).all()
    for answer in trace.answers:
        assert answer.rnn.argmax() == answer.doer and answer.rnn.max() > 0.9


def test_accuracies_are_those_of_the_cards(trace):
    for kind, found in (("rnn", trace.rnn_accuracies), ("bag", trace.bag_accuracies)):
        figures = read_card(weights_path(kind))["figures"]
        assert found.tolist() == figures["accuracy"] and len(found) >= 3
    assert trace.bag_accuracies.max() <= 0.5 < 0.99 < trace.rnn_accuracies.min()


def test_a_word_read_from_the_left_is_exactly_the_same_before_another_ending(trace):
    assert trace.word == "苹果" and trace.same_before and trace.encoder_trained
    left, right = trace.contexts
    assert (left.forward == right.forward).all() and trace.forward_distance == 0.0
    assert trace.backward_distance > 1


def test_states_of_the_word_are_those_of_the_shipped_encoder(trace):
    interpreter = shipped("zh-en", "conditional", CPU)
    for context in trace.contexts:
        indices = torch.tensor([[interpreter.source.entry(token) for token in context.tokens]])
        annotations = interpreter.model.read(indices).annotations[0].detach().numpy()
        both = np.concatenate([context.forward, context.backward])
        np.testing.assert_allclose(annotations[context.position], both, rtol=0, atol=1e-12)


def test_stepping_is_the_library_in_both_directions():
    torch.manual_seed(0)
    gru = nn.GRU(5, 4, bidirectional=True).double()
    words = torch.randn(6, 5, dtype=torch.float64)
    forward, backward = gru(words)[0].detach().chunk(2, dim=-1)
    assert torch.allclose(stepped(direction(gru, ""), words), forward, atol=1e-14)
    turned = stepped(direction(gru, "_reverse"), words.flip(0)).flip(0)
    assert torch.allclose(turned, backward, atol=1e-14)


def test_a_clue_before_the_word_is_heard_from_the_left():
    told = build(lesson(ambiguous=["我吃苹果", "苹果很甜"]), "cpu")
    assert not told.same_before and told.forward_distance > 0.1


def test_words_that_no_model_knows_are_read_by_untrained_ones():
    told = build(lesson(pair=["dog bites man", "man bites dog"],
                        ambiguous=["the bank of the river", "the bank lends money"],
                        word="Bank"), "cpu")
    assert not told.states_trained and told.answers == () and told.bag_distance == 0.0
    assert told.state_distance > 0.1 and told.forward_distance == 0.0
    names = {model.name: model.trained for model in told.provenance.models}
    assert names["tanh RNN"] is False and names["order_rnn"] is True


@pytest.mark.parametrize(("keys", "text"), [
    ({"pair": ["我打你", "我打他"]}, "你, 他 stand in only one"),
    ({"pair": ["我|爱|我", "我|爱"]}, "我 stand in only one"),
    ({"pair": ["我打你", "我打你"]}, "write the same words in another order"),
    ({"word": "香蕉"}, "'香蕉' .* is not among 苹果 . 很 . 甜"),
    ({"ambiguous": ["苹果很甜", "香蕉很甜"]}, "not among 香蕉"),
])
def test_a_wrong_pair_is_named(keys, text):
    with pytest.raises(InputError, match=text) as error:
        build(lesson(**keys), "cpu")
    assert error.value.exit_code == 2 and "word_order" in error.value.text("zh")


def test_a_lesson_needs_two_of_each():
    with pytest.raises(InputError, match=r"word_order\.pair"):
        lesson(pair=["我打你"])
    with pytest.raises(InputError, match=r"word_order\.ambiguous"):
        lesson(ambiguous=["一", "二", "三"])


def test_the_same_lesson_gives_the_same_bytes(trace):
    assert to_json(build(lesson(), "cpu")) == to_json(trace)
