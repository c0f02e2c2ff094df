"""Labels, wrapping and number labels."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from manim import PI, RIGHT, UP, config

from scenes.captions import caption
from scenes.grid import SMALLEST, make_grid
from scenes.mobjects.number_label import (
    ChangeNumber,
    NumberLabel,
    fixed,
    format_fixed,
    format_log10,
    format_number,
    format_scientific,
    integer,
)
from scenes.mobjects.text import NO_LINE_END, NO_LINE_START, label, stand_together, text_width, wrap
from scenes.reading import reading_seconds
from scenes.theme import DARK, Theme


def test_no_size_is_under_a_fortieth_of_the_frame() -> None:
    for width, height in ((14.22, 8), (10.67, 8), (4.5, 8)):
        sizes = make_grid(width, height).type
        assert min(vars(sizes).values()) >= height * SMALLEST
        assert sizes.title > sizes.body >= sizes.label


def test_a_label_is_one_mobject_of_the_size_it_says(theme: Theme) -> None:
    text = label(theme, "H")
    assert not text.submobjects
    assert text.height == pytest.approx(0.733 * text.em, rel=0.02)
    assert text.get_fill_color().to_hex() == theme.TEXT


def test_size_follows_scaling_and_turning() -> None:
    text = label(DARK, "杭州 Hangzhou")
    em = text.em
    assert text.copy().scale(0.5).em == pytest.approx(em / 2)
    assert text.copy().rotate(PI / 2).em == pytest.approx(em)


def test_baselines_agree_whatever_the_letters() -> None:
    words = [label(DARK, word) for word in ("a", "gy", "中", "H")]
    for i, word in enumerate(words):
        word.shift(i * RIGHT + 0.1 * i * UP)
    stand_together(*words)
    assert np.ptp([word.baseline for word in words]) < 1e-9
    assert words[0].get_bottom()[1] == pytest.approx(words[0].baseline, abs=0.01)
    assert words[1].get_bottom()[1] < words[1].baseline - 0.02


def test_markup_is_drawn_as_it_is_written() -> None:
    assert label(DARK, "<b>*x*</b> $ # _").text == "<b>*x*</b> $ # _"
    assert label(DARK, "<b>x</b>").width > label(DARK, "bxb").width * 1.5


def test_wrapping_keeps_to_the_width_and_to_the_words() -> None:
    text = "我昨天在杭州买了一本书，它很有趣。 The quick brown fox jumps over the lazy dog."
    lines = wrap(text, 12.0)
    assert all(text_width(line) <= 12.0 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert not any(line[0] in NO_LINE_START or line[-1] in NO_LINE_END for line in lines)


MIXED = st.text(alphabet="我爱北京天安门，。（）“”abc def!", min_size=1, max_size=60)


@given(MIXED, st.integers(4, 20))
def test_no_line_starts_with_closing_punctuation(text: str, width: int) -> None:
    lines = wrap(text.strip() or "a", float(width))
    for previous, line in pairwise(lines):
        assert line[:1] not in NO_LINE_START, (previous, line)


def test_a_number_stays_with_what_it_counts() -> None:
    for width in range(5, 16):
        lines = wrap("这句话剩一点。另外 8 个随机网络，最后差不多。", float(width))
        assert any("8 个" in line for line in lines)


def test_two_lines_are_of_even_length() -> None:
    lines = wrap("一二三四五六七八九十一二三", 12.0)
    assert len(lines) == 2 and abs(len(lines[0]) - len(lines[1])) <= 1


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.8731, 2, "0.87"),
        (1.0, 3, "1.000"),
        (0.0, 2, "0.00"),
        (-0.0, 2, "0.00"),
        (-1.5, 1, "−1.5"),
        (0.00515, 2, "5.2 × 10⁻³"),
        (-0.0004, 2, "−4.0 × 10⁻⁴"),
        (12_345_678.0, 1, "1.2 × 10⁷"),
        (9.96e-5, 2, "1.0 × 10⁻⁴"),
    ],
)
def test_numbers_are_written_for_readers(value: float, decimals: int, text: str) -> None:
    assert format_number(value, decimals) == text


@given(st.floats(-1e9, 1e9), st.integers(0, 4))
def test_zero_never_carries_a_sign(value: float, decimals: int) -> None:
    for text in (format_number(value, decimals), format_fixed(value, decimals)):
        assert "-" not in text
        assert not (text.startswith("−") and not text.strip("−0."))


def test_what_has_vanished_is_said_to_be_smaller() -> None:
    assert format_log10(-329.2) == "< 10⁻³⁰⁰"
    assert format_log10(float("-inf")) == "< 10⁻³⁰⁰"
    assert format_log10(-299.9) == "1.3 × 10⁻³⁰⁰"
    assert format_log10(-4.59) == "2.6 × 10⁻⁵"
    assert format_scientific(5.154e-3) == "5.2 × 10⁻³"
    assert integer(12345) == "12 345"


def test_a_number_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="not a number"):
        format_number(float("nan"))


def test_a_number_keeps_its_place_and_size_while_it_changes(theme: Theme) -> None:
    number = NumberLabel(theme, 0.12).scale(1.5).shift(2 * RIGHT + UP)
    left, baseline, em = number.get_left()[0], number.baseline, number.em
    for value in (0.98, 0.71, 0.00, 0.333):
        number.set_value(value)
        assert number.baseline == pytest.approx(baseline)
        assert number.em == pytest.approx(em)
        assert number.get_left()[0] == pytest.approx(left, abs=0.05 * em)
    assert len({round(NumberLabel(theme, v).width, 1) for v in (0.11, 0.88, 0.40)}) == 1


def test_a_number_on_the_right_edge_grows_to_the_left(theme: Theme) -> None:
    number = NumberLabel(theme, 9.5, decimals=1, anchor=1.0)
    right = number.get_right()[0]
    number.set_value(1234.5)
    assert number.get_right()[0] == pytest.approx(right, abs=0.03)


def test_counting_ends_on_the_exact_value(theme: Theme) -> None:
    number = NumberLabel(theme, 1.0, decimals=3)
    count = ChangeNumber(number, 0.005, log=True)
    count.begin()
    count.interpolate(0.5)
    assert 0.005 < number.value < 1.0
    count.finish()
    assert number.value == 0.005 and number.text == "0.005"


def test_changing_a_number_is_cheap() -> None:
    from time import process_time

    number = NumberLabel(DARK, 0.0, format=fixed(2))
    values = np.linspace(0, 1, 101)
    for value in values:
        number.set_value(value)  # every outline is known after this
    start = process_time()
    for value in values:
        number.set_value(value)
    assert (process_time() - start) / len(values) < 2e-3


def test_captions_sit_in_their_band_in_one_and_two_languages(theme: Theme) -> None:
    texts = ["每写一个词，都回头看一遍原句。", "Before each word one looks again, at every step."]
    for shown in (texts[:1], texts[1:], texts):
        grid = make_grid(config.frame_width, config.frame_height, len(shown))
        block = caption(theme, grid, shown)
        assert len(block) == len(shown)
        assert block.get_top()[1] <= grid.caption.top + 1e-6
        assert block.get_bottom()[1] >= grid.caption.bottom
        assert min(part.em for part in block) >= grid.type.smallest - 1e-9


@pytest.mark.parametrize(("width", "height"), [(14.22, 8.0), (10.67, 8.0), (4.5, 8.0)])
def test_two_long_captions_fit_every_frame(width: float, height: float) -> None:
    grid = make_grid(width, height, languages=2)
    texts = ["字" * 44, "a long word or two " * 6]
    caption(DARK, grid, texts)


def test_a_caption_that_cannot_fit_is_a_fault(theme: Theme) -> None:
    grid = make_grid(config.frame_width, config.frame_height)
    with pytest.raises(ValueError, match="does not fit"):
        caption(theme, grid, ["太长了" * 200])


def test_reading_time_grows_with_the_text() -> None:
    assert reading_seconds("好") == 1.5
    assert reading_seconds("一" * 20) == pytest.approx(4.0)
    assert reading_seconds("a" * 80) == pytest.approx(5.0)
