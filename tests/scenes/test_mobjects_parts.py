"""Token rows, strips, bars, beams, valves, plots and grids."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from manim import LEFT, RIGHT, UP, MoveToTarget, config

from engine.errors import InputError
from scenes.channels import write
from scenes.grid import SMALLEST
from scenes.mobjects.axis import Axis, Span
from scenes.mobjects.bar_row import BarRow
from scenes.mobjects.beam import BEAM, Beam
from scenes.mobjects.curve_plot import CurvePlot, spread_tags
from scenes.mobjects.formula import QUIET, Formula
from scenes.mobjects.heat_map import HeatMap
from scenes.mobjects.legend import Legend
from scenes.mobjects.stacked_bar import StackedBar
from scenes.mobjects.state_strip import StateStrip, swatch
from scenes.mobjects.token_row import TokenRow
from scenes.mobjects.valve import OPENING, Valve
from scenes.theme import DARK, Theme

LONG = ("Donaudampfschifffahrtsgesellschaftskapitän", "ist", "da")


def lines_of(row: TokenRow) -> int:
    return len({round(float(token.chip.get_y()), 3) for token in row})


@pytest.mark.parametrize("count", [1, 2, 14, 25, 40])
def test_rows_shrink_then_wrap_and_stay_in_their_width(theme: Theme, count: int) -> None:
    row = TokenRow(theme, ["上个月"] * count, width=12.6)
    assert len(row) == count
    assert row.width <= 12.6 + 1e-6
    assert min(token.em for token in row) >= config.frame_height * SMALLEST - 1e-9
    assert lines_of(row) == {1: 1, 2: 1, 14: 1, 25: 2, 40: 4}[count] or lines_of(row) <= 4


def test_a_row_that_cannot_fit_is_refused(theme: Theme) -> None:
    with pytest.raises(InputError) as error:
        TokenRow(theme, ["上个月"] * 400, width=12.6)
    assert error.value.key == "sentence.does_not_fit" and "400" in error.value.text("en")
    with pytest.raises(InputError):
        TokenRow(theme, LONG, width=4.0)


def test_a_long_german_word_fits_a_wide_frame(theme: Theme) -> None:
    assert TokenRow(theme, LONG, width=12.6).width <= 12.6


def test_words_of_one_line_share_a_baseline(theme: Theme) -> None:
    row = TokenRow(theme, ("aha", "gypsy", "杭州", "Ö"))
    assert np.ptp([token.word.baseline for token in row]) < 1e-6


def test_a_token_fades_as_a_whole_and_comes_back(theme: Theme) -> None:
    token = TokenRow(theme, ("书",))[0]
    ground = token.chip.get_fill_opacity()
    token.set_opacity(0.5)
    assert token.read_channel("opacity") == 0.5
    assert token.chip.get_fill_opacity() == pytest.approx(ground / 2)
    assert token.set_opacity(1.0).chip.get_fill_opacity() == pytest.approx(ground)


@pytest.mark.parametrize("kind", ["unknown", "wrong", "focus"])
def test_marks_are_shapes_and_words_not_hue_alone(theme: Theme, kind: str) -> None:
    token = TokenRow(theme, ("火锅",))[0]
    before = len(token.family_members_with_points())
    token.mark(kind, "?")
    assert len(token.family_members_with_points()) > before and token.note.text == "?"
    token.unmark()
    assert len(token.family_members_with_points()) == before


def test_bars_are_signed_and_on_one_scale(theme: Theme) -> None:
    row = BarRow(theme, 4, width=4, height=2, limit=0.5).shift(UP + RIGHT)
    row.set_row_values(np.array([0.5, -0.25, 0.0, 0.1]))
    heights = [bar.read_channel("height") for bar in row.bars]
    assert heights == pytest.approx([1.0, -0.5, 0.0, 0.2], abs=2e-4)
    assert row.bars[1].get_top()[1] == pytest.approx(row.line.get_y())


def test_a_bar_keeps_its_base_when_it_is_moved_and_animated(theme: Theme) -> None:
    row = BarRow(theme, 2, width=2, height=2).shift(2 * LEFT)
    bar = row.bars[0]
    base = bar.base.copy()
    bar.generate_target()
    write(bar.target, "height", -0.7)
    move = MoveToTarget(bar)
    move.begin()
    move.finish()
    assert np.allclose(bar.base, base) and bar.read_channel("height") == pytest.approx(-0.7)


def test_the_strip_has_one_shape_for_any_state(theme: Theme) -> None:
    strip = StateStrip(theme, 128, width=6, rows=4)
    box = (strip.width, strip.height)
    strip.set_values(np.linspace(-3, 3, 128))
    assert (strip.width, strip.height) == box
    assert strip.cells[0].get_fill_color() == theme.diverging(-1, 1)
    assert strip.cells[127].get_fill_color() == theme.diverging(1, 1)


def test_numbers_on_a_strip_read_on_their_cells(theme: Theme) -> None:
    from scenes.theme import contrast

    values = np.linspace(-1, 1, 9)
    strip = StateStrip(theme, 9, width=8).set_values(values)
    for number, cell in zip(strip.written(values), strip.cells, strict=True):
        assert contrast(number.get_fill_color(), cell.get_fill_color()) >= 4.0


def test_a_beam_is_as_wide_as_its_weight(theme: Theme) -> None:
    row = TokenRow(theme, ("我", "你")).shift(UP)
    below = TokenRow(theme, ("I",), "TARGET").shift(2 * -UP)
    beam = Beam(theme, below[0], row[1], weight=0.25)
    assert beam.get_stroke_width() == pytest.approx(BEAM(0.25)) == BEAM(1.0) / 4
    assert beam.get_start()[1] < beam.get_end()[1] < row.get_bottom()[1]


def test_a_valve_tells_its_angles_from_what_is_drawn(theme: Theme) -> None:
    valve = Valve(theme, 0.6).shift(2 * RIGHT).scale(1.3)
    for attribute, value in (("angle", 0.8), ("fan_low", 0.55), ("fan_high", 0.95)):
        assert valve.write_channel(attribute, OPENING(value))
    assert valve.read_channel("angle") == pytest.approx(OPENING(0.8))
    assert valve.read_channel("fan_low") == pytest.approx(OPENING(0.55))
    assert valve.read_channel("fan_high") == pytest.approx(OPENING(0.95))
    assert not valve.write_channel("height", 1.0)


def test_stacked_segments_add_up(theme: Theme) -> None:
    bar = StackedBar(theme, np.array([3.0, 1.0, 0.0]), width=4.0, height=0.3)
    assert [part.width for part in bar] == pytest.approx([3.0, 1.0, 0.0], abs=1e-5)


@pytest.mark.parametrize(
    ("span", "texts"),
    [
        (Span(0, 100), ["0", "20", "40", "60", "80", "100"]),
        (Span(0, 1), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (Span(-8, 0, log=True), ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "1"]),
        (Span(-330, 0, log=True), ["10⁻³⁰⁰", "10⁻²⁰⁰", "10⁻¹⁰⁰", "1"]),
    ],
)
def test_ticks_are_round(span: Span, texts: list[str]) -> None:
    axis = Axis(DARK, span, 8.0)
    assert [text.text for text in axis.texts] == texts


def test_an_axis_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="covers nothing"):
        Span(1.0, 1.0).ticks()


def plot(theme: Theme) -> CurvePlot:
    return CurvePlot(theme, Span(0, 10), Span(-4, 0, log=True), 6, 3, "lag", "norm")


def test_a_plot_keeps_to_its_size_and_maps_values(theme: Theme) -> None:
    graph = plot(theme)
    assert graph.width <= 6.05 and graph.height <= 3.15
    curve = graph.curve([0, 5, 10], [0, -1, -2])
    assert np.allclose(curve.vertex(1), graph.at(5, -1))
    assert curve.read_channel("y1") == pytest.approx(graph.y_scale(-1))


def test_a_curve_ends_where_it_leaves_the_axis(theme: Theme) -> None:
    graph = plot(theme)
    curve = graph.curve([0, 5, 10], [0, -3, -9])
    foot = graph.at(0, -4)[1]
    assert curve.get_all_points()[:, 1].min() == pytest.approx(foot)
    assert curve.get_end()[0] == pytest.approx(graph.at(5 + 5 / 6, 0)[0])
    gone = graph.curve([0, 1, 2], [0, -np.inf, -np.inf])
    assert np.isfinite(gone.points).all()


def test_the_runners_positions_are_the_axis(theme: Theme) -> None:
    xs = [-4.0, -1.5, 0.0, 3.0]
    graph = CurvePlot(theme, Span(0, 1), Span(-4, 0, log=True), 9, 3, x_at=xs)
    graph.stand_under(1.0)
    assert [graph.at(i, 0)[0] for i in range(4)] == pytest.approx(xs)
    assert graph.get_top()[1] == pytest.approx(1.0)


def test_tags_do_not_lie_on_each_other(theme: Theme) -> None:
    graph = plot(theme)
    curves = [graph.curve([0, 10], [0, -1 - 0.01 * i]) for i in range(3)]
    tags = [graph.tag(curve, "LSTM") for curve in curves]
    spread_tags(tags, graph.get_bottom()[1], graph.get_top()[1])
    heights = sorted(tag.baseline for tag in tags)
    assert min(np.diff(heights)) >= 1.2 * tags[0].em


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (7, 9), (14, 14)])
def test_the_words_themselves_become_the_axes(theme: Theme, rows: int, columns: int) -> None:
    source = TokenRow(theme, ["昨天", "买"] * (columns // 2) + ["书"] * (columns % 2))
    target = TokenRow(theme, ["yesterday", "a"] * (rows // 2) + ["book"] * (rows % 2), "TARGET")
    grid = HeatMap(theme, list(target), list(source), 8.5, 4.6)
    for move in (*grid.seat_columns(), *grid.seat_rows()):
        move.begin()
        move.finish()
    for j, token in enumerate(source):
        assert token.get_x() == pytest.approx(grid.cell(0, j).get_x(), abs=1e-6)
        assert token.get_bottom()[1] > grid.cell(0, j).get_top()[1]
    for one, other in pairwise(source):
        assert one.get_right()[0] <= other.get_left()[0] + 1e-6
    assert all(token.get_right()[0] < grid.cells.get_left()[0] for token in target)
    assert min(t.em for t in (*source, *target)) >= config.frame_height * SMALLEST - 1e-6
    assert grid.width <= 8.5 + 1e-6 and grid.height <= 4.6 + 1e-6


def test_a_grid_that_cannot_be_read_is_refused(theme: Theme) -> None:
    row = TokenRow(theme, ["一"] * 60)
    with pytest.raises(InputError):
        HeatMap(theme, list(row), list(row), 5, 4)


def test_terms_light_up_one_by_one(theme: Theme) -> None:
    formula = Formula(theme, "{{ c_i : c }} = {{ alpha : a }} {{ h : h }}", roles={"a": "QUERY"})
    assert formula.em >= config.frame_height * SMALLEST
    assert formula.term("a")[0].get_fill_color().to_hex() == theme.QUERY
    light = formula.light("a")
    light.begin()
    light.finish()
    assert formula.term("a")[0].get_fill_opacity() == 1.0
    assert formula.term("h")[0].get_fill_opacity() == pytest.approx(QUIET)
    assert all(glyph.path_obj is None for glyph in formula.family_members_with_points())


def test_a_formula_is_as_big_as_the_type_beside_it(theme: Theme) -> None:
    formula = Formula(theme, "H", size="body")
    # A capital of the formula's face is 0.683 em high.
    assert formula.height / 0.683 == pytest.approx(formula.em, rel=0.02)


def test_a_legend_names_its_samples(theme: Theme) -> None:
    samples = [swatch(theme, color) for color in (theme.CELL, theme.HIDDEN)]
    legend = Legend(theme, list(zip(samples, ("height", "深浅"), strict=True)))
    assert [entry[1].text for entry in legend] == ["height", "深浅"]
    across = Legend(theme, list(zip(samples, ("gyp", "aa"), strict=True)), across=True)
    assert across[0][1].baseline == pytest.approx(across[1][1].baseline)
