"""The articles' sentences: what they are translated to, and what is linked to what."""

from __future__ import annotations

import pytest

from engine.corpus import SentencePair, held_out_sentences

EXPECTED = {
    "欢迎 来 杭州": "welcome to Hangzhou",
    "我 爱 你": "I love you",
    "我 昨天 在 杭州 买 了 一 本 书": "I bought a book in Hangzhou yesterday",
    "我 打 你": "I hit you",
    "你 打 我": "you hit me",
    "苹果 很 甜": "the apple is very sweet",
    "苹果 发布 了 新 手机": "Apple released a new phone",
    "我 上个月 在 旧 书店 淘到 的 那 本 讲 量子力学 的 书 ， 它 很 有趣": (
        "that book about quantum mechanics that I picked up in the old bookstore last month , "
        "it is very interesting"
    ),
    "我 上个月 在 旧 书店 淘到 的 那 本 讲 量子力学 的 书 很 有趣": (
        "that book about quantum mechanics that I picked up in the old bookstore last month "
        "is very interesting"
    ),
    "小明 说 他 很 累": "Xiaoming says that he is very tired",
    "明天 下午 三 点 开会": "there will be a meeting at three tomorrow afternoon",
    "明天 下午 有 雨": "there will be rain tomorrow afternoon",
}


def _linked(pair: SentencePair) -> set[tuple[str, str]]:
    return {(pair.en[en], pair.zh[zh]) for en, zh in pair.sure}


@pytest.fixture(scope="module")
def by_source() -> dict[str, SentencePair]:
    return {" ".join(pair.zh): pair for pair in held_out_sentences()}


def test_every_article_sentence_is_there(by_source: dict[str, SentencePair]) -> None:
    assert {zh: " ".join(pair.en) for zh, pair in by_source.items()} == EXPECTED


def test_the_crossing_sentence_is_linked_across(by_source: dict[str, SentencePair]) -> None:
    pair = by_source["我 昨天 在 杭州 买 了 一 本 书"]
    assert _linked(pair) == {
        ("I", "我"),
        ("bought", "买"),
        ("a", "一"),
        ("book", "书"),
        ("in", "在"),
        ("Hangzhou", "杭州"),
        ("yesterday", "昨天"),
    }
    ordered = sorted(pair.sure)
    crossings = sum(
        (one[1] - other[1]) * (one[0] - other[0]) < 0
        for i, one in enumerate(ordered)
        for other in ordered[i + 1 :]
    )
    assert crossings == 11  # yesterday crosses 5 others, in and Hangzhou 3 each


def test_the_monotone_sentences_do_not_cross(by_source: dict[str, SentencePair]) -> None:
    for zh in ("欢迎 来 杭州", "我 爱 你"):
        assert by_source[zh].sure == {(i, i) for i in range(3)}


def test_function_words_are_only_possible(by_source: dict[str, SentencePair]) -> None:
    pair = by_source["苹果 很 甜"]
    possible = {(pair.en[en], pair.zh[zh]) for en, zh in pair.possible - pair.sure}
    assert possible == {("the", "苹果"), ("is", "很"), ("is", "甜")}


def test_he_is_linked_to_its_pronoun(by_source: dict[str, SentencePair]) -> None:
    assert ("he", "他") in _linked(by_source["小明 说 他 很 累"])
