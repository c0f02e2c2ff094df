"""The table of new words: what a person may write, and what is said about mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.corpus.lexicon import load_lexicon
from engine.corpus.new_words import entries_of
from engine.errors import InputError
from engine.new_word import MOST_NEW_WORDS, NewWord
from engine.new_words_table import read_new_words
from engine.words import ASSETS

LINE = "山竹\tmangosteen\tfood\n"


def table(folder: Path, text: str | bytes) -> Path:
    file = folder / "w.tsv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_three_cells_a_line_are_enough(tmp_path: Path) -> None:
    words, places = read_new_words(
        table(tmp_path, "\ufeff# mine\r\n\r\n山竹 \tmangosteen\tfood\t\r\n")
    )
    assert words == (NewWord(word="山竹", translation="mangosteen", kind="food"),)
    assert [place.text("en") for place in places] == ["w.tsv, line 3"]
    assert [place.text("zh") for place in places] == ["w.tsv 第 3 行"]


def test_a_first_line_may_name_more_columns_in_any_order(tmp_path: Path) -> None:
    words, _ = read_new_words(
        table(tmp_path, "kind\tword\ttranslation\tpast\nverb\t织\tweave\twove\n")
    )
    assert words == (NewWord(word="织", translation="weave", kind="verb", past="wove"),)


def test_the_shipped_sample_can_be_learnt() -> None:
    words, places = read_new_words(ASSETS / "lessons" / "new_words.tsv")
    assert len(entries_of(words, places, load_lexicon())) == len(words) >= 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing\n\n", "w.tsv: no words in it; write word, translation and kind"),
        ("山竹 mangosteen food\n", "w.tsv, line 1, column translation: the cell is empty"),
        ("山竹\tmangosteen\n", "w.tsv, line 1, column kind: the cell is empty; write word"),
        (LINE + "\n织\tweave\tverb\twove\n", "w.tsv, line 3: 4 cells, 3 are possible; name more"),
        ("word\ttranslation\tkind\tsex\n", "w.tsv, line 1: unknown column 'sex'; the columns are"),
        ("word\ttranslation\n" + LINE, "w.tsv, line 1: the first line must name the column kind"),
        (
            "word\tword\ttranslation\tkind\n",
            "w.tsv, line 1: the first line must name the column w",
        ),
        ("山" * 201 + "\tx\tfood\n", "w.tsv, line 1, column word: the cell is too long"),
        (LINE * (MOST_NEW_WORDS + 1), f"w.tsv: more than {MOST_NEW_WORDS} words; teach at most"),
        (b"\xff\xfe\x00", "w.tsv: the table of new words is not UTF-8 text; save it as UTF-8"),
        ("山\x07竹\tx\tfood\n", "w.tsv, line 1: the sentence holds U+0007, which is not text"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_new_words(table(tmp_path, text))
    assert str(error.value).startswith(message)
    assert error.value.exit_code == 2


@pytest.mark.parametrize("path", ["none.tsv", "."])
def test_a_table_that_cannot_be_read_is_named(tmp_path: Path, path: str) -> None:
    with pytest.raises(InputError, match="the table of new words cannot be read"):
        read_new_words(tmp_path / path)
