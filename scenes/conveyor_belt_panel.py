"""The panel over the belt: c = f ⊙ c + i ⊙ g and h = o ⊙ tanh c, drawn as bars under the terms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from manim import DOWN, Animation, FadeIn, VGroup

from engine.traces import ConveyorBeltTrace
from scenes.binding import Binding
from scenes.channels import AS_IT_IS
from scenes.grid import Band
from scenes.mobjects.bar_row import BarRow
from scenes.mobjects.formula import Formula
from scenes.mobjects.number_label import NumberLabel, fixed
from scenes.mobjects.retune import Change, change_to
from scenes.mobjects.text import Label, label, sizes
from scenes.mobjects.valve import OPENING, Valve
from scenes.theme import Theme

Say = Callable[..., str]

UPDATE = (
    "{{ c_t : sum }} {{ = : is }} {{ f : forget }} {{ dot.o : keeps }} {{ c_(t-1) : before }}"
    " {{ + : adder }} {{ i : input }} {{ dot.o : lets }} {{ g : candidate }}"
)
READ = (
    "{{ h_t : hidden }} {{ = : be }} {{ o : output }} {{ dot.o : shows }}"
    " {{ tanh(c_t) : squashed }}"
)
ROLES = {"sum": "CELL", "before": "CELL", "forget": "FORGET", "input": "INPUT",
         "candidate": "SOURCE", "output": "OUTPUT", "hidden": "HIDDEN", "squashed": "CELL"}
# Width of every term in units of a group of bars.
WIDTHS = {"sum": 1.0, "is": 0.3, "forget": 1.0, "keeps": 0.3, "before": 1.0, "adder": 0.3,
          "input": 1.0, "lets": 0.3, "candidate": 1.0, "break": 0.3, "hidden": 1.0, "be": 0.3,
          "output": 1.0, "shows": 0.3, "squashed": 1.35}
GATES = {"forget": "forget_gate", "input": "input_gate", "output": "output_gate"}
FIELDS = {**GATES, "sum": "cell_states", "before": "cell_states", "candidate": "candidate",
          "hidden": "hidden_states"}
KEEP, WRITE, READ_OUT = ("forget", "keeps", "before"), ("input", "lets", "candidate"), (
    "hidden", "be", "output", "shows", "squashed")
WIDE_UNIT = 2.8  # em of the title size: a group at least this wide takes large terms
SPREAD = 0.84  # share of its place that a group of bars takes


@dataclass
class Gate:
    """A valve with its name and the mean that it shows."""

    valve: Valve
    name: Label
    number: NumberLabel

    @property
    def parts(self) -> VGroup:
        return VGroup(self.valve, self.name, self.number)


class StepPanel:
    """Valves over terms over bars. Everything has its place from the start; beats show it."""

    def __init__(
        self, scene: Binding, theme: Theme, band: Band, trace: ConveyorBeltTrace, say: Say
    ) -> None:
        self.scene, self.theme, self.trace, self.say = scene, theme, trace, say
        self.units = [int(unit) for unit in trace.units]
        self.limit = float(np.abs(trace.cell_states[:, self.units]).max()) or 1.0
        valves, terms, self.bars_band = band.rows(0.85, 0.42, 1.1, gap=0.08)
        self.unit = band.width / sum(WIDTHS.values())
        self.xs = self._xs(band.left)
        self.formulas = VGroup(self._spread(UPDATE, terms), self._spread(READ, terms))
        self.groups = {name: self._group(name) for name in FIELDS}
        self.gates = {name: self._gate(name, valves) for name in GATES}

    def _xs(self, left: float) -> dict[str, float]:
        ends = left + self.unit * np.cumsum(list(WIDTHS.values()))
        return {name: float(end - self.unit * width / 2)
                for (name, width), end in zip(WIDTHS.items(), ends, strict=True)}

    def _spread(self, source: str, band: Band) -> Formula:
        """The formula with every term over its own bars."""
        roles = {name: role for name, role in ROLES.items() if f": {name} " in source}
        size = "title" if self.unit > WIDE_UNIT * sizes()["title"] else "body"
        formula = Formula(self.theme, source, size, roles)
        formula.set_y(band.center[1])
        for name in WIDTHS:
            if f": {name} " in source:
                formula.term(name).set_x(self.xs[name])
        return formula

    def _group(self, name: str) -> BarRow:
        signed = name not in GATES
        limit = self.limit if FIELDS[name] == "cell_states" else 1.0
        row = BarRow(self.theme, len(self.units), SPREAD * self.unit, self.bars_band.height, limit,
                     ROLES[name], signed=signed)
        return row.move_to([self.xs[name], self.bars_band.center[1], 0.0])  # type: ignore[no-any-return]

    def _gate(self, name: str, band: Band) -> Gate:
        radius = min(band.height - 0.12, 0.62 * self.unit)
        valve = Valve(self.theme, radius, ROLES[name])
        left = self.xs[name] - SPREAD * self.unit / 2
        valve.shift([left + 0.05, band.bottom + 0.08, 0.0])
        text = label(self.theme, self.say(f"labels.{name}"), ROLES[name], "label", weight=500)
        number = NumberLabel(self.theme, 0.0, format=fixed(2), role=ROLES[name])
        x = left + radius + 0.18
        text.move_to([x + text.width / 2, band.center[1], 0.0])
        text.stand_on(band.top - 0.75 * text.em)
        number.move_to([x + number.width / 2, 0.0, 0.0]).stand_on(text.baseline - 1.15 * text.em)
        return Gate(valve, text, number)

    def does(self, name: str) -> Label:
        """What a valve is for, under it; a formula takes its place."""
        text = label(self.theme, self.say(f"labels.{name}_does"), "TEXT", "label",
                     width=2.2 * self.unit)
        left = self.xs[name] - SPREAD * self.unit / 2
        text.move_to([left + text.width / 2, 0.0, 0.0])
        return text.set_y(self.bars_band.top - text.height / 2)  # type: ignore[no-any-return]

    # What is shown

    def row(self, name: str, step: int) -> int:
        """The trace's row of a term at a step: states have one more, before any word."""
        return step + 1 if name in ("sum", "hidden") else step

    def show(self, name: str, step: int) -> list[Change]:
        """A term's bars on their way to their values at a step."""
        field, row, group = FIELDS[name], self.row(name, step), self.groups[name]
        values = getattr(self.trace, field)[row]
        return [
            change_to(self.scene, bar, "height", values[unit], group.scale_to, field=field,
                      index=(row, unit), label=name)
            for bar, unit in zip(group.bars, self.units, strict=True)
        ]

    def turn(self, name: str, step: int) -> list[Change]:
        """A valve and its number on their way to a step's gate: mean, least, largest."""
        gate, scene = self.gates[name], self.scene
        field, values = f"{GATES[name]} @ units", getattr(self.trace, GATES[name])[step, self.units]
        mean = {"field": f"mean({field})", "index": (step,), "label": name}
        return [
            change_to(scene, gate.valve, "angle", values.mean(), OPENING, **mean),
            change_to(scene, gate.valve, "fan_low", values.min(), OPENING,
                      field=f"min({field})", index=(step,), label=name),
            change_to(scene, gate.valve, "fan_high", values.max(), OPENING,
                      field=f"max({field})", index=(step,), label=name),
            change_to(scene, gate.number, "value", values.mean(), AS_IT_IS, **mean),
        ]

    def appear(self, *names: str) -> list[Animation]:
        """The bars of some terms rise into view."""
        return [FadeIn(self.groups[name], shift=0.15 * DOWN) for name in names]

    @property
    def everything(self) -> VGroup:
        gates = [gate.parts for gate in self.gates.values()]
        return VGroup(*gates, self.formulas, *self.groups.values())
