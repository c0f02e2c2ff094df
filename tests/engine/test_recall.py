"""The recall task, its training, and what the shipped weights can do."""

import pytest
import torch

from engine.cards import read_card
from engine.checkpoints import checksum
from engine.errors import InputError
from engine.recall import (
    CELLS,
    QUESTIONS,
    Names,
    ask,
    load_memory,
    save_memory,
    untrained,
    weights_path,
)
from engine.recall_training import Recipe, accuracy, command, material_of, questions, train_recall
from engine.vocabulary import UNKNOWN

NAMES = Names((("小明", "Xiaoming"), ("玛丽", "Mary"), ("李雷", "Lilei"), ("安娜", "Anna")))
TEXT = {
    "zh": [("他", "喝", "茶"), ("我", "看", "小明"), ("茶", "很", "好")],
    "en": [("he", "drinks", "tea"), ("I", "see", "Mary"), ("tea", "is", "good")],
}
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def material():
    return material_of(NAMES, TEXT, TEXT)


@pytest.mark.parametrize(("word", "index"), [("小明", 0), ("Mary", 1), ("mary", 1), ("茶", None)])
def test_a_name_is_found_in_either_language(word, index):
    assert NAMES.index(word) == index


def test_a_sentence_that_starts_with_a_name_keeps_it():
    question = ask(("玛丽", "喝", "茶"), "小明", NAMES)
    assert question.tokens == ("玛丽", "喝", "茶", QUESTIONS["zh"])
    assert (question.name, question.name_added) == (1, False)


def test_a_name_is_put_in_front_of_any_other_sentence_in_its_language():
    question = ask(("he", "drinks", "tea"), "小明", NAMES)
    assert question.tokens == ("Xiaoming", "he", "drinks", "tea", QUESTIONS["en"])
    assert (question.name, question.name_added, question.lang) == (0, True, "en")


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match=r"'小强' is not one of the names.*玛丽 Mary"):
        ask(("他", "喝", "茶"), "小强", NAMES)


def test_a_question_is_name_passage_question(material):
    dice = torch.Generator().manual_seed(0)
    words, answers = questions(material, material.training, 20, 7, dice)
    assert words.shape == (9, 20)
    for column, answer in zip(words.T.tolist(), answers.tolist(), strict=True):
        first, *passage, last = material.vocabulary.decode(column)
        assert first in NAMES.forms[answer]
        assert last == QUESTIONS["zh" if first == NAMES.forms[answer][0] else "en"]
        assert passage[0] in {"他", "我", "茶", "he", "I", "tea"}  # where a sentence begins
    assert UNKNOWN not in words


@pytest.mark.parametrize("cell", CELLS)
def test_a_tiny_recaller_learns_in_seconds(material, cell):
    recipe = Recipe(steps=150, farthest=4, peak=1e-2, batch=16)
    memory, losses = train_recall(cell, material, recipe, hidden=16)
    assert sum(losses[-10:]) < 0.5 * sum(losses[:10])
    assert accuracy(memory.model, material, 2, count=100) > 0.7


def test_training_again_gives_the_same_weights(material):
    recipe = Recipe(steps=5, farthest=4)
    one, two = (train_recall("lstm", material, recipe, hidden=8) for _ in range(2))
    assert one[1] == two[1]
    other = train_recall("lstm", material, Recipe(steps=5, farthest=4, seed=1), hidden=8)
    assert one[1] != other[1]


def test_near_first_widens_the_distances():
    recipe = Recipe(steps=100, farthest=60, widening=0.5)
    assert [recipe.reach(step) for step in (1, 25, 50, 100)] == [1, 30, 60, 60]
    assert Recipe(steps=100).reach(1) == 60


def test_a_memory_survives_its_file(material, tmp_path):
    memory, _ = train_recall("lstm", material, Recipe(steps=2), hidden=8)
    path = tmp_path / "recall.safetensors"
    save_memory(path, memory)
    again = load_memory(path, CPU, torch.float32)
    assert again.names == memory.names
    assert again.vocabulary == memory.vocabulary
    tokens = ("Mary", "喝", "火锅")
    assert again.unknown(tokens) == [False, False, True]
    words = again.encode(tokens)[:, None]
    torch.testing.assert_close(again.model(words), memory.model(words), rtol=0, atol=1e-2)


def test_the_forget_bias_starts_at_one():
    cell = untrained("lstm", 10, 4, seed=0, hidden=8).cell
    both = (cell.bias_ih_l0 + cell.bias_hh_l0)[8:16]
    assert both.tolist() == [1.0] * 8


def shipped():
    return [weights_path(cell) for cell in CELLS] + [weights_path("rnn", near_first=True)]


@pytest.mark.parametrize("path", shipped(), ids=lambda path: path.stem)
def test_a_card_belongs_to_its_weights(path):
    card = read_card(path)
    assert card["sha256"] == checksum(path)
    memory = load_memory(path, CPU, torch.float32)
    assert memory.card.name == card["name"] == path.stem
    assert command(memory, Recipe(**card["recipe"])) == card["command"]


def test_trained_alike_the_gated_cells_remember_and_the_plain_one_does_not():
    figures = {cell: read_card(weights_path(cell))["figures"]["accuracy"] for cell in CELLS}
    assert min(figures["lstm"]) > 0.98
    assert min(figures["gru"]) > 0.98
    assert max(figures["rnn"]) < 0.2
    control = read_card(weights_path("rnn", near_first=True))["figures"]["accuracy"]
    assert min(control) > 0.98  # so it is the training that fails, not what the cell can hold
