"""One sentence pair as two rows of words with links between them."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, Mobject, MoveToTarget, Transform, VGroup

from engine.traces import Lookback
from scenes.base import Station
from scenes.grid import Band
from scenes.looking_back_layout import disputed
from scenes.mobjects.fan import Ray
from scenes.mobjects.link import LINKS, crossing_points, rings
from scenes.mobjects.number_label import NumberLabel, integer
from scenes.mobjects.panel import Panel
from scenes.mobjects.word_card import Reshape, Shape, WordCard, flat, shapes

PAD = 0.3  # em, between a word and the edge of its chip
SPACE = 0.35  # em, between chips
MOST_SPACE = 4.0  # em, between chips of a row that is spread to the width of the other
STRETCH = 1.25  # a row may be this much wider than its words need
HALO = 7.0  # stroke width by which a link stands clear of those under it
LEAST_WEIGHT = 0.1  # of a link that is not the strongest of its word
MOST_RINGS = 60
BEND = 0.3  # of a link: straight enough to be followed through crossings
PADDING = 0.16  # manim units, between a panel's words and the edge of its ground


def natural_width(pair: Lookback, em: float) -> float:
    """Width of the wider of the two rows with all words lying flat."""
    return max(_row_width(words, em) for words in (pair.source, pair.target)) + 2 * PADDING


def _row_width(words: Sequence[str], em: float) -> float:
    return sum(flat(word, em, PAD).width + SPACE * em for word in words) - SPACE * em


class LinkPanel:
    """`cards` and `targets` are the words (given or new), `links` by (target, source)."""

    def __init__(
        self,
        scene: Station,
        index: int,
        band: Band,
        cards: Sequence[WordCard] = (),
        targets: Sequence[WordCard] = (),
    ) -> None:
        self.scene, self.theme = scene, scene.theme
        self.pair, self.field = scene.trace.pairs[index], f"pairs[{index}]"
        self._place(band)
        self.cards = list(cards) or self._new(self.pair.source, "SOURCE", self.source)
        self.targets = list(targets) or self._new(self.pair.target, "TARGET", self.target)
        self._mark_words(bool(cards))
        self.links = self._links()
        self.number = self._number()
        self.ground = Panel.under(self.theme, self.ground_band)
        self.rings = self._rings()

    # Places

    def _place(self, band: Band) -> None:
        """Shape and centre of every word, for the two rows in a band."""
        self.ground_band, band = band, band.inset(PADDING)
        self.band, sizes = band, self.scene.grid.type
        rows = (self.pair.source, self.pair.target)
        em = min(self._fitting(words, sizes.body) for words in rows)
        width = min(band.width, STRETCH * natural_width(self.pair, em))
        self.source, self.target = (self._row(words, em, width) for words in rows)
        number = 1.6 * sizes.body
        # The edges that face each other are level, so that every link is as high as the others.
        self.foot = band.top - max(shape.height for shape, _ in self.source)
        self.head = band.bottom + number + max(shape.height for shape, _ in self.target)

    def _fitting(self, words: Sequence[str], em: float) -> float:
        return min(em, em * self.band.width / _row_width(words, em))

    def _row(self, words: Sequence[str], em: float, width: float) -> list[tuple[Shape, float]]:
        """Shape and x of each word: flat over the whole width, or upright where em is too small."""
        middle, smallest = float(self.band.center[0]), self.scene.grid.type.smallest
        if em < smallest:
            pitch = self.band.width / len(words)
            left = self.band.left + pitch / 2
            upright = shapes(words, pitch, smallest, smallest)
            return [(shape, left + k * pitch) for k, shape in enumerate(upright)]
        shaped = [flat(word, em, PAD) for word in words]
        free = width - sum(shape.width for shape in shaped)
        gap = min(MOST_SPACE * em, free / max(len(words) - 1, 1))
        x = middle - (width - free + gap * (len(words) - 1)) / 2
        row = []
        for shape in shaped:
            row.append((shape, x + shape.width / 2))
            x += shape.width + gap
        return row

    def _new(
        self, words: Sequence[str], role: str, row: Sequence[tuple[Shape, float]]
    ) -> list[WordCard]:
        return [
            WordCard(self.theme, word, role, shape).seat(self._seat(role, shape, x))
            for word, (shape, x) in zip(words, row, strict=True)
        ]

    def _seat(self, role: str, shape: Shape, x: float) -> list[float]:
        """Where a card's centre belongs."""
        half = shape.height / 2
        return [x, self.foot + half if role == "SOURCE" else self.head - half, 0.0]

    def _mark_words(self, given: bool) -> None:
        """Dashed edges: source words the model does not know, target words it would not say."""
        if given:
            return
        for card, unknown in zip(self.cards, self.pair.unknown, strict=True):
            if unknown:
                card.mark("unknown")
        for i in disputed(self.pair):
            self.targets[i].mark("unknown")

    def _ends(self, i: int, j: int) -> tuple[list[float], list[float]]:
        foot, head = self.foot - 0.04, self.head + 0.04
        return [self.source[j][1], foot, 0.0], [self.target[i][1], head, 0.0]

    # Parts

    def _links(self) -> dict[tuple[int, int], Ray]:
        """For every target word its strongest link, and any other that carries weight."""
        strongest = self.pair.alignment
        links = {}
        for i, row in enumerate(self.pair.weights):
            for j, weight in enumerate(row):
                if j == strongest[i] or weight >= LEAST_WEIGHT:
                    links[i, j] = self._link(i, j, j == strongest[i])
        return links

    def _link(self, i: int, j: int, strongest: bool) -> Ray:
        ray = Ray(self.theme.color("HIGH" if strongest else "LINE"), *self._ends(i, j), BEND)
        ray.set_z_index(-1 if strongest else -2)
        if strongest:
            width = LINKS(float(self.pair.weights[i, j])) + HALO
            ray.set_background_stroke(color=self.theme.PANEL, width=width)
        return self.scene.bind(  # type: ignore[return-value]
            ray, "stroke_width", self.pair.weights[i, j], LINKS,
            field=f"{self.field}.weights", index=(i, j), label="α",
        )

    @property
    def strongest(self) -> list[Ray]:
        """One link for each target word."""
        return [self.links[i, int(j)] for i, j in enumerate(self.pair.alignment)]

    def _rings(self) -> VGroup:
        points = crossing_points(self.strongest)
        return rings(self.theme, points if len(points) <= MOST_RINGS else [])

    def _number(self) -> NumberLabel:
        number = NumberLabel(
            self.theme, 0.0, size="body", format=integer, anchor=1.0,
            prefix=self.scene.say("labels.crossings"),
        )
        return self._seat_number(number)  # type: ignore[return-value]

    def _seat_number(self, number: Mobject) -> Mobject:
        return number.move_to([self.band.center[0], self.band.bottom + 0.5 * number.height, 0.0])

    # Movements

    def count(self) -> Animation:
        """Counts the number up to the crossings of the trace."""
        return self.scene.count_to(
            self.number, self.pair.crossings, field=f"{self.field}.crossings", label="crossings"
        )

    def seats(self) -> list[Animation]:
        """Brings every word to its place."""
        rows = (("SOURCE", self.cards, self.source), ("TARGET", self.targets, self.target))
        return [
            Reshape(card, shape, self._seat(role, shape, x))
            for role, cards, row in rows
            for card, (shape, x) in zip(cards, row, strict=True)
        ]

    def move_to_band(self, band: Band) -> list[Animation]:
        """Words, links, rings and number go to another band."""
        self._place(band)
        moves = self.seats()
        for (i, j), link in self.links.items():
            link.generate_target()
            link.target.lead(*self._ends(i, j))
            moves.append(MoveToTarget(link))
        goals = self._moved_rings()
        for ring, goal in zip(self.rings, goals, strict=True):
            moves.append(ring.animate.move_to(goal))
        self.number.generate_target()
        self._seat_number(self.number.target)
        ground = Transform(self.ground, Panel.under(self.theme, self.ground_band))
        return [*moves, MoveToTarget(self.number), ground]

    def _moved_rings(self) -> list[list[float]]:
        points = crossing_points([link.target for link in self.strongest])
        return [list(point) for point in points][: len(self.rings)]

    @property
    def everything(self) -> list[Mobject]:
        """All that is on screen of it."""
        words, links = [*self.cards, *self.targets], list(self.links.values())
        return [*words, *links, *self.rings, self.number, self.ground]
