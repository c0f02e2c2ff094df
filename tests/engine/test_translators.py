"""The shipped translators: what their cards say is what they do."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from engine.cards import card_path, read_card
from engine.checkpoints import WEIGHTS_DIR, checksum
from engine.errors import InputError
from engine.material import make_held_out
from engine.measuring import measure
from engine.translators import direction_of, load_interpreter, shipped, weights_path

WEIGHTS = sorted(WEIGHTS_DIR.glob("*.safetensors"))
ATTENTIVE = sorted(WEIGHTS_DIR.glob("translator_*_conditional_*.safetensors"))
CPU = torch.device("cpu")


def names(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", WEIGHTS, ids=names)
def test_every_file_has_the_card_that_belongs_to_it(path: Path) -> None:
    card = read_card(path)
    assert card["sha256"] == checksum(path)
    assert card["command"].startswith("python -m engine.training ")
    assert card["figures"]


def test_no_card_is_left_without_its_weights_and_all_are_small() -> None:
    assert {card_path(path) for path in WEIGHTS} == set(WEIGHTS_DIR.glob("*.card.toml"))
    assert sum(path.stat().st_size for path in WEIGHTS) < 12_000_000


@pytest.mark.parametrize("path", ATTENTIVE, ids=names)
def test_the_cards_figures_reach_the_floor(path: Path) -> None:
    figures = read_card(path)["figures"]
    assert figures["exact_match"] >= 0.95
    # Chinese particles and measure words have no English word of their own to look at.
    assert figures["aer"] <= (0.06 if "_zh-en_" in path.name else 0.15)
    assert figures["content_accuracy"] >= 0.97
    assert figures["bleu"] >= 97


@pytest.mark.parametrize("path", ATTENTIVE, ids=names)
def test_a_held_out_sample_confirms_them(path: Path) -> None:
    interpreter = load_interpreter(path, CPU, torch.float32)
    figures = measure(interpreter, make_held_out(interpreter.direction)[:150])
    assert figures["exact_match"] >= 0.92
    assert figures["aer"] <= (0.08 if interpreter.direction == "zh-en" else 0.17)
    assert figures["known_exact_match"] >= 0.97


def test_fixed_and_attention_are_compared_at_equal_parameters() -> None:
    fixed, attention = (shipped("zh-en", kind, CPU) for kind in ("fixed", "conditional"))
    counts = [each.model.parameter_count() for each in (fixed, attention)]
    assert abs(counts[0] / counts[1] - 1) < 0.01
    assert fixed.model.bias.dtype is torch.float64


def test_a_direction_without_weights_says_how_to_train_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "none.safetensors"
    monkeypatch.setattr("engine.translators.weights_path", lambda *_: missing)
    with pytest.raises(InputError, match="--direction en-zh --decoder fixed"):
        shipped("en-zh", "fixed", CPU)


def test_the_source_decides_the_direction() -> None:
    assert direction_of("欢迎来杭州") == direction_of("我用PyTorch") == "zh-en"
    assert direction_of("Welcome to Hangzhou") == "en-zh"
    assert weights_path("zh-en", "conditional", 1, 64) != weights_path(
        "en-zh", "conditional", 1, 64
    )
