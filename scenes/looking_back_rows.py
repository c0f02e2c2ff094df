"""Act 2 of looking back: the other words, row by row, until the words stand round a grid."""

from __future__ import annotations

import numpy as np
from manim import (
    DOWN,
    LEFT,
    RIGHT,
    Animation,
    FadeIn,
    FadeOut,
    Mobject,
    Rectangle,
    Transform,
    VGroup,
)

from scenes.base import Station
from scenes.channels import AS_IT_IS, Linear
from scenes.grid import Band
from scenes.looking_back_first import FirstWord
from scenes.looking_back_layout import HIGHEST_ROW, LOWEST, disputed, label_lanes, places
from scenes.looking_back_moves import FIRST
from scenes.looking_back_readout import note, weight_key
from scenes.mobjects.alignment_grid import AlignmentGrid
from scenes.mobjects.number_label import NumberLabel, format_fixed
from scenes.mobjects.panel import Panel
from scenes.mobjects.text import Label, label
from scenes.mobjects.word_card import TIGHT, Reshape, Shape, WordCard, flat
from scenes.trust import at_least

WORDS_SECONDS = 11.0  # for all words together, at most
SLOWEST, FASTEST = 2.4, 0.25  # seconds for one word
BAR = 0.12  # manim units, height of a probability bar
SHORTEST_TRACK = 0.4  # manim units
LOW_ROW = 0.24  # manim units that a row needs for its number, or for its word beside the next


def row_shapes(scene: Station, words: tuple[str, ...], step: float) -> list[Shape]:
    """Cards for words under each other, one every `step`."""
    sizes = scene.grid.type
    em = max(sizes.smallest, min(sizes.label, 0.72 * step))
    lanes = max(label_lanes(len(words), step, LOWEST * sizes.smallest)) + 1
    free = lanes * step  # between words of one lane
    height = min(1.5 * em, 0.96 * free if free > 1.1 * em else 0.75 * free)
    return [flat(word, em, 2 * TIGHT, height) for word in words]


