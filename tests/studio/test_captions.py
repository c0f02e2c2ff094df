"""Captions: short lines, inside the clip's time, nothing in them is markup."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.words import LANGUAGES, words
from studio.captions import MOST_CHARACTERS, cues, first_clause, split_caption, to_srt, to_vtt


@dataclass(frozen=True)
class Said:
    start: float
    end: float
    captions: dict[str, str]


def beat(start: float, end: float, text: str) -> Said:
    return Said(start, end, dict.fromkeys(LANGUAGES, text))


LONG_ZH = "先看一眼现在的状态，再和每个词比一比：注意力权重 α = 0.93，最后写出下一个词。"
LONG_EN = (
    "First the present state asks; then every word answers with a score, and only then we write."
)


@pytest.mark.parametrize(("text", "lang"), [(LONG_ZH, "zh"), (LONG_EN, "en")])
def test_lines_are_short_and_at_most_two(text, lang):
    blocks = split_caption(text, lang)
    assert len(blocks) > 1
    assert all(1 <= len(block) <= 2 for block in blocks)
    assert all(0 < len(line) <= MOST_CHARACTERS[lang] for block in blocks for line in block)


def test_chinese_breaks_between_words_and_at_clauses():
    lines = [line for block in split_caption(LONG_ZH, "zh") for line in block]
    assert lines[0] == "先看一眼现在的状态，"
    assert not any(line[0] in "，。：、！？）” " for line in lines)
    assert any("α = 0.93" in line for line in lines), "a formula stays whole"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_caption_of_every_station_has_short_lines(lang):
    table = words(lang)
    captions = [key for key in table.keys() if ".captions." in key]  # noqa: SIM118
    assert len(captions) > 50
    for key in captions:
        text = re.sub(r"\{[^}]*\}", "0.93", table(key))
        for block in split_caption(text, lang):
            assert 1 <= len(block) <= 2, key
            assert all(len(line) <= MOST_CHARACTERS[lang] for line in block), key


@pytest.mark.parametrize(
    ("text", "most", "begins"),
    [
        ("谁离得最远，梯度还剩多少？", 18, "谁离得最远"),
        ("Softmax gives weights: none negative.", 42, "Softmax gives weights"),
        ("no end at all in this quite long text", 12, "no end at…"),
        ("", 18, ""),
    ],
)
def test_a_caption_without_a_name_is_called_as_it_begins(text, most, begins):
    assert first_clause(text, most) == begins


def test_english_breaks_at_spaces():
    words = LONG_EN.split()
    lines = [line for block in split_caption(LONG_EN, "en") for line in block]
    assert [word for line in lines for word in line.split()] == words


@given(st.text(max_size=200), st.sampled_from(LANGUAGES))
def test_any_text_keeps_its_letters_in_short_lines(text, lang):
    lines = [line for block in split_caption(text, lang) for line in block]
    assert all(0 < len(line) <= MOST_CHARACTERS[lang] for line in lines)
    assert re.sub(r"\s", "", "".join(lines)) == re.sub(r"\s", "", text)


TIMES = st.lists(st.floats(0.05, 20), min_size=1, max_size=6)


@given(TIMES, st.text(min_size=1, max_size=80), st.floats(0.5, 60))
def test_cues_lie_in_order_inside_the_clip(lengths, text, duration):
    beats, at = [], 0.0
    for length in lengths:
        beats.append(beat(at, at + length, text))
        at += length
    found = cues(beats, "en", duration)
    assert all(0 <= cue.start < cue.end <= duration for cue in found)
    assert all(a.end <= b.start + 1e-9 for a, b in pairwise(found))
    if at <= duration and text.split():
        assert found[-1].end == pytest.approx(at)


def test_a_long_caption_takes_its_time_in_parts():
    found = cues([beat(2, 12, LONG_EN)], "en", 60)
    assert len(found) > 1 and found[0].start == 2 and found[-1].end == 12
    shares = [(c.end - c.start) / sum(map(len, c.lines)) for c in found]
    assert max(shares) == pytest.approx(min(shares))


HOSTILE = "<b>&amp; <script>alert(1)</script> --> {\\an8}"


def test_nothing_in_vtt_is_markup():
    text = to_vtt(cues([beat(0, 9, HOSTILE)], "en", 9), "en")
    assert text.count("-->") == len(re.findall(r"^\d\d:.* --> \d\d:", text, re.M))
    assert "<" not in text and "&lt;b&gt;&amp;amp;" in text


def test_nothing_in_srt_is_markup():
    text = to_srt(cues([beat(0, 9, HOSTILE)], "en", 9))
    assert not re.search(r"<[/A-Za-z]|\{\\", text)
    assert len(re.findall("-->", text)) == len(re.findall(r"^\d+$", text, re.M))


def test_clocks():
    found = cues([beat(3661.5, 3662.9999, "好")], "zh", 4000)
    assert "01:01:01.500 --> 01:01:02.999" in to_vtt(found, "zh")
    assert "01:01:01,500 --> 01:01:02,999" in to_srt(found)


def test_files_are_well_formed():
    found = cues([beat(0, 2, "一"), beat(2, 4, "二")], "zh", 4)
    assert to_vtt(found, "zh") == (
        "WEBVTT\nLanguage: zh\n\n"
        "1\n00:00:00.000 --> 00:00:02.000\n一\n\n2\n00:00:02.000 --> 00:00:04.000\n二\n"
    )
    assert to_srt(found) == (
        "1\n00:00:00,000 --> 00:00:02,000\n一\n\n2\n00:00:02,000 --> 00:00:04,000\n二\n"
    )
