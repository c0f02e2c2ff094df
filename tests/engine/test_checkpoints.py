"""Weights on disk: equal after a round trip, refused when damaged, never executed."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from engine import checkpoints
from engine.errors import InputError

TENSORS = {"weight": torch.tensor([[0.5, -2.0], [3.25, 0.0]]), "bias": torch.tensor([1.0])}
METADATA = {"words": ["欢迎", "来", "杭州"], "sizes": {"hidden": 2}, "kind": "tiny"}


def test_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    digest = checkpoints.save(path, TENSORS, METADATA)
    tensors, metadata = checkpoints.load(path)
    assert metadata == METADATA
    assert tensors.keys() == TENSORS.keys()
    for name, tensor in tensors.items():
        assert tensor.dtype is torch.float32
        assert torch.equal(tensor, TENSORS[name])  # these values are exact in half precision
    assert digest == checkpoints.checksum(path)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_same_content_gives_the_same_file(tmp_path: Path) -> None:
    shuffled = dict(reversed(METADATA.items()))
    digests = {
        checkpoints.save(tmp_path / f"{i}.safetensors", TENSORS, metadata)
        for i, metadata in enumerate([METADATA, shuffled] * 4)
    }
    assert len(digests) == 1


def test_weights_are_stored_in_half_precision(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    checkpoints.save(path, {"weight": torch.zeros(100, 100)}, {})
    assert 20_000 < path.stat().st_size < 20_500


@pytest.mark.parametrize("cut", [0, 5, 60, -1])
def test_truncated_file_is_refused(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "model.safetensors"
    checkpoints.save(path, TENSORS, METADATA)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(InputError) as error:
        checkpoints.load(path)
    assert error.value.key == "weights.unreadable"
    assert str(path) in str(error.value)


class _Bomb:
    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (Path("exploded"),))


def test_a_pickle_is_refused_and_never_executed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(pickle.dumps(_Bomb()))
    with pytest.raises(InputError, match="cannot read weights"):
        checkpoints.load(tmp_path / "model.safetensors")
    torch.save({"weight": _Bomb()}, tmp_path / "torch.safetensors")
    with pytest.raises(InputError, match="cannot read weights"):
        checkpoints.load(tmp_path / "torch.safetensors")
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_numbers_that_are_not_finite_are_refused(tmp_path: Path, bad: float) -> None:
    path = tmp_path / "model.safetensors"
    checkpoints.save(path, {"good": torch.ones(2), "rotten": torch.tensor([bad])}, METADATA)
    with pytest.raises(InputError, match="rotten"):
        checkpoints.load(path)


def test_missing_file_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"python -m engine\.training"):
        checkpoints.load(tmp_path / "none.safetensors")


def test_foreign_safetensors_are_refused(tmp_path: Path) -> None:
    save_file(TENSORS, tmp_path / "foreign.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError) as error:
        checkpoints.load(tmp_path / "foreign.safetensors")
    assert error.value.key == "weights.no_metadata"


@pytest.mark.parametrize(
    ("tensors", "tensor"),
    [
        ({"weight": torch.ones(3, 2)}, "bias"),
        ({"weight": torch.ones(3, 2), "bias": torch.ones(3), "more": torch.ones(1)}, "more"),
        ({"weight": torch.ones(2, 3), "bias": torch.ones(3)}, "weight"),
    ],
)
def test_weights_of_another_shape_are_refused(
    tensors: dict[str, torch.Tensor], tensor: str
) -> None:
    with pytest.raises(InputError) as error:
        checkpoints.fill(nn.Linear(2, 3), tensors, "some.safetensors")
    assert error.value.key == "weights.shape"
    assert error.value.values["tensor"] == tensor
