"""The checks of pictures, made to fail: what they look for is found, and nothing else is."""

from __future__ import annotations

from manim import RIGHT, FadeIn, Line, Square, config

from scenes.base import Station
from scenes.mobjects.heat_map import HeatMap
from scenes.mobjects.panel import Panel
from scenes.mobjects.text import label
from scenes.mobjects.token_row import TokenRow
from tests.scenes.one_beat import found


def test_text_on_text_is_found() -> None:
    def act(scene: Station) -> None:
        scene.add(label(scene.theme, "one"), label(scene.theme, "two").shift(0.1 * RIGHT))

    assert any("'one' lies on 'two'" in problem for problem in found(act))


def test_text_on_a_mark_is_found_unless_declared() -> None:
    def act(scene: Station) -> None:
        scene.add(Square(2.0, fill_opacity=1.0), label(scene.theme, "word"))

    def declared(scene: Station) -> None:
        square, word = Square(2.0, fill_opacity=1.0), label(scene.theme, "word")
        scene.let_overlap(square, word)
        scene.add(square, word)

    def grounded(scene: Station) -> None:
        scene.add(Panel(scene.theme, 2, 2), label(scene.theme, "word"))

    assert any("'word' lies on Square" in problem for problem in found(act))
    assert found(declared) == [] == found(grounded)


def test_a_line_through_a_word_is_found_and_one_around_it_is_not() -> None:
    def through(scene: Station) -> None:
        scene.add(label(scene.theme, "word"), Line(3 * -RIGHT, 3 * RIGHT))

    def around(scene: Station) -> None:
        scene.add(label(scene.theme, "word"), Square(2.0, fill_opacity=0.0))

    assert any("'word' lies on Line" in problem for problem in found(through))
    assert found(around) == []


def test_what_leaves_the_safe_area_is_found() -> None:
    def act(scene: Station) -> None:
        scene.add(Square(0.5, fill_opacity=1.0).move_to([config.frame_width / 2 - 0.3, 0, 0]))

    assert any("leaves the safe area" in problem for problem in found(act))


def test_small_type_is_found() -> None:
    def act(scene: Station) -> None:
        scene.add(label(scene.theme, "tiny").scale(0.5))

    assert any("'tiny' is set at" in problem for problem in found(act))


def test_what_cannot_be_seen_is_not_looked_at() -> None:
    def act(scene: Station) -> None:
        hidden = label(scene.theme, "hidden").set_opacity(0.0)
        scene.add(label(scene.theme, "seen"), hidden)

    assert found(act) == []


def test_moving_words_into_a_grid_leaves_no_problem() -> None:
    def act(scene: Station) -> None:
        upper, lower = scene.grid.stage.rows(1, 3)
        row = TokenRow(scene.theme, scene.trace.tokens)
        other = TokenRow(scene.theme, ("Welcome", "to", "Hangzhou"), "TARGET")
        upper.place(row, 0.1)
        upper.place(other, 0.9)
        grid = HeatMap(scene.theme, list(other), list(row), lower.width, lower.height)
        lower.place(grid)
        scene.play(FadeIn(row), FadeIn(other))
        before = [id(token) for token in row]
        scene.play(FadeIn(grid), *grid.seat_columns(), *grid.seat_rows())
        assert [id(token) for token in row] == before
        assert all(id(token) in scene.on_screen() for token in (*row, *other))

    assert found(act) == []
