"""Act 4 of looking back: the same sentence untrained, frozen, with words left out."""

from __future__ import annotations

import numpy as np
from manim import (
    DOWN,
    LEFT,
    Animation,
    FadeIn,
    FadeOut,
    LaggedStart,
    Mobject,
    TransformFromCopy,
    VGroup,
)

from scenes.grid import Band
from scenes.looking_back_bars import ControlBars
from scenes.looking_back_board import make_board
from scenes.looking_back_order import WordOrder
from scenes.looking_back_readout import note, weight_key
from scenes.mobjects.alignment_grid import AlignmentGrid
from scenes.mobjects.link import fold
from scenes.mobjects.number_label import format_number
from scenes.mobjects.text import Label, label
from scenes.mobjects.word_card import Reshape
from scenes.trust import needed_text

WIDEST_STEP = 0.62  # manim units, between columns
GUTTER = 0.55  # manim units, between the trained grid and what stands beside it


SUMMARY = 3.6  # manim units that the formulas need
SUMMARY_SECONDS = 4.0  # to read the three steps, beside the caption
LARGER = 1.2  # formulas of the summary against those of the desk


class Controls:
    """The trained grid of the last pair stays; one control after another stands beside it."""

    def __init__(self, order: WordOrder) -> None:
        self.order, self.panel = order, order.panel
        self.scene, self.theme = order.scene, order.theme
        self.pair, self.field = self.panel.pair, self.panel.field
        self.readout = order.first.readout
        self.board = make_board(self.scene, self.pair)
        self.grid = self._grid(self.board.xs)
        self.bars = ControlBars(self.scene, self.pair, self.field, self.board)
        self.shown: list[Mobject] = []  # what stands beside the trained grid now

    # Beats

    def untrained(self) -> None:
        """The words go round a grid again; the untrained twin has the same one."""
        scene, pair = self.scene, self.pair
        after, before = (float(w.max()) for w in (pair.weights, pair.untrained_weights))
        variant = "" if after > 2 * before else "alike"
        with scene.beat("untrained", variant=variant, after=after, before=before):
            self._gather()
            self._twin()
            self.readout.show(*weight_key(scene, self.grid))

    def uniform(self) -> None:
        """p of every word with the learned attention, and with attention frozen."""
        pair = self.pair
        worst = int((pair.probabilities - pair.uniform_probabilities).argmax())
        p, q = pair.probabilities[worst], pair.uniform_probabilities[worst]
        with self.scene.beat(
            "uniform", variant="" if p - q >= 0.05 else "same", word=pair.target[worst],
            p=format_number(p), q=format_number(q), count=len(pair.source),
        ):
            self._replace(self.bars.paired())
            self.readout.show(self.bars.key("learned", False), self.bars.key("frozen", True))

    def leave_one_out(self) -> None:
        """What it costs when the most attended word cannot be looked at."""
        pair, rows = self.pair, len(self.pair.target)
        agree = int((pair.leave_one_out.argmax(axis=1) == pair.alignment).sum())
        with self.scene.beat(
            "leave_one_out", variant="all" if agree == rows else "", agree=agree, rows=rows
        ):
            self._replace(self.bars.costs())
            told = note(self.scene, self.scene.say("labels.cost_key"))
            verdict = note(self.scene, needed_text(self.scene, self.pair.evidence))
            self.readout.show(told, *([verdict] if self.pair.evidence.content_words else []))

    def name(self) -> None:
        """What this is called, and what it does not claim."""
        with self.scene.beat("name", guess=SUMMARY_SECONDS):
            self._replace(self._summary())
            self.readout.show(note(self.scene, self.scene.say("labels.not_claimed")))

    # Places

    def _grid(self, xs: tuple[float, ...]) -> AlignmentGrid:
        return AlignmentGrid(self.theme, xs, self.board.ys, self.board.header)

    def _column_place(self, j: int) -> np.ndarray:
        board, shape = self.board, self.board.columns[j]
        tall = max(shape.height for shape in board.columns) + 0.04
        y = board.header + board.lanes[j] * tall + shape.height / 2
        return np.array([board.xs[j], y, 0.0])

    def _row_place(self, i: int) -> np.ndarray:
        board, shape = self.board, self.board.rows[i]
        widest = max(shape.width for shape in board.rows) + 0.08
        right = self.grid.lines.get_left()[0] - 0.06 - board.row_lanes[i] * widest
        return np.array([right - shape.width / 2, board.ys[i], 0.0])

    # The trained grid and its twin

    def _gather(self) -> None:
        """Two rows of words go round the grid; links become dots."""
        scene, panel = self.scene, self.panel
        leaving: list[Mobject] = [panel.number, panel.ground, *panel.rings]
        for other in self.order.panels[:-1]:
            leaving += other.everything
        scene.release(*leaving, *panel.links.values())
        moves: list[Animation] = [*self.readout.change(), *map(FadeOut, leaving)]
        moves += self._marks_from_links()
        moves += [Reshape(card, self.board.columns[j], self._column_place(j))
                  for j, card in enumerate(panel.cards)]
        moves += [Reshape(card, self.board.rows[i], self._row_place(i))
                  for i, card in enumerate(panel.targets)]
        self.names = [self._title("trained", self.board.xs)]
        scene.play(*moves, FadeIn(self.grid.lines), FadeIn(self.names[0]), run_time=1.8)

    def _marks_from_links(self) -> list[Animation]:
        marks = [self._mark(self.grid, "weights", i, j)
                 for i, j in self.grid.seen(self.pair.weights)]
        links = [fold(link, self.grid.point(*entry)) for entry, link in self.panel.links.items()]
        return [*links, *[FadeIn(mark, scale=0.2) for mark in marks]]

    def _mark(self, grid: AlignmentGrid, field: str, i: int, j: int) -> Mobject:
        return self.scene.bind(
            grid.mark(i, j), grid.attribute, getattr(self.pair, field)[i, j], grid.scale_to,
            field=f"{self.field}.{field}", index=(i, j), label="α",
        )

    def _title(self, key: str, xs: tuple[float, ...]) -> Label:
        name = label(self.theme, self.scene.say(f"labels.{key}"), "TEXT", "label", weight=600)
        return name.centre_on(np.array([(xs[0] + xs[-1]) / 2, self.board.title, 0.0]))

    def _twin(self) -> None:
        """The untrained grid at the right, on the same scale, its words copied from the left."""
        scene, board = self.scene, self.board
        away = board.beside.center[0] - (board.xs[0] + board.xs[-1]) / 2
        xs = tuple(x + away for x in board.xs)
        twin = self._grid(xs)
        marks = [self._mark(twin, "untrained_weights", i, j)
                 for i, j in twin.seen(self.pair.untrained_weights)]
        heads = [card.copy().shift([away, 0, 0]) for card in self.panel.cards]
        copies = [TransformFromCopy(card, head)
                  for card, head in zip(self.panel.cards, heads, strict=True)]
        title = self._title("untrained", xs)
        scene.play(*copies, FadeIn(twin.lines), FadeIn(title), run_time=1.2)
        scene.play(LaggedStart(*map(FadeIn, marks), lag_ratio=0.05), run_time=1.2)
        self.shown = [twin.lines, *marks, *heads, title]

    def _replace(self, new: VGroup) -> None:
        """What stood beside the trained grid gives way."""
        self.scene.release(*self.shown)
        self.scene.play(*map(FadeOut, self.shown), *self.readout.change(), run_time=0.6)
        self.scene.play(LaggedStart(*map(FadeIn, new), lag_ratio=0.1), run_time=1.4)
        self.shown = [new]

    # The name

    def _summary(self) -> VGroup:
        """Three steps with their formulas, under the name that they have together."""
        band = self._summary_band()
        for size, scale in (("body", LARGER), ("label", 1.0), ("smallest", 1.0)):
            steps = self._steps(size, scale, band.width)
            if steps.height <= band.height:
                break
        return steps.move_to(band.center)  # type: ignore[no-any-return]

    def _steps(self, size: str, scale: float, width: float) -> VGroup:
        say = self.scene.say
        steps = VGroup(label(self.theme, say("labels.attention"), "HIGH", "title"))
        for key, formula in self.order.first.picture.formulas.items():
            words = label(self.theme, say(f"labels.step_{key}"), "TEXT", size, width)
            copy = formula.copy().set_opacity(1.0)
            copy.scale(min(scale, width / copy.width))
            steps.add(VGroup(words, copy).arrange(DOWN, buff=0.14, aligned_edge=LEFT))
        return steps.arrange(DOWN, buff=0.25, aligned_edge=LEFT)

    def _summary_band(self) -> Band:
        """Beside the grid; where that is too narrow the grid leaves, and all is free."""
        stage, beside = self.scene.grid.stage, self.board.beside
        if beside.width >= SUMMARY:
            return beside
        trained = [self.grid.lines, *self.grid.marks.values(), *self.panel.cards,
                   *self.panel.targets, *self.names]
        self.shown += trained
        return stage
