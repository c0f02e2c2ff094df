"""Sentences as people write them, matched to the words of a vocabulary."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.carrying import require_known
from engine.corpus import generate
from engine.errors import InputError
from engine.lesson import Pair
from engine.matching import match, match_pair
from engine.tokens import join
from engine.vocabulary import UNKNOWN, Vocabulary

CHINESE = "我 昨天 把 书 放 在 桌子 上 了 上周五 上周 五 很 小 刚 欢迎 来 杭州 ， 这 个"
ENGLISH = "welcome to Hangzhou , I love you Xiaoming 's apple Apple a released"
ZH, EN = (Vocabulary.of([words.split()]) for words in (CHINESE, ENGLISH))


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("我昨天把书放在桌子上了", "我 昨天 把 书 放 在 桌子 上 了"),
        ("我上周五来", "我 上周五 来"),
        ("这个很小", "这 个 很 小"),
        ("欢迎来杭州！", "欢迎 来 杭州"),
        ("欢迎来杭州, 我来", "欢迎 来 杭州 , 我 来"),
        ("欢迎|来杭州", "欢迎 来杭州"),
        ("我放Linux在桌子上", "我 放 Linux 在 桌子 上"),
    ],
)
def test_chinese_is_cut_as_the_model_knows_it(sentence: str, words: str) -> None:
    assert match(sentence, ZH, "here").words == tuple(words.split())


@pytest.mark.parametrize(
    ("sentence", "entries"),
    [
        ("Welcome to Hangzhou.", "welcome to Hangzhou"),
        ("I love Xiaoming's apple", "I love Xiaoming 's apple"),
        ("Apple released a APPLE", "Apple released a apple"),
        ("I love you， Xiaoming’s", "I love you , Xiaoming 's"),
    ],
)
def test_english_is_found_in_the_case_the_model_knows(sentence: str, entries: str) -> None:
    matched = match(sentence, EN, "here")
    assert [EN.words[i] for i in matched.indices] == entries.split()


def test_words_stay_as_written() -> None:
    assert match("Welcome to Hangzhou", EN, "here").words == ("Welcome", "to", "Hangzhou")


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_sentences_of_the_corpus_are_cut_as_they_were_made(seed: int) -> None:
    pair = generate(1, seed, variants=("zh",), clauses=1)[0]
    words = Vocabulary.of([pair.zh])
    assert match("".join(pair.zh), words, "here").words == pair.zh
    assert (
        match(join(pair.en).replace(" 's", "'s"), Vocabulary.of([pair.en]), "here").words == pair.en
    )


def test_unknown_words_are_named_with_their_place() -> None:
    matched = match("我来火星和Mars", ZH, "looking_back.pairs[0].source")
    with pytest.raises(InputError) as error:
        require_known(matched, ZH, "looking_back.pairs[0].source")
    for word in ("火星", "Mars", "looking_back.pairs[0].source"):
        assert word in str(error.value)
    assert "|" in error.value.text("zh")
    assert [ZH.entry(word) for word in matched.unknown] == [UNKNOWN] * len(matched.unknown)


def test_an_empty_sentence_is_refused() -> None:
    with pytest.raises(InputError):
        match("  ", ZH, "here")


@pytest.mark.parametrize(
    ("source", "target", "stops"),
    [
        ("我来杭州。", "I love you", (False, False)),
        ("我来杭州", "I love you.", (False, False)),
        ("我来杭州。", "I love you.", (True, True)),
        ("我来杭州。", None, (True, None)),
    ],
)
def test_a_full_stop_stays_only_where_both_sides_have_it(
    source: str, target: str | None, stops: tuple[bool, bool | None]
) -> None:
    zh, en = (Vocabulary.of([v.words[4:], [stop]]) for v, stop in ((ZH, "。"), (EN, ".")))
    matched = match_pair(Pair(source=source, target=target), zh, en, "here")
    found = tuple(side and side.words[-1] in "。." for side in matched)
    assert found == stops


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("I don't love you", "I do not love you"),
        ("Don’t love you", "Do not love you"),
        ("it's a apple", "it is a apple"),
        ("I'll come", "I will come"),
        ("Xiaoming's apple", "Xiaoming 's apple"),
        ("let's come", "let us come"),
        ("I can't come", "I cannot come"),
    ],
)
def test_contractions_are_written_out_for_a_model_that_has_not_learnt_them(
    sentence: str, words: str
) -> None:
    words_of_it = "I do not love you it is a apple will come Xiaoming 's let us cannot"
    known = Vocabulary.of([words_of_it.split()])
    assert match(sentence, known, "here").words == tuple(words.split())
    assert not match(sentence, known, "here").unknown


def test_a_contraction_that_was_learnt_stays_whole() -> None:
    known = Vocabulary.of([["I", "don't", "do", "not"]])
    assert match("I don't", known, "here").words == ("I", "don't")


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("我爱吃山竹", "我 爱 吃 山竹"),  # 山 and 竹 are not cut apart
        ("他打太极", "他 打 太极"),
        ("我|爱吃|山竹", "我 爱吃 山竹"),  # bars come before all
        ("小红帽来了", "小红帽 来 了"),
    ],
)
def test_words_that_were_taught_are_cut_first(sentence: str, words: str) -> None:
    known = Vocabulary.of([["我", "爱", "吃", "他", "打", "来", "了", "山竹", "太极", "小红帽"]])
    assert match(sentence, known, "here").words == tuple(words.split())
