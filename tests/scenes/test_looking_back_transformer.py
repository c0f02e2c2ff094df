"""The looking-back clip for a MarianMT folder: the same picture, in a Transformer's own words."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from engine.lesson import load_lesson
from engine.traces import LookingBackTrace
from scenes.looking_back import LookingBack
from scenes.looking_back_desk import scoring
from tests.factories import PAIRS, looking_back
from tests.scenes.geometry import BeatState, problems, run_station

RECURRENT = ("forward", "backward", "has not read", "tanh", "1/J", "正向", "反向", "从前往后")


class Transformer(LookingBack):
    """Under the station's own name, so that its words are found."""

    station = "looking_back"


def trace_of(head: int) -> LookingBackTrace:
    trace = looking_back((PAIRS["short"], PAIRS["zh"]))
    pairs = tuple(
        replace(pair, end_weights=np.full(len(pair.target), 0.25)) for pair in trace.pairs
    )
    return replace(trace, pairs=pairs, decoder="marian", layer=6, head=head, heads=8)


@cache
def run(head: int) -> list[BeatState]:
    keys = {"look.theme": "light", "lang": "en"} if head else {}
    return run_station(Transformer, trace_of(head), load_lesson(overrides=keys))


@pytest.mark.parametrize("head", [0, 3])
def test_every_beat_is_printable(head: int) -> None:
    assert problems(run(head)) == []


@pytest.mark.parametrize("head", [0, 3])
def test_nothing_is_said_of_a_recurrent_model(head: int) -> None:
    for state in run(head):
        said = [*state.beat.captions.values(), *state.texts]
        assert not [text for text in said for word in RECURRENT if word in text]
        assert not [text for text in state.beat.captions.values() if "{" in text]


def test_the_footer_names_layer_and_head_or_the_mean() -> None:
    assert any("第 6 层 8 个头的平均" in text for text in run(0)[0].texts)
    assert any("decoder layer 6, head 3 of 8" in text for text in run(3)[0].texts)


def test_what_the_end_sign_took_is_said() -> None:
    softmax = next(state for state in run(3) if state.beat.name == "softmax")
    assert all("</s>" in text and "0.25" in text for text in softmax.beat.captions.values())


def test_the_formula_is_that_of_the_model() -> None:
    assert "tanh" in scoring(looking_back((PAIRS["short"],)))
    assert "sqrt" in scoring(trace_of(3)) and "tanh" not in scoring(trace_of(3))
    assert "mean" in scoring(trace_of(0)) and "tanh" not in scoring(trace_of(0))
