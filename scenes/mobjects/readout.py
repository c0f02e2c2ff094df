"""The read-out band: numbers that a viewer checks, each beside what it is.

    readout = Readout(theme, grid.readout, [("往回 50 步：", NumberLabel(...), "8.8 × 10⁻⁸⁸")])
    self.play(FadeIn(readout)); readout.numbers[0]

Every number keeps room for the widest text it may come to hold, so that none ever moves.
"""

from __future__ import annotations

from collections.abc import Sequence

from manim import RIGHT, VGroup, VMobject

from scenes.grid import Band
from scenes.mobjects.number_label import NumberLabel
from scenes.mobjects.text import WEIGHTS, Label, label, sizes, stand_together, text_width
from scenes.theme import Theme

Item = tuple[str, NumberLabel, str]  # what it is, the number, its widest text (or none)


class Readout(VGroup):
    """Items side by side in a band; on as many lines as they need."""

    holds_text = True

    def __init__(self, theme: Theme, band: Band, items: Sequence[Item], gap: float = 0.55) -> None:
        super().__init__()
        self.numbers = [number for _, number, _ in items]
        cells = [_cell(theme, *item) for item in items]
        self.lines = VGroup()
        for row in _filled(cells, band.width, gap):
            line = VGroup(*row).arrange(RIGHT, buff=gap)
            stand_together(*[cell[0] for cell in row])
            for cell in row:
                cell[1].stand_on(cell[0].baseline)
            self.lines.add(line)
        self.lines.arrange([0.0, -1.0, 0.0], buff=0.3 * sizes()["number"])
        self.add(self.lines)
        band.place(self)


def _cell(theme: Theme, name: str, number: NumberLabel, widest: str) -> VGroup:
    """Name, number and an unseen box that keeps the number's room."""
    text: Label = label(theme, name, "MUTED")
    number.next_to(text, RIGHT, buff=0.14)
    width = max(number.width, text_width(widest, WEIGHTS["number"]) * sizes()["number"])
    left, foot, top = number.get_left()[0], text.get_bottom()[1], text.get_top()[1]
    room = VMobject(stroke_width=0.0, fill_opacity=0.0).set_points_as_corners(
        [[left, foot, 0], [left + width, foot, 0], [left + width, top, 0], [left, top, 0]]
    )
    return VGroup(text, number, room)


def _filled(cells: list[VGroup], width: float, gap: float) -> list[list[VGroup]]:
    """As few lines as will do, with the same count on each."""
    for count in range(len(cells), 0, -1):
        lines = [cells[i : i + count] for i in range(0, len(cells), count)]
        if all(sum(c.width for c in line) + gap * (len(line) - 1) <= width for line in lines):
            break
    return lines
