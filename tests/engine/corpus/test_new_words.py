"""New words as rows: what is derived, what may be given instead, what is refused and how."""

from __future__ import annotations

from typing import Any

import pytest

from engine.corpus import english, generate
from engine.corpus.lexicon import load_lexicon
from engine.corpus.new_words import KINDS, entries_of, with_new_words
from engine.corpus.rows import Action, Adjective, Mass, Name, Noun, Person, Place, Time, Verb
from engine.errors import InputError
from engine.new_word import NewWord


def row(word: str, translation: str, kind: str, **cells: str) -> Any:
    return read(NewWord(word=word, translation=translation, kind=kind, **cells))[0].row


def read(*words: NewWord) -> Any:
    places = [f"w.tsv, line {number}" for number in range(1, len(words) + 1)]
    return entries_of(words, places, load_lexicon())


@pytest.mark.parametrize(
    ("form", "word", "made"),
    [
        (english.plural, "hot pot", "hot pots"),
        (english.plural, "box", "boxes"),
        (english.plural, "city", "cities"),
        (english.plural, "toy", "toys"),
        (english.past, "hand in", "handed in"),
        (english.past, "carry", "carried"),
        (english.past, "bake bread", "baked bread"),
        (english.past, "plan", "planned"),
        (english.ing, "bake", "baking"),
        (english.ing, "lie", "lying"),
        (english.ing, "see", "seeing"),
        (english.ing, "plan a trip", "planning a trip"),
        (english.comparative, "tall", "taller"),
        (english.comparative, "big", "bigger"),
        (english.comparative, "busy", "busier"),
        (english.comparative, "large", "larger"),
        (english.comparative, "famous", "more famous"),
    ],
)
def test_english_forms_follow_from_rules(form: Any, word: str, made: str) -> None:
    assert form(word) == made


def test_forms_that_are_left_out_are_derived() -> None:
    assert row("山竹", "mangosteen", "food") == Noun(
        "山竹", "mangosteen", "mangosteens", "个", "food"
    )
    assert row("小敏", "Xiaomin", "name", gender="f") == Name("小敏", "Xiaomin", "f")
    assert row("天文台", "observatory", "place") == Place("天文台", "observatory", "in", True)
    action = row("打 太极", "take photos of birds", "action")
    assert action == Action(
        "打 太极", "take photos of birds", "took photos of birds", "taken photos of birds",
        "taking photos of birds",
    )  # fmt: skip
    adjective = row("宏伟", "magnificent", "adjective", fits="place, opening")
    assert adjective == Adjective(
        "宏伟", "magnificent", "more magnificent", True, ("place", "opening")
    )
    assert isinstance(row("奶昔", "milkshake", "drink"), Mass)
    assert isinstance(row("奶昔", "milkshake", "drink", countable="yes"), Noun)
    assert row(
        "粟米", "millet", "food", countable="no", measure="碗", measure_en="bowl of"
    ) == Mass("粟米", "millet", "碗", "bowl of", "bowls of", "food")


def test_irregular_forms_may_be_given() -> None:
    verb = row("织", "weave", "verb", past="wove", participle="woven", objects="clothes")
    assert (verb.past, verb.participle, verb.ing) == ("wove", "woven", "weaving")
    assert isinstance(verb, Verb) and verb.objects == ("clothes",)
    person = row("人类学家", "anthropologist", "person", plural="anthropologists", measure="位")
    assert isinstance(person, Person) and person.classifier == "位"
    assert row("上学期", "last term", "time", tense="past") == Time("上学期", "last term", "past")


def test_either_side_may_come_first_and_both_may_be_the_same() -> None:
    assert read(NewWord(word="mangosteen", translation="山竹", kind="food"))[0].zh == ("山竹",)
    assert read(NewWord(word="RNN", translation="RNN", kind="tool"))[0].zh == ("RNN",)


SAMPLES = {
    "name": ("小敏", "Xiaomin"),
    "time": ("上学期", "last term"),
    "color": ("米色", "beige"),
    "adverb": ("悄悄", "secretly"),
}


@pytest.mark.parametrize("kind", ["name", "place", "action", "adjective", "time", "food", "drink"])
def test_the_grammar_says_what_was_added(kind: str) -> None:
    zh, en = SAMPLES.get(kind, ("甲乙丙", "zorple"))
    cells = {"tense": "past"} if kind == "time" else {}
    entries = read(NewWord(word=zh, translation=en, kind=kind, **cells))
    lexicon = with_new_words(load_lexicon(), entries)
    pairs = generate(3, 1, containing={zh}, lexicon=lexicon)
    assert all(zh in pair.zh for pair in pairs)
    assert any(word.startswith(en.split()[0][:5]) for pair in pairs for word in pair.en)
    assert not any(zh in pair.zh for pair in generate(50, 1))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_read(kind: str) -> None:
    cells = {"tense": "past"} if kind == "time" else {}
    entry = read(NewWord(word="甲乙丙", translation="zorple", kind=kind, **cells))[0]
    assert entry.row in with_new_words(load_lexicon(), [entry]).tables[entry.table]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        (
            NewWord(word="山竹", translation="mangosteen", kind="noun"),
            "w.tsv, line 1, column kind: 'noun' cannot be used; choose name, person, place",
        ),
        (
            NewWord(word="山竹", translation="芒果", kind="food"),
            "w.tsv, line 1: '山竹' and '芒果': one must be Chinese and the other English",
        ),
        (
            NewWord(word="山竹", translation="mango-steen!", kind="food"),
            "w.tsv, line 1, column translation: 'mango-steen!' is no English word; write letters",
        ),
        (
            NewWord(word="苹果", translation="apple", kind="food"),
            "w.tsv, line 1, column word: '苹果' is known already; leave the line out",
        ),
        (
            NewWord(word="山竹", translation="mangosteen", kind="food", past="ate"),
            "w.tsv, line 1, column past: food has no such form; leave the cell empty (food takes: "
            "countable, plural, measure, measure_en)",
        ),
        (
            NewWord(word="义乌", translation="Yiwu", kind="city", gender="f"),
            "w.tsv, line 1, column gender: city has no such form; leave the cell empty (city takes:"
            " nothing more)",
        ),
        (
            NewWord(word="山竹", translation="mangosteen", kind="food", measure="piece"),
            "w.tsv, line 1, column measure: 'piece' is not Chinese; write Chinese here",
        ),
        (
            NewWord(word="山竹", translation="mangosteen", kind="food", countable="maybe"),
            "w.tsv, line 1, column countable: 'maybe' cannot be used; choose yes, no",
        ),
        (
            NewWord(word="织", translation="weave", kind="verb", objects="clothes, soup"),
            "w.tsv, line 1, column objects: 'soup' cannot be used; choose person, animal",
        ),
        (
            NewWord(word="上学期", translation="last term", kind="time"),
            "w.tsv, line 1, column tense: it is needed for this kind; choose past, future",
        ),
        (
            NewWord(word="小敏", translation="Xiaomin", kind="name", gender="x"),
            "w.tsv, line 1, column gender: 'x' cannot be used; choose m, f",
        ),
    ],
)
def test_what_is_wrong_is_said(word: NewWord, message: str) -> None:
    with pytest.raises(InputError) as error:
        read(word)
    assert str(error.value).startswith(message)
    assert error.value.text("zh").startswith("w.tsv, line 1")


def test_a_word_stands_once() -> None:
    twice = NewWord(word="山竹", translation="mangosteen", kind="food")
    with pytest.raises(InputError, match=r"'山竹' stands in w\.tsv, line 1 already; keep one"):
        read(twice, twice)
