"""Measures against cases worked out by hand."""

from __future__ import annotations

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from engine.quality import (
    bleu,
    count_alignment,
    crossings,
    exact_match,
    in_order,
    token_recall,
    total,
)


def test_exact_match_counts_whole_sentences() -> None:
    outputs = [["I", "love", "you"], ["I", "love"], ["you", "love", "I"]]
    assert exact_match(outputs, [("I", "love", "you")] * 3) == pytest.approx(1 / 3)


def test_bleu_is_sacrebleu_on_our_own_words() -> None:
    reference = ["I", "bought", "a", "book", "in", "Hangzhou", "yesterday"]
    output = ["I", "bought", "a", "pen", "in", "Hangzhou", "yesterday"]
    assert bleu([reference], [reference]) == pytest.approx(100)
    expected = sacrebleu.corpus_bleu([" ".join(output)], [[" ".join(reference)]], tokenize="none")
    assert bleu([output], [reference]) == pytest.approx(expected.score)
    assert 30 < bleu([output], [reference]) < 60


def test_token_recall_counts_each_word_as_often_as_the_reference_has_it() -> None:
    assert token_recall([["the", "book"]], [["the", "book", "the"]]) == pytest.approx(2 / 3)
    assert token_recall([["x"], ["a"]], [["a"], ["a"]]) == pytest.approx(1 / 2)


def test_alignment_error_rate_of_a_worked_example() -> None:
    # A = {00, 11, 22}, S = {00, 12}, P = S + {11}: |A∩S| = 1, |A∩P| = 2
    counts = count_alignment([0, 1, 2], sure={(0, 0), (1, 2)}, possible={(1, 1)})
    assert counts.error_rate == pytest.approx(1 - (1 + 2) / (3 + 2))
    assert counts.content_accuracy == 1.0  # word 0 is sure, word 1 looks at a possible one
    wrong = count_alignment([1, 0, 0], sure={(0, 0), (1, 2)}, possible={(1, 1)})
    assert wrong.error_rate == 1.0
    both = total([counts, wrong])
    assert both.error_rate == pytest.approx(1 - (1 + 2) / (3 + 2 + 3 + 2))
    assert both.content_accuracy == pytest.approx(2 / 4)


def test_a_perfect_alignment_has_no_error() -> None:
    assert count_alignment([1, 0], sure={(0, 1), (1, 0)}, possible=()).error_rate == 0


@pytest.mark.parametrize(
    ("alignment", "expected"),
    [([0, 1, 2], 0), ([2, 1, 0], 3), ([0, 3, 1, 2], 2), ([1, 1, 1], 0), ([], 0)],
)
def test_crossings_are_inversions(alignment: list[int], expected: int) -> None:
    assert crossings(alignment) == expected


def test_words_in_order_are_found_past_an_insertion() -> None:
    output = ["welcome", "to", "the", "Hangzhou"]
    assert in_order(output, ["welcome", "to", "Hangzhou"]) == [True, True, False, True]
    assert in_order(["b", "a"], ["a", "b"]).count(True) == 1


@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), max_size=8))
def test_words_in_order_are_a_common_subsequence_of_greatest_length(
    output: list[str], reference: list[str]
) -> None:
    kept = [word for word, ok in zip(output, in_order(output, reference), strict=True) if ok]
    rest = iter(reference)
    assert all(word in rest for word in kept)
    table = [[0] * (len(reference) + 1) for _ in range(len(output) + 1)]
    for i, a in enumerate(output):
        for j, b in enumerate(reference):
            longer = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else longer
    assert len(kept) == table[-1][-1]
