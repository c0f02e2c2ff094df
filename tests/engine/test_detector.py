"""The detector of wrong translations: how it counts, and what it is tried on."""

from __future__ import annotations

import pytest

from engine.cards import read_card
from engine.checkpoints import WEIGHTS_DIR
from engine.detector import Judged, figures, halves
from engine.hard_cases import Case, plain, spoiled_cases, written_cases
from engine.material import Sides
from engine.trust import ALONE, KNOWN

NOTHING: frozenset = frozenset()


def judged(right: bool, agreeing: int = 3, least: float = 1.0, doubted: bool = False) -> Judged:
    return Judged(Case("test", "x", NOTHING), "x", right, agreeing, least, 0, 5, doubted)


@pytest.mark.parametrize(("case", "level"), [
    (judged(True), "known"),
    (judged(True, least=KNOWN - 1e-9), "unknown"),
    (judged(True, agreeing=2), "unknown"),
    (judged(True, doubted=True), "unknown"),
])  # fmt: skip
def test_each_kind_of_evidence_is_enough(case: Judged, level: str) -> None:
    assert case.level(3) == level


def test_precision_and_recall_are_of_wrong_sentences() -> None:
    cases = [judged(True)] * 6 + [judged(True, agreeing=1)] * 2
    cases += [judged(False)] + [judged(False, doubted=True)] * 3
    found = figures(cases, 3)
    assert (found["sentences"], found["wrong"], found["flagged"]) == (12, 4, 5)
    assert (found["wrong_flagged"], found["wrong_passed"], found["right_passed"]) == (3, 1, 6)
    assert (found["precision"], found["recall"], found["right_kept"]) == (0.6, 0.75, 0.75)


def test_thresholds_and_figures_do_not_share_a_case() -> None:
    cases = [judged(True, least=i / 10) for i in range(5)]
    chosen, tried = halves(cases)
    assert len(chosen) + len(tried) == 5 and not set(map(id, chosen)) & set(map(id, tried))


@pytest.mark.parametrize(("one", "other"), [
    ("I don’t like tea.", "i don't like tea"),
    ("我爱你。", "我 爱 你！"),
    ("Xiaoming 's book", "Xiaoming's book"),
])  # fmt: skip
def test_case_signs_and_spaces_make_no_difference(one: str, other: str) -> None:
    assert plain(one) == plain(other)


def test_words_make_a_difference() -> None:
    assert plain("I do not like tea") != plain("I like tea")
    assert plain("买了一本书") != plain("买一本书")


def test_spoiled_sentences_have_no_right_answer_and_are_the_same_for_a_seed() -> None:
    sides = [Sides(("我", f"昨天{i}", "买", "了", f"书{i}", "。"), ("x",), NOTHING, NOTHING)
             for i in range(9)]
    made = list(spoiled_cases(sides, 7))
    assert made == list(spoiled_cases(sides, 7)) and {c.kind for c in made} == {
        "shuffled", "exchanged", "spliced"}
    assert all(not case.accepted for case in made)
    assert not {case.source for case in made} & {"|".join(side.source) for side in sides}


@pytest.mark.parametrize("direction", ["zh-en", "en-zh"])
def test_hard_sentences_of_every_kind_are_there(direction: str) -> None:
    kinds = {case.kind for case in written_cases(direction)}
    assert kinds == {"everyday", "structure", "proverb", "classical", "technical"}


def test_the_cards_say_what_the_detector_achieves() -> None:
    for path in WEIGHTS_DIR.glob("translator_*_conditional_seed1.safetensors"):
        told = read_card(path)["trust"]
        assert told["command"] == "python -m engine.training detector"
        assert told["known_from"] == (KNOWN if told["seeds"] > 1 else ALONE)
        assert told["all"]["recall"] >= (0.9 if told["seeds"] > 1 else 0.8)
        assert told["all"]["right_kept"] >= 0.85
