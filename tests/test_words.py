"""The word tables: every language says the same things, with the same values in them."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

from engine.stations import STATIONS
from engine.words import LANGUAGES, words

ROOT = Path(__file__).resolve().parent.parent
EN, ZH = words("en"), words("zh")
KEYS = sorted(EN.keys() | ZH.keys())
SOURCES = sorted(f for room in ("engine", "scenes", "studio") for f in (ROOT / room).rglob("*.py"))


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_languages_have_the_same_keys():
    assert EN.keys() == ZH.keys()


@pytest.mark.parametrize("key", KEYS)
def test_a_text_has_the_same_values_in_every_language(key):
    assert fields(EN(key)) == fields(ZH(key))


@pytest.mark.parametrize("key", KEYS)
def test_values_are_named(key):
    for lang in LANGUAGES:
        assert all(re.match(r"[a-z]", name) for name in fields(words(lang)(key)))


@pytest.mark.parametrize("key", [key for key in KEYS if key.startswith("errors.")])
def test_an_error_is_one_line(key):
    for lang in LANGUAGES:
        text = words(lang)(key)
        assert text.strip() == text and "\n" not in text and text


@pytest.mark.parametrize("station", STATIONS)
def test_every_station_has_a_title(station):
    for lang in LANGUAGES:
        assert words(lang)(f"{station}.title")


def test_chinese_texts_are_chinese():
    # Formulas, file names and other words that are the same in both need no Han character.
    same = [key for key in KEYS if EN(key) == ZH(key) and re.search(r"[a-z]{4} [a-z]{3}", EN(key))]
    assert not same


def raised(file: Path) -> set[str]:
    """Keys of the errors and phrases that a file makes."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        key = node.args[0]
        if name in {"InputError", "FaultError", "Phrase"} and isinstance(key, ast.Constant):
            found.add(str(key.value))
    return found


@pytest.mark.parametrize("file", SOURCES, ids=lambda f: f.relative_to(ROOT).as_posix())
def test_every_error_raised_has_its_text(file):
    assert {key for key in raised(file) if f"errors.{key}" not in EN} == set()


def beats(station: str) -> dict[str, bool]:
    """Names of a station's beats, and whether the numbers choose between captions."""
    files = [ROOT / "scenes" / f"{station}.py", *(ROOT / "scenes").glob(f"{station}_*.py")]
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    calls = (node for node in nodes if isinstance(node, ast.Call) and node.args)
    opened = [call for call in calls if getattr(call.func, "attr", "") == "beat"]
    assert all(isinstance(call.args[0], ast.Constant) for call in opened), "beats have plain names"
    return {
        call.args[0].value: any(keyword.arg == "variant" for keyword in call.keywords)
        for call in opened
    }


@pytest.mark.parametrize("station", STATIONS)
def test_every_beat_has_its_caption_and_every_caption_its_beat(station):
    told = beats(station)
    captions = {k.removeprefix(f"{station}.captions.") for k in KEYS if f"{station}.captions." in k}
    assert told, "a station is told in beats"
    for name, varies in sorted(told.items(), reverse=True):  # recite_long before recite
        own = {c for c in captions if c == name or (varies and c.startswith(f"{name}_"))}
        own |= {c for c in captions if c.startswith(f"{name}_marian")}  # told of a Transformer
        assert own, f"no caption for {name}"
        captions -= own
    assert not captions, "captions that no beat says"


def test_a_missing_key_is_named():
    with pytest.raises(KeyError, match=r"zh\.toml has no 'no\.such'"):
        ZH("no.such")
