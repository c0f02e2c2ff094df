"""The second act of self-attention: names change places, positions are left out, a thing."""

from __future__ import annotations

import numpy as np
from manim import (
    Animation,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    Line,
    Mobject,
    TransformFromCopy,
    VGroup,
)

from scenes.grid import Band
from scenes.mobjects.number_label import fixed, format_number, format_scientific
from scenes.mobjects.retune import Change, Retune, change_to
from scenes.mobjects.state_strip import StateStrip
from scenes.mobjects.text import Label, label
from scenes.self_attention_row import SentenceRow
from scenes.self_attention_told import ToldSentence
from scenes.trust import at_least, percent_at_least, trust_badge

CELL = 0.11  # manim units, about the width of one unit of a strip
MOST_UNITS = 16  # of an output, drawn in its strip
STRIP = 0.26  # manim units, height of an output
NARROWEST = 0.22  # manim units: narrower columns have no room for a strip
LEVELS = ("known", "carried", "unknown")  # from most to least trust


class TwoOrders:
    """Two rows with the same words; then one row about a thing."""

    def __init__(self, told: ToldSentence) -> None:
        self.told, self.scene, self.theme = told, told.scene, told.theme
        self.readout, self.trace = told.readout, told.scene.trace
        stage = self.scene.grid.stage
        self.upper, self.lower = stage.rows(1, 1, gap=0.1)
        self.rows = [self._row("names", self.upper), self._row("swapped", self.lower)]
        self.badge = told.badge

    def _row(self, field: str, band: Band) -> SentenceRow:
        columns = band.inset(0.08 * band.width, 0.0)
        probe = SentenceRow(self.scene, field, columns, 0.0)
        return SentenceRow(self.scene, field, columns, band.bottom + STRIP + 0.2 + probe.half)

    def _rise(self, row: SentenceRow, band: Band) -> float:
        return band.top - row.y - row.half - 0.12

    # Beats

    def swap(self) -> None:
        """Two names; they change places, and the pronoun's look goes along."""
        scene = self.scene
        before, after = self.rows
        looks = [before.look, after.look]
        found = all(look.attended == look.antecedent for look in looks)
        alphas = [float(look.weights[look.pronoun, look.antecedent]) for look in looks]
        words = {"pronoun": looks[0].tokens[looks[0].pronoun],
                 "meant": looks[0].tokens[looks[0].antecedent]}
        pairs = zip(self.rows, (self.upper, self.lower), strict=True)
        with scene.beat("swap", variant="" if found else "lost", **words,
                        one=f"{alphas[0]:.2f}", other=f"{alphas[1]:.2f}"):
            self.arcs = [row.sights(self._rise(row, band)) for row, band in pairs]
            scene.clear_stage()
            self._change_badge(max(looks, key=lambda look: LEVELS.index(look.trust)).trust)
            scene.play(LaggedStart(*before.laid(), lag_ratio=0.15), run_time=1.0)
            scene.play(LaggedStart(*map(Create, self.arcs[0]), lag_ratio=0.1), run_time=0.8)
            scene.play(*self._cross(), run_time=1.6)
            scene.play(LaggedStart(*map(Create, self.arcs[1]), lag_ratio=0.1), run_time=0.8)
            self.readout.show(*self._alphas(words))

    def bag(self) -> None:
        """What comes back to every word, with positions and without: then order is lost."""
        scene, told = self.scene, self.trace.reordered
        self.strips = [self._strips(0, "outputs"), self._strips(1, "swapped_outputs")]
        links, places = self._links(), self._places()
        right = percent_at_least(float(self.trace.held_out.unordered_right.min()))
        with scene.beat("bag", difference=format_number(told.difference), right=right):
            scene.release(*self.arcs)
            scene.play(*map(FadeOut, self.arcs), *self.readout.change(), run_time=0.6)
            frames = [FadeIn(strip) for strips in self.strips for strip in strips]
            scene.play(*frames, FadeIn(links), FadeIn(places), run_time=1.2)
            apart = self._apart("difference", told.difference)
            self.readout.show(apart)
            scene.wait(1.5)
            scene.play(FadeOut(places), run_time=0.5)
            scene.play(Retune(self._unordered()), run_time=1.4)
            scene.play(*self.readout.change(
                self._apart("difference", told.difference),
                self._apart("unordered_difference", told.unordered_difference),
                self.readout.note("strip_key"),
            ), run_time=0.6)

    def thing(self) -> None:
        """Another kind of pronoun, and more words in between."""
        scene, look = self.scene, self.trace.thing
        stage = scene.grid.stage
        probe = SentenceRow(scene, "thing", stage, 0.0)
        row = SentenceRow(scene, "thing", stage, stage.center[1] - 0.1)
        top = stage.top - row.y - probe.half - 0.2
        under = Band(stage.left, stage.right, stage.bottom + 0.1, row.y - row.half - 0.15)
        arcs, (bars, numbers) = row.sights(top), row.bars(under)
        found = look.attended == look.antecedent
        entry = (look.pronoun, look.antecedent)
        values = {"pronoun": look.tokens[look.pronoun], "word": look.tokens[look.attended],
                  "meant": look.tokens[look.antecedent],
                  "between": look.pronoun - look.antecedent,
                  "weight": f"{float(look.weights[entry]):.2f}"}
        with scene.beat("thing", variant="" if found else "elsewhere", **values):
            scene.clear_stage()
            self._change_badge(look.trust)
            scene.play(LaggedStart(*row.laid(), lag_ratio=0.1), run_time=1.2)
            scene.play(LaggedStart(*map(Create, arcs), lag_ratio=0.1), FadeIn(bars),
                       FadeIn(numbers), run_time=1.2)
            self.readout.show(*self._thing_checks())

    # Names that cross

    def _cross(self) -> list[Animation]:
        """Every card's copy goes down to where its word stands in the other order."""
        before, after = self.rows
        moves: list[Animation] = []
        for k, i in enumerate(self.trace.reordered.order):
            moves.append(TransformFromCopy(before.cards[int(i)], after.cards[k]))
        return moves

    def _alphas(self, words: dict[str, str]) -> list[Mobject]:
        """α from the pronoun to whom it means, in both orders."""
        found: list[Mobject] = []
        for row, key in zip(self.rows, ("alpha_before", "alpha_after"), strict=True):
            entry = (row.look.pronoun, row.look.antecedent)
            found.append(self.readout.number(
                key, float(row.look.weights[entry]), f"{row.field}.weights", entry, fixed(2),
                pronoun=words["pronoun"], word=words["meant"],
            ))
        return found

    def _change_badge(self, level: str) -> None:
        """How far the sentence on screen may be trusted."""
        if self.badge in self.scene.mobjects:
            self.scene.remove(self.badge)
        self.badge = trust_badge(self.scene, level)
        self.scene.play(FadeIn(self.badge), run_time=0.3)

    # What comes back to every word

    @property
    def units(self) -> int:
        """How many units of an output are drawn."""
        width = 0.86 * self.rows[0].pitch
        return int(np.clip(width / CELL, 4, min(MOST_UNITS, self.trace.units)))

    def _strips(self, which: int, field: str) -> list[StateStrip]:
        """One output under each card of a row, bound to the trace."""
        row = self.rows[which]
        width = 0.82 * row.pitch
        if width < NARROWEST:
            return []
        strips = []
        for t, x in enumerate(row.xs):
            strip = StateStrip(self.theme, self.units, min(width, 1.5), self._limit(), "VALUE",
                               height=STRIP - 0.04)
            strip.move_to([x, row.y - row.half - 0.1 - STRIP / 2, 0.0])
            values = getattr(self.trace.reordered, field)[t, : self.units]
            self.scene.bind_each(strip.cells, "fill", values, strip.scale_to,
                                 field=f"reordered.{field}", index=(t,), label="z")
            strips.append(strip)
        return strips

    def _limit(self) -> float:
        """One scale for all strips: the largest entry on screen is full."""
        told = self.trace.reordered
        shown = (told.outputs, told.swapped_outputs, told.unordered_outputs)
        return float(max(np.abs(outputs[:, : self.units]).max() for outputs in shown))

    def _unordered(self) -> list[Change]:
        """Every strip on its way to what it is without positions."""
        fields = ("unordered_outputs", "unordered_swapped_outputs")
        return [
            change_to(self.scene, cell, "fill",
                      float(getattr(self.trace.reordered, field)[t, unit]), strip.scale_to,
                      field=f"reordered.{field}", index=(t, unit), label="z")
            for strips, field in zip(self.strips, fields, strict=True)
            for t, strip in enumerate(strips)
            for unit, cell in enumerate(strip.cells)
        ]

    def _links(self) -> VGroup:
        """A line from each word to the same word in the other order."""
        before, after = self.rows
        low = before.y - before.half - 0.1 - STRIP - 0.08
        high = after.y + after.half + 0.28
        color = self.theme.color("LINE")
        return VGroup(*[
            Line([before.xs[int(i)], low, 0], [after.xs[k], high, 0], color=color,
                 stroke_width=2.0)
            for k, i in enumerate(self.trace.reordered.order)
        ])

    def _places(self) -> VGroup:
        """The number of every place, over its card: what positions tell the model."""
        places = VGroup()
        for row in self.rows:
            shown = row.pitch >= 1.4 * self.scene.grid.type.smallest
            for t, x in enumerate(row.xs if shown else row.xs[:1]):
                number = label(self.theme, str(t + 1), "MUTED", "smallest")
                places.add(number.centre_on(np.array([x, row.y + row.half + 0.14, 0.0])))
        return places

    def _apart(self, key: str, value: float) -> Label | Mobject:
        """How far the outputs of the two orders lie apart."""
        format = format_number if key == "difference" else format_scientific
        return self.readout.number(key, value, f"reordered.{key}", (), format)

    def _thing_checks(self) -> list[Mobject]:
        look = self.trace.thing
        least, cost = float(look.seed_probabilities.min()), look.leave_one_out[look.attended]
        return [
            self.readout.number("least", least, "min(thing.seed_probabilities)", (), at_least),
            self.readout.number("cost", float(cost), "thing.leave_one_out", (look.attended,),
                                fixed(1), word=look.tokens[look.attended]),
            self.readout.note("agreeing", "TEXT", agreeing=look.agreeing,
                              seeds=len(self.trace.seeds)),
        ]
