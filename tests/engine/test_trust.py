"""The levels of trust, at their borders, and what the jury of seeds says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from engine.decoding import teacher_forced
from engine.jury import Jury, is_content, least_probability, left_out
from engine.matching import match
from engine.traces import Evidence
from engine.translators import own_words, shipped, untrained_twin
from engine.trust import ALONE, CARRIED, KNOWN, trust
from tests.factories import evidence

WORDS = ("I", "love", "you")
CPU = torch.device("cpu")


def said_with(least: float, agreeing: int = 3) -> Evidence:
    probabilities = np.array([1.0, least, 1.0])  # the second seed is the least sure
    return replace(
        evidence(WORDS, np.ones(3)), agreeing=agreeing, seed_probabilities=probabilities
    )


@pytest.mark.parametrize(
    ("least", "unknown", "length", "level"),
    [
        (1.0, 0, 3, "known"),
        (KNOWN, 0, 20, "known"),
        (KNOWN - 1e-9, 0, 3, "unknown"),
        (CARRIED, 1, 3, "carried"),
        (0.99, 1, 3, "carried"),
        (CARRIED - 1e-9, 1, 3, "unknown"),
        (0.99, 2, 6, "carried"),
        (0.99, 2, 5, "unknown"),
        (0.99, 3, 30, "unknown"),
        (0.99, 1, 2, "unknown"),
    ],
)
def test_levels(least: float, unknown: int, length: int, level: str) -> None:
    assert trust(said_with(least), unknown, length) == level


@pytest.mark.parametrize("unknown", [0, 1])
def test_one_seed_that_says_something_else_is_enough(unknown: int) -> None:
    assert trust(said_with(1.0, agreeing=2), unknown, 9) == "unknown"


def test_one_model_alone_has_to_be_surer() -> None:
    for least, level in ((ALONE, "known"), (ALONE - 1e-9, "unknown")):
        probabilities = np.array([least])
        alone = replace(said_with(1.0, 1), seeds=("one",), seed_probabilities=probabilities)
        assert trust(alone, 0, 3) == level


@pytest.mark.parametrize("doubt", [{"invented": 1}, {"unseen": ("比 弟弟",)}])
def test_unknown_words_out_of_nowhere_and_unseen_neighbours_are_doubts(doubt: dict) -> None:
    assert trust(replace(said_with(1.0), **doubt), 0, 9) == "unknown"


def test_evidence_counts_content_words_only() -> None:
    seen = replace(
        evidence(WORDS, np.ones(3)),
        content=np.array([True, True, False]),
        aligned_alike=np.array([3, 2, 3]),
        aligned_costs=np.array([0.1, 5.0, 5.0]),
    )
    assert (seen.content_words, seen.needed, seen.alike) == (2, 1, 1)


@pytest.mark.parametrize(("word", "content"), [("the", False), ("The", False), ("把", False),
                                               (",", False), ("love", True), ("书", True)])
def test_what_counts_as_a_content_word(word: str, content: bool) -> None:
    assert is_content(word) is content


def test_a_twin_of_the_first_agrees_and_a_stranger_does_not() -> None:
    first = shipped("zh-en", "conditional", CPU)
    jury = Jury(first, (first, untrained_twin(first, 0)))
    source = match("我爱你", first.source, "test")
    target = own_words(first, source, "test")
    written = teacher_forced(first.model, source.indices, target.indices)
    words = torch.tensor(target.indices).unsqueeze(-1)
    costs = left_out(first, source, target, written.log_probabilities[:-1].gather(-1, words)[:, 0])
    seen = jury.evidence(source, target, costs)
    assert seen.agreeing == 2
    assert seen.translations[0] == seen.translations[1] == "I love you"
    assert seen.seed_probabilities[0] == seen.seed_probabilities[1] > 0.9
    assert seen.seed_probabilities[2] < 0.01
    assert seen.seed_probabilities[0] == least_probability(written, target.indices)
    assert seen.aligned_costs.tolist() == [max(row) for row in costs.tolist()]
    assert trust(seen, 0, 3) == "unknown"


def test_only_the_shipped_translator_has_other_seeds() -> None:
    first = shipped("zh-en", "conditional", CPU)
    assert Jury.around(untrained_twin(first, 0)).others == ()
    names = [each.card.name for each in Jury.around(first).others]
    assert len(set(names)) == len(names) and first.card.name not in names
