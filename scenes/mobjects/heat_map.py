"""A grid of weights whose axes are words that travelled there, not copies of them.

    grid = HeatMap(theme, rows=list(target_row), columns=list(source_row), width=5, height=4)
    self.play(*grid.seat_columns(), *grid.seat_rows())
    self.bind_each(grid.row(i), "fill_opacity", weights[i], AS_IT_IS, field="…", index=(i,))
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import MoveToTarget, Rectangle, Square, VGroup, config

from engine.errors import InputError
from scenes.grid import SMALLEST
from scenes.mobjects.text import sizes
from scenes.mobjects.token_row import Token
from scenes.theme import Theme

GAP = 0.12  # manim units between a word and its row or column
CHIP_GAP = 0.08  # em, between neighbouring words of an axis
SEAT_HEIGHT, SEAT_PAD = 1.25, 0.15  # em: a chip on an axis is lower and closer to its word
LARGEST_CELL = 0.62
WIDEST_CELL = 1.7  # of its height


class HeatMap(VGroup):
    """Cells `cells[i][j]` for row word i and column word j; opacity 0 is a weight of 0.

    Words of columns stand upright over their column where they are too wide for it.
    Raises InputError where the words do not fit at the smallest size.
    """

    def __init__(
        self,
        theme: Theme,
        rows: Sequence[Token],
        columns: Sequence[Token],
        width: float,
        height: float,
        role: str = "HIGH",
    ) -> None:
        """`width` and `height` hold the grid together with its words, in manim units."""
        super().__init__()
        self.row_tokens, self.column_tokens = list(rows), list(columns)
        self.em, self.turned = self._fitted(width, height)
        self.cell_size = self._cell_size(width, height, self.em, self.turned)
        self.cells = VGroup(
            *[VGroup(*[self._cell(theme, role) for _ in columns]).arrange(buff=0.0) for _ in rows]
        ).arrange(np.array([0.0, -1.0, 0.0]), buff=0.0)
        self.add(self.cells)
        # Room for the words belongs to the grid's box, so that placing it places them too.
        self._margin()

    def _fitted(self, width: float, height: float) -> tuple[float, bool]:
        """Size of type, and whether column words are turned: level first, then larger type."""
        smallest = config.frame_height * SMALLEST
        for turned in (False, True):
            for em in np.linspace(sizes()["label"], smallest, 8):
                if self._fits(width, height, float(em), turned):
                    return float(em), turned
        words = "".join(token.text for token in self.column_tokens)[:40]
        count = max(len(self.row_tokens), len(self.column_tokens))
        raise InputError("sentence.does_not_fit", count=count, sentence=words)

    def _fits(self, width: float, height: float, em: float, turned: bool) -> bool:
        across, down = self._cell_size(width, height, em, turned)
        between, line = CHIP_GAP * em, SEAT_HEIGHT * em
        least = line if turned else self._widest(self.column_tokens, em)
        return across >= least + between and down >= line + between

    def _cell_size(
        self, width: float, height: float, em: float, turned: bool
    ) -> tuple[float, float]:
        """Width and height of a cell: near square, wider where level words need it."""
        left = self._widest(self.row_tokens, em) + GAP
        across = (width - left) / len(self.column_tokens)
        down = min((height - self._header(em, turned)) / len(self.row_tokens), LARGEST_CELL)
        return min(across, down * (1.0 if turned else WIDEST_CELL)), down

    @staticmethod
    def _widest(tokens: Sequence[Token], em: float) -> float:
        return max(token.word_width_per_em + 2 * SEAT_PAD for token in tokens) * em

    def _header(self, em: float, turned: bool) -> float:
        """Height that the column words take, with their gap."""
        return (self._widest(self.column_tokens, em) if turned else SEAT_HEIGHT * em) + GAP

    def _cell(self, theme: Theme, role: str) -> Rectangle:
        across, down = self.cell_size
        return Rectangle(
            width=across, height=down, fill_color=theme.color(role), fill_opacity=0.0,
            stroke_color=theme.color("GRID"), stroke_width=1.2,
        )

    def _margin(self) -> None:
        left = self._widest(self.row_tokens, self.em) + GAP
        top = self._header(self.em, self.turned)
        corner = self.cells.get_corner([-1, 1, 0]) + np.array([-left, top, 0.0])
        self.room = Square(0.01, stroke_width=0.0, fill_opacity=0.0).move_to(corner, [-1, 1, 0])
        self.add(self.room)

    def row(self, i: int) -> VGroup:
        """Cells of one row."""
        return self.cells[i]  # type: ignore[no-any-return]

    def cell(self, i: int, j: int) -> Rectangle:
        return self.cells[i][j]  # type: ignore[no-any-return]

    def seat_columns(self) -> list[MoveToTarget]:
        """Animations that bring the column words to their places."""
        return [self.seat_column(j) for j in range(len(self.column_tokens))]

    def seat_rows(self) -> list[MoveToTarget]:
        """Animations that bring the row words to their places."""
        return [self.seat_row(i) for i in range(len(self.row_tokens))]

    def seat_column(self, j: int) -> MoveToTarget:
        """Brings one column word over its column."""
        target = self._sized(self.column_tokens[j])
        if self.turned:
            target.rotate(np.pi / 2)
        target.next_to(self.cells[0][j], np.array([0.0, 1.0, 0.0]), buff=GAP)
        return MoveToTarget(self.column_tokens[j])

    def seat_row(self, i: int) -> MoveToTarget:
        """Brings one row word to the left of its row."""
        target = self._sized(self.row_tokens[i])
        target.next_to(self.cells[i][0], np.array([-1.0, 0.0, 0.0]), buff=GAP)
        return MoveToTarget(self.row_tokens[i])

    def _sized(self, token: Token) -> Token:
        """The word at the axes' size on a closer chip; a note over it goes."""
        token.generate_target()
        target: Token = token.target
        target.scale(self.em / token.em)
        width = (token.word_width_per_em + 2 * SEAT_PAD) * self.em
        for part in (target.chip, target.edge):
            if part is not None:
                part.stretch_to_fit_width(width).stretch_to_fit_height(SEAT_HEIGHT * self.em)
        if target.note is not None:
            target.note.move_to(target.word).set_opacity(0.0)
        return target