class OtherWords:
    """The grid of the first pair. `targets` are its words, `grid` their weights."""

    def __init__(self, first: FirstWord) -> None:
        self.first, self.scene, self.theme = first, first.scene, first.scene.theme
        self.pair, self.field, self.desk = first.pair, first.field, first.desk
        self.count = len(self.pair.target)
        # Where rows under the desk would be too low, the cards rise and the desk makes room.
        self.risen = self.desk.rows.height / self.count < LOW_ROW
        self.rows = self.desk.risen_rows if self.risen else self.desk.rows
        self.ys = places(self.rows, self.count)
        self.step = self.ys[0] - self.ys[1] if self.count > 1 else HIGHEST_ROW
        self.shapes = row_shapes(self.scene, self.pair.target, self.step)
        self.lanes = label_lanes(self.count, self.step, LOWEST * self.scene.grid.type.smallest)
        self.grid = AlignmentGrid(
            self.theme, self.desk.xs, self.ys, self.rows.top + 0.08, self.desk.cards.left
        )
        self.targets: list[WordCard] = []
        self.chances: list[Mobject] = []

    def rest(self) -> None:
        """The first row drops into the grid; the other words follow, each with its own look."""
        scene = self.scene
        with scene.beat("rest", variant="" if self.count > 1 else "one"):
            self._clear_the_table()
            self._drop_first_row()
            pace = min(SLOWEST, max(FASTEST, WORDS_SECONDS / self.count))
            for i in range(1, self.count):
                self._write(i, pace)
            self.first.readout.show(*self._keys())

    # The first row

    def _clear_the_table(self) -> None:
        """What was computed for the first word leaves; its weights and the word stay."""
        first = self.first
        leaving = [
            first.scores, first.weight_axis, first.weight_numbers, first.guides, first.mouthpiece,
            *first.strips, *first.pieces, *first.names,
        ]
        if self.risen:
            leaving += [first.query, first.query_sign, first.picture.fan]
        self.scene.release(*leaving, *first.weight_bars)
        self.scene.play(*map(FadeOut, leaving), *first.readout.change(), run_time=0.8)
        self.scene.play(FadeIn(self.grid.lines), *self._rise(), run_time=0.8)

    def _rise(self) -> list[Animation]:
        """The cards at the top of the stage, the ground under the whole grid."""
        if not self.risen:
            return []
        desk, up = self.desk, self.desk.decoder.top - self.desk.cards.top
        ground = self.first.picture.panel
        goal = Panel.under(
            self.theme, Band(desk.cards.left, desk.cards.right, self.rows.bottom, desk.decoder.top)
        )
        cards = [card.animate.shift([0, up, 0]) for card in self.first.picture.cards]
        return [*cards, Transform(ground, goal)]

    def _drop_first_row(self) -> None:
        """The bars of weights become the marks of the first row."""
        bars, seen = self.first.weight_bars, self._seen(FIRST)
        moves: list[Animation] = [
            Transform(bars[j], self._mark(FIRST, j), replace_mobject_with_target_in_scene=True)
            for j in seen
        ]
        moves += [FadeOut(bar) for j, bar in enumerate(bars) if j not in seen]
        self.scene.release(self.first.chance)
        moves += [FadeOut(self.first.chance), FadeIn(self._chance(FIRST)), *self._chance_name()]
        self.scene.play(*moves, self._seat(FIRST, self.first.word), run_time=1.2)

    def _chance_name(self) -> list[Animation]:
        """The name of the column of probabilities, over its first bar."""
        name = label(self.theme, self.scene.say("labels.probability"), "TARGET", "smallest")
        name.next_to(self.chances[0], DOWN, buff=0.0, aligned_edge=LEFT)
        name.set_y(self.rows.top + 0.08 + 0.5 * name.em)
        self.chances.append(name)
        return [FadeIn(name)]

    # The others

    def _write(self, i: int, pace: float) -> None:
        """One word: the state asks, beams move, the word is said and takes its row."""
        scene, word = self.scene, self.first.picture.said(i)
        marks = [self._mark(i, j) for j in self._seen(i)]
        if self.risen:
            word.seat([self.desk.cards.left, self.ys[i], 0.0])
            scene.play(*map(FadeIn, [word, *marks]), run_time=0.4 * pace)
            scene.play(self._seat(i, word), FadeIn(self._chance(i)), run_time=0.6 * pace)
            return
        scene.play(*self.first.ask_again(i), run_time=0.4 * pace)
        for mark in marks:
            mark.set_y(self.desk.cards.bottom)
        scene.play(FadeIn(word, shift=0.3 * RIGHT), *map(FadeIn, marks), run_time=0.2 * pace)
        drops = [mark.animate.set_y(self.ys[i]) for mark in marks]
        scene.play(self._seat(i, word), *drops, FadeIn(self._chance(i)), run_time=0.4 * pace)

    def _seen(self, i: int) -> list[int]:
        return [j for row, j in self.grid.seen(self.pair.weights) if row == i]

    def _mark(self, i: int, j: int) -> Mobject:
        grid = self.grid
        return self.scene.bind(
            grid.mark(i, j), grid.attribute, self.pair.weights[i, j], grid.scale_to,
            field=f"{self.field}.weights", index=(i, j), label="α",
        )

    def _seat(self, i: int, word: WordCard) -> Reshape:
        """Brings a word to the left of its row."""
        shape = self.shapes[i]
        widest = max(shape.width for shape in self.shapes)
        right = self.desk.cards.left - 0.12 - self.lanes[i] * (widest + 0.06)
        self.targets.append(word)
        return Reshape(word, shape, [right - shape.width / 2, self.ys[i], 0.0])

    def _chance(self, i: int) -> VGroup:
        """p of a word at the end of its row: a bar on a track from 0 to 1, and the number."""
        chance = chance_bar(
            self.scene, f"{self.field}.probabilities", i, self.pair.probabilities[i],
            self.desk.speech.left, self.ys[i], self.desk.speech.width, self.step,
        )
        self.chances.append(chance)
        return chance

    def _keys(self) -> list[Mobject]:
        """What the marks mean, the least p, and what dashed edges say."""
        remarks = self._remarks()
        return [*weight_key(self.scene, self.grid, low=bool(remarks)), self._least(), *remarks]

    def _remarks(self) -> list[Label]:
        """Of words that the model does not know, or else of given words it would not say."""
        unknown = [w for w, new in zip(self.pair.source, self.pair.unknown, strict=True) if new]
        rows = disputed(self.pair)
        if unknown:
            return [note(self.scene, self.scene.say("labels.carried", words=" ".join(unknown)))]
        return [note(self.scene, self._disagreement(rows))] if rows else []

    def _least(self) -> NumberLabel:
        """The least p of the sentence under the model that is drawn."""
        prefix = self.scene.say("labels.least")
        number = NumberLabel(self.theme, 0.0, role="MUTED", size="label", prefix=prefix,
                             format=at_least)
        self.scene.bind(number, "value", self.pair.min_probability, AS_IT_IS,
                        field=f"{self.field}.min_probability", label="min p")
        return number

    def _disagreement(self, rows: list[int]) -> str:
        i = rows[0]
        return self.scene.say(
            "labels.said", count=len(rows), given=self.pair.target[i], said=self.pair.said[i],
            p=self.pair.said_probabilities[i],
        )


def at_least_hundredths(p: float) -> str:
    """Two decimals; what is more than nothing does not read as nothing."""
    return "< 0.01" if 0 < p < 0.005 else format_fixed(p, 2)


def chance_bar(
    scene: Station, field: str, i: int, p: float, left: float, y: float, width: float, step: float,
    role: str = "TARGET",
) -> VGroup:
    """A probability as a bar from `left`, with its number where the row has room for one."""
    numbered, group = step >= LOW_ROW, VGroup()
    length = width - (0.65 if numbered else 0.05)
    if length >= SHORTEST_TRACK or not numbered:
        group.add(*_track(scene, field, i, p, left, y, length, min(BAR, 0.5 * step), role))
    else:
        length = -0.1
    if numbered:
        number = NumberLabel(scene.theme, 0.0, size="smallest", format=at_least_hundredths)
        scene.bind(number, "value", p, AS_IT_IS, field=field, index=(i,), label="p")
        number.centre_on(np.array([left, y, 0.0]))
        group.add(number.shift([left + length + 0.1 - number.get_left()[0], 0, 0]))
    return group


def _track(
    scene: Station, field: str, i: int, p: float, left: float, y: float, length: float,
    thickness: float, role: str,
) -> list[Mobject]:
    """The bar on its track from 0 to 1."""
    track, bar = (
        Rectangle(width=length, height=thickness, stroke_width=0)
        .set_fill(scene.theme.color(color), 1.0)
        .move_to([left, y, 0.0], aligned_edge=LEFT)
        for color in ("GRID", role)
    )
    scene.bind(bar, "width", p, Linear(0, 1, 0, length), field=field, index=(i,), label="p")
    return [track, bar]
