"""Whatever is typed as a sentence: words that can be drawn, or one line on what to change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from engine.errors import InputError
from engine.lesson import load_lesson
from engine.tokens import clean, tokenize
from engine.words import LANGUAGES
from scenes.fonts import line_outline, missing_glyphs
from studio.drawable import check_text, script
from studio.request import make_request

#: Small enough to compute in a blink.
CHEAP = {f"relay_game.{name}": n for name, n in {"hidden_size": 2, "steps": 2, "seeds": 5}.items()}
FORTY = "|".join(f"词{i}" for i in range(40))
TWO_HUNDRED = "|".join(f"词{i}" for i in range(200))
NINETY_HAN = "我们昨天在旧书店里读到那本讲量子力学的书" * 4 + "然后他在咖啡馆喝茶"


def relay(sentence: str) -> tuple[str, ...]:
    """The words that the relay game would draw, by the command's own way."""
    lesson = make_request(["relay_game"], sentence=sentence).lesson
    trace = engine.trace(load_lesson(overrides={**CHEAP, "relay_game.sentence": sentence}),
                         "relay_game", "cpu")
    assert trace.sentence == lesson.relay_game.sentence
    return trace.tokens


def refusal(sentence: str) -> InputError:
    with pytest.raises(InputError) as error:
        make_request(["relay_game"], sentence=sentence)
    for lang in LANGUAGES:
        text = error.value.text(lang)
        assert text.startswith("--sentence") and "\n" not in text and text.isprintable()
    return error.value


DRAWN = {
    "one": ("好", 1),
    "two": ("我 爱", 2),
    "forty": (FORTY, 40),
    "seventy letters": ("x" * 70, 1),
    "spaces of every kind": ("我\u3000爱\u00a0\n\t你\u2028们", 4),
    "zero-width inside": ("我\u200b爱\u2060你\ufeff", 3),
    "turned by hidden signs": ("abc \u202edef\u202c", 2),
    "accents composed": ("cafe\u0301 nai\u0308ve", 2),
    "half-width and full-width": ("ＡＢ ｶﾅ １２", 3),
    "kana and hangul": ("これ|안녕", 2),
    "rare Han that the font has": ("𠮷|㐂", 2),
    "fillers that have no shape": ("我\u3164爱\u115f你\u2800", 3),
    "joiners alone": ("我|\u200d|你", 2),
    "a variant selected": ("葛\ufe00", 1),
}


@pytest.mark.parametrize(("sentence", "count"), DRAWN.values(), ids=DRAWN)
def test_words_that_can_be_drawn(sentence, count):
    tokens = relay(sentence)
    assert len(tokens) == count
    for token in tokens:
        assert token == clean(token) and len(line_outline(token).points), "each leaves ink"


def test_ninety_characters_without_a_break_are_cut_into_words():
    assert len(NINETY_HAN) >= 89
    assert 20 < len(relay(NINETY_HAN)) < 90


def test_two_hundred_words_have_numbers():
    assert len(relay(TWO_HUNDRED)) == 200


MARKUP = [
    "<b>bold</b>&amp;<script>alert(1)</script>",
    "<span foreground='red'>x</span>",
    "#let x = 1; $x^2$ *b* _c_ `d`",
    "{{ 7 * 7 }} {% include 'x' %}",
    "{0} {x} {x.__class__} {} %s %(a)d ${HOME} $(id)",
    "\\n \\u0041 \\alpha",
    "../../etc/passwd ~root",
    "--debug -ql",
    "WEBVTT 00:00 --> 00:01",
    "'; DROP TABLE x; --",
]


@pytest.mark.parametrize("sentence", MARKUP)
def test_markup_is_only_letters(sentence):
    tokens = relay(sentence)
    assert "".join(tokens) == sentence.replace(" ", "")
    for token in tokens:
        line_outline(token)  # no text is ever a format, a tag or a formula


REFUSED = {
    "empty": ("", "sentence.empty"),
    "blank": (" \t\n\u3000", "sentence.empty"),
    "zero-width": ("\u200b\u2060", "sentence.empty"),
    "bars": ("| | |", "sentence.empty"),
    "joiners between bars": ("|\u200d|", "sentence.empty"),
    "joiners": ("\u200d\u200c", "sentence.empty"),
    "fillers": ("\u3164\u115f", "sentence.empty"),
    "nul": ("我\0你", "sentence.unprintable"),
    "bell": ("\a", "sentence.unprintable"),
    "escape": ("\x1b[31m我", "sentence.unprintable"),
    "half a surrogate pair": ("我\ud83d", "sentence.unprintable"),
    "private use": ("\ue000", "sentence.unprintable"),
    "a letter lost on the way": ("我\ufffd你", "sentence.unprintable"),
    "too long": ("我" * 2001, "sentence.too_long"),
    "emoji": ("我爱😀", "sentence.undrawable"),
    "a family": ("👩‍👩‍👧‍👦", "sentence.undrawable"),
    "a flag": ("🇨🇳", "sentence.undrawable"),
    "a keycap": ("1\ufe0f\u20e3", "sentence.undrawable"),
    "right to left": ("مرحبا", "sentence.undrawable"),
    "both ways": ("abc שלום", "sentence.undrawable"),
    "Devanagari": ("नमस्ते", "sentence.undrawable"),
    "Thai": ("สวัสดี", "sentence.undrawable"),
    "a mark the font cannot set": ("x\u0302", "sentence.undrawable"),
    "piles of marks": ("a\u0301\u0302\u0303\u0304", "sentence.undrawable"),
    "Han too rare": ("𪚥", "sentence.undrawable"),
    "letters of mathematics": ("𝒙", "sentence.undrawable"),
}


