"""--verify: what was computed is computed again, and any number changed by hand is found."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.asked import asked, lesson_of
from engine.errors import InputError
from engine.lesson import load_lesson
from engine.words import LANGUAGES, words
from studio.verify import TOLERANCE, compared, differences, sidecars, verify

STATION = "relay_game"
VERDICTS = ("equal", "close", "differs", "other", "picture", "unnoted", "damaged", "failed")


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    """A real trace as its sidecar has it."""
    import torch

    torch.set_num_threads(1)
    lesson = load_lesson(overrides={"relay_game.sentence": "我爱你", "relay_game.steps": 5})
    return json.loads(engine.to_json(engine.trace(lesson, STATION, "cpu")))


def write(folder: Path, table: dict[str, Any], name: str = f"{STATION}.json") -> Path:
    path = folder / "lesson" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(table, ensure_ascii=False), encoding="utf-8")
    return path


def test_every_sidecar_is_told_apart(whole, tmp_path, capsys):
    write(tmp_path, whole)
    changed = copy.deepcopy(whole)
    changed["relative_gradients"][0] += 1e-12
    write(tmp_path, changed, "changed.json")
    other = copy.deepcopy(whole)
    other["provenance"]["lesson"] = other["provenance"]["lesson"].replace("我爱你", "你爱我")
    write(tmp_path, other, "other.json")
    unnoted = copy.deepcopy(whole)
    unnoted["provenance"]["lesson"] = ""
    write(tmp_path, unnoted, "unnoted.json")
    pictured = {"channels": [{"field": "gain", "index": [], "value": 0.5}]}
    write(tmp_path, whole, "pictured.json")
    write(tmp_path, pictured, "pictured.beats.json")
    write(tmp_path, {"not": "ours"}, "else.json")
    assert verify(tmp_path, "en") == 1
    lines = {line.partition(".json")[0]: line for line in capsys.readouterr().out.splitlines()}
    assert lines[f"lesson/{STATION}"].endswith(": equal")
    assert "relative_gradients[0]" in lines["lesson/changed"]
    assert "1 numbers differ" in lines["lesson/changed"]
    assert "differ" in lines["lesson/other"]
    assert "draw it again" in lines["lesson/unnoted"]
    assert "gain = 0.5, not 0.9" in lines["lesson/pictured"]
    assert "1 of 5 equal" in lines and "lesson/else" not in lines


def test_all_equal_is_success(whole, tmp_path, capsys):
    write(tmp_path, whole)
    assert verify(tmp_path, "zh") == 0
    assert "一致" in capsys.readouterr().out


def test_other_versions_are_named_and_allow_a_little(whole):
    other = copy.deepcopy(whole)
    other["provenance"]["versions"] = ["torch 9"]
    other["gain"] += TOLERANCE / 2
    verdict = compared(whole, other)
    assert verdict.key == "verify_close" and "torch 9" in verdict.values["new"]
    other["gain"] += 2 * TOLERANCE
    assert compared(whole, other).key == "verify_differs"
    assert compared(whole, {**whole, "gain": whole["gain"] + TOLERANCE / 2}).key == "verify_differs"


def test_words_lengths_and_missing_fields_are_differences(whole):
    for change in ({"tokens": ["我"]}, {"sentence": "你"}, {"extra": 1}):
        found = list(differences(whole, {**whole, **change}))
        assert [d.field for d in found] == list(change)
        assert compared(whole, {**whole, **change}).key == "verify_other"


def test_a_folder_without_numbers_of_ours(tmp_path):
    with pytest.raises(InputError) as error:
        list(sidecars(tmp_path))
    for lang in LANGUAGES:
        assert str(tmp_path) in error.value.text(lang)


def test_a_trace_says_what_it_was_computed_from(whole):
    lesson = lesson_of(whole["provenance"]["lesson"])
    assert lesson.relay_game.sentence == "我爱你" and lesson.relay_game.steps == 5
    assert asked(lesson, STATION) == whole["provenance"]["lesson"]
    with pytest.raises(ValueError):
        lesson_of('{"seed": -1}')


def test_every_verdict_has_its_words():
    for lang in LANGUAGES:
        for key in VERDICTS:
            assert f"studio.verify_{key}" in words(lang)
