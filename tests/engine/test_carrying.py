"""Unknown words: refused with what helps, or carried over and marked."""

from __future__ import annotations

import pytest
import torch

import engine
from engine.carrying import as_said, carried_right, nearest, require_known
from engine.errors import InputError
from engine.lesson import Lesson, load_lesson
from engine.matching import Matched, match
from engine.traces import Lookback, LookingBackTrace
from engine.trust import trust
from engine.vocabulary import UNKNOWN, Vocabulary

ZH = Vocabulary.of(
    [["我", "喜欢", "吃", "火车", "火柴", "三星", "星期", "杭州", "在", "买", "了", "书", "，"]]
)
EN = Vocabulary.of([["I", "like", "eating", "mango", "mangoes", "Hangzhou"]])


def lesson(source: str, target: str | None = None, allow: bool = True) -> Lesson:
    pair = {"source": source} | ({"target": target} if target else {})
    return load_lesson(
        overrides={
            "translation.allow_unknown": allow,
            "looking_back.pairs": [pair],
            "closed_eyes_recital.short": pair,
        }
    )


def test_near_words_share_characters_or_letters() -> None:
    assert nearest("火星", ZH) == ["三星", "星期", "火柴"]
    assert nearest("mangos", EN) == ["mangoes", "mango"]
    assert nearest("xylophone", EN) == nearest("天", ZH) == []


@pytest.mark.parametrize(
    ("sentence", "allow", "message"),
    [
        (
            "我喜欢吃火星",
            False,
            "here: the translator does not know 火星 (nearest in spelling: 火星 → 三星, 星期, 火柴)"
            "; use other words, cut the sentence yourself with bars (欢迎|来|杭州), carry them "
            "over as they are with --allow-unknown, or teach them with --learn words.tsv",
        ),
        (
            "我|天|地|玄|黄",
            True,
            "here: the translator does not know 天, 地, 玄, 黄; use other words, cut the sentence "
            "yourself with bars (欢迎|来|杭州), or teach them with --learn words.tsv; "
            "--allow-unknown carries at most 2 words over, a third of a sentence",
        ),
    ],
)
def test_what_would_help_is_said(sentence: str, allow: bool, message: str) -> None:
    with pytest.raises(InputError) as error:
        require_known(match(sentence, ZH, "here"), ZH, "here", allow)
    assert str(error.value) == message
    assert "--learn" in error.value.text("zh")


def test_a_vocabulary_of_ones_own_is_not_taught() -> None:
    own = Vocabulary(ZH.words, lexical=False)
    for words, way in (("我|喜欢|吃|茶", "carry them over"), ("天|地|玄|黄", "at most 2 words")):
        with pytest.raises(InputError) as error:
            require_known(match(words, own, "here"), own, "here")
        assert way in str(error.value) and "--learn" not in str(error.value)


def test_a_few_may_pass_where_that_is_allowed() -> None:
    require_known(match("我喜欢吃火星", ZH, "here"), ZH, "here", allow_unknown=True)


def test_unknown_words_are_written_as_what_was_looked_at() -> None:
    source = Matched(("我", "火星"), (4, UNKNOWN))
    weights = torch.tensor([[0.9, 0.1], [0.2, 0.8]])
    said = [EN.entry("I"), UNKNOWN]
    assert as_said(EN, said, source, weights) == ("I", "〈火星〉")
    assert as_said(EN, said, source, None) == ("I", "〈?〉")


@pytest.mark.parametrize(
    ("target", "alignment", "right"),
    [
        ((4, UNKNOWN), [0, 1], True),
        ((4, UNKNOWN), [1, 0], False),  # carried from a word that is known
        ((4, 5), [0, 1], False),  # not carried at all
    ],
)
def test_what_counts_as_carried(target: tuple[int, ...], alignment: list[int], right: bool) -> None:
    source = Matched(("我", "火星"), (4, UNKNOWN))
    assert carried_right(source, Matched(("I", "x"), target), alignment) is right


def looked_back(source: str, target: str | None = None) -> Lookback:
    trace = engine.trace(lesson(source, target), "looking_back", "cpu")
    assert isinstance(trace, LookingBackTrace)
    return trace.pairs[0]


def test_looking_back_carries_a_word_and_marks_it() -> None:
    pair = looked_back("我昨天在义乌买了一本书")
    assert pair.target == ("I", "bought", "a", "book", "in", "〈义乌〉", "yesterday")
    assert pair.unknown.tolist() == [word == "义乌" for word in pair.source]
    assert pair.source[pair.alignment[5]] == "义乌"
    assert pair.trust == trust(pair.evidence, 1, len(pair.source)) != "known"


def test_an_unknown_word_of_the_target_stands_in_brackets() -> None:
    pair = looked_back("我喜欢吃山竹", "I like eating mangosteens")
    assert pair.target[-1] == "〈mangosteens〉" and pair.trust != "known"


def test_a_word_that_came_from_nowhere_is_not_trusted() -> None:
    pair = looked_back("我喜欢吃苹果", "I like eating mangosteens")
    assert pair.target[-1] == "〈mangosteens〉" and pair.trust == "unknown"


def test_one_vector_names_no_word_that_it_does_not_know() -> None:
    short = engine.trace(lesson("我喜欢吃山竹"), "closed_eyes_recital", "cpu").short  # type: ignore[attr-defined]
    assert "〈山竹〉" in short.attended_output and "〈山竹〉" not in short.output
    assert short.kept[-1] == 0.5  # the probe has no idea of it either
    wrong = [word for word, right in zip(short.output, short.correct, strict=True) if not right]
    assert [word for word in short.output if word == "〈?〉"] == [w for w in wrong if w == "〈?〉"]


def test_without_the_key_it_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"looking_back\.pairs\[0\]\.source: .*义乌.*--allow-unknown"
    ):
        engine.trace(lesson("我在义乌买了书", allow=False), "looking_back", "cpu")
