"""Forty everyday sentences, written down before the grammar was read and left unchanged since.

Each is translated rightly and known to be, or the command says plainly that the model does not
know it. None is silently wrong. `outcome` notes which, so that a change shows.
"""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

from engine.errors import InputError
from engine.hard_cases import plain
from engine.lesson import Pair, load_lesson
from engine.stations.looking_back import Ensemble, look_back
from engine.tokens import join
from engine.translators import direction_of

TABLE = Path(__file__).with_name("forty.toml")
ROWS: list[dict[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["sentence"]
WRITTEN = "4cea60f970c825a3d78446ec0194c31e8035598737a9593dc64f2c592f4d3ecc"
OUTCOMES = ("right", "does not know")
SAME = {"are going to go": "will go"}  # one future for the other: the only rewording allowed


@cache
def ensemble(direction: str) -> Ensemble:
    torch.set_num_threads(1)
    source = next(row["source"] for row in ROWS if direction_of(row["source"]) == direction)
    return Ensemble.of(load_lesson(), source, torch.device("cpu"))


def outcome(row: dict[str, Any]) -> tuple[str, str]:
    """What a lecturer gets for a sentence, and the translation or the words not known."""
    try:
        pair = look_back(ensemble(direction_of(row["source"])), Pair(source=row["source"]), "here")
    except InputError as error:
        return "does not know", error.text("en")
    said = join(pair.target)
    if pair.trust == "unknown":
        return "does not know", said
    reworded = said
    for one, other in SAME.items():
        reworded = reworded.replace(one, other)
    right = plain(reworded) in {plain(text) for text in row["accepted"]}
    return ("right" if right else "silently wrong"), said


def test_the_table_is_as_it_was_written() -> None:
    text = "".join(
        line for line in TABLE.read_text(encoding="utf-8").splitlines(keepends=True)
        if not line.startswith("outcome = ")
    )
    assert hashlib.sha256(text.encode()).hexdigest() == WRITTEN
    directions = [direction_of(row["source"]) for row in ROWS]
    assert directions.count("zh-en") == directions.count("en-zh") == 20


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["source"])
def test_each_is_right_or_plainly_not_known(row: dict[str, Any]) -> None:
    found, said = outcome(row)
    assert found in OUTCOMES, said
    assert found == row["outcome"], said


def test_a_good_part_of_them_is_right() -> None:
    for direction in ("zh-en", "en-zh"):
        rows = [row for row in ROWS if direction_of(row["source"]) == direction]
        assert sum(row["outcome"] == "right" for row in rows) >= 5
