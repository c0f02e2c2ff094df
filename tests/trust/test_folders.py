"""Folders that anybody may have filled: sidecars for --verify, models for --model."""

from __future__ import annotations

import json
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import InputError
from engine.lesson import load_lesson
from engine.marian import open_marian
from engine.traces import to_json
from engine.words import LANGUAGES
from render import main
from studio import verify as verifying
from studio.verify import compared
from tests import factories
from tests.marian_folder import make_marian
from tests.trust.test_weights import Bomb

VERDICTS = ("equal", "differ", "cannot be read", "does not say", "cannot be computed")


@pytest.fixture(scope="module")
def trace() -> dict[str, Any]:
    table = json.loads(to_json(factories.relay_game("我|爱|你")))
    table["provenance"]["lesson"] = '{"seed": 1}'
    return table


@pytest.fixture
def told(trace, tmp_path, monkeypatch, capsys) -> Callable[..., str]:
    """What --verify says of one sidecar; computing anew always gives the whole trace."""
    monkeypatch.setattr(verifying, "_computed", lambda *_: json.dumps(trace))
    monkeypatch.setattr(verifying.Children, "start", lambda *_, **__: None)
    monkeypatch.setattr(verifying.Children, "finish", lambda *_: 0)

    def tell(sidecar: str, beats: str | None = None) -> str:
        (tmp_path / "relay_game.json").write_text(sidecar, "utf-8")
        if beats is not None:
            (tmp_path / "relay_game.beats.json").write_text(beats, "utf-8")
        code = main(["--verify", str(tmp_path), "--lang", "en"])
        said = capsys.readouterr()
        lines = (said.out + said.err).splitlines()
        assert all(line.isprintable() for line in lines) and "Traceback" not in said.err
        assert code == (2 if "no numbers of ours" in lines[-1] else "1 of 1" not in lines[-1])
        return lines[0]

    return tell


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("place", "english"),
    [("", "--verify needs a value"), ("none", "there is no such file or folder"),
     ("file", "is a file, not a folder"), ("empty", "no numbers of ours under")])
