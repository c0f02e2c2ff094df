"""The read-out band of the recital: keys and checks, in as many lines as they need."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import DOWN, RIGHT, Animation, FadeIn, FadeOut, Mobject, Rectangle, VGroup

from scenes.base import Station
from scenes.mobjects.gauged_word import GAUGE, HEIGHT, verdict_sample
from scenes.mobjects.number_label import NumberLabel
from scenes.mobjects.state_strip import swatch
from scenes.mobjects.text import Label, label

SHADES = 9  # of the diverging scale in a key
ITEM_GAP, LINE_GAP = 0.55, 0.12  # manim units


class Notes:
    """What stands in the band now; a new set takes its place."""

    def __init__(self, scene: Station) -> None:
        self.scene, self.theme = scene, scene.theme
        self.shown: list[Mobject] = []

    def change(self, *items: Mobject) -> list[Animation]:
        """Lets the old set give way to these."""
        leaving, self.shown = self.shown, list(items)
        self.scene.release(*leaving)
        if items:
            self._arrange(items)
        return [*map(FadeOut, leaving), *map(FadeIn, items)]

    def _arrange(self, items: Sequence[Mobject]) -> None:
        band, lines = self.scene.grid.readout, [VGroup()]
        for item in items:
            used = sum(other.width + ITEM_GAP for other in lines[-1])
            if len(lines[-1]) and used + item.width > band.width:
                lines.append(VGroup())
            lines[-1].add(item)
        for line in lines:
            line.arrange(RIGHT, buff=ITEM_GAP)
            for item in line:
                seat(item, 0.0)
        step = lines[0].height + LINE_GAP if lines[0] else 0.0
        for row, line in enumerate(lines):
            y = band.center[1] + ((len(lines) - 1) / 2 - row) * step
            line.set_x(band.center[0])
            for item in line:
                seat(item, y)

    # Items

    def figure(self, *parts: str | NumberLabel) -> VGroup:
        """Words and numbers on one line."""
        made = [label(self.theme, p, "MUTED") if isinstance(p, str) else p for p in parts]
        return in_line(made)

    def key(self, sample: Mobject, name: str) -> VGroup:
        """A sample and what it stands for."""
        return in_line([sample, label(self.theme, self.scene.say(name), "MUTED")])

    def gauge_key(self, name: str, role: str) -> VGroup:
        """A gauge of a word, three quarters full."""
        em = self.scene.grid.type.label
        height, width = 0.9 * HEIGHT * em, 1.3 * GAUGE * em
        track = Rectangle(width=width, height=height, stroke_width=0.0, fill_opacity=0.75,
                          fill_color=self.theme.color("GRID"))
        part = Rectangle(width=width, height=0.75 * height, stroke_width=0.0, fill_opacity=1.0,
                         fill_color=self.theme.color(role))
        part.align_to(track, DOWN)
        return self.key(VGroup(track, part), name)

    def verdict_keys(self) -> list[VGroup]:
        """What tick and cross say."""
        em = self.scene.grid.type.label
        return [
            self.key(verdict_sample(self.theme, right, 0.55 * em), f"labels.{name}")
            for right, name in ((True, "right"), (False, "wrong"))
        ]

    def scale_key(self, limit: float, name: str) -> list[Mobject]:
        """The diverging scale from -limit to limit, and what it is."""
        shades = VGroup(*[
            swatch(self.theme, self.theme.diverging((2 * k / (SHADES - 1) - 1) * limit, limit))
            for k in range(SHADES)
        ]).arrange(RIGHT, buff=0.0)
        ends = [label(self.theme, text, "MUTED") for text in (f"−{limit:g}", f"+{limit:g}")]
        return [in_line([ends[0], shades, ends[1]]), label(self.theme, name, "MUTED")]


def in_line(parts: Sequence[Mobject], gap: float = 0.13) -> VGroup:
    """Side by side, each by its middle."""
    row = VGroup(*parts).arrange(RIGHT, buff=gap)
    return seat(row, 0.0)  # type: ignore[return-value]


def seat(item: Mobject, y: float) -> Mobject:
    """Brings an item to a height: texts by their letters, marks by their middle."""
    if isinstance(item, Label | NumberLabel):
        return item.centre_on(np.array([item.get_center()[0], y, 0.0]))
    if isinstance(item, VGroup) and any(isinstance(part, Label | NumberLabel) for part in item):
        for part in item:
            seat(part, y)
        return item
    return item.set_y(y)
