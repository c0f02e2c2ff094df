"""Station 4 on the shipped translators: one vector, a right short sentence, honest marks."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch

from engine import InputError, load_lesson, to_json, trace
from engine.chosen import chosen
from engine.decoder import Kind
from engine.lesson import Lesson
from engine.stations import closed_eyes_recital as station
from engine.traces import ClosedEyesRecitalTrace
from engine.translators import Interpreter
from engine.vocabulary import Vocabulary

SHORT = ("欢迎来杭州", "Welcome to Hangzhou")


def recital(**pairs: tuple[str, str | None]) -> ClosedEyesRecitalTrace:
    overrides = {
        f"closed_eyes_recital.{name}": {"source": s, **({"target": t} if t else {})}
        for name, (s, t) in pairs.items()
    }
    built = trace(load_lesson(overrides=overrides), "closed_eyes_recital", "cpu")
    assert isinstance(built, ClosedEyesRecitalTrace)
    return built


@cache
def default() -> ClosedEyesRecitalTrace:
    return recital()


def test_the_vector_has_one_size_for_every_length() -> None:
    built = default()
    assert len(built.long.source) > 3 * len(built.short.source)
    assert built.short.context.shape == built.long.context.shape == (64,)
    assert np.abs(built.short.context).max() < 1
    assert not np.allclose(built.short.context, built.long.context, atol=0.1)


def test_the_short_sentence_is_recited_right() -> None:
    short = default().short
    assert [word.lower() for word in short.output] == ["welcome", "to", "hangzhou"]
    assert short.correct.all()
    assert short.share_correct == 1.0
    assert short.reference == ("Welcome", "to", "Hangzhou")
    assert short.probabilities.min() > 0.5


def test_attention_says_the_long_sentence_better_than_one_vector_does() -> None:
    long = default().long
    assert long.attended_correct.mean() > long.correct.mean()
    assert long.attended_correct.mean() > 0.8


def test_a_word_that_is_not_in_the_reference_is_marked_wrong() -> None:
    short = recital(short=("欢迎来杭州", "Welcome to Beijing")).short
    assert short.correct.tolist() == [True, True, False]
    assert short.share_correct == pytest.approx(2 / 3)


def test_without_a_target_the_attention_models_words_are_the_reference_and_it_is_said() -> None:
    short = recital(short=("我爱你", None)).short
    assert not short.reference_given
    assert short.reference == short.attended_output == ("I", "love", "you")


def test_the_probe_finds_words_of_the_short_sentence() -> None:
    built = default()
    for each in (built.short, built.long):
        assert ((each.kept > 0) & (each.kept < 1)).all()
    assert built.short.kept.min() > 0.5


def test_curves_are_held_out_and_counted() -> None:
    built = default()
    by_model = {(curve.model, curve.context): curve for curve in built.curves}
    fixed, attention = by_model["fixed", 64], by_model["attention", 0]
    assert abs(fixed.parameters / attention.parameters - 1) < 0.01
    assert (fixed.counts == attention.counts).all()
    assert fixed.counts.min() >= 50
    assert (attention.bleu > fixed.bleu).all()
    assert fixed.bleu[0] > 2 * fixed.bleu[-1]
    assert attention.bleu.min() > 90


def test_probe_accuracy_is_above_measured_chance_and_falls_with_length() -> None:
    built = default()
    assert built.probe_accuracy.shape == (3, 5)
    assert (np.abs(built.probe_chance - 0.5) < 0.1).all()
    assert (built.probe_accuracy > built.probe_chance).all()
    assert built.probe_accuracy[0].mean() > built.probe_accuracy[-1].mean()
    assert built.probe_counts.min() >= 100


def test_the_same_lesson_gives_the_same_json() -> None:
    assert to_json(recital()) == to_json(default())


def test_unknown_words_are_named() -> None:
    with pytest.raises(InputError, match="量子计算机") as error:
        recital(long=("我|爱|量子计算机", None))
    assert "closed_eyes_recital.long.source" in str(error.value)


def test_translators_of_different_words_are_never_set_side_by_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def other_words(
        lesson: Lesson, source: str, decoder: Kind, device: torch.device
    ) -> Interpreter:
        found = chosen(lesson, source, decoder, device)
        fewer = Vocabulary(found.source.words[:-1])
        return found if decoder == "fixed" else replace(found, source=fewer)

    monkeypatch.setattr(station, "chosen", other_words)
    with pytest.raises(InputError, match="different words"):
        station.build(load_lesson(), "cpu")


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_cpu_and_gpu_agree() -> None:
    there = trace(load_lesson(), "closed_eyes_recital", "cuda")
    assert isinstance(there, ClosedEyesRecitalTrace)
    assert there.long.output == default().long.output
    assert np.allclose(there.long.context, default().long.context, rtol=0, atol=1e-9)
    assert np.allclose(there.long.kept, default().long.kept, rtol=0, atol=1e-9)
