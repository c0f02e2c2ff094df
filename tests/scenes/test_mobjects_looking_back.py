"""The parts of the looking-back clip: fan, links, board, cards, lying bars."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from manim import Dot, bezier

from engine.errors import InputError
from engine.quality import crossings
from scenes.channels import read_back, write
from scenes.mobjects.alignment_grid import AlignmentGrid
from scenes.mobjects.fan import STROKE, Fan, Ray
from scenes.mobjects.level_bar import LevelBar
from scenes.mobjects.link import crossing_points
from scenes.mobjects.word_card import Reshape, WordCard, flat, shapes, upright
from scenes.theme import DARK


def test_rays_leave_the_foot_side_by_side_and_fill_it():
    weights = np.array([0.5, 0.3, 0.2])
    fan = Fan(DARK, np.zeros(3), [np.array([x, -1.0, 0.0]) for x in (-1, 0, 1)], widest=0.4)
    middles = [foot[0] for foot in fan.feet(weights)]
    widths = [fan.scale_to(w) / STROKE for w in weights]
    edges = [(m - w / 2, m + w / 2) for m, w in zip(middles, widths, strict=True)]
    assert edges[0][0] == pytest.approx(-0.2) and edges[-1][1] == pytest.approx(0.2)
    assert all(a[1] == pytest.approx(b[0]) for a, b in pairwise(edges))


@pytest.mark.parametrize("seed", range(5))
def test_links_cross_as_often_as_the_alignment_says(seed):
    alignment = np.random.default_rng(seed).integers(0, 6, 7)
    links = [
        Ray("#FFFFFF", np.array([a, 2.0, 0.0]), np.array([0.9 * i - 0.3, -2.0, 0.0]), 0.3)
        for i, a in enumerate(alignment)
    ]
    points = crossing_points(links)
    assert len(points) == crossings(alignment.tolist())
    for point in points:
        near = sum(_distance(link, point) < 0.02 for link in links)
        assert near >= 2


def _distance(link: Ray, point: np.ndarray) -> float:
    path = np.array([bezier(link.points)(t) for t in np.linspace(0, 1, 400)])
    return float(np.linalg.norm(path - point, axis=1).min())


def test_a_board_draws_dots_while_it_is_open_and_cells_when_it_is_dense():
    opened = AlignmentGrid(DARK, [0, 1, 2], [0, -1])
    assert opened.attribute == "radius" and isinstance(opened.mark(0, 0), Dot)
    dense = AlignmentGrid(DARK, list(np.arange(40) * 0.1), list(-np.arange(40) * 0.1))
    assert dense.attribute == "fill"
    assert read_back(write(dense.mark(1, 2), "fill", dense.scale_to(1.0)), "fill") == DARK.HIGH
    assert len(dense.seen(np.full((40, 40), 0.01))) == 0


def test_a_dot_of_full_weight_stays_between_its_neighbours_lines():
    board = AlignmentGrid(DARK, [0, 0.5], [0, -0.7])
    assert board.scale_to(1.0) < 0.25


def test_words_lie_while_they_fit_then_stand_then_are_refused():
    texts = ["杭州", "PyTorch"]
    assert {s.form for s in shapes(texts, 2.0, 0.32, 0.2)} == {"flat"}
    assert [s.form for s in shapes(texts, 0.3, 0.32, 0.2)] == ["stacked", "turned"]
    assert all(s.em >= 0.2 for s in shapes(texts, 0.19, 0.32, 0.2))
    with pytest.raises(InputError) as refused:
        shapes(texts, 0.1, 0.32, 0.2)
    assert refused.value.key == "sentence.does_not_fit"


@pytest.mark.parametrize("text", ["杭州", "bookstore"])
def test_a_card_takes_another_shape_and_stays_the_same_card(text):
    card = WordCard(DARK, text, "SOURCE", flat(text, 0.32))
    word = card.word
    animation = Reshape(card, upright(text, 0.2, 0.28), at=np.array([1.0, 2.0, 0.0]))
    animation.begin()
    animation.finish()
    assert card.word is word
    assert word.em == pytest.approx(0.2)
    assert card.chip.get_center() == pytest.approx([1.0, 2.0, 0.0])
    assert word.height > word.width
    assert card.chip.height >= word.height


@pytest.mark.parametrize("length", [0.7, -0.4, 0.0])
def test_a_lying_bar_reads_back_its_signed_length_after_a_move(length):
    bar = LevelBar("#FFFFFF", np.zeros(3), 0.1)
    write(bar, "length", length)
    bar.shift([3.0, 1.0, 0.0])
    assert read_back(bar, "length") == pytest.approx(length, abs=2e-4)
    assert bar.base == pytest.approx([3.0, 1.0, 0.0])
