"""What moves while one word is written: strips, bars, beams, and the weighted stack."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from manim import (
    DOWN,
    LEFT,
    RIGHT,
    Animation,
    Arrow,
    LaggedStart,
    Rectangle,
    VGroup,
)

from scenes.base import Station
from scenes.channels import AS_IT_IS, Linear, Scale
from scenes.looking_back_desk import DeskPicture
from scenes.looking_back_layout import CONTEXT, STATE
from scenes.mobjects.bar_row import Bar
from scenes.mobjects.fan import Ray
from scenes.mobjects.number_label import NumberLabel
from scenes.mobjects.state_strip import StateStrip
from scenes.mobjects.text import Label, label

FIRST = 0  # the target word that is told in detail
THIN = 1.6  # stroke of a line that carries no number


class Moves:
    """Builds what is bound to the trace for one pair, and the animations that bring it."""

    def __init__(self, scene: Station, index: int) -> None:
        self.scene, self.theme = scene, scene.theme
        self.picture = DeskPicture(scene, index)
        self.pair, self.field, self.desk = self.picture.pair, self.picture.field, self.picture.desk

    def _reading(self, way: np.ndarray, share: float) -> VGroup:
        """An arrow through the table the way the encoder reads, and its name."""
        desk = self.desk
        whole = desk.scores.top - desk.context.bottom
        y = desk.context.bottom + (share + 0.34) * whole
        ends = [np.array([x, y, 0.0]) for x in (desk.cards.left + 0.3, desk.cards.right - 0.3)]
        start, end = ends if way[0] > 0 else ends[::-1]
        arrow = Arrow(start, end, buff=0, stroke_width=3, tip_length=0.2,
                      color=self.theme.color("HIDDEN"))
        key = "forward" if way[0] > 0 else "backward"
        words = label(self.theme, self.scene.say(f"labels.{key}"), "HIDDEN")
        words.centre_on(np.array([desk.cards.center[0], y - 0.19 * whole, 0.0]))
        return VGroup(arrow, words)

    def _read(self, half: int) -> list[Animation]:
        """One reading pass colours one half of every strip, word after word."""
        units = self.picture.units
        middle = len(units) // 2
        part = slice(0, middle) if half == 0 else slice(middle, None)
        passes = []
        for j, strip in list(enumerate(self.strips))[:: 1 if half == 0 else -1]:
            moves = self._color(strip, self.pair.annotations[j], "annotations", j, part)
            passes.append(LaggedStart(*moves, lag_ratio=0.0))
        return [LaggedStart(*passes, lag_ratio=0.6)] if passes else []

    def _at_once(self) -> list[Animation]:
        """Every annotation as a whole, all at the same time."""
        return [
            move
            for j, strip in enumerate(self.strips)
            for move in self._color(
                strip, self.pair.annotations[j], "annotations", j, slice(None)
            )
        ]

    def _color(
        self, strip: StateStrip, state: np.ndarray, field: str, row: int, part: slice
    ) -> list[Animation]:
        units = self.picture.units[part]
        return [
            self.scene.bind_animation(
                cell, "fill", state[unit], strip.scale_to,
                field=f"{self.field}.{field}", index=(row, unit), label=field,
            )
            for cell, unit in zip(strip.cells[part], units, strict=True)
        ]

    def _state(self, role: str, state: np.ndarray, field: str) -> StateStrip:
        """A strip that shows the drawn units of a state of the first step."""
        strip = self.picture.state(role, STATE)
        for cell, unit in zip(strip.cells, self.picture.units, strict=True):
            self.scene.bind(cell, "fill", state[unit], strip.scale_to,
                            field=f"{self.field}.{field}", index=(FIRST, unit), label=field)
        return strip

    def _recolor(self, i: int) -> list[Animation]:
        """The asking state of another target word, in the same strip."""
        return self._color(self.query, self.pair.queries[i], "queries", i, slice(None))

    def _guides(self) -> VGroup:
        fan, color = self.picture.fan, self.theme.color("LINE")
        lines = [Ray(color, fan.foot, head).set_stroke(width=THIN) for head in fan.heads]
        return VGroup(*lines).set_z_index(-2)

    def rays(self, i: int) -> list[Animation]:
        """Beams for target word i: they leave side by side and fill the foot together."""
        fan, weights = self.picture.fan, self.pair.weights[i]
        moves = []
        for j, (ray, foot) in enumerate(zip(fan, fan.feet(weights), strict=True)):
            moves.append(self.scene.bind_animation(
                ray, "stroke_width", weights[j], fan.scale_to,
                field=f"{self.field}.weights", index=(i, j), label="α",
            ))
            ray.target.lead(foot, fan.heads[j])
        return moves

    def _grow(self, bars: list[Bar], field: str, scale: Scale, sign: str) -> list[Animation]:
        values = getattr(self.pair, field)[FIRST]
        return self.scene.bind_each_animation(
            bars, "height", values, scale, field=f"{self.field}.{field}", index=(FIRST,), label=sign
        )

    def _count(self, numbers: Mapping[int, NumberLabel], field: str) -> list[Animation]:
        values = getattr(self.pair, field)[FIRST]
        return [
            self.scene.count_to(
                number, values[j], field=f"{self.field}.{field}", index=(FIRST, j), label=field
            )
            for j, number in numbers.items()
        ]

    def _beside_stack(self, context: StateStrip, equals: Label) -> None:
        """The sum at the right of its parts, or in their place where these are not drawn."""
        self.stack = self.desk.context.center
        context.move_to(self.stack)
        if self.pieces:
            aside = context.width + 2 * equals.width
            right = self.scene.grid.stage.right - aside - context.width / 2
            self.stack[0] = min(self.stack[0], right)
            context.move_to(self.stack + aside * RIGHT)
            equals.next_to(context, LEFT, buff=0.5 * equals.width)

    def _stacking(self) -> list[Animation]:
        """Copies of the annotations shrink to their weights and come to lie on each other."""
        lane, weights = self.desk.context, self.pair.weights[FIRST]
        scale = Linear(0.0, 1.0, 0.0, CONTEXT)
        top, moves = lane.center[1] + scale(1.0) / 2, []
        for j, piece in enumerate(self.pieces):
            moves.append(self.scene.bind_animation(
                piece, "height", weights[j], scale,
                field=f"{self.field}.weights", index=(FIRST, j), label="α",
            ))
            height = scale(float(weights[j]))
            piece.target.move_to([self.stack[0], top - height / 2, 0.0])
            top -= height
        return moves

    def _chance(self) -> VGroup:
        """p of the word that was said: a number, and a bar on a track from 0 to 1."""
        desk, p = self.desk, self.pair.probabilities[FIRST]
        mouth = self.picture.mouth
        width = 0.9 * min(max(self.word.width, 1.0), 2 * (desk.speech.right - mouth[0]))
        track = Rectangle(width=width, height=0.12, stroke_width=0).set_fill(
            self.theme.color("GRID"), 1.0
        )
        bar = Rectangle(width=width, height=0.12, stroke_width=0).set_fill(
            self.theme.color("TARGET"), 1.0
        )
        track.move_to([mouth[0], desk.beams.top - 0.04, 0.0])
        bar.move_to(track)
        field = f"{self.field}.probabilities"
        self.scene.bind(bar, "width", p, Linear(0, 1, 0, width), field=field, index=(FIRST,))
        number = NumberLabel(self.theme, 0.0, decimals=2, prefix=self.scene.say("labels.p"))
        self.scene.bind(number, "value", p, AS_IT_IS, field=field, index=(FIRST,))
        number.next_to(track, DOWN, buff=0.09)
        return VGroup(track, bar, number)

    def _arrow(self, left: float) -> Arrow:
        """From what is in hand to the word."""
        y = self.desk.decoder.center[1]
        start, end = [left + 0.1, y, 0.0], [self.word.get_left()[0] - 0.08, y, 0.0]
        return Arrow(start, end, buff=0, stroke_width=3, tip_length=0.16,
                     color=self.theme.color("LINE"))
