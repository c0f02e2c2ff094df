"""A sentence as a row of cards, with arcs from the word that asks to all it looks at."""

from __future__ import annotations

import numpy as np
from manim import Animation, Dot, FadeIn, Line, VGroup

from engine.traces import SelfLook
from scenes.base import Station
from scenes.channels import AS_IT_IS, Linear
from scenes.grid import Band
from scenes.mobjects.bar_row import Bar
from scenes.mobjects.number_label import NumberLabel, fixed
from scenes.mobjects.sight import SIGHT, WIDEST, Sight
from scenes.mobjects.word_card import Shape, WordCard, shapes

WIDEST_COLUMN = 2.1  # manim units
GAP = 0.08  # manim units, between a card and an arc
THIN = 1.6  # stroke of a line that carries no number
LEAST_SEEN = 0.15  # stroke width that an eye tells from none
CROWDED = 0.52  # manim units: narrower columns have room for one number only
FLATTER = 0.7  # arcs over short ways are higher than their share
FEW = 8  # words whose numbers are all written
LEAST_WRITTEN = 0.01  # α that is written where there are more
FOOT = 0.24  # manim units, for numbers under bars


class SentenceRow:
    """`cards` at `xs`, all on one line of the stage; `field` names its SelfLook in the trace."""

    def __init__(
        self, scene: Station, field: str, band: Band, y: float, largest: str = "body"
    ) -> None:
        """`band` gives the columns' room; the cards' centres stand at `y`."""
        self.scene, self.theme, self.field, self.y = scene, scene.theme, field, y
        self.look: SelfLook = getattr(scene.trace, field)
        self.band = band
        count, sizes = len(self.look.tokens), scene.grid.type
        self.pitch = min(WIDEST_COLUMN, band.width / count)
        self.shapes: list[Shape] = shapes(
            self.look.tokens, self.pitch, sizes[largest], sizes.smallest
        )
        middle = (count - 1) / 2
        self.xs = [float(band.center[0]) + (j - middle) * self.pitch for j in range(count)]
        self.cards = [
            WordCard(self.theme, word, "SOURCE", shape).seat([x, y, 0.0])
            for word, shape, x in zip(self.look.tokens, self.shapes, self.xs, strict=True)
        ]
        for card, unknown in zip(self.cards, self.look.unknown, strict=True):
            if unknown:
                card.mark("unknown")
        self.asking.mark("focus")

    @property
    def asking(self) -> WordCard:
        """The pronoun's card."""
        return self.cards[self.look.pronoun]

    @property
    def half(self) -> float:
        """Half the height of the tallest card."""
        return max(shape.height for shape in self.shapes) / 2

    # Arcs

    def _arc(self, j: int, height: float, role: str = "HIGH", opacity: float = 0.9) -> Sight:
        """From the pronoun to word j; `height` is that of the widest arc, negative below."""
        away = self.half + GAP if height > 0 else -self.half - GAP
        start, end = (np.array([self.xs[k], self.y + away, 0.0]) for k in (self.look.pronoun, j))
        farthest = max(abs(x - self.xs[self.look.pronoun]) for x in self.xs)
        share = (abs(end[0] - start[0]) / max(farthest, 1e-9)) ** FLATTER
        least = min(0.5, 0.5 * abs(height))
        reach = least + (abs(height) - least) * share
        return Sight(self.theme, start, end, np.sign(height) * reach, role, opacity)

    def guides(self, height: float) -> VGroup:
        """Thin arcs to every other word: where would you look?"""
        others = [j for j in range(len(self.xs)) if j != self.look.pronoun]
        arcs = [self._arc(j, height, "LINE").set_stroke(width=THIN) for j in others]
        return VGroup(*arcs)

    def sights(self, height: float, weights: str = "weights", role: str = "HIGH") -> VGroup:
        """Arcs as wide as the pronoun's weights: those that can be seen."""
        i = self.look.pronoun
        row = getattr(self.look, weights)[i]  # [key]
        arcs = VGroup()
        for j, weight in enumerate(row):
            if SIGHT(float(weight)) < LEAST_SEEN:
                continue
            arc = self._arc(j, height, role)
            self.scene.bind(arc, "stroke_width", weight, SIGHT, field=f"{self.field}.{weights}",
                            index=(i, j), label="α")
            arcs.add(arc)
        return arcs

    # Bars under the cards

    def bars(self, band: Band) -> tuple[VGroup, VGroup]:
        """α of every word as a bar on one axis from 0 to 1, and the numbers under it."""
        i, base = self.look.pronoun, band.bottom + FOOT
        scale = Linear(0.0, 1.0, 0.0, band.top - base)
        row = self.look.weights[i]  # [key]
        ends = (self.xs[0] - self.pitch / 2, self.xs[-1] + self.pitch / 2)
        axis = Line([ends[0], base, 0], [ends[1], base, 0], stroke_width=1.5,
                    color=self.theme.color("LINE"))
        bars = [Bar(min(0.42, 0.5 * self.pitch), self.theme.color("HIGH"), np.array([x, base, 0]))
                for x in self.xs]
        self.scene.bind_each(bars, "height", row, scale, field=f"{self.field}.weights",
                             index=(i,), label="α")
        return VGroup(axis, *bars), self._numbers(row, band.bottom + 0.08)

    def _numbers(self, row: np.ndarray, y: float) -> VGroup:
        least = 0.0 if len(row) <= FEW else LEAST_WRITTEN
        shown = [j for j, weight in enumerate(row) if weight >= least or j == row.argmax()]
        shown = [int(row.argmax())] if self.pitch < CROWDED else shown
        return VGroup(*[self.number(j, [self.xs[j], y, 0.0]) for j in shown])

    def number(self, j: int, at: list[float], weights: str = "weights") -> NumberLabel:
        """α from the pronoun to word j, written at a point."""
        i = self.look.pronoun
        number = NumberLabel(self.theme, 0.0, size="smallest", format=fixed(2), anchor=0.5)
        self.scene.bind(number, "value", getattr(self.look, weights)[i, j], AS_IT_IS,
                        field=f"{self.field}.{weights}", index=(i, j), label="α")
        return number.centre_on(np.array(at))

    def laid(self) -> list[Animation]:
        """The cards come onto the table."""
        return [FadeIn(card, shift=np.array([0.0, -0.3, 0.0])) for card in self.cards]


def width_samples(scene: Station) -> VGroup:
    """Marks of known weights, as wide as arcs are."""
    color, marks = scene.theme.color("HIGH"), VGroup()
    for weight in (0.1, 0.5, 1.0):
        marks.add(Dot(radius=WIDEST * weight / 2, color=color))
    return marks
