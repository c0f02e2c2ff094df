"""Files of weights that are not what they say: refused before they cost anything."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import pytest
import torch

from engine import checkpoints
from engine.cards import read_card
from engine.errors import FaultError, InputError
from engine.recall import load_memory, weights_path
from engine.stations import STATIONS
from engine.traces import from_json
from engine.words import LANGUAGES

CPU = torch.device("cpu")
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def whole() -> tuple[dict, dict]:
    return checkpoints.load(weights_path("rnn"))


def opened(path: Path, tensors: dict, metadata: dict) -> InputError:
    checkpoints.save(path, tensors, metadata)
    with pytest.raises(InputError) as error:
        load_memory(path, CPU, torch.float32)
    for lang in LANGUAGES:
        assert str(path) in error.value.text(lang) and error.value.text(lang).isprintable()
    return error.value


METADATA = [
    ("hidden", -1), ("hidden", 0), ("hidden", 10**6), ("hidden", 10**30), ("hidden", "x"),
    ("hidden", None), ("cell", "quantum"), ("cell", "lstm"), ("cell", ["rnn"]), ("cell", None),
    ("words", ["a"]), ("words", [1, 2]), ("words", 3), ("words", "abc"), ("words", None),
    ("names", []), ("names", [["a"]]), ("names", [["a", "b", "c"]]), ("names", {"a": "b"}),
]


@pytest.mark.parametrize(("key", "value"), METADATA, ids=str)
def test_metadata_that_does_not_describe_the_tensors(whole, tmp_path, key, value):
    """A size of 10⁶ would take 4 TB: no memory is given before the shapes agree."""
    tensors, metadata = whole
    wrong = copy.deepcopy(metadata) | {key: value}
    error = opened(tmp_path / "w.safetensors", tensors, wrong)
    assert error.key in ("weights.no_metadata", "weights.shape")


@pytest.mark.parametrize("key", ["hidden", "cell", "words", "names"])
def test_metadata_that_is_not_there(whole, tmp_path, key):
    tensors, metadata = whole
    rest = {name: value for name, value in metadata.items() if name != key}
    assert opened(tmp_path / "w.safetensors", tensors, rest).key == "weights.no_metadata"


def test_a_whole_file_opens(whole, tmp_path):
    path = tmp_path / "w.safetensors"
    checkpoints.save(path, *whole)
    memory = load_memory(path, CPU, torch.float64)
    assert all(p.dtype is torch.float64 and not p.is_meta for p in memory.model.parameters())


def test_a_header_of_four_exabytes_is_refused(tmp_path):
    path = tmp_path / "w.safetensors"
    path.write_bytes((2**62).to_bytes(8, "little") + b"{}")
    with pytest.raises(InputError, match="cannot read weights"):
        checkpoints.load(path)
    header = json.dumps({"w": {"dtype": "F16", "shape": [2**40], "data_offsets": [0, 2**41]}})
    path.write_bytes(len(header).to_bytes(8, "little") + header.encode())
    with pytest.raises(InputError, match="cannot read weights"):
        checkpoints.load(path)


class Bomb:
    def __reduce__(self):
        return (Path.touch, (Path("exploded"),))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_in_disguise_is_never_executed(tmp_path, monkeypatch, protocol):
    monkeypatch.chdir(tmp_path)
    Path("w.safetensors").write_bytes(pickle.dumps(Bomb(), protocol))
    with pytest.raises(InputError, match="nothing else is opened"):
        checkpoints.load("w.safetensors")
    assert not Path("exploded").exists()


FORBIDDEN = ("pickle.load", "torch.load", "marshal.load", "eval(", "exec(", "os.system",
             "shell=True", "yaml.load", "extractall", "np.load")


@pytest.mark.parametrize("room", ["engine", "scenes", "studio"])
def test_no_code_of_ours_opens_what_could_run(room):
    """`model.eval()` and `exec_module` (of our own scene files) are other things."""
    for file in (ROOT / room).rglob("*.py"):
        text = file.read_text(encoding="utf-8").replace(".eval()", "").replace("exec_module", "")
        assert [word for word in FORBIDDEN if word in text] == [], file


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "3", "null", "{}", '{"station": "x"}', '{"station": 3}',
     '{"station": "relay_game"}', '{"station": ["relay_game"]}',
     '{"station": "../../etc/passwd"}', '{"__reduce__": "os.system"}'],
)
def test_a_trace_file_that_is_none_is_refused(text):
    with pytest.raises(ValueError):
        from_json(text)


@pytest.mark.parametrize("station", STATIONS)
def test_a_trace_of_the_right_name_and_nothing_else_is_refused(station):
    with pytest.raises(ValueError):
        from_json(json.dumps({"station": station, "trace": {"provenance": None}}))


@pytest.mark.parametrize("card", [None, "sha256 =", "\udcff"])
def test_a_card_that_cannot_be_read_is_one_line(tmp_path, card):
    if card is not None:
        (tmp_path / "w.card.toml").write_bytes(card.encode("utf-8", "surrogateescape"))
    with pytest.raises(FaultError) as error:
        read_card(tmp_path / "w.safetensors")
    assert error.value.key == "weights.no_card" and "w.card.toml" in error.value.text("zh")