def test_places_that_hold_nothing_to_verify(place, english, lang, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()
    assert main(["--verify", place, "--lang", lang]) == 2
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert said.out == "" and line.startswith("--verify") and (lang == "zh" or english in line)


def test_what_is_no_file_is_not_waited_for(told, trace, tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    (tmp_path / "circle.json").symlink_to(tmp_path / "circle.json")
    (tmp_path / "folder.json").mkdir()
    assert told(json.dumps(trace)) == "relay_game.json: equal"


CHANNEL = {"field": "gain", "index": [], "value": 0.9}
PICTURES = {
    "nested": "[" * 100_000,
    "a list": "[]",
    "no channels": "{}",
    "null": '{"channels": null}',
    "a text": '{"channels": "abc"}',
    "beyond": json.dumps({"channels": [CHANNEL | {"index": [99]}]}),
    "no number": json.dumps({"channels": [CHANNEL | {"value": float("nan")}]}),
    "too large": json.dumps({"channels": [CHANNEL | {"value": 10**400}]}),
    "a text for a number": json.dumps({"channels": [CHANNEL | {"value": "\x1b[2J"}]}),
    "insides": json.dumps({"channels": [CHANNEL | {"field": "__class__.__init__.__globals__"}]}),
    "no field": json.dumps({"channels": [CHANNEL | {"field": 3}]}),
    "calls": json.dumps({"channels": [CHANNEL | {"field": "mean(" * 3000 + ")" * 3000}]}),
    "two choices": json.dumps({"channels": [CHANNEL | {"field": "a @ b @ c"}]}),
    "a steered terminal": json.dumps({"channels": [CHANNEL | {"field": "\x1b[2J\n"}]}),
}


@pytest.mark.parametrize("beats", PICTURES.values(), ids=PICTURES)
def test_a_picture_that_says_nothing_sound_is_never_equal(told, trace, beats):
    line = told(json.dumps(trace), beats)
    assert "cannot be read (relay_game.beats.json" in line or "the picture was drawn from" in line


def _with(*path: str) -> Callable[[dict, Any], dict]:
    def changed(table: dict, value: Any) -> dict:
        table = json.loads(json.dumps(table))
        inner = table
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = value
        return table
    return changed


PLACES = [("gain",), ("tokens",), ("sentence",), ("station",), ("provenance",), ("extra",),
          ("provenance", "device"), ("provenance", "versions"), ("provenance", "lesson")]
VALUES = [None, 3, 10**400, float("nan"), "x", "\x1b[2J\nall good", ["relay_game"], {"a": [1]},
          "[" * 20_000, '{"translation": {"model": "/etc"}}', "looking_back"]


@pytest.mark.parametrize("place", PLACES, ids=".".join)
def test_a_sidecar_with_any_value_in_any_place_is_one_line(told, trace, place):
    for value in VALUES:
        line = told(json.dumps(_with(*place)(trace, value)))
        assert any(verdict in line for verdict in VERDICTS) or "no numbers of ours" in line


@settings(deadline=None, max_examples=40,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=30).map(lambda b: b.decode("latin-1")) | st.recursive(
    st.none() | st.floats() | st.text(max_size=5), lambda x: st.lists(x, max_size=3)
    | st.dictionaries(st.sampled_from(["station", "provenance", "x"]), x, max_size=3),
    max_leaves=6).map(json.dumps))
def test_any_json_is_passed_over_or_one_line(told, text):
    assert "equal" not in told(text)


def test_numbers_that_cannot_be_compared_are_not_close():
    noted = {"versions": ["torch 1"], "device": "cpu"}
    old = {"gain": float("nan"), "provenance": noted}
    new = {"gain": 0.9, "provenance": noted | {"versions": ["torch 2"]}}
    assert not compared(old, new).good and not compared(old | {"gain": 10**400}, new).good


def test_a_computing_process_that_is_gone_is_a_fault(trace, tmp_path, monkeypatch, capsys):
    """A broken pipe to it is not that of a reader who has gone, which is no fault."""
    (tmp_path / "relay_game.json").write_text(json.dumps(trace), "utf-8")
    real = verifying.Children.start

    def start(self: Any, command: list[str], **options: Any) -> Any:
        return real(self, [command[0], "-c", "raise SystemExit(9)"], **options)

    monkeypatch.setattr(verifying.Children, "start", start)
    assert main(["--verify", str(tmp_path), "--lang", "en"]) == 1
    assert "exit code 9" in capsys.readouterr().err.splitlines()[-1]


@pytest.fixture(scope="module")
def marian(tmp_path_factory) -> Path:
    pytest.importorskip("transformers")
    return make_marian(tmp_path_factory.mktemp("marian") / "tiny")


def config(**changes: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        table = json.loads((folder / "config.json").read_text()) | changes
        (folder / "config.json").write_text(json.dumps(table))
    return change


def data(name: str, content: bytes) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(content) and None  # type: ignore[return-value]


def cut(folder: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-7])


def sent_elsewhere(folder: Path) -> None:
    (folder / "adapter_config.json").write_text('{"base_model_name_or_path": "../other"}')


MODELS = {
    "no activation": (config(activation_function="nonsense"), "config.json"),
    "heads that share no unit": (config(decoder_attention_heads=3), "config.json"),
    "a size of text": (config(d_model="16"), "config.json"),
    "half a unit": (config(d_model=16.5), "config.json"),
    "sizes of terabytes": (config(decoder_vocab_size=10**12), "config.json"),
    "no start": (config(decoder_start_token_id=None), "config.json"),
    "a start beyond": (config(decoder_start_token_id=10**6), "config.json"),
    "padding beyond": (config(pad_token_id=10**6), "config.json"),
    "code of another place": (config(quantization_config={"quant_method": "x"}), "config.json"),
    "weights of another place": (sent_elsewhere, "config.json"),
    "a configuration in UTF-16": (data("config.json", "{}".encode("utf-16")), "config.json"),
    "a nested configuration": (data("config.json", b"[" * 100_000), "config.json"),
    "a nested vocabulary": (data("vocab.json", b"[" * 100_000), "vocab.json"),
    "a vocabulary of texts": (data("vocab.json", b'{"</s>": "0", "<unk>": 1}'), "vocab.json"),
    "a vocabulary beyond": (data("vocab.json", b'{"</s>": 0, "<unk>": 999999}'), "vocab.json"),
    "weights cut short": (cut, "model.safetensors"),
    "a pickle in disguise": (data("model.safetensors", pickle.dumps(Bomb())), "model.safetensors"),
    "no pieces": (data("target.spm", b""), "target.spm"),
}


@pytest.mark.parametrize(("change", "file"), MODELS.values(), ids=MODELS)
def test_a_marian_folder_that_is_not_whole(marian, tmp_path, monkeypatch, change, file):
    monkeypatch.chdir(tmp_path)
    folder = Path(shutil.copytree(marian, tmp_path / "broken"))
    change(folder)
    with pytest.raises(InputError) as error:
        open_marian(folder, load_lesson().translation, torch.device("cpu"))
    for lang in LANGUAGES:
        assert file in error.value.text(lang) and error.value.text(lang).isprintable()
    assert not Path("exploded").exists()


def test_nothing_of_a_folder_is_code(marian, tmp_path):
    """Hugging Face's way to name Python files of the folder is not followed."""
    folder = Path(shutil.copytree(marian, tmp_path / "code"))
    (folder / "evil.py").write_text("raise SystemExit('executed')")
    config(auto_map={"AutoConfig": "evil.X", "AutoModel": "evil.X"}, trust_remote_code=True)(folder)
    open_marian(folder, load_lesson().translation, torch.device("cpu"))
