"""The second act: key and value part company, and what dividing by the root of d is for."""

from __future__ import annotations

import numpy as np
from manim import (
    DOWN,
    LEFT,
    RIGHT,
    FadeIn,
    FadeOut,
    LaggedStart,
    Line,
    TransformFromCopy,
    VGroup,
)

from engine.traces import Projected
from scenes.channels import AS_IT_IS, Linear
from scenes.grid import Band
from scenes.mobjects.bar_row import Bar
from scenes.mobjects.formula import Formula
from scenes.mobjects.number_label import NumberLabel, fixed, format_scientific, integer
from scenes.mobjects.text import label
from scenes.query_key_value_named import Named
from scenes.query_key_value_table import RoleTable

NAMES = ("input", "scores")
PROJECTIONS = {"own_query": "W_Q x", "own_key": "W_K x_j", "own_value": "W_V x_j"}
SUMMARY_SECONDS = 3.0  # to read the formula, beside the caption
SATURATED = 0.1  # share of the sensitivity that is left without dividing


class OwnProjections:
    """The beats of the sentence that looks at itself."""

    def __init__(self, named: Named) -> None:
        self.scene, self.theme = named.scene, named.theme
        self.readout, self.trace = named.readout, named.scene.trace
        self.part: Projected = self.trace.sentence
        share = self.part.asking / max(len(self.part.tokens) - 1, 1)
        names = [self.scene.say(f"labels.{key}") for key in NAMES]
        names += [f"{self.scene.say(f'labels.{key}')} W_Q xⱼ" for key in PROJECTIONS]
        self.table = RoleTable(self.scene, "sentence", self.part.tokens, self.part.unknown,
                               share, names)

    # Beats

    def split(self) -> None:
        """Query, key and value: three projections of every word's x."""
        scene, table, lanes = self.scene, self.table, self.table.lanes
        lower = self._below(lanes.values)
        self.inputs = table.vectors("HIDDEN", "inputs", lanes.keys)
        self.keys = table.vectors("KEY", "keys", lanes.values)
        self.values = table.vectors("VALUE", "values", lower)
        asking = self.part.asking
        at = (table.asker, lanes.query.center[1])
        self.query = table.vector("QUERY", "queries", (asking,), at, table.limit("queries"))
        self.names = {
            "input": table.name("input", lanes.keys, "HIDDEN"),
            "own_query": self._projection("own_query", lanes.query, "QUERY"),
            "own_key": self._projection("own_key", lanes.values, "KEY"),
            "own_value": self._projection("own_value", lower, "VALUE"),
        }
        table.cards[asking].mark("focus")
        with scene.beat("split", asking=self.part.tokens[asking]):
            scene.clear_stage()
            scene.play(*self.readout.change(), *map(FadeIn, table.cards), run_time=0.7)
            scene.play(*map(FadeIn, [*self.inputs, self.names["input"]]), run_time=0.7)
            self._project()
            self.readout.show(
                self.readout.number("product_error", self.part.product_error,
                                    "sentence.product_error", (), format_scientific),
                self.readout.note("units", units=self.trace.units, drawn=table.units),
            )

    def divide(self) -> None:
        """The asking word's scores, with and without division by the root of d."""
        scene, table, part = self.scene, self.table, self.part
        ends = [float(values.max()) for values in (part.products, part.scores)]
        low = min(0.0, float(part.products.min()))
        bars, axis, numbers = self._score_bars(low, ends[0])
        left = part.undivided_sensitivity / max(part.sensitivity, 1e-300)
        with scene.beat("divide", variant="" if left < SATURATED else "mild",
                        asking=part.tokens[part.asking], units=self.trace.units,
                        product=f"{ends[0]:.1f}", score=f"{ends[1]:.1f}"):
            self._close_up()
            name = table.name("scores", table.lanes.bars, "MUTED")
            scene.play(*table.rays("weights", ()), FadeIn(name), FadeIn(axis), run_time=0.9)
            scene.play(*map(FadeIn, bars), FadeIn(numbers), run_time=1.0)
            self.readout.show(
                self.readout.note("divide_key"),
                self.readout.number("sensitivity", part.sensitivity, "sentence.sensitivity", (),
                                    format_scientific),
                self.readout.number("undivided", part.undivided_sensitivity,
                                    "sentence.undivided_sensitivity", (), format_scientific),
            )

    def spread(self) -> None:
        """Why the root: dot products of random vectors scatter that far."""
        scene, spread = self.scene, self.trace.spread
        size, far = int(spread.sizes[-1]), float(spread.deviations[-1])
        with scene.beat("spread", pairs=integer(spread.pairs), size=integer(size), far=f"{far:.1f}",
                        root=f"{size ** 0.5:.0f}"):
            chart = self._chart()
            scene.clear_stage()
            scene.play(LaggedStart(*map(FadeIn, chart), lag_ratio=0.2), *self.readout.change(),
                       run_time=1.8)
            self.readout.show(self.readout.note("spread_key"))

    def name(self) -> None:
        """The formula, and what it does not claim."""
        scene = self.scene
        with scene.beat("name", guess=SUMMARY_SECONDS):
            scene.clear_stage()
            scene.play(LaggedStart(*map(FadeIn, self._summary()), lag_ratio=0.3), run_time=1.6)
            self.readout.show(self.readout.note("not_claimed"))

    # Parts

    def _below(self, lane: Band) -> Band:
        """A lane of the same height under a lane, in the room of the bars."""
        step = self.table.lanes.keys.center[1] - lane.center[1]
        return Band(lane.left, lane.right, lane.bottom - step, lane.top - step)

    def _projection(self, key: str, lane: Band, role: str) -> VGroup:
        """A lane's name and the product that it is."""
        name = self.table.name(key, lane, role)
        formula = Formula(self.theme, PROJECTIONS[key], self.table.size, role=role)
        formula.next_to(name, RIGHT, buff=0.1)
        return VGroup(name, formula.align_to(name, DOWN))

    def _project(self) -> None:
        """Every x gives a key and a value; the asking word's x also gives the query."""
        scene, names = self.scene, self.names
        parts = [("own_key", self.keys), ("own_value", self.values)]
        if self.inputs:
            asking = TransformFromCopy(self.inputs[self.part.asking], self.query)
        else:
            asking = FadeIn(self.query)
        scene.play(asking, FadeIn(names["own_query"]), run_time=1.0)
        for key, strips in parts:
            moves = [TransformFromCopy(x, v) for x, v in zip(self.inputs, strips, strict=True)]
            scene.play(*moves, FadeIn(names[key]), run_time=1.0)

    def _close_up(self) -> None:
        """The inputs leave; keys and values move up to the words."""
        scene, lanes = self.scene, self.table.lanes
        up = np.array([0.0, lanes.keys.center[1] - lanes.values.center[1], 0.0])
        scene.release(*self.inputs)
        rising = [*self.keys, *self.values, self.names["own_key"], self.names["own_value"]]
        scene.play(*map(FadeOut, [*self.inputs, self.names["input"]]),
                   *[mobject.animate.shift(up) for mobject in rising], run_time=0.8)

    def _score_bars(self, low: float, high: float) -> tuple[list[VGroup], Line, VGroup]:
        """q·k hollow and q·k / √d filled, from one zero on one scale."""
        table, lanes = self.table, self.table.lanes
        room = lanes.bars
        bottom = room.bottom + 0.26
        unit = (room.top - bottom) / max(high - low, 1e-9)
        zero = bottom - low * unit
        scale = Linear(0.0, 1.0, 0.0, unit)
        ends = (lanes.xs[0] - lanes.pitch / 2, lanes.xs[-1] + lanes.pitch / 2)
        axis = Line([ends[0], zero, 0], [ends[1], zero, 0], stroke_width=1.5,
                    color=self.theme.color("LINE"))
        wholes = table.bars("products", (), scale, "TEXT", side=-1, hollow=True)
        parts = table.bars("scores", (), scale, "HIGH", side=1)
        for bar in (*wholes, *parts):
            bar.shift([0.0, zero - bar.base[1], 0.0])
        numbers = VGroup(*[self._score_number(field, side, room.bottom + 0.1)
                           for field, side in (("products", -1), ("scores", 1))])
        return [wholes, parts], axis, numbers

    def _score_number(self, field: str, side: int, y: float) -> NumberLabel:
        """The score of the word looked at most, under its bar."""
        j = int(self.part.weights.argmax())
        value = float(getattr(self.part, field)[j])
        number = NumberLabel(self.theme, 0.0, size="smallest", format=fixed(1),
                             anchor=1.0 if side < 0 else 0.0)
        self.scene.bind(number, "value", value, AS_IT_IS, field=f"sentence.{field}",
                        index=(j,), label=field)
        number.centre_on(np.array([self.table.lanes.xs[j], y, 0.0]))
        edge = number.get_right()[0] if side < 0 else number.get_left()[0]
        return number.shift([self.table.lanes.xs[j] + 0.07 * side - edge, 0.0, 0.0])

    def _chart(self) -> VGroup:
        """For every d: the standard deviation of q·k, and that of q·k / √d beside it."""
        spread, stage = self.trace.spread, self.scene.grid.stage
        room = stage.inset(0.12 * stage.width, 0.0)
        room = Band(room.left, room.right, room.bottom + 0.4, room.top - 0.35)
        scale = Linear(0.0, float(spread.deviations.max()), 0.0, room.height)
        axis = Line([room.left, room.bottom, 0], [room.right, room.bottom, 0], stroke_width=1.5,
                    color=self.theme.color("LINE"))
        step = room.width / len(spread.sizes)
        chart = VGroup(axis)
        for k, size in enumerate(spread.sizes):
            x = room.left + (k + 0.5) * step
            chart.add(self._pair_of_bars(k, x, step, room.bottom, scale))
            name = label(self.theme, f"d = {integer(size)}", "TEXT", "label")
            chart.add(name.centre_on(np.array([x, room.bottom - 0.22, 0.0])))
        return chart

    def _pair_of_bars(self, k: int, x: float, step: float, base: float, scale: Linear) -> VGroup:
        pair = VGroup()
        for field, role, side in (("deviations", "TEXT", -1), ("divided", "HIGH", 1)):
            at = np.array([x + side * 0.2 * step, base, 0.0])
            bar = Bar(0.3 * step, self.theme.color(role), at)
            if side < 0:
                bar.set_fill(opacity=0.0).set_stroke(self.theme.color(role), width=2.0)
            value = float(getattr(self.trace.spread, field)[k])
            self.scene.bind(bar, "height", value, scale, field=f"spread.{field}", index=(k,),
                            label="σ")
            number = NumberLabel(self.theme, 0.0, size="smallest", format=fixed(1), anchor=0.5)
            self.scene.bind(number, "value", value, AS_IT_IS,
                            field=f"spread.{field}", index=(k,), label="σ")
            number.centre_on(np.array([at[0], base + float(scale(value)) + 0.16, 0.0]))
            pair.add(bar, number)
        return pair

    def _summary(self) -> VGroup:
        """The three roles in one line, and where each comes from."""
        stage = self.scene.grid.stage
        for size, formula_size in (("body", 1.5), ("label", 1.2), ("smallest", 1.0)):
            lines = self._lines(size, formula_size)
            if lines.width <= stage.width and lines.height <= stage.height:
                break
        return lines.move_to(stage.center)  # type: ignore[no-any-return]

    def _lines(self, size: str, larger: float) -> VGroup:
        roles = {"query": "QUERY", "key": "KEY", "value": "VALUE"}
        formula = Formula(
            self.theme,
            "op(\"Attention\")({{ Q : query }}, {{ K : key }}, {{ V : value }}) = "
            "op(\"softmax\")( {{ Q : query }} {{ K : key }}^top \\/ sqrt(d) ) {{ V : value }}",
            "title", roles,
        ).scale(larger)
        width = self.scene.grid.stage.width
        if formula.width > width:
            formula.scale(width / formula.width)
        rows = VGroup()
        for key, role in roles.items():
            text = self.scene.say(f"labels.summary_{key}")
            rows.add(label(self.theme, text, role, size, width, weight=500))
        rows.arrange(DOWN, buff=0.22, aligned_edge=LEFT)
        return VGroup(formula, rows).arrange(DOWN, buff=0.5)
