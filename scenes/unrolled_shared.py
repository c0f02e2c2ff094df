"""The loop becomes a row of copies, and all of them are given the same tablet."""

from __future__ import annotations

import numpy as np
from manim import (
    DOWN,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    Rectangle,
    ShowPassingFlash,
    VGroup,
)

from scenes.base import GUESS_SECONDS
from scenes.channels import AS_IT_IS, Linear
from scenes.grid import Band
from scenes.mobjects.glide import Glide
from scenes.mobjects.level_bar import LevelBar
from scenes.mobjects.number_label import NumberLabel, fixed, integer
from scenes.mobjects.retune import Retune, change_to
from scenes.mobjects.text import label, text_width
from scenes.unrolled_stage import UnrolledStage

READ_SECONDS = 4.0  # for the whole sentence to be read
APART = 0.45  # manim units, between the number of steps and its bars
FIGURE = 6.0  # em, for the number after the longest bar


class Shared(UnrolledStage):
    """From the question to the bill."""

    def question(self) -> None:
        self.one_loop = self.loop()
        with self.beat("question", guess=GUESS_SECONDS, count=self.count,
                       variant="" if self.count > 1 else "once"):
            self.play(LaggedStart(*map(FadeIn, self.cards), lag_ratio=0.1, run_time=1.2))
            self.play(FadeIn(self.copies[0]), Create(self.one_loop), run_time=1.0)

    # The accordion

    def unroll(self) -> None:
        trace = self.trace
        self.links = self.arrows()
        self.legend = self.scale_legend(("labels.state_scale", 1.0))
        with self.beat("unroll", count=self.count, variant="" if self.count > 1 else "once"):
            self.add(*self.copies[1:])
            self.play(FadeOut(self.one_loop), *[
                Glide(copy, self.at(step) + self.lift - copy.get_center())
                for step, copy in enumerate(self.copies)
            ], run_time=1.6)
            self.play(FadeIn(self.links), FadeIn(self.legend), run_time=0.5)
            seconds = float(np.clip(READ_SECONDS / self.count, 0.12, 0.6))
            for step in range(self.count):
                self.play(Retune(self.retune(step, trace.hidden_states, "hidden_states")),
                          run_time=seconds)

    # One tablet

    def share(self) -> None:
        trace = self.trace
        row = VGroup(self.cards, self.copies, self.links)
        row.shift(-self.lift)  # where the beams will find them
        self.shared_beams = self.beams()
        row.shift(self.lift)
        self.readout = self.read_out(
            (self.say("labels.parameters", units=trace.hidden_size,
                      embedding=trace.embedding_size),
             self.number(trace.parameters, "parameters", text=integer)),
        )
        legend = self.scale_legend(("labels.state_scale", 1.0), ("labels.weight_scale",
                                                                 self.limit))
        with self.beat("share", count=self.count, variant="" if self.count > 1 else "once"):
            self.play(Glide(row, -self.lift), run_time=0.9)
            self.play(FadeIn(self.tablet, shift=0.3 * DOWN), FadeOut(self.legend),
                      FadeIn(legend))
            self.play(LaggedStart(*map(Create, self.shared_beams), lag_ratio=0.1, run_time=1.8))
            self.play(FadeIn(self.readout))
        self.legend = legend

    # One entry changed

    def change(self) -> None:
        trace = self.trace
        self.ring = self.entry_ring()
        self.rise, self.rise_name = self.bars(trace.state_differences, "TEXT",
                                              "labels.difference")
        row, column = (place + 1 for place in trace.entry)
        leaving = self.readout
        self.readout = self.read_out(
            (self.say("labels.before", row=row, column=column),
             self.number(trace.entry_before, "entry_before", text=fixed(3))),
            (self.say("labels.after"), self.number(trace.entry_after, "entry_after",
                                                   text=fixed(3))),
            (self.say("labels.moved"), self.number(trace.states_changed, "states_changed",
                                                   text=integer)),
        )
        with self.beat("change", variant=self.change_story(), changed=trace.states_changed,
                       count=self.count):
            self.play(FadeIn(self.ring), FadeOut(leaving), run_time=0.5)
            cell = self.tablet.cell("W", trace.entry)
            self.play(Retune([change_to(self, cell, "fill", trace.entry_after,
                                        self.tablet.scale_to, field="entry_after", label="W")]))
            self.play(*self.flashes(), run_time=1.0)
            moved = [change for step in range(self.count)
                     for change in self.retune(step, trace.changed_states, "changed_states")]
            self.play(Retune(moved), FadeOut(self.shared_beams), run_time=1.0)
            self.play(FadeIn(self.rise.line), FadeIn(self.rise_name), run_time=0.4)
            grow = self.bind_each_animation(self.rise.bars, "height", trace.state_differences,
                                            self.rise.scale_to, field="state_differences",
                                            label="‖Δh‖")
            self.play(LaggedStart(*grow, lag_ratio=0.15, run_time=1.4), FadeIn(self.readout))

    def change_story(self) -> str:
        """Which states moved: the variant of the caption."""
        moved = self.trace.states_changed
        if self.count == 1:
            return "once"
        if moved == self.count - 1:
            return ""
        return "some" if moved else "none"

    def entry_ring(self) -> Rectangle:
        cell = self.tablet.cell("W", self.trace.entry)
        ring = Rectangle(width=cell.width + 0.08, height=cell.height + 0.08, stroke_width=3.0,
                         stroke_color=self.theme.color("TEXT"), fill_opacity=0.0)
        return ring.move_to(cell)  # type: ignore[no-any-return]

    def flashes(self) -> list[ShowPassingFlash]:
        """The new entry reaches every copy."""
        color = self.theme.color("HIGH")
        return [
            ShowPassingFlash(beam.copy().set_stroke(color, width=5.0, opacity=1.0),
                             time_width=0.4)
            for beam in self.shared_beams
        ]

    # The bill

    def parameters(self) -> None:
        trace = self.trace
        chart, moves = self.bill()
        last = len(trace.steps) - 1
        stood = VGroup(self.copies, self.links, self.cards, self.rise.line, self.rise.bars,
                       self.rise_name, self.ring, self.readout)
        self.back = VGroup(self.copies, self.links, self.cards)
        legend = self.scale_legend(("labels.weight_scale", self.limit))
        cell = self.tablet.cell("W", trace.entry)
        with self.beat("parameters", one=trace.parameters, steps=trace.steps[last],
                       separate=integer(trace.separate[last]), first=trace.steps[0],
                       variant="" if trace.steps[last] > trace.steps[0] else "plain"):
            self.release(self.rise, self.copies, self.readout)
            self.play(*map(FadeOut, (*stood, self.legend)), FadeIn(legend), run_time=0.7)
            self.play(Retune([change_to(self, cell, "fill", trace.entry_before,
                                        self.tablet.scale_to, field="entry_before", label="W")]),
                      run_time=0.5)
            self.play(FadeIn(chart))
            for row in moves:
                self.play(*row, run_time=1.0)
        self.legend, self.chart = legend, VGroup(chart)

    def bill(self) -> tuple[VGroup, list[list]]:  # type: ignore[type-arg]
        """Shared against separate, for every number of steps, on one linear axis."""
        trace, below = self.trace, self.places.below
        parts, moves = VGroup(), []
        bands = below.inset(0.0, 0.05).rows(*[1.0] * len(trace.steps), gap=0.22)
        heads = [label(self.theme, self.say("labels.steps", steps=int(steps)), "TEXT", "body",
                       weight=500) for steps in trace.steps]
        widest = max(head.width for head in heads) + APART
        for steps, case, band in zip(heads, range(len(heads)), bands, strict=True):
            steps.centre_on(np.array([band.left + steps.width / 2, band.center[1], 0.0]))
            parts.add(steps)
            row: list = []  # type: ignore[type-arg]
            for half, kind in zip(band.rows(1, 1, gap=0.06), ("shared", "separate"),
                                  strict=True):
                drawn, move = self.bill_bar(
                    kind, case, Band(half.left + widest, half.right, half.bottom, half.top))
                parts.add(drawn)
                row += move
            moves.append(row)
        return parts, moves

    def bill_bar(self, kind: str, case: int, band: Band) -> tuple[VGroup, list]:  # type: ignore[type-arg]
        """One bar, its name and its number."""
        values = getattr(self.trace, kind)
        role = "HIDDEN" if kind == "shared" else "TEXT"  # two counts; neither is a mistake
        names = [self.say(f"labels.{key}") for key in ("shared", "separate")]
        em = self.grid.type.smallest
        start = band.left + max(text_width(text, 500) for text in names) * em + 0.15
        end = band.right - FIGURE * em
        y = float(band.center[1])
        name = label(self.theme, self.say(f"labels.{kind}"), role, "smallest", weight=500)
        name.centre_on(np.array([start - 0.15 - name.width / 2, y, 0.0]))
        thick = min(0.62 * band.height, 0.3)
        bar = LevelBar(self.theme.color(role), np.array([start, y, 0.0]), thick)
        scale = Linear(0.0, float(self.trace.separate.max()), 0.0, end - start)
        grow = self.bind_animation(bar, "length", values[case], scale, field=kind, index=(case,),
                                   label=self.say(f"labels.{kind}"))
        number = NumberLabel(self.theme, values[case], role=role, size="label", format=integer)
        self.bind(number, "value", values[case], AS_IT_IS, field=kind, index=(case,))
        x = start + scale(values[case]) + 0.12 + number.width / 2
        number.centre_on(np.array([x, y, 0.0]))
        return VGroup(name, bar, number), [grow]
