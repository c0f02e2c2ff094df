"""The read-out band of looking back: checks and keys, one set at a time."""

from __future__ import annotations

from itertools import pairwise

from manim import DOWN, RIGHT, Animation, Dot, FadeIn, FadeOut, Mobject, MoveToTarget, VGroup

from scenes.base import Station
from scenes.mobjects.alignment_grid import AlignmentGrid
from scenes.mobjects.state_strip import swatch
from scenes.mobjects.text import Label, label, wrap

ACROSS = 0.6  # manim units, between the items of a line
SAMPLES = (0.1, 0.5, 1.0)  # weights drawn in a key
SHADES = 9  # of the diverging scale in a key


class Readout:
    """What stands in the band now; a new set takes its place."""

    def __init__(self, scene: Station) -> None:
        self.scene = scene
        self.shown: list[Mobject] = []

    def show(self, *items: Mobject, run_time: float = 0.5) -> None:
        """Lets the old set give way to these, spread over the band."""
        self.scene.play(*self.change(*items), run_time=run_time)

    def change(self, *items: Mobject) -> list[Animation]:
        """The same as animations; without items the band is cleared."""
        leaving = [item for item in self.shown if item not in items]
        staying = [item for item in items if item in self.shown]
        self.scene.release(*leaving)
        for item in staying:
            item.generate_target()
        if items:
            self._arrange([item.target if item in staying else item for item in items])
        self.shown = list(items)
        return [
            *map(FadeOut, leaving),
            *[MoveToTarget(item) if item in staying else FadeIn(item) for item in items],
        ]

    def _arrange(self, items: list[Mobject]) -> None:
        """In lines, as many as the width of the band asks for."""
        band, lines = self.scene.grid.readout, VGroup(VGroup())
        for item in items:
            line = lines[-1]
            if len(line) and line.width + ACROSS + item.width > band.width:
                line = VGroup()
                lines.add(line)
            line.add(item)
            line.arrange(RIGHT, buff=ACROSS)
        lines.arrange(DOWN, buff=0.1).move_to(band.center)


def note(scene: Station, text: str, role: str = "MUTED") -> Label:
    """A remark for the band, wrapped to it."""
    em = scene.grid.type.label
    lines = wrap(text, scene.grid.readout.width / em)
    return label(scene.theme, "\n".join(lines), role, "label", align=0.5)


def gradient_key(scene: Station, drawn: int, whole: int) -> list[Mobject]:
    """The diverging scale from -1 to 1, and how many units of a state are drawn."""
    theme = scene.theme
    shades = VGroup(*[
        swatch(theme, theme.diverging(2 * k / (SHADES - 1) - 1, 1.0)) for k in range(SHADES)
    ]).arrange(RIGHT, buff=0.0)
    low, high = label(theme, "−1", "MUTED"), label(theme, "+1", "MUTED")
    text = label(theme, scene.say("labels.units", drawn=drawn, whole=whole), "MUTED")
    return [_in_line(VGroup(low, shades, high), (0.12, 0.12)), text]


def weight_key(scene: Station, grid: AlignmentGrid, low: bool = False) -> list[Mobject]:
    """Marks of known weights, drawn as the grid draws them; `low` leaves out the largest."""
    theme, parts = scene.theme, []
    for weight in SAMPLES[: 2 if low else 3]:
        if grid.dotted:
            mark = Dot(radius=grid.scale_to(weight), color=theme.color("HIGH"))
        else:
            mark = swatch(theme, grid.scale_to(weight))
        parts.append(_in_line(VGroup(mark, label(theme, f"{weight:g}", "MUTED")), (0.1,)))
    key = "labels.dot_key" if grid.dotted else "labels.cell_key"
    name = label(theme, scene.say(key), "MUTED")
    return [name, _in_line(VGroup(*parts), (0.3, 0.3)[: len(parts) - 1])]


def _in_line(row: VGroup, gaps: tuple[float, ...]) -> VGroup:
    """Side by side; words by the height of their letters, marks by their middle."""
    row[0].move_to([0, 0, 0])
    for (left, part), gap in zip(pairwise(row), gaps, strict=True):
        part.next_to(left, RIGHT, buff=gap)
    for part in row:
        if isinstance(part, Label):
            part.centre_on([part.get_center()[0], 0.0, 0.0])
        else:
            part.set_y(0.0)
    return row
