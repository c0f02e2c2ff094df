"""Station 5 on the shipped translator: every number fits every other, and the picture is right."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch

from engine import InputError, load_lesson, to_json, trace
from engine.checkpoints import checksum
from engine.corpus import held_out_sentences
from engine.decoding import word_log_probabilities
from engine.matching import match
from engine.traces import Lookback, LookingBackTrace
from engine.translators import shipped, weights_path

CROSSING = ("我昨天在杭州买了一本书", "I bought a book in Hangzhou yesterday")


def looking_back(*pairs: tuple[str, str | None], seed: int = 0) -> LookingBackTrace:
    spec = [{"source": s, **({"target": t} if t else {})} for s, t in pairs]
    lesson = load_lesson(overrides={"looking_back.pairs": spec, "seed": seed})
    built = trace(lesson, "looking_back", "cpu")
    assert isinstance(built, LookingBackTrace)
    return built


@cache
def one(source: str, target: str | None = None) -> Lookback:
    return looking_back((source, target)).pairs[0]


def gold_links(source: str) -> set[tuple[int, int]]:
    return next(set(p.sure) for p in held_out_sentences() if "".join(p.zh) == source)


def test_weights_are_the_softmax_of_the_scores_and_contexts_their_sums() -> None:
    pair = one(*CROSSING)
    e = np.exp(pair.scores - pair.scores.max(axis=1, keepdims=True))
    assert np.allclose(pair.weights, e / e.sum(axis=1, keepdims=True), rtol=0, atol=1e-12)
    assert np.abs(pair.weights.sum(axis=1) - 1).max() < 1e-12
    assert np.abs(pair.contexts - pair.weights @ pair.annotations).max() < 1e-12
    assert pair.context_error < 1e-12


def test_said_words_are_at_least_as_likely_as_the_given_ones() -> None:
    pair = one("苹果发布了新手机", "Apple released a good phone")
    assert (pair.said_probabilities >= pair.probabilities).all()
    surprising = pair.target.index("good")
    assert pair.said[surprising] == "new"
    assert pair.probabilities[surprising] < 0.1
    assert pair.min_probability <= pair.probabilities.min()
    assert pair.trust == "unknown"


def test_without_a_target_the_words_are_the_models_own() -> None:
    pair = one("苹果发布了新手机")
    assert not pair.target_given
    assert pair.target == pair.said == ("Apple", "released", "a", "new", "phone")
    assert np.array_equal(pair.probabilities, pair.said_probabilities)


@pytest.mark.parametrize(
    ("source", "target", "crossings"),
    [
        ("欢迎来杭州", "Welcome to Hangzhou", 0),
        ("我爱你", "I love you", 0),
        ("苹果发布了新手机", "Apple released a new phone", None),
        (*CROSSING, None),
    ],
)
def test_the_articles_pairs_are_known_and_aligned_right(
    source: str, target: str, crossings: int | None
) -> None:
    pair = one(source, target)
    assert pair.target_given
    assert pair.trust == "known"
    assert pair.min_probability > 0.8
    looked = set(enumerate(pair.alignment.tolist()))
    content = {i for i, _ in gold_links(source)}
    assert {link for link in looked if link[0] in content} <= gold_links(source) | {
        link for p in held_out_sentences() if "".join(p.zh) == source for link in p.possible
    }
    if crossings is not None:
        assert pair.crossings == crossings


def test_a_sentence_that_reorders_has_crossing_links() -> None:
    assert one(*CROSSING).crossings >= 3


def test_words_are_shown_as_written() -> None:
    pair = one("欢迎来杭州", "Welcome to Hangzhou")
    assert pair.target == pair.said == ("Welcome", "to", "Hangzhou")


def test_leaving_out_the_aligned_word_hurts_most() -> None:
    pair = one(*CROSSING)
    content = [pair.target.index(word) for word in ("bought", "book", "Hangzhou", "yesterday")]
    for i in content:
        assert pair.leave_one_out[i].argmax() == pair.alignment[i]
        assert pair.leave_one_out[i].max() > 1


def test_leave_one_out_is_what_the_model_says_without_the_word() -> None:
    pair = one(*CROSSING)
    interpreter = shipped("zh-en", "conditional", torch.device("cpu"))
    source = match(CROSSING[0], interpreter.source, "").indices
    target = match(CROSSING[1], interpreter.target, "").indices
    memory, state = interpreter.model.prepare(interpreter.model.read(torch.tensor([source])))
    left_out = torch.zeros(1, len(source), dtype=torch.bool)
    left_out[0, 3] = True
    log_p = word_log_probabilities(interpreter.model, memory.without(left_out), state, target)
    expected = np.log(pair.probabilities) - log_p[0].numpy()
    assert np.allclose(pair.leave_one_out[:, 3], expected, rtol=0, atol=1e-10)


def test_controls_are_worse_than_the_trained_model() -> None:
    pair = one(*CROSSING)
    for control in (pair.uniform_probabilities, pair.untrained_probabilities):
        assert np.log(control).sum() < np.log(pair.probabilities).sum() - 5
    assert pair.untrained_weights.max() < 0.9
    assert not np.allclose(pair.untrained_weights, pair.weights, atol=0.1)


def test_the_same_lesson_gives_the_same_json_and_another_seed_another_control() -> None:
    first, second = (to_json(looking_back(CROSSING)) for _ in range(2))
    assert first == second
    other = looking_back(CROSSING, seed=1).pairs[0]
    assert np.array_equal(other.weights, one(*CROSSING).weights)
    assert not np.array_equal(other.untrained_weights, one(*CROSSING).untrained_weights)


def test_the_trace_names_the_weights_it_came_from() -> None:
    built = looking_back(CROSSING)
    path = weights_path("zh-en", "conditional", 1, 0)
    trained, untrained, *jury = built.provenance.models
    assert [model.name for model in jury] == [path.stem[:-1] + seed for seed in "23"]
    assert (trained.name, trained.sha256, trained.trained) == (path.stem, checksum(path), True)
    assert (untrained.sha256, untrained.trained) == ("", False)
    assert built.decoder == "conditional"


def test_unknown_words_are_named_and_nothing_is_drawn() -> None:
    with pytest.raises(InputError, match="量子计算机") as error:
        looking_back(("我|爱|量子计算机", None))
    assert "looking_back.pairs[0].source" in str(error.value)
    with pytest.raises(InputError, match="xylophone"):
        looking_back(CROSSING, ("我爱你", "I love xylophone"))


def test_one_word_alone_can_be_looked_back_at() -> None:
    pair = one("欢迎")
    assert np.array_equal(pair.weights, np.ones_like(pair.weights))
    assert np.isfinite(pair.leave_one_out).all()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_cpu_and_gpu_agree() -> None:
    lesson = load_lesson()
    here, there = (trace(lesson, "looking_back", device) for device in ("cpu", "cuda"))
    assert isinstance(here, LookingBackTrace)
    assert isinstance(there, LookingBackTrace)
    for a, b in zip(here.pairs, there.pairs, strict=True):
        assert np.allclose(a.weights, b.weights, rtol=0, atol=1e-9)
        assert np.allclose(a.leave_one_out, b.leave_one_out, rtol=0, atol=1e-8)
        assert replace(a, weights=b.weights).target == b.target
