"""The first act: station 5's picture, relabelled in place, and another way to compare."""

from __future__ import annotations

import numpy as np
from manim import (
    RIGHT,
    Animation,
    FadeIn,
    FadeOut,
    FadeTransform,
    Indicate,
    LaggedStart,
    Mobject,
    VGroup,
)

from engine.errors import InputError
from engine.traces import Relabelled
from scenes.base import GUESS_SECONDS, Station
from scenes.grid import Band
from scenes.mobjects.formula import Formula
from scenes.mobjects.number_label import format_scientific
from scenes.mobjects.state_strip import StateStrip
from scenes.mobjects.text import Label
from scenes.query_key_value_table import RoleTable
from scenes.readout_band import ReadoutBand

FIRST = 0  # the target word that asks
NARROW = 6.0  # manim units: a narrower stage has no room for names beside the table
OLD_NAMES = ("old_query", "old_key", "old_value", "beams", "weights", "context")
NEW_NAMES = ("query", "key", "value")
ROLES = {"query": "QUERY", "key": "KEY", "value": "VALUE"}
LARGE = 0.3  # a weight that changes by so much is another choice


class Named:
    """The beats of the pair. `table` is the picture of its first word."""

    def __init__(self, scene: Station) -> None:
        if scene.grid.stage.width < NARROW:
            raise InputError("station.frame", station=scene.station, frames="16:9, 4:3")
        self.scene, self.theme = scene, scene.theme
        self.pair: Relabelled = scene.trace.pair
        self.readout = ReadoutBand(scene)
        self.values = {"asks": self._state_sign()}
        names = [scene.say(f"labels.{key}", **self.values) for key in (*OLD_NAMES, *NEW_NAMES)]
        self.table = RoleTable(scene, "pair", self.pair.source, self.pair.unknown, 0.5, names)
        self.names: dict[str, Label] = {}

    def _state_sign(self) -> str:
        """The state that asks, as station 5 calls it."""
        return self.scene.say(f"labels.asks_{self.scene.trace.decoder}")

    # Beats

    def seen(self) -> None:
        """The picture of station 5; which three parts does it have?"""
        scene, table = self.scene, self.table
        self.query_strip, self.key_strips, self.value_strips = self._vectors()
        self.bars, self.numbers = self._weights()
        self.sum = self._sum()
        with scene.beat("seen", guess=GUESS_SECONDS, word=self.pair.target[FIRST]):
            laid = [FadeIn(card, shift=np.array([0.0, -0.3, 0.0])) for card in table.cards]
            scene.play(LaggedStart(*laid, lag_ratio=0.15), run_time=0.9)
            strips = [self.query_strip, *self.key_strips, *self.value_strips]
            old = [self._put(key, lane, "MUTED") for key, lane in self._old_lanes()]
            scene.play(*map(FadeIn, [*strips, *old]), run_time=0.9)
            scene.play(*table.rays("weights", (FIRST,)), run_time=0.8)
            scene.play(FadeIn(self.bars), FadeIn(self.numbers), FadeIn(self.sum, shift=RIGHT),
                       run_time=0.8)

    def query(self) -> None:
        """What asks is the query."""
        with self.scene.beat("query"):
            self._rename("old_query", "query", [self.query_strip])

    def key(self) -> None:
        """What is compared with it is the key."""
        with self.scene.beat("key"):
            self._rename("old_key", "key", self.key_strips)

    def value(self) -> None:
        """What is brought back is the value."""
        with self.scene.beat("value"):
            self._rename("old_value", "value", [*self.value_strips, self.sum])

    def same(self) -> None:
        """Weights computed anew from q, k and v, in the outlines of station 5's."""
        scene, pair, table = self.scene, self.pair, self.table
        exact = pair.weight_difference == 0 and pair.context_difference == 0
        with scene.beat("same", variant="" if exact else "rounded",
                        difference=format_scientific(pair.weight_difference)):
            outlines = table.bars("earlier_weights", (FIRST,), table.bar_scale(), "TEXT",
                                  hollow=True, inner=1.35)
            scene.play(FadeIn(outlines), run_time=0.8)
            self.readout.show(
                self.readout.number("weight_difference", pair.weight_difference,
                                    "pair.weight_difference", (), format_scientific),
                self.readout.number("context_difference", pair.context_difference,
                                    "pair.context_difference", (), format_scientific),
                self.readout.note("outline_key"),
            )
        self.outlines = outlines

    def dot(self) -> None:
        """The same queries and keys, compared by their dot product instead."""
        scene, pair, table = self.scene, self.pair, self.table
        one, other = pair.weights[FIRST], pair.dot_weights[FIRST]
        moved = bool(np.abs(one - other).max() >= LARGE)
        words = {"one": pair.source[int(one.argmax())], "other": pair.source[int(other.argmax())]}
        with scene.beat("dot", variant="" if moved else "near", **words,
                        units=scene.trace.attention_size):
            scale = table.bar_scale()
            left = table.bars("weights", (FIRST,), scale, side=-1)
            right = table.bars("dot_weights", (FIRST,), scale, "TEXT", side=1, hollow=True)
            numbers = [table.numbers("weights", (FIRST,), side=-1),
                       table.numbers("dot_weights", (FIRST,), side=1)]
            gone = [self.outlines, self.bars, self.numbers]
            scene.release(*gone)
            scene.play(*map(FadeOut, gone), FadeIn(left), *self.readout.change(), run_time=0.8)
            scene.play(FadeIn(right), *map(FadeIn, numbers), run_time=0.8)
            self.readout.show(*self._comparisons())

    # Parts

    def _vectors(self) -> tuple[StateStrip, list[StateStrip], list[StateStrip]]:
        """Query, keys and values, in the plain frame of what has no name yet."""
        table, lanes = self.table, self.table.lanes
        at = (table.asker, lanes.query.center[1])
        query = table.vector("LINE", "queries", (FIRST,), at, table.limit("queries"))
        keys = table.vectors("LINE", "keys", lanes.keys)
        return query, keys, table.vectors("LINE", "values", lanes.values)

    def _weights(self) -> tuple[VGroup, VGroup]:
        table = self.table
        return (table.bars("weights", (FIRST,), table.bar_scale()),
                table.numbers("weights", (FIRST,)))

    def _sum(self) -> StateStrip:
        """What is brought back: Σ α h."""
        table = self.table
        at = (table.asker, table.lanes.context.center[1])
        return table.vector("LINE", "contexts", (FIRST,), at, table.limit("values"))

    def _old_lanes(self) -> list[tuple[str, Band]]:
        lanes = self.table.lanes
        places = {"old_query": lanes.query, "old_key": lanes.keys, "old_value": lanes.values,
                  "beams": lanes.beams, "weights": lanes.bars, "context": lanes.context}
        if not lanes.strip:  # the words' vectors are not drawn, but their roles are named
            del places["old_key"], places["old_value"]
        return list(places.items())

    def _put(self, key: str, lane: Band, role: str) -> Label:
        self.names[key] = self.table.name(key, lane, role, **self.values)
        return self.names[key]

    def _rename(self, old: str, new: str, strips: list[StateStrip]) -> None:
        """The name gives way to the new one, and the frames take the role's colour."""
        scene, role = self.scene, ROLES[new]
        color = self.theme.color(role)
        moves: list[Animation] = [strip.frame.animate.set_stroke(color, width=3.5)
                                  for strip in strips]
        if old in self.names:
            was = self.names.pop(old)
            is_now = self.table.name(new, self._lane_of(was), role, **self.values)
            self.names[new] = is_now
            moves.append(FadeTransform(was, is_now))
        scene.play(*moves, run_time=1.0)
        if new in self.names:
            scene.play(Indicate(self.names[new], 1.08, color=color), run_time=0.8)

    def _lane_of(self, name: Label) -> Band:
        lanes = self.table.lanes
        bands = (lanes.query, lanes.keys, lanes.values)
        return min(bands, key=lambda band: abs(band.center[1] - name.get_center()[1]))

    def _comparisons(self) -> list[Mobject]:
        """Both ways to compare, beside what their bars look like."""
        roles = {"query": "QUERY", "key": "KEY"}
        additive = Formula(self.theme, "bold(v)^top tanh( {{ q : query }} + {{ k : key }} )",
                           "number", roles)
        product = Formula(self.theme, "{{ q : query }} dot.c {{ k : key }} \\/ sqrt(d)",
                          "number", roles)
        return [
            VGroup(self.readout.note("filled", "HIGH"), additive).arrange(RIGHT, buff=0.2),
            VGroup(self.readout.note("hollow", "TEXT"), product).arrange(RIGHT, buff=0.2),
        ]
