"""The two guessers of who did it, from training to file."""

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from engine.cards import read_card
from engine.checkpoints import checksum
from engine.errors import InputError
from engine.order import Witness, load_witness, save_witness, untrained, weights_path
from engine.order_training import (
    Language,
    Recipe,
    accuracy,
    answer_table,
    both_orders,
    make_material,
    material_of,
    order,
    sentences,
    train_order,
)
from engine.traces import Model

CPU = torch.device("cpu")
SMALL = material_of((Language(tuple("甲乙丙丁戊己"), ("打", "追")),))


@pytest.fixture(scope="module")
def material():
    return make_material()


def test_people_held_out_are_never_met_together_in_training(material):
    def pairs(part):
        return {frozenset(row) for row in part[:, [0, 2]].tolist()}

    assert not pairs(material.training) & pairs(material.held_out)
    assert len(material.held_out) > 1000


def test_a_sentence_and_its_reverse_are_both_asked():
    words = both_orders(SMALL.held_out, 2, torch.Generator().manual_seed(0))
    assert torch.equal(words[:2].flip(1), words[2:])
    told = sentences(SMALL.training, 200, torch.Generator().manual_seed(0))
    assert {tuple(row) for row in told.flip(1).tolist()} & {tuple(row) for row in told.tolist()}


def test_a_bag_answers_both_orders_alike_so_it_is_right_at_most_once_in_two():
    for seed in range(3):
        model = untrained("bag", len(SMALL.vocabulary), len(SMALL.persons), seed).double()
        words = both_orders(SMALL.held_out, 4, torch.Generator().manual_seed(seed)).T
        guesses = model(words)
        half = guesses.shape[0] // 2
        assert torch.equal(guesses[:half], guesses[half:])
        witness = Witness(model, SMALL.vocabulary, SMALL.persons, Model("", "", False))
        assert accuracy(witness, SMALL) <= 0.5


def test_a_short_training_already_tells_order():
    rnn = train_order("rnn", SMALL, Recipe(steps=150, batch=64))
    bag = train_order("bag", SMALL, Recipe(steps=150, batch=64))
    assert accuracy(rnn, SMALL) > 0.9 and accuracy(bag, SMALL) <= 0.5
    again = train_order("rnn", SMALL, Recipe(steps=150, batch=64))
    assert torch.equal(again.model.readout.weight, rnn.model.readout.weight)


def test_the_loss_is_that_of_the_first_person():
    table = answer_table(SMALL)
    for index, person in enumerate(SMALL.persons):
        assert table[SMALL.vocabulary.entry(person)] == index


@pytest.mark.parametrize("kind", ["rnn", "bag"])
def test_the_shipped_weights_are_what_their_card_says(kind, material):
    path = weights_path(kind)
    card = read_card(path)
    witness = load_witness(path, CPU, torch.float32)
    assert card["sha256"] == checksum(path) == witness.card.sha256
    assert witness.vocabulary == material.vocabulary and witness.persons == material.persons
    assert accuracy(witness, material) == pytest.approx(card["figures"]["accuracy"][0], abs=2e-3)
    assert card["figures"]["persons"] == len(material.persons)


def test_weights_come_back_as_they_were_written(tmp_path):
    model = untrained("bag", len(SMALL.vocabulary), len(SMALL.persons), 3)
    path = tmp_path / "w.safetensors"
    save_witness(path, Witness(model, SMALL.vocabulary, SMALL.persons, Model("", "", False)))
    back = load_witness(path, CPU, torch.float32)
    assert back.persons == SMALL.persons and back.vocabulary == SMALL.vocabulary
    np.testing.assert_allclose(back.model.readout.weight.detach(),
                               model.readout.weight.detach(), atol=1e-3)


def test_other_weights_are_refused():
    from engine.recall import weights_path as recall_path

    with pytest.raises(InputError):
        load_witness(recall_path("rnn"), CPU, torch.float32)


@pytest.mark.parametrize(("tokens", "asked"), [
    (("我", "打", "你"), True), (("小明", "打", "老师"), True), (("我", "打", "我"), False),
    (("我", "打"), False), (("打", "我", "你"), False), (("我", "你", "他"), False),
    (("xiaoming", "hit", "Xiaohong"), True), (("我", "量子", "你"), False),
])
def test_only_who_did_what_to_whom_is_asked_about(tokens, asked):
    assert load_witness(weights_path("rnn"), CPU, torch.float32).asks_of(tokens) is asked


def test_the_command_writes_weights_and_cards(tmp_path):
    result = CliRunner().invoke(order, ["--seeds", "2", "--steps", "2", "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    for kind in ("rnn", "bag"):
        path = tmp_path / weights_path(kind).name
        card = read_card(path)
        assert card["command"] == "python -m engine.training order --seeds 2 --steps 2"
        assert len(card["figures"]["accuracy"]) == 2 and card["sha256"] == checksum(path)
