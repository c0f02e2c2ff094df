"""Rows of words that the corpus has, and rows that it never has."""

from __future__ import annotations

import random

import pytest

from engine.corpus import generate
from engine.neighbours import EDGE, kind_of, known_neighbours, unseen
from engine.tables import TABLES_DIR

#: Those with a table: without one nothing is held against a source.
DIRECTIONS = [d for d in ("zh-en", "en-zh") if (TABLES_DIR / f"neighbours_{d}.tsv").is_file()]


def test_words_of_one_kind_are_those_of_the_same_places_in_the_lexicon():
    assert kind_of("杭州") == kind_of("北京") != kind_of("书")
    assert kind_of("的") != kind_of("了")
    assert kind_of(EDGE) == EDGE


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_sentences_of_the_grammar_are_of_kinds_that_the_corpus_has(direction):
    assert known_neighbours(direction)
    pairs = generate(200, seed=4321)
    sources = [pair.zh if direction == "zh-en" else pair.en for pair in pairs]
    assert sum(bool(unseen(source, direction)) for source in sources) <= 8


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_shuffled_sentences_are_not(direction):
    rng = random.Random(1)
    pairs = generate(200, seed=4321, clauses=1)
    sources = [pair.zh if direction == "zh-en" else pair.en for pair in pairs]
    long = [source for source in sources if len(source) >= 6]
    assert len(long) > 50
    found = [bool(unseen(rng.sample(source, len(source)), direction)) for source in long]
    assert sum(found) >= 0.9 * len(found)


def test_chinese_sources_have_a_table():
    assert "zh-en" in DIRECTIONS


def test_the_place_is_named_and_unknown_words_are_passed_over():
    assert ("比", "弟弟") in unseen(("姐姐", "比", "弟弟", "高"), "zh-en")
    assert unseen(("我", "爱", "你"), "zh-en") == []
    assert unseen(("我", "<unk>", "你"), "zh-en") == []
