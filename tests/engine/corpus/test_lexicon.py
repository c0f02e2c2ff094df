"""The lexicon: every cell checked, and what is wrong said plainly."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from engine.corpus import generate
from engine.corpus.lexicon import load_lexicon, read_rows
from engine.corpus.rows import Action, Mass, Name, Noun, Person, Verb
from engine.errors import InputError

HEADER = "zh\ten\tplural\tclassifier\tnoun_class\n"


def test_at_least_1500_entries() -> None:
    assert len(load_lexicon()) >= 1500


def test_nouns_are_one_to_one() -> None:
    english, chinese = defaultdict(set), defaultdict(set)
    for table in load_lexicon().tables.values():
        for row in table:
            if isinstance(row, Noun | Mass | Person):
                english[row.en].add(row.zh)
                chinese[row.zh].add(row.en)
    assert {word: found for word, found in english.items() if len(found) > 1} == {}
    assert {word: found for word, found in chinese.items() if len(found) > 1} == {}


def test_verbs_are_one_to_one_for_each_object() -> None:
    for noun_class, verbs in load_lexicon().verbs.items():
        assert len({verb.en for verb in verbs}) == len({verb.zh for verb in verbs}), noun_class


def test_adjectives_are_one_to_one_for_each_noun() -> None:
    for noun_class, rows in load_lexicon().adjectives.items():
        assert len({row.en for row in rows}) == len({row.zh for row in rows}), noun_class


def test_no_action_is_a_verb_with_its_object_too() -> None:
    lexicon = load_lexicon()
    literal = {
        f"{verb.zh} {noun.zh}"
        for noun_class, verbs in lexicon.verbs.items()
        for verb in verbs
        for noun in lexicon.nouns.get(noun_class, ())
    }
    for name in ("actions", "da"):
        assert literal.isdisjoint(row.zh for row in lexicon.table(name, Action))


def test_nobody_eats_a_table() -> None:
    lexicon = load_lexicon()
    eaten = next(v for v in lexicon.table("verbs", Verb) if v.zh == "吃")
    assert set(eaten.objects) == {"food", "snack", "meal"}
    table = next(n for n in lexicon.nouns["furniture"] if n.zh == "桌子")
    assert table not in lexicon.nouns["food"]


def test_more_rows_are_sentences_at_once() -> None:
    lexicon = load_lexicon().with_rows("names", [Name("小强", "Xiaoqiang", "m")])
    pairs = generate(50, seed=1, lexicon=lexicon, containing=("小强",))
    assert all("小强" in pair.zh and "Xiaoqiang" in pair.en for pair in pairs)
    assert not any("小强" in pair.zh for pair in generate(500, seed=1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "zh\ten\n火锅\thot pot\n",
            "mine.tsv: the first row must name the columns zh, en, plural, classifier, noun_class, "
            "with a tab between",
        ),
        (
            HEADER + "火锅\thot pot\thot pots\n",
            "mine.tsv, row 2: 3 cells; 5 are needed, with a tab between",
        ),
        (
            HEADER + "火锅\thot pot\t\t个\tfood\n",
            "mine.tsv, row 2, column plural: the cell is empty; write a word, or - for none",
        ),
        (
            HEADER + "\n火锅\thot pot\thot pots\t个\tsoups\n",
            "mine.tsv, row 3, column noun_class: 'soups' cannot be used; choose person, animal",
        ),
        (
            HEADER + "hot pot\t火锅\thot pots\t个\tfood\n",
            "mine.tsv, row 2, column zh: 'hot pot' is not Chinese; write Chinese here",
        ),
        (
            HEADER + "火锅\thot pot\t火锅们\t个\tfood\n",
            "mine.tsv, row 2, column plural: '火锅们' is Chinese; write English here",
        ),
        (
            HEADER + "火锅\thot pot\thot pots\t个\tfood\n" * 2,
            "mine.tsv, row 3: the same as row 2; keep one of them",
        ),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError) as error:
        read_rows(file, "foods")
    assert str(error.value).startswith(message)
    assert error.value.text("zh").startswith("mine.tsv")


def test_a_good_file_is_read_in_any_order_of_columns(tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text("en\tzh\tclassifier\tplural\tnoun_class\nhot pot\t火锅\t个\thot pots\tfood\n")
    assert read_rows(file, "foods") == (Noun("火锅", "hot pot", "hot pots", "个", "food"),)


def test_unknown_word_class_and_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown word class 'soups'"):
        read_rows(tmp_path / "mine.tsv", "soups")
    with pytest.raises(InputError, match=r"mine\.tsv: the lexicon file cannot be read"):
        read_rows(tmp_path / "mine.tsv", "foods")
