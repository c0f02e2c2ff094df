"""How many hands a message goes through: a row of words, a chain along it, one leap over it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from manim import (
    Animation,
    Create,
    DashedVMobject,
    FadeIn,
    FadeOut,
    Mobject,
    UpdateFromAlphaFunc,
    VGroup,
    VMobject,
    linear,
)

from engine.errors import InputError
from engine.traces import FinaleTrace
from scenes.base import GUESS_SECONDS, Station
from scenes.channels import AS_IT_IS, Linear
from scenes.grid import Band
from scenes.mobjects.level_bar import LevelBar
from scenes.mobjects.marks import disc, discs
from scenes.mobjects.number_label import Format, NumberLabel, integer
from scenes.mobjects.readout import Readout
from scenes.mobjects.text import Label, label

LARGEST_DOT = 0.07  # manim units
CHAIN_SECONDS = 4.0
LEAP = 0.56  # height of the leap as a share of the stage's
LEAST_HOP = 0.26  # height of a hop where words stand close, manim units
ROLES = {"recurrent": "HIDDEN", "translating": "VALUE", "attending": "HIGH",
         "self_attending": "HIGH"}


class Hops(Station):
    """The row of words stands at one height through three beats."""

    trace: FinaleTrace

    def prepare(self) -> None:
        if self.grid.frame.width < self.grid.frame.height:
            raise InputError("station.frame", station="finale", frames="16:9, 4:3")
        stage, count = self.grid.stage, self.trace.words
        self.row_y = stage.bottom + 0.24 * stage.height
        self.xs = np.linspace(stage.left + 0.5, stage.right - 0.5, count)  # [word]
        self.gap = float(self.xs[1] - self.xs[0])
        radius = min(LARGEST_DOT, 0.32 * self.gap)
        color = self.theme.color("SOURCE")
        self.dots = VGroup(discs([self.at(t) for t in range(1, count - 1)], radius, color))
        self.ends = VGroup(*[disc(self.at(t), LARGEST_DOT * 1.7, color) for t in (0, count - 1)])
        self.end_names = VGroup(*[
            self.end_name(t, self.say("labels.word", number=integer(t + 1)))
            for t in (0, count - 1)
        ])

    def at(self, word: int) -> np.ndarray:
        return np.array([self.xs[word], self.row_y, 0.0])

    def end_name(self, word: int, text: str) -> Label:
        """Under the first or the last dot, inside the stage."""
        name = label(self.theme, text, "SOURCE", "label", weight=500)
        name.centre_on(self.at(word) - [0.0, 0.45, 0.0])
        stage = self.grid.stage
        over = max(0.0, stage.left - name.get_left()[0]) - max(
            0.0, name.get_right()[0] - stage.right)
        return name.shift([over, 0.0, 0.0])  # type: ignore[no-any-return]

    def number(
        self, value: float, field: str, *index: int, text: Format = integer, role: str = "TEXT",
        size: str = "number",
    ) -> NumberLabel:
        """A number of the trace, written and bound."""
        number = NumberLabel(self.theme, value, format=text, role=role, size=size)
        self.bind(number, "value", value, AS_IT_IS, field=field, index=index)
        return number

    @property
    def hop(self) -> float:
        """How high an arc's handles stand over the row for one hop."""
        return float(np.clip(0.7 * self.gap, LEAST_HOP, 1.2))

    def leap_arc(self, role: str, width: float) -> VMobject:
        """From the first word to the last at once."""
        height = LEAP * self.grid.stage.height / 0.75
        return self.arcs([(self.xs[0], self.xs[-1])], role, height).set_stroke(width=width)

    def question(self) -> None:
        self.unknown = DashedVMobject(self.leap_arc("MUTED", 3.0), num_dashes=60)
        top = float(self.unknown.get_top()[1])
        mark = label(self.theme, self.say("labels.guess"), "TEXT", "title", weight=500).scale(1.8)
        mark.move_to([self.grid.stage.center[0], top - 0.5 - mark.height / 2, 0.0])
        with self.beat("question", guess=GUESS_SECONDS, words=integer(self.trace.words)):
            self.play(FadeIn(self.dots), FadeIn(self.ends), run_time=1.0)
            self.play(FadeIn(self.end_names))
            self.play(Create(self.unknown), FadeIn(mark), run_time=1.2)
        self.mark = mark

    def chain(self) -> None:
        within = self.trace.ways[0].within
        arcs = self.arcs([*pairwise(self.xs)], "HIDDEN", self.hop)
        walker = disc(self.at(0), LARGEST_DOT * 1.2, self.theme.color("HIDDEN"))
        number = NumberLabel(self.theme, 0, format=integer, role="HIDDEN", size="title")
        name = label(self.theme, self.say("labels.recurrent"), "HIDDEN", "label", weight=500)
        self.chain_count = self.counted(name, number, self.row_y + 0.75 * self.hop + 0.55)
        with self.beat("chain", hops=integer(within), words=integer(self.trace.words)):
            self.play(FadeOut(self.mark), FadeIn(self.chain_count), FadeIn(walker))
            count = self.count_to(number, within, field="ways[0].within")
            count.rate_func = linear
            self.play(Create(arcs, rate_func=linear), count, self.walk(walker),
                      run_time=CHAIN_SECONDS)
            self.play(FadeOut(walker))
        self.chain_arcs = arcs

    def walk(self, walker: Mobject) -> Animation:
        """Along the row, hop by hop."""
        def step(moved: Mobject, alpha: float) -> None:
            way = alpha * (len(self.xs) - 1)
            share = way % 1.0
            x = np.interp(way, range(len(self.xs)), self.xs)
            moved.move_to([x, self.row_y + 3 * self.hop * share * (1 - share), 0.0])

        return UpdateFromAlphaFunc(walker, step, rate_func=linear)

    def arcs(self, spans: list[tuple[float, float]], role: str, height: float) -> VMobject:
        """Arcs from place to place over the row, in one mobject."""
        pieces = []
        for left, right in spans:
            a, b = np.array([left, self.row_y, 0.0]), np.array([right, self.row_y, 0.0])
            lift = np.array([0.0, min(height, 4.0), 0.0])
            lean = 0.2 * (b - a)
            pieces += [a, a + lean + lift, b - lean + lift, b]
        arcs = VMobject(stroke_color=self.theme.color(role), stroke_width=3.0, fill_opacity=0.0)
        return arcs.set_points(np.array(pieces))  # type: ignore[no-any-return]

    def counted(self, name: Label, number: NumberLabel, y: float) -> VGroup:
        """A large count with its name, in the middle over the row."""
        room = VGroup(name, number)
        number.next_to(name, buff=0.25)
        number.stand_on(name.baseline)
        return room.move_to([self.grid.stage.center[0], y, 0.0])  # type: ignore[no-any-return]

    def leap(self) -> None:
        trace, way = self.trace, self.trace.ways[-1]
        arc = self.leap_arc("HIGH", 6.0)
        number = self.number(way.within, "ways[3].within", role="HIGH", size="title")
        name = label(self.theme, self.say("labels.self_attending"), "HIGH", "label", weight=500)
        top = self.row_y + LEAP * self.grid.stage.height
        count = self.counted(name, number, top - 0.55)
        variant = "" if way.within < trace.ways[0].within else "same"
        with self.beat("leap", variant=variant, hops=integer(way.within),
                       chain=integer(trace.ways[0].within)):
            self.play(Create(arc), FadeOut(self.unknown), FadeIn(count), run_time=1.2)

    def ways(self) -> None:
        trace = self.trace
        limit = float(max(max(way.within, way.across) for way in trace.ways))
        rows = [self.way_row(i, band, limit) for i, band in enumerate(
            self.grid.stage.inset(0.0, 0.1).rows(1, 1, 1, 1, gap=0.25))]
        key = self.way_key()
        across, looked = trace.ways[1].across, trace.ways[2].across
        with self.beat("ways", across=integer(across), looked=integer(looked),
                       within=integer(trace.ways[2].within)):
            self.clear_stage()
            self.play(FadeIn(key), run_time=0.4)
            for row in rows:
                self.play(FadeIn(row), run_time=0.8)

    def way_row(self, i: int, band: Band, limit: float) -> VGroup:
        """One kind of model: its name, and a bar for each of its two ways."""
        way, left = self.trace.ways[i], band.left + 0.3 * band.width
        name = label(self.theme, self.say(f"labels.{way.model}"), ROLES[way.model], "label",
                     weight=500, width=0.28 * band.width)
        name.move_to([left - 0.2 - name.width / 2, band.center[1], 0.0])
        scale = Linear(0.0, limit, 0.0, band.right - left - 1.0)
        bars = [("within", way.within, "SOURCE")]
        bars += [("across", way.across, "TARGET")] if way.across else []
        row, places = VGroup(name), band.rows(*[1] * len(bars), gap=0.06)
        for place, (field, hops, role) in zip(places, bars, strict=True):
            thick = min(0.32, place.height)
            bar = LevelBar(self.theme.color(role), np.array([left, place.center[1], 0]), thick)
            self.bind(bar, "length", hops, scale, field=f"ways[{i}].{field}")
            number = self.number(hops, f"ways[{i}].{field}", size="label")
            number.centre_on(np.array([bar.tip[0] + 0.14 + number.width / 2, place.center[1], 0]))
            row.add(bar, number)
        return row

    def way_key(self) -> VGroup:
        """Which bar is which way, in the read-out band."""
        parts = VGroup()
        for role, key in (("SOURCE", "within_key"), ("TARGET", "across_key")):
            patch = LevelBar(self.theme.color(role), np.zeros(3), 0.2)
            patch.write_channel("length", 0.4)
            words = self.say(f"labels.{key}", words=integer(self.trace.words))
            text = label(self.theme, words, "MUTED", "label")
            parts.add(VGroup(patch, text.next_to(patch, buff=0.14)))
        parts.arrange(buff=0.6)
        if parts.width > self.grid.readout.width:
            parts.arrange([0.0, -1.0, 0.0], buff=0.1, aligned_edge=np.array([-1.0, 0.0, 0.0]))
        return self.grid.readout.place(parts)  # type: ignore[return-value]

    def read_out(self, *told: tuple[str, NumberLabel]) -> Readout:
        return Readout(self.theme, self.grid.readout, [(*item, "") for item in told])