@pytest.mark.parametrize(("sentence", "key"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_drawn_is_refused_before_anything_is_computed(sentence, key):
    assert refusal(sentence).key == key


SCRIPTS = [
    ("م", "Arabic letters", "阿拉伯字母"),
    ("ש", "Hebrew letters", "希伯来字母"),
    ("न", "Devanagari letters", "天城文字母"),
    ("ส", "Thai letters", "泰文字母"),
    ("བ", "Tibetan letters", "藏文字母"),
    ("ł", "Latin letters with these marks", "带这些符号的拉丁字母"),
    ("ά", "Greek letters with these marks", "带这些符号的希腊字母"),
    ("ᏸ", "letters of the script Cherokee", "Cherokee 文字的字母"),
    ("😀", "such signs or emoji", "这样的符号或表情"),
    ("\u0302", "such marks on letters", "这样的附加符号"),
    ("𪚥", "Han characters as rare as these", "这样生僻的汉字"),
    ("⟂", "such signs or emoji", "这样的符号或表情"),
]


@pytest.mark.parametrize(("sign", "english", "chinese"), SCRIPTS)
def test_the_script_is_named_in_both_languages(sign, english, chinese):
    assert missing_glyphs(sign) == [sign]
    assert (script(sign).text("en"), script(sign).text("zh")) == (english, chinese)
    with pytest.raises(InputError) as error:
        check_text(f"我{sign}", "--source")
    code = f"U+{ord(sign):04X}"
    assert error.value.text("en") == (
        f"--source: {sign} ({code}) cannot be drawn: the shipped font has no {english}; "
        "write it in other letters"
    )
    assert error.value.text("zh") == (
        f"--source：{sign}（{code}）画不出来：所带字体没有{chinese}；请换一种写法"
    )


def test_every_flag_and_key_with_a_sentence_is_looked_at(tmp_path):
    for flags in ({"source": "😀"}, {"source": "我", "target": "😀"}, {"sentence": "😀"}):
        with pytest.raises(InputError) as error:
            make_request([], **flags)
        assert error.value.values["where"] == f"--{list(flags)[-1]}"
    lesson = tmp_path / "a.toml"
    lesson.write_text('[looking_back]\npairs = [{source="我"}, {source="你", target="ok 😀"}]\n')
    with pytest.raises(InputError) as error:
        make_request([], lesson=lesson)
    assert error.value.values["where"] == "looking_back.pairs.1.target"
    assert make_request(["relay_game"], lesson=lesson), "only what is drawn is looked at"


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=40) | st.text("我爱你 ab|{}<>&\u200d\u0301\u202e😀٣م", max_size=12))
def test_any_text_is_a_trace_or_a_clear_error(sentence):
    try:
        tokens = relay(sentence)
    except InputError as error:
        for lang in LANGUAGES:
            assert error.text(lang).isprintable() and error.text(lang).startswith("--sentence")
        return
    assert tokens == tokenize(sentence) and not missing_glyphs("".join(tokens))


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=60))
def test_what_passes_can_be_set_in_type(sentence):
    try:
        text = make_request(["relay_game"], sentence=sentence).lesson.relay_game.sentence
    except InputError:
        return
    assert np.isfinite(line_outline(text).points).all()


def test_a_word_longer_than_the_belt_has_room_for_is_refused():
    from manim import config, tempconfig

    from scenes.conveyor_belt_layout import places
    from scenes.grid import make_grid
    from tests.scenes.geometry import _settings

    with tempconfig(_settings(960, 540)):
        grid = make_grid(config.frame_width, config.frame_height, 1)
        assert places(grid, ("小明", *tokenize(NINETY_HAN), "谁？")).panel.height > 0
        with pytest.raises(InputError) as error:
            places(grid, ("小明", "x" * 70, "谁？"))
    assert error.value.text("en").startswith(f"{'x' * 40}…: a word of 70 letters leaves no room")
