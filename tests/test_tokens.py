"""Sentences to tokens and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InputError
from engine.tokens import clean, is_chinese, join, phrases, tokenize

SENTENCES = st.text(max_size=60)
WRITTEN = st.text(
    st.sampled_from("我爱你来杭州 helloWorld0123，。!?'-.“”|"), min_size=1, max_size=40
)


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("欢迎来杭州", ("欢迎", "来", "杭州")),
        ("我爱你", ("我", "爱", "你")),
        ("欢|迎来|杭州", ("欢", "迎来", "杭州")),
        ("| 我 || 爱 |", ("我", "爱")),
        ("Welcome to Hangzhou", ("Welcome", "to", "Hangzhou")),
        ("I don't know.", ("I", "don't", "know", ".")),
        ("a well-known fact", ("a", "well-known", "fact")),
        ("It costs 3.14 or 1,000.", ("It", "costs", "3.14", "or", "1,000", ".")),
        ("我用PyTorch训练RNN。", ("我", "用", "PyTorch", "训练", "RNN", "。")),
        ("café naïve", ("café", "naïve")),
    ],
)
def test_tokens_of(sentence, tokens):
    assert tokenize(sentence) == tokens


def test_lexicon_words_stay_whole():
    assert tokenize("小明在讲量子力学")[0] == "小明"
    assert "量子力学" in tokenize("那本讲量子力学的书")


@pytest.mark.parametrize("sentence", ["", "   ", "\n\t", "\u200b\u200b", "|||", "\u2060|\ufeff"])
def test_nothing_to_read(sentence):
    with pytest.raises(InputError) as error:
        tokenize(sentence, "--source")
    assert error.value.text("en") == "--source: the sentence is empty; write at least one word"
    assert error.value.text("zh") == "--source：句子是空的；请至少写一个词"


@pytest.mark.parametrize(("sentence", "code"), [("a\0b", "U+0000"), ("a\ud800", "U+D800")])
def test_what_is_no_text_is_named(sentence, code):
    with pytest.raises(InputError, match=code.replace("+", r"\+")):
        tokenize(sentence)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (("Welcome", "to", "Hangzhou", "."), "Welcome to Hangzhou."),
        (("我", "爱", "你", "。"), "我爱你。"),
        (("我", "用", "PyTorch", "。"), "我用PyTorch。"),
        (("(", "yes", ")"), "(yes)"),
    ],
)
def test_join(tokens, text):
    assert join(tokens) == text


@given(SENTENCES)
def test_any_text_is_tokens_or_a_clear_error(sentence):
    try:
        tokens = tokenize(sentence)
    except InputError as error:
        assert error.key in {"sentence.empty", "sentence.unprintable"}
        return
    assert tokens and all(token and token == token.strip() for token in tokens)


@given(WRITTEN)
def test_no_letter_is_lost(sentence):
    try:
        tokens = tokenize(sentence)
    except InputError:
        return
    assert "".join(tokens).replace(" ", "") == sentence.replace(" ", "").replace("|", "")


@given(WRITTEN.filter(lambda text: "|" not in text))
def test_what_is_joined_reads_as_the_same_tokens(sentence):
    try:
        tokens = tokenize(sentence)
    except InputError:
        return
    if not any(is_chinese(token) for token in tokens):  # a segmenter may join what was apart
        again = tokenize(join(tokens))
        assert "".join(again) == "".join(tokens)


@given(SENTENCES)
def test_cleaning_twice_changes_nothing(sentence):
    try:
        once = clean(sentence)
    except InputError:
        return
    assert clean(once) == once


@given(SENTENCES)
def test_phrases_together_are_the_text(text):
    assert "".join(phrases(text)) == (text if text.strip() else "")


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("那么 p = 0.93，所以", "p = 0.93，"),
        ("先看，再想", "先看，"),
        ("so p = 0.9 here", "p = 0.9 "),
    ],
)
def test_what_belongs_together_stays_on_one_line(text, held):
    assert held in phrases(text)


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        (
            "I don't know; he'll come at three o'clock.",
            "I don't know ; he'll come at three o'clock .",
        ),
        ("It's 5:30 p.m., isn't it?", "It's 5:30 p.m. , isn't it ?"),
        ("2,000 people pay $3.14 or 50%", "2,000 people pay $ 3.14 or 50%"),
        ("Dr. Smith's GPT-4 from the U.S.A.", "Dr. Smith's GPT-4 from the U.S.A."),
        ("the 1990s, the 1st, -5°C", "the 1990s , the 1st , -5°C"),
        ("write to me@here.org", "write to me@here.org"),
        ("2024年我在杭州", "2024 年 我 在 杭州"),
        ("我用C++和3D打印机。", "我 用 C++ 和 3D 打印机 。"),
        ("他说：“你好！”", "他 说 ： “ 你好 ！ ”"),
        ("GPT-4和BERT", "GPT-4 和 BERT"),
    ],
)
def test_contractions_numbers_and_mixed_script(sentence, tokens):
    assert tokenize(sentence) == tuple(tokens.split())
    assert join(tokenize(sentence)) == sentence


ENGLISH = ("I", "don't", "he'll", "o'clock", "3.14", "2,000", "50%", "RNN", "U.S.", "GPT-4", "C++")
MIXED = ("我", "用", "2024", "年", "PyTorch", "训练", "RNN", "，", "杭州", "他们", "3", "。")
PARTS = st.lists(st.sampled_from(ENGLISH), min_size=1, max_size=12)
HAN = st.lists(st.sampled_from(MIXED), min_size=1, max_size=12)


@given(PARTS, st.sampled_from(["", ".", "?", "!"]))
def test_english_joined_is_the_sentence_that_was_written(parts, end):
    sentence = " ".join(parts) + end
    assert join(tokenize(sentence)) == sentence
    assert tokenize(sentence)[: len(parts) - 1] == tuple(parts[:-1])


@given(HAN)
def test_mixed_script_joined_is_the_sentence_that_was_written(parts):
    sentence = join(tuple(parts))
    assert join(tokenize(sentence)) == sentence


@given(WRITTEN)
def test_bars_are_kept(text):
    pieces = [piece.strip() for piece in clean(text).split("|") if piece.strip()]
    if pieces:
        assert tokenize("|".join([*pieces, ""])) == tuple(pieces)
