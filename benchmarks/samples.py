"""Three scenes of about 21 seconds that load a renderer as stations do.

Each exists twice: with our mobjects, and (``…AsIs``) with manim's own text and numbers.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import manimpango
import numpy as np
from manim import (
    DOWN,
    LEFT,
    PI,
    RIGHT,
    UP,
    Animation,
    Axes,
    ChangeDecimalToValue,
    Circle,
    Create,
    CubicBezier,
    DecimalNumber,
    Dot,
    FadeIn,
    GrowFromCenter,
    LaggedStart,
    Line,
    Mobject,
    Rectangle,
    Rotate,
    RoundedRectangle,
    Scene,
    Square,
    Text,
    Transform,
    VGroup,
    Write,
)

from scenes.fonts import FAMILY, font_path
from scenes.mobjects.number_label import ChangeNumber, NumberLabel
from scenes.mobjects.text import label
from scenes.theme import THEMES

THEME = next(iter(THEMES.values()))
SEED = 0


class Benchmark(Scene):
    """Text and numbers come from methods, so that a twin can make them manim's way."""

    def text(self, words: str, role: str = "TEXT", size: str = "label") -> Mobject:
        """Words in our own font."""
        return label(THEME, words, role, size)

    def number(self, value: float, decimals: int = 2) -> Mobject:
        """A number that can change."""
        return NumberLabel(THEME, value, decimals)

    def count(self, number: Any, value: float) -> Animation:
        """An animation that changes a number."""
        return ChangeNumber(number, value)


class AsIs(Benchmark):
    """What a scene costs that is written with manim's mobjects alone."""

    def setup(self) -> None:
        manimpango.register_font(str(font_path()))

    def text(self, words: str, role: str = "TEXT", size: str = "label") -> Mobject:
        points = {"title": 32, "label": 20}[size]
        return Text(words, font=FAMILY, font_size=points, color=THEME.color(role))

    def number(self, value: float, decimals: int = 2) -> Mobject:
        return DecimalNumber(value, num_decimal_places=decimals, mob_class=Text, font_size=24)

    def count(self, number: Any, value: float) -> Animation:
        return ChangeDecimalToValue(number, value)


class Relay(Benchmark):
    """A token handed back along 30 steps, and a curve that grows."""

    STEPS, FACTOR = 30, 0.78

    def construct(self) -> None:
        title = self.text("逐步回传：梯度像接力棒一样往回传", size="title").to_edge(UP)
        nodes = VGroup(*[Circle(0.17, fill_opacity=0.3, stroke_width=2) for _ in range(self.STEPS)])
        nodes.arrange(RIGHT, buff=0.1).shift(UP * 1.3)
        names = VGroup(
            *[self.text(str(i)).scale(0.8).next_to(n, DOWN, 0.1) for i, n in enumerate(nodes)]
        )
        axes = Axes([0, self.STEPS, 5], [-4, 0, 1], 8.5, 3.2, tips=False).shift(DOWN * 1.7)
        left = self.number(1, 4).move_to(RIGHT * 5.4 + DOWN)
        steps = self.number(0, 0).next_to(left, DOWN)
        self.play(FadeIn(title, shift=DOWN * 0.2))
        self.play(LaggedStart(*[GrowFromCenter(n) for n in nodes], lag_ratio=0.05), FadeIn(names))
        self.play(Create(axes), FadeIn(left), FadeIn(steps))
        token = Dot(nodes[-1].get_center(), 0.14, color=THEME.color("GRADIENT"))
        self.play(FadeIn(token, scale=2), run_time=0.5)
        for k in range(1, self.STEPS):
            share, node = self.FACTOR**k, nodes[self.STEPS - 1 - k]
            ends = [axes.c2p(n, np.log10(self.FACTOR**n)) for n in (k - 1, k)]
            self.play(
                token.animate.move_to(node).set_opacity(max(share, 0.1)),
                node.animate.set_fill(token.get_color(), opacity=share),
                self.count(left, share),
                self.count(steps, k),
                Create(Line(*ends, stroke_width=3)),
                run_time=0.45,
            )
            self.wait(0.1)
        self.play(Write(self.text("句首几乎收不到信号：梯度消失", "WRONG", "title")))
        self.wait()


class Valve(VGroup):
    """A gate: a box with a level and an arm that turns."""

    def __init__(self, number: Mobject, role: str) -> None:
        box = RoundedRectangle(width=1.5, height=0.9, corner_radius=0.1, color=THEME.color(role))
        level = Rectangle(width=1.3, height=0.4, stroke_width=0, fill_opacity=0.9)
        self.level = level.set_fill(THEME.color(role)).align_to(box, DOWN).shift(UP * 0.05)
        self.arm = Line(LEFT * 0.5, RIGHT * 0.5, stroke_width=5)
        self.number, self.opening = number.next_to(box, RIGHT), 0.5
        super().__init__(box, self.level, self.arm, self.number)

    def set_opening(self, scene: Benchmark, opening: float) -> list[Any]:
        """Animations that open or close it."""
        turn, self.opening = (self.opening - opening) * PI / 2, opening
        return [
            Rotate(self.arm, turn),
            self.level.animate.stretch_to_fit_height(0.05 + 0.7 * opening, about_edge=DOWN),
            scene.count(self.number, opening),
        ]


