"""The reader of pronouns: its sentences, its mathematics against torch, its shipped seeds."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from engine.cards import read_card
from engine.checkpoints import checksum
from engine.coreference import (
    SEEDS,
    Resolver,
    load_reader,
    positions,
    untrained,
    weights_path,
)
from engine.coreference_corpus import examples, is_held_out, referents
from engine.coreference_figures import find, held_out
from engine.coreference_training import Recipe, train_reader
from engine.coreference_trust import KNOWN, Judged, trust
from engine.coreference_words import words_of
from engine.errors import InputError
from engine.pronouns import Meant, who_is_meant

KINDS = {"小明": "m", "小刚": "m", "小红": "f", "书": "thing", "报纸": "thing", "xiaoming": "m"}
CPU = torch.device("cpu")


@pytest.mark.parametrize(
    ("sentence", "pronoun", "antecedent"),
    [
        ("小明|说|他|很|累", 2, 0),
        ("小明|告诉|小红|她|很|累", 3, 2),
        ("小明|买|了|书|，|它|很|有趣", 5, 3),
        ("小明|说|小明|知道|他|累", 4, 2),
        ("她|说|小红|到|了|，|她|很|累", 6, 2),
        ("Xiaoming|said|He|was|tired", 2, 0),
    ],
)
def test_a_pronoun_means_the_word_before_it_that_it_agrees_with(sentence, pronoun, antecedent):
    assert who_is_meant(sentence.split("|"), KINDS, "here") == Meant(pronoun, antecedent)


@pytest.mark.parametrize(
    ("sentence", "key", "said"),
    [
        ("小明|说|很|累", "coreference.no_pronoun", "他"),
        ("小红|说|他|很|累", "coreference.nobody", "小明"),
        ("他|说|小明|很|累", "coreference.nobody", "小刚"),
        ("小明|告诉|小刚|他|很|累", "coreference.undecidable", "小刚"),
        ("小明|买|了|书|和|报纸|，|它|很|有趣", "coreference.undecidable", "报纸"),
    ],
)
def test_what_cannot_be_decided_is_refused_by_name(sentence, key, said):
    with pytest.raises(InputError) as caught:
        who_is_meant(sentence.split("|"), KINDS, "here")
    assert caught.value.key == key
    assert all(said in caught.value.text(lang) for lang in ("zh", "en"))


def test_words_are_cut_as_a_reader_would_cut_them():
    assert words_of("小明说他很累") == ("小明", "说", "他", "很", "累")
    assert words_of("小明买了一本书")[-1] == "书"
    assert words_of("小|明说|他") == ("小", "明说", "他")
    assert words_of("Xiaoming said he was tired.")[-2:] == ("tired", ".")


def test_sentences_have_one_answer_each_and_the_parts_share_none():
    kinds = {form.casefold(): r.kind for r in referents() for form in (r.zh, r.en)}
    training, later = examples(300, 1), examples(60, 2, held_out=True)
    for one in (*training, *later):
        meant = who_is_meant(one.tokens, kinds, "here")
        assert (meant.pronoun, meant.antecedent) == (one.pronoun, one.antecedent)
        assert {one.pronoun, one.antecedent} <= one.kept
    assert not {one.tokens for one in training} & {one.tokens for one in later}
    assert is_held_out("x") == is_held_out("x")


def test_attention_is_that_of_torch():
    model = untrained(20, seed=3, units=12).double()
    words = torch.tensor([[4, 9, 7, 5, 9]])
    inputs = model.read(words)
    theirs = nn.MultiheadAttention(12, 1, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(
            torch.cat([part.weight for part in (model.query, model.key, model.value)])
        )
        theirs.out_proj.weight.copy_(torch.eye(12))
    context, weights = theirs(inputs, inputs, inputs)
    seen = model.look(inputs)
    torch.testing.assert_close(seen.weights, weights, rtol=0, atol=1e-14)
    torch.testing.assert_close(seen.context, context, rtol=0, atol=1e-14)


def test_positions_are_sines_and_cosines_of_falling_rates():
    table = positions(5, 6)
    assert table.shape == (5, 6)
    assert table[3, 0] == pytest.approx(torch.sin(torch.tensor(3.0)).item())
    assert table[4, 5] == pytest.approx(torch.cos(torch.tensor(4 / 10_000 ** (4 / 6))).item())


@torch.no_grad()
def test_without_positions_other_orders_only_reorder_what_comes_back():
    model = Resolver(30, 16).double()
    words, order = torch.tensor([[5, 8, 13, 21, 8]]), [2, 0, 4, 1, 3]
    bare = [model.look(model.read(w, ordered=False)).context for w in (words, words[:, order])]
    told = [model.look(model.read(w)).context for w in (words, words[:, order])]
    torch.testing.assert_close(bare[0][:, order], bare[1], rtol=0, atol=1e-14)
    assert float((told[0][:, order] - told[1]).abs().max()) > 1e-3


def test_training_lowers_the_loss_and_repeats():
    material, recipe = examples(40, 5), Recipe(steps=12, batch=8)
    reader, losses = train_reader(material, recipe)
    assert losses[-1] < losses[0]
    assert train_reader(material, recipe)[1] == losses
    assert set(reader.kinds.values()) == {"m", "f", "thing"}


@pytest.mark.parametrize("seed", SEEDS)
def test_shipped_seeds_are_as_good_as_their_cards_say(seed):
    path = weights_path(seed)
    card = read_card(path)
    assert card["sha256"] == checksum(path)
    assert path.stat().st_size <= 100_000
    found, figures = find(load_reader(path, CPU), held_out()), card["figures"]
    assert float(found.right.double().mean()) == pytest.approx(figures["right"], abs=0.01)
    assert float(found.weights.mean()) == pytest.approx(figures["weight"], abs=0.01)
    assert figures["right"] >= 0.99
    assert figures["weight"] >= 0.9 > 0.2 > figures["untrained_weight"]


def test_trust_asks_every_seed():
    sure, unsure, other = (
        Judged(p, 0.9, agrees) for p, agrees in ((0.99, True), (KNOWN - 0.1, True), (0.99, False))
    )
    assert trust([sure] * 3, True, 0, 6) == "known"
    assert trust([sure] * 3, True, 2, 6) == "carried"
    assert trust([sure] * 3, True, 5, 6) == "unknown"
    assert trust([sure] * 3, False, 0, 6) == "unknown"
    assert trust([sure, sure, unsure], True, 0, 6) == "unknown"
    assert trust([sure, other, sure], True, 0, 6) == "unknown"
