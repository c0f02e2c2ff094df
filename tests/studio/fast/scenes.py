"""Small scenes that each hold one thing a fast lane can get wrong."""

from __future__ import annotations

from manim import (
    BLUE,
    DOWN,
    GREEN,
    LEFT,
    RED,
    RIGHT,
    TAU,
    UP,
    WHITE,
    YELLOW,
    Add,
    ChangeDecimalToValue,
    Circle,
    Create,
    DecimalNumber,
    Dot,
    FadeIn,
    FadeOut,
    LaggedStart,
    Line,
    MovingCameraScene,
    PointCloudDot,
    Rotate,
    Scene,
    Square,
    Succession,
    Text,
    TracedPath,
    Transform,
    Triangle,
    ValueTracker,
    VGroup,
    Wait,
    Write,
    always_redraw,
)


class Shapes(Scene):
    """Fades, shifts, transforms, gradients, outlines, overlaps and waits."""

    def construct(self) -> None:
        squares = VGroup(*[Square(0.5, fill_opacity=0.4, color=BLUE) for _ in range(4)])
        squares.arrange(RIGHT).to_edge(UP)
        rainbow = Circle(1.2, stroke_width=12).set_color([RED, YELLOW, GREEN])
        self.add(squares, rainbow)
        self.wait(0.3)
        self.play(squares[1].animate.shift(DOWN * 2), FadeIn(Text("token"), shift=UP))
        self.play(Transform(rainbow, Triangle(fill_opacity=0.7, color=RED)), run_time=0.5)
        self.play(Rotate(squares, TAU / 8), rainbow.animate.scale(1.7).set_opacity(0.3))
        self.play(FadeOut(squares), Create(Line(LEFT * 8, RIGHT * 8, stroke_width=9)))
        self.wait(0.2)


class Numbers(Scene):
    """Number labels that change, driven by a tracker and by an animation."""

    def construct(self) -> None:
        tracker = ValueTracker(0.2)
        followed = DecimalNumber(0.2, mob_class=Text).to_edge(LEFT)
        followed.add_updater(lambda m: m.set_value(tracker.get_value()))
        counted = DecimalNumber(1, mob_class=Text).shift(RIGHT)
        bar = always_redraw(lambda: Line(LEFT, LEFT + RIGHT * tracker.get_value()).shift(DOWN))
        self.add(followed, counted, bar)
        self.play(tracker.animate.set_value(3.4), ChangeDecimalToValue(counted, -12))
        self.wait(0.2)
        self.play(tracker.animate.set_value(0.1), run_time=0.4)


class Order(Scene):
    """Things that pass before and behind each other, come late, and go."""

    def construct(self) -> None:
        front = Square(2, fill_opacity=1, color=RED).set_z_index(2)
        back = Circle(1, fill_opacity=1, color=BLUE)
        self.add(front, back)
        self.play(back.animate.shift(RIGHT * 2), run_time=0.4)
        self.bring_to_back(front)
        front.set_z_index(0)
        self.play(front.animate.shift(LEFT), run_time=0.4)
        self.add_foreground_mobject(Dot(radius=0.3, color=YELLOW))
        self.play(Succession(Wait(0.2), Add(Square(3)), FadeOut(back)), run_time=0.6)
        self.remove(front)
        words = VGroup(*[Text(c) for c in "abc"]).arrange(RIGHT)
        self.play(LaggedStart(*[Write(w) for w in words], lag_ratio=0.4), run_time=0.7)
        self.camera.background_color = WHITE
        self.wait(0.2)


class AddsUpTime(Scene):
    """Updaters with ``dt``, whose end state no leap can reach."""

    def construct(self) -> None:
        wheel = Square(color=GREEN).add_updater(lambda m, dt: m.rotate(dt))
        dot = Dot().shift(LEFT * 3)
        trail = TracedPath(dot.get_center, stroke_width=6)
        self.add(wheel, trail, dot)
        self.play(dot.animate.shift(RIGHT * 6 + UP), run_time=0.7)
        self.wait(0.4)
        wheel.clear_updaters()
        self.add_updater(lambda dt: dot.shift(DOWN * dt))
        self.play(wheel.animate.shift(UP), run_time=0.5)


class Until(Scene):
    """A wait that ends when something is reached: its length is not known before."""

    def construct(self) -> None:
        dot = Dot().shift(LEFT * 3).add_updater(lambda m, dt: m.shift(RIGHT * 4 * dt))
        self.add(dot)
        self.wait_until(lambda: dot.get_x() > -1, max_time=2)
        dot.clear_updaters()
        self.play(dot.animate.shift(UP), run_time=0.3)


class Cloud(Scene):
    """A cloud of points between shapes: stock's drawing, for as long as it is there."""

    def construct(self) -> None:
        picture = PointCloudDot(color=GREEN, radius=1, density=8)
        circle = Circle(fill_opacity=0.5, color=RED)
        self.add(Square(3), circle)
        self.play(circle.animate.shift(RIGHT), run_time=0.3)
        self.play(FadeIn(picture), circle.animate.shift(LEFT * 2), run_time=0.4)
        self.wait(0.2)
        self.remove(picture)
        self.play(circle.animate.shift(UP), run_time=0.3)


class Zoom(MovingCameraScene):
    """A camera that moves: stock's camera and stock's drawing."""

    def construct(self) -> None:
        self.add(Square(), Circle(fill_opacity=0.5).shift(RIGHT))
        self.play(self.camera.frame.animate.scale(0.5).shift(RIGHT), run_time=0.5)
        self.wait(0.2)


class Chapters(Scene):
    """Sections, of which one is skipped and one lasts a single frame."""

    def construct(self) -> None:
        self.times: list[float] = []
        dot = Dot(radius=0.4)
        for name, skip, seconds in [("a", False, 1.3), ("b", True, 1), ("c", False, 0.1)]:
            self.next_section(name, skip_animations=skip)
            self.play(dot.animate.shift(RIGHT), run_time=seconds)
            self.times.append(self.time)
        self.next_section("d")
        self.play(FadeOut(dot), run_time=0.7)
        self.wait(0.75)
        self.times.append(self.time)


GATE = [Shapes, Numbers, Order, AddsUpTime, Until, Cloud, Zoom, Chapters]
