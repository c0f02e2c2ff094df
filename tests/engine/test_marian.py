"""Looking back through a MarianMT folder: tiny, random, and made here."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

import engine
from engine.chosen import chosen
from engine.errors import InputError
from engine.lesson import Lesson, Translation, load_lesson
from engine.traces import Lookback, LookingBackTrace

pytest.importorskip("transformers")

from engine.marian import encode, open_marian, passed
from engine.marian_lookback import look
from tests.marian_folder import make_marian

CPU = torch.device("cpu")
SOURCE, TARGET = "the teacher reads an old book .", "der Lehrer liest ein altes Buch ."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_marian(tmp_path_factory.mktemp("models") / "opus-tiny", seed=5)


@pytest.fixture
def broken(folder: Path, tmp_path: Path) -> Path:
    """A copy that a test may break."""
    return Path(shutil.copytree(folder, tmp_path / "broken"))


def lesson(folder: Path, target: str | None = TARGET, **translation: object) -> Lesson:
    pair = {"source": SOURCE, **({"target": target} if target else {})}
    keys = {f"translation.{key}": value for key, value in translation.items()}
    return load_lesson(
        overrides={"translation.model": str(folder), "looking_back.pairs": [pair], **keys}
    )


def trace(folder: Path, **translation: object) -> LookingBackTrace:
    return engine.trace(lesson(folder, **translation), "looking_back", "cpu")


@pytest.fixture(scope="module")
def mean(folder: Path) -> LookingBackTrace:
    return trace(folder)


def test_it_is_labelled_as_what_it_is(mean: LookingBackTrace) -> None:
    assert (mean.decoder, mean.layer, mean.head, mean.heads) == ("marian", 2, 0, 2)
    assert mean.provenance.models[0].name == "opus-tiny (MarianMT)"
    assert len(mean.provenance.models[0].sha256) == 64
    assert engine.from_json(engine.to_json(mean)).layer == 2


def test_a_folder_is_small(folder: Path) -> None:
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 1_000_000


def pair_of(found: LookingBackTrace) -> Lookback:
    (pair,) = found.pairs
    return pair


def test_scores_make_the_weights_and_weights_the_context(mean: LookingBackTrace) -> None:
    pair = pair_of(mean)
    made = np.exp(pair.scores) / np.exp(pair.scores).sum(axis=1, keepdims=True)
    assert np.allclose(made, pair.weights, atol=1e-12)
    assert np.allclose(pair.contexts, pair.weights @ pair.annotations)
    assert pair.context_error < 1e-12
    assert pair.end_weights.shape == (len(pair.target),) and (pair.end_weights > 0).all()


@pytest.mark.parametrize("head", [0, 1, 2])
def test_rows_are_those_that_transformers_computed(folder: Path, head: int) -> None:
    spec = Translation(model=str(folder), layer=1, head=head or "mean")
    marian = open_marian(folder, spec, CPU)
    source = marian.source.pieced(SOURCE, "s")
    target = marian.target.pieced(TARGET, "t")
    states = encode(marian, source.pieces)
    found = passed(marian, states, target.pieces, torch.ones(states.shape[:2])).attention[0]
    rows = found[head - 1] if head else found.mean(dim=0)  # [target + 1, source + 1]
    first = [target.owners.index(i) for i in range(len(target.words))]
    summed = torch.stack(
        [rows[first][:, source.of(j)].sum(dim=-1) for j in range(len(source.words))], dim=-1
    )
    looked = look(marian, source, target)
    assert torch.allclose(looked.end, rows[first][:, -1], atol=1e-12)
    assert torch.allclose(looked.weights, summed / summed.sum(dim=-1, keepdim=True), atol=1e-12)
    assert max(len(source.of(j)) for j in range(len(source.words))) > 1  # pieces were summed


def test_layers_and_heads_differ(folder: Path, mean: LookingBackTrace) -> None:
    one = pair_of(trace(folder, layer=1, head=2))
    assert not np.allclose(one.weights, pair_of(mean).weights, atol=1e-3)
    assert np.allclose(one.probabilities, pair_of(mean).probabilities)  # the same model speaks


def test_controls_are_other_than_the_model(mean: LookingBackTrace) -> None:
    pair = pair_of(mean)
    assert not np.allclose(pair.untrained_weights, pair.weights, atol=1e-2)
    assert not np.allclose(pair.uniform_probabilities, pair.probabilities, rtol=1e-3)
    assert np.abs(pair.leave_one_out).max() > 1e-3


def test_p_of_a_word_is_that_of_its_pieces(folder: Path, mean: LookingBackTrace) -> None:
    marian = open_marian(folder, Translation(model=str(folder)), CPU)
    source, target = marian.source.pieced(SOURCE, "s"), marian.target.pieced(TARGET, "t")
    row = torch.tensor([[marian.model.config.decoder_start_token_id, *target.pieces]])
    with torch.no_grad():
        out = marian.model(
            input_ids=torch.tensor([[*source.pieces, marian.source.end]]), decoder_input_ids=row
        )
    log_p = out.logits[0].log_softmax(dim=-1)
    each = [float(log_p[k, piece]) for k, piece in enumerate(target.pieces)]
    words = [sum(each[k] for k in target.of(i)) for i in range(len(target.words))]
    assert np.allclose(pair_of(mean).probabilities, np.exp(words))


def test_words_that_share_a_piece_stand_together(folder: Path) -> None:
    side = open_marian(folder, Translation(model=str(folder)), CPU).source
    found = side._with_words(("a", "b", "c"), ["▁ab", "c"])
    assert found.words == ("a b", "c") and found.owners == (0, 1)
    assert found.unknown == (True, False)


def test_without_a_target_it_speaks_itself(folder: Path) -> None:
    pair = pair_of(engine.trace(lesson(folder, None), "looking_back", "cpu"))
    assert not pair.target_given and pair.said == pair.target
    assert " ".join(pair.target) == pair.evidence.translations[0]


# What is refused


def refused(folder: Path, *parts: str, **translation: object) -> None:
    for lang in ("en", "zh"):
        with pytest.raises(InputError) as error:
            trace(folder, **translation)
        text = error.value.text(lang)
        assert "\n" not in text and all(part in text for part in parts), text


def test_layers_and_heads_that_are_not_there(folder: Path) -> None:
    refused(folder, "3", "2", layer=3)
    refused(folder, "5", "2", head=5)


def test_a_pickle_is_not_opened(broken: Path) -> None:
    (broken / "model.safetensors").unlink()
    refused(broken, "model.safetensors")
    (broken / "pytorch_model.bin").write_bytes(b"\x80\x04")
    refused(broken, "pickle", "save_pretrained")


def test_other_models_and_damaged_files_are_named(broken: Path) -> None:
    config = json.loads((broken / "config.json").read_text())
    for changes, parts in (
        ({"model_type": "bert"}, ("bert", "MarianMT")),
        ({"d_model": 10**9}, ("config.json",)),
        ({"d_model": 32}, ("(",)),
        ({"decoder_layers": 3}, ("model.decoder.layers.2",)),
    ):
        (broken / "config.json").write_text(json.dumps(config | changes))
        refused(broken, *parts)
    (broken / "config.json").write_text("{")
    refused(broken, "config.json")
    (broken / "config.json").write_text(json.dumps(config))
    (broken / "source.spm").write_bytes(b"nothing")
    refused(broken, "source.spm")
    (broken / "vocab.json").write_text("[]")
    refused(broken, "vocab.json")


def test_numbers_that_are_none_are_refused(broken: Path) -> None:
    from safetensors.torch import load_file, save_file

    tensors = load_file(broken / "model.safetensors")
    name = next(iter(sorted(tensors)))
    tensors[name].view(-1)[0] = float("nan")
    save_file(tensors, broken / "model.safetensors", metadata={"format": "pt"})
    refused(broken, name)


def test_words_without_pieces_are_named(folder: Path) -> None:
    changed = lesson(folder).model_copy(deep=True)
    pairs = [{"source": "the Ω reads ."}]
    changed = load_lesson(overrides={"translation.model": str(folder), "looking_back.pairs": pairs})
    for lang in ("en", "zh"):
        with pytest.raises(InputError) as error:
            engine.trace(changed, "looking_back", "cpu")
        assert "Ω" in error.value.text(lang)


def test_stations_that_need_a_recurrent_model_say_so(folder: Path) -> None:
    with pytest.raises(InputError, match="looking_back"):
        chosen(lesson(folder), SOURCE, "fixed", CPU)


def test_the_missing_package_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "transformers", None)
    refused(folder, "transformers", "sentencepiece")
