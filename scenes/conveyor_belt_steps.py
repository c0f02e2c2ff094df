"""The LSTM told valve by valve, then word by word: from the question to the end of the sentence."""

from __future__ import annotations

import numpy as np
from manim import (
    DOWN,
    Create,
    CubicBezier,
    DashedVMobject,
    FadeIn,
    FadeOut,
    LaggedStart,
    Triangle,
    VGroup,
)

from scenes.base import GUESS_SECONDS
from scenes.conveyor_belt_panel import KEEP, READ_OUT, WRITE
from scenes.conveyor_belt_stage import BeltStage
from scenes.mobjects.number_label import format_scientific
from scenes.mobjects.retune import Change, Retune
from scenes.mobjects.text import label

RUN_SECONDS = 6.0
LEAST_STEP, MOST_STEP = 0.2, 0.8
DROP = 0.5  # manim units, from the adder down to the belt
KEPT = 0.9  # from here on a lane is said to keep what lies on it
KEEPING, SHUT = 0.9, 0.2  # mean gates that are called open and shut


class Steps(BeltStage):
    """One cell at work."""

    def question(self) -> None:
        self.arc = self.question_arc()
        variant = "added" if self.trace.name_added else ""
        with self.beat("question", guess=GUESS_SECONDS, variant=variant, name=self.name,
                       last=self.last, count=len(self.trace.tokens) - 2):
            self.word_legend = self.word_legend_alone()
            self.play(LaggedStart(*map(FadeIn, self.cards), lag_ratio=0.1, run_time=1.6),
                      FadeIn(self.gap_line), FadeIn(self.word_legend))
            self.play(Create(self.arc[0]), run_time=1.4)
            self.play(FadeIn(self.arc[1:]))

    def word_legend_alone(self) -> VGroup:
        return self.key_line([]) if self.word_keys() else VGroup()

    def question_arc(self) -> VGroup:
        """From the name over all the words to the question."""
        where, color = self.places, self.theme.color("TEXT")
        foot = where.words_top + 0.12
        start = np.array([where.xs[0], foot, 0.0])
        end = np.array([where.xs[-1], foot + 0.14, 0.0])
        height = where.panel.top - foot - 0.2
        rise = np.array([0.0, height / 0.75, 0.0])
        lean = np.array([0.12 * (end - start)[0], 0.0, 0.0])
        arc = CubicBezier(start, start + rise + lean, end + rise - lean, end, color=color,
                          stroke_width=2.5)
        tip = Triangle(color=color, fill_opacity=1.0, stroke_width=0.0).rotate(np.pi)
        tip.set(width=0.2).move_to(end)
        mark = label(self.theme, self.say("labels.guess"), "TEXT", "title", weight=500).scale(2.6)
        mark.centre_on(np.array([(start + end)[0] / 2, foot + 0.5 * height, 0.0]))
        length = float(arc.get_arc_length())
        return VGroup(DashedVMobject(arc, num_dashes=max(12, int(length / 0.18))), tip, mark)

    def belt_comes(self) -> None:
        panel, gates = self.panel, self.panel.gates
        self.does = VGroup(*[panel.does(name) for name in gates])
        self.window = self.belt.window(0, self.window_foot(0))
        with self.beat("belt", drawn=len(self.units), whole=self.trace.forget_gate.shape[1],
                       name=self.name):
            self.play(FadeOut(self.arc), FadeOut(self.word_legend), run_time=0.6)
            self.play(FadeIn(self.belt, shift=0.2 * DOWN), FadeIn(self.belt_name),
                      FadeIn(self.legend), run_time=1.0)
            self.play(Create(self.window))
            for name, does in zip(gates, self.does, strict=True):
                self.play(FadeIn(gates[name].parts), FadeIn(does), run_time=0.5)
                self.play(Retune(panel.turn(name, 0)), run_time=0.8)

    def write(self) -> None:
        panel = self.panel
        values = self.trace.input_gate[0, self.units]
        with self.beat("write", name=self.name, opening=float(values.mean())):
            self.play(FadeOut(self.does), FadeIn(panel.formulas[0]))
            for name in ("input", "candidate"):
                panel.show(name, 0)
            self.play(panel.formulas[0].light(*WRITE))
            self.play(*panel.appear("input", "candidate"), run_time=1.0)
            panel.show("sum", 0)
            self.play(panel.formulas[0].light("sum", "is", "adder", *WRITE))
            self.play(*panel.appear("sum"), run_time=0.8)
            self.drop_first()

    def drop_first(self) -> None:
        """The first items come down onto the belt."""
        moves = self.put_cell(0)
        for item in self.columns[0]:
            y = float(item.get_y())
            moves += [Change(item, "y", y + DROP, y), Change(item, "fill_opacity", 0.0, 1.0)]
        self.play(Retune(moves), run_time=1.0)

    def keep(self) -> None:
        trace, panel, formula = self.trace, self.panel, self.panel.formulas[0]
        f, i = (gate[1, self.units].mean() for gate in (trace.forget_gate, trace.input_gate))
        error = self.number(trace.update_error, "update_error", text=format_scientific)
        self.readout = self.read_out((self.say("labels.error"), error))
        variant = "" if f >= KEEPING and i <= SHUT else "plain"
        with self.beat("keep", variant=variant, word=trace.tokens[1], name=self.name,
                       f=float(f), i=float(i)):
            panel.show("before", 1)
            turns = [change for name in panel.gates for change in panel.turn(name, 1)]
            self.play(self.step_window(1), Retune(turns), run_time=1.2)
            panel.show("forget", 1)
            self.play(formula.light(*KEEP), *panel.appear("before", "forget"), run_time=1.0)
            written = [*panel.show("input", 1), *panel.show("candidate", 1)]
            self.play(formula.light("adder", *WRITE), Retune(written), run_time=1.0)
            summed = [*panel.show("sum", 1), *self.put_cell(1)]
            self.play(formula.light(), Retune(summed), run_time=1.0)
            self.play(FadeIn(self.readout))

    def show(self) -> None:
        panel, formula = self.panel, self.panel.formulas[1]
        o = float(self.trace.output_gate[1, self.units].mean())
        with self.beat("show", word=self.trace.tokens[1], o=o):
            self.play(FadeIn(formula))
            panel.show("output", 1)
            panel.show("hidden", 1)
            self.play(formula.light("output", "shows", "squashed"), *panel.appear("output"))
            self.play(formula.light(*READ_OUT), *panel.appear("hidden"))

    def run(self) -> None:
        trace, panel, best = self.trace, self.panel, self.units[0]
        end = len(trace.tokens)
        kept = float(10 ** trace.log10_direct_path[0, 0])
        numbers = (
            (self.say("labels.kept"), self.number(trace.log10_direct_path[0, 0],
             "log10_direct_path", 0, 0, text=lambda x: self.share(10**x))),
            (self.say("labels.top_lane", word=self.name),
             self.number(trace.cell_states[1, best], "cell_states", 1, best)),
            (self.say("labels.top_lane", word=self.last),
             self.number(trace.cell_states[end, best], "cell_states", end, best)),
        )
        leaving, self.readout = self.readout, self.read_out(*numbers)
        added = trace.input_gate[1:, self.units].mean()
        variant = "fades" if kept < KEPT else "" if added <= SHUT else "open"
        if end <= 2:
            variant = "once"
        with self.beat("run", variant=variant, name=self.name, last=self.last,
                       kept=self.share(kept)):
            self.play(FadeOut(leaving), panel.formulas[1].light(), run_time=0.5)
            for column in range(2, len(self.steps)):
                self.walk_to(column)
            self.play(FadeIn(self.readout))

    def walk_to(self, column: int) -> None:
        """One more word: valves and bars turn, the items travel on."""
        panel, step = self.panel, self.steps[column]
        seconds = float(np.clip(RUN_SECONDS / len(self.steps), LEAST_STEP, MOST_STEP))
        moves = self.put_cell(column)
        for name in panel.gates:
            moves += panel.turn(name, step)
        for name in panel.groups:
            moves += panel.show(name, step)
        self.play(self.step_window(column), Retune(moves), run_time=seconds)
