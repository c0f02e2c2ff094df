"""Whatever stands in a user's own tables: a table, or one line that names file and remedy."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import InputError
from engine.new_word import MOST_NEW_WORDS
from engine.new_words_table import read_new_words
from engine.pairs_file import FEWEST_PAIRS, FEWEST_SOURCES, read_pairs
from engine.stations.serial_parallel import told
from engine.tables import LENGTHS, POSITIONS, LengthRow, ProbeRow, read_table
from engine.timing_table import read_timings, shipped_path
from engine.words import LANGUAGES
from studio.new_words import new_word_flags

WORD = "天文馆\tplanetarium\tplace\n"
PAIRS = "".join(f"a{n} b\tc{n} d\n" for n in range(FEWEST_PAIRS))
PROPERTY = settings(
    deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def said(error: InputError, file: str) -> str:
    """The complaint in English; it must be a line that names the file in both languages."""
    assert error.exit_code == 2
    for lang in LANGUAGES:
        text = error.text(lang)
        assert file in text and text.isprintable()
    return error.text("en")


def refused_words(tmp_path: Path, data: str | bytes) -> str:
    file = tmp_path / "words.tsv"
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    with pytest.raises(InputError) as error:
        new_word_flags(file, False)
    return said(error.value, "words.tsv")


NEW_WORDS = {
    "empty": ("", "no words in it"),
    "blank": (" \n\t\n\n", "no words in it"),
    "remarks alone": ("# 天文馆\n", "no words in it"),
    "columns alone": ("word\ttranslation\tkind\n", "no words in it"),
    "UTF-16": (WORD.encode("utf-16"), "not UTF-8 text"),
    "GBK": (WORD.encode("gbk"), "not UTF-8 text"),
    "a film": (b"\0\0\0\x18ftypmp42\xff", "not UTF-8 text"),
    "half a surrogate pair": (b"\xed\xa0\x80\tx\tplace\n", "not UTF-8 text"),
    "a NUL": (WORD.replace("planet", "\0planet"), "line 1: the sentence holds U+0000"),
    "an escape": (f"{WORD}\x1b[31m\tred\tcolor\n", "line 2: the sentence holds U+001B"),
    "huge": (WORD * (MOST_NEW_WORDS + 1), "more than 100 words"),
    "megabytes": ("#" * 1_000_001, "more than 100 words"),
    "one endless cell": ("天" * 200_000 + "\tx\tplace\n", "cell is too long"),
    "a cell": ("天文馆\n", "column translation: the cell is empty"),
    "two cells": ("天文馆\tplanetarium\n", "column kind: the cell is empty"),
    "commas": (WORD.replace("\t", ","), "column translation: the cell is empty"),
    "four cells": (WORD[:-1] + "\tmore\n", "4 cells, 3 are possible"),
    "an unknown column": ("word\ttranslation\tkind\tcolour\n" + WORD, "unknown column 'colour'"),
    "a column twice": (
        "word\ttranslation\tkind\tplural\tplural\n" + WORD, "name the column plural once"),
    "an unknown kind": (WORD.replace("place", "palce"), "'palce' cannot be used; choose"),
    "the same line twice": (WORD * 2, "line 2: '天文馆' stands in "),
    "one word, two translations": (WORD + WORD.replace("um", "a"), "stands in "),
    "known to the lexicon": ("苹果\tapple\tfood\n", "'苹果' is known already"),
    "HTML": (WORD.replace("planetarium", "<b>x</b>"), "is no English word"),
    "a format": (WORD.replace("planetarium", "{x.__class__} %s"), "is no English word"),
    "a bar": (WORD.replace("planetarium", "plane|tarium"), "is no English word"),
    "an emoji": (WORD.replace("天文馆", "🔭"), "one must be Chinese and the other English"),
    "right to left": (WORD.replace("天文馆", "مرصد"), "one must be Chinese and the other English"),
    "our own signs": (WORD.replace("天文馆", "</s>"), "must be Chinese"),
}


@pytest.mark.parametrize(("data", "message"), NEW_WORDS.values(), ids=NEW_WORDS)
def test_words_that_cannot_be_learnt(tmp_path, data, message):
    assert message in refused_words(tmp_path, data)


@pytest.mark.parametrize(
    "data", [WORD.encode("utf-8-sig"), WORD.replace("\n", "\r\n").encode(), WORD[:-1].encode(),
             WORD.replace("\n", "\r").encode(), f"\n# x\n\n {WORD}\n".encode()])
def test_words_with_a_byte_order_mark_or_other_line_ends(tmp_path, data):
    file = tmp_path / "words.tsv"
    file.write_bytes(data)
    (word,) = new_word_flags(file, False)["translation.learn"]
    assert word == {"word": "天文馆", "translation": "planetarium", "kind": "place"}


PLACES = ["", ".", "none.tsv", "/dev/zero", "/etc/passwd/x", "x" * 300, "a\0b"]


@pytest.mark.parametrize("path", PLACES, ids=ascii)
def test_places_without_a_table(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for read in (lambda: new_word_flags(path, False), lambda: read_timings(Path(path)),
                 lambda: read_pairs(Path(path))):
        with pytest.raises(InputError) as error:
            read()
        said(error.value, "")


CELLS = st.text("天文馆 abc|{}<>#\"'\\\0\x1b\u200b\u2028😀٣", max_size=6) | st.sampled_from(
    ["word", "translation", "kind", "plural", "place", "verb", "food", "planetarium", "天文馆"])
TABLES = st.lists(st.lists(CELLS, max_size=5).map("\t".join), max_size=6).map("\n".join)
ANY = st.binary(max_size=60) | st.text(max_size=60).map(
    lambda text: text.encode("utf-8", "surrogatepass")) | TABLES.map(str.encode)


@PROPERTY
@given(ANY)
def test_any_bytes_are_new_words_or_a_clear_error(tmp_path, data):
    file = tmp_path / "words.tsv"
    file.write_bytes(data)
    try:
        words, places = read_new_words(file)
    except InputError as error:
        said(error, "words.tsv")
    else:
        assert 0 < len(words) == len(places) <= MOST_NEW_WORDS


@PROPERTY
@given(ANY)
def test_any_bytes_are_words_to_learn_or_a_clear_error(tmp_path, data):
    file = tmp_path / "words.tsv"
    file.write_bytes(WORD.encode() + data)
    try:
        assert new_word_flags(file, False)["translation.learn"]
    except InputError as error:
        said(error, "words.tsv")


@PROPERTY
@given(ANY)
def test_any_bytes_are_pairs_or_a_clear_error(tmp_path, data):
    file = tmp_path / "pairs.tsv"
    for whole in (data, PAIRS.encode() + data):
        file.write_bytes(whole)
        try:
            found = read_pairs(file)
        except InputError as error:
            said(error, "pairs.tsv")
        else:
            assert len(found.pairs) >= FEWEST_PAIRS
            assert all(source and target for source, target in found.pairs)


def test_too_few_different_sources_are_refused_before_training_runs_for_ever(tmp_path):
    """Some sources are held out; of too few, nothing would be left to learn from."""
    file = tmp_path / "pairs.tsv"
    lines = (f"a{n % (FEWEST_SOURCES - 1)} b\tc{n}\n" for n in range(60))
    file.write_text("".join(lines))
    with pytest.raises(InputError) as error:
        read_pairs(file)
    assert "only 9 different sources, at least 10 are needed" in said(error.value, "pairs.tsv")


SHIPPED = shipped_path("cpu").read_text("utf-8").splitlines()
VALUES = st.sampled_from(
    ["", "0", "-1", "1", "nan", "inf", "1e999", "9" * 5000, "x", "loop", "{0}", "\0", "1\t1"])


@PROPERTY
@given(st.lists(st.tuples(st.integers(0, len(SHIPPED) - 1), st.integers(0, 8), VALUES), max_size=3),
       st.integers(0, len(SHIPPED)))
def test_any_damage_to_a_timing_table_is_a_trace_or_a_clear_error(tmp_path, changes, kept):
    lines = [line.split("\t") for line in SHIPPED]
    for row, column, value in changes:
        lines[row][column % len(lines[row])] = value
    file = tmp_path / "times.tsv"
    file.write_text("\n".join("\t".join(cells) for cells in lines[: kept or None]), "utf-8")
    try:
        table = read_timings(file)
    except InputError as error:
        said(error, "times.tsv")
        return
    with suppress(LookupError, ValueError, ArithmeticError):  # `build` says: it is not whole
        assert told(table, 12, 0, "cpu").station == "serial_parallel"


MEASURED = {"lengths": (LENGTHS, LengthRow), "positions": (POSITIONS, ProbeRow)}


@pytest.mark.parametrize("name", MEASURED)
@PROPERTY
@given(changes=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 8), VALUES), max_size=3),
       data=ANY)
def test_any_damage_to_measured_tables_is_rows_or_a_clear_error(tmp_path, name, changes, data):
    shipped, kind = MEASURED[name]
    lines = [line.split("\t") for line in shipped.read_text("utf-8").splitlines()]
    for row, column, value in changes:
        lines[row % len(lines)][column % len(lines[row % len(lines)])] = value
    file = tmp_path / "lengths.tsv"
    for whole in ("\n".join("\t".join(cells) for cells in lines).encode(), data):
        file.write_bytes(whole)
        try:
            assert all(isinstance(row, kind) for row in read_table(file, kind))
        except InputError as error:
            said(error, "lengths.tsv")