class Conveyor(Benchmark):
    """A belt with three valves; a strip of eight cells that changes at each step."""

    STEPS, CELLS = 12, 8

    def construct(self) -> None:
        random = np.random.default_rng(SEED)
        title = self.text("长短期记忆：一条传送带加三个阀门", size="title").to_edge(UP)
        belt = VGroup(*[Line(LEFT * 7, RIGHT * 7).shift(UP * y) for y in (1.9, -0.2)])
        belt.add(*[Circle(0.12).move_to([x, -0.35, 0]) for x in np.linspace(-6.6, 6.6, 23)])
        valves = [Valve(self.number(0.5), role) for role in ("FORGET", "INPUT", "OUTPUT")]
        VGroup(*valves).arrange(RIGHT, buff=2).shift(DOWN * 1.7)
        words = VGroup(*[self.text(word) for word in "昨天我把钥匙忘在办公室"])
        words.arrange(RIGHT, buff=0.7).shift(DOWN * 3)
        self.play(FadeIn(title), Create(belt))
        self.play(*[FadeIn(v, shift=UP * 0.3) for v in valves], FadeIn(words, lag_ratio=0.1))
        strip = self._strip(random).shift(LEFT * 6 + UP * 0.85)
        self.play(FadeIn(strip, shift=RIGHT), run_time=0.5)
        for step in range(self.STEPS):
            opened = [v.set_opening(self, o) for v, o in zip(valves, random.random(3), strict=True)]
            self.play(*chain(*opened), run_time=0.6)
            self.add(strip.copy().set_opacity(0.25))
            self.play(Transform(strip, self._strip(random).shift([step - 5, 0.85, 0])))
            self.wait(0.15)
        self.play(Write(self.text("只经过加和乘，所以能走很远", "CORRECT").shift(UP * 2.45)))
        self.wait()

    def _strip(self, random: np.random.Generator) -> VGroup:
        cells = [
            Rectangle(width=0.52, height=0.2, stroke_width=1, fill_opacity=0.9).set_fill(
                THEME.diverging(value, 2)
            )
            for value in random.normal(size=self.CELLS)
        ]
        return VGroup(*cells).arrange(DOWN, buff=0.04)


class Lookback(Benchmark):
    """Curves as wide as their weights from a decoder to 12 words, and a heat map."""

    SOURCE = ("昨天", "我", "把", "钥匙", "忘", "在", "了", "办公室", "的", "抽屉", "里", "。")
    TARGET = ("I", "left", "my", "keys", "in", "the", "office", "drawer", "yesterday", ".")

    def construct(self) -> None:
        random = np.random.default_rng(SEED)
        weights = random.dirichlet(np.full(len(self.SOURCE), 0.4), len(self.TARGET))  # [row, key]
        title = self.text("每写一个词，都回头看一遍原句", size="title").to_edge(UP)
        words = VGroup(*[self.text(word, "SOURCE") for word in self.SOURCE])
        words.arrange(RIGHT, buff=0.3).move_to(LEFT * 2.2 + UP * 2)
        decoder = RoundedRectangle(width=1.7, height=0.7, corner_radius=0.1).move_to([-2.5, -1, 0])
        cells = VGroup(*[Square(0.33, stroke_width=1) for _ in range(weights.size)])
        cells.arrange_in_grid(*weights.shape, buff=0).move_to(RIGHT * 4.8)
        shares = VGroup(*[self.number(0).scale(0.7).next_to(w, UP, 0.1) for w in words])
        curves = VGroup(*[self._curve(decoder, word) for word in words])
        self.play(FadeIn(title), FadeIn(words, lag_ratio=0.08, shift=UP * 0.2))
        self.play(Create(decoder), FadeIn(cells), Create(curves), FadeIn(shares))
        written = self.text(self.TARGET[0], "TARGET").move_to([-6, -2.6, 0])
        for row, word in zip(weights, self.TARGET, strict=True):
            self.play(
                *[
                    c.animate.set_stroke(width=14 * w, opacity=w)
                    for c, w in zip(curves, row, strict=True)
                ],
                *[self.count(s, w) for s, w in zip(shares, row, strict=True)],
                run_time=0.8,
            )
            filled = [
                c.animate.set_fill("#FFFF00", w)
                for c, w in zip(cells[: len(row)], row, strict=True)
            ]
            cells = cells[len(row) :]
            written = self.text(word, "TARGET").next_to(written, RIGHT)
            self.play(LaggedStart(*filled, lag_ratio=0.05), FadeIn(written, shift=DOWN * 0.3))
        self.play(Write(self.text("亮格子连成词序的对应", "CORRECT").to_edge(DOWN)))
        self.wait()

    def _curve(self, decoder: Mobject, word: Mobject) -> CubicBezier:
        start, end = decoder.get_top(), word.get_bottom()
        return CubicBezier(start, start + UP, end + DOWN, end, stroke_width=0.5)


class RelayAsIs(AsIs, Relay):
    """Relay with manim's mobjects."""


class ConveyorAsIs(AsIs, Conveyor):
    """Conveyor with manim's mobjects."""


class LookbackAsIs(AsIs, Lookback):
    """Lookback with manim's mobjects."""
