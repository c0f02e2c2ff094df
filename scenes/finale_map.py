"""The map: five stops on one line, a number of an earlier clip at each."""

from __future__ import annotations

import numpy as np
from manim import Create, FadeIn, Line, VGroup

from scenes.finale_bottleneck import Bottleneck, one_decimal
from scenes.grid import Band
from scenes.mobjects.marks import disc
from scenes.mobjects.number_label import NumberLabel, integer
from scenes.mobjects.text import Label, label
from scenes.relay_game_parts import amount

STOPS = ("rnn", "lstm", "translator", "attention", "self_attention")
ROLES = ("HIDDEN", "CELL", "VALUE", "HIGH", "HIGH")
SQUEEZE = STOPS.index("translator")
DOT = 0.13  # manim units
LARGE = 1.3  # of the title's size
#: Heights on the stage, as shares of it.
NAMED, ON_LINE, NUMBERED, COUNTED, GAINED, OWED = 0.93, 0.8, 0.64, 0.49, 0.29, 0.08


class Map(Bottleneck):
    """Stops from left to right; over the line the model, under it what it gave and what it cost."""

    def map(self) -> None:
        self.stops = [self.stop(i, band) for i, band in enumerate(self.columns())]
        y = self.stops[0][0].get_y()
        stage = self.grid.stage
        line = Line([stage.left, y, 0], [stage.right, y, 0], color=self.theme.color("LINE"),
                    stroke_width=3).set_z_index(-1)
        with self.beat("map"):
            self.clear_stage()
            self.play(Create(line), run_time=1.0)
            for stop in self.stops:
                self.play(FadeIn(stop), run_time=0.9)

    def name(self) -> None:
        fixed = self.trace.fixed_bleu
        story = "" if fixed[-1] < fixed[0] else "held"
        others = [stop for i, stop in enumerate(self.stops) if i != SQUEEZE]
        with self.beat("name", variant=story, short=one_decimal(fixed[0]),
                       long=one_decimal(fixed[-1])):
            self.play(*self.dim(*others), run_time=0.8)

    def columns(self) -> tuple[Band, ...]:
        return self.grid.stage.columns(*[1] * len(STOPS), gap=0.25)

    def stop(self, i: int, band: Band) -> VGroup:
        """Dot, name, number, what it counts, gain and debt, each at one height for all stops."""
        role, x = ROLES[i], band.center[0]
        number = self.stop_number(i)
        number.scale(min(LARGE, 0.94 * band.width / number.width))
        parts = [
            (disc(np.zeros(3), DOT, self.theme.color(role)), ON_LINE),
            (self.centred(f"labels.stop_{STOPS[i]}", role, "label", band, weight=500), NAMED),
            (number, NUMBERED),
            (self.centred(f"labels.counts_{STOPS[i]}", "MUTED", "smallest", band), COUNTED),
            (self.centred(f"labels.gain_{STOPS[i]}", "CORRECT", "label", band), GAINED),
            (self.centred(f"labels.debt_{STOPS[i]}", "WRONG", "label", band), OWED),
        ]
        return VGroup(*[part.move_to([x, band.at(0, y)[1], 0.0]) for part, y in parts])

    def centred(
        self, key: str, role: str, size: str, band: Band, weight: int | None = None
    ) -> Label:
        return label(self.theme, self.say(key, **self.values()), role, size, 0.95 * band.width,
                     weight, align=0.5)

    def values(self) -> dict[str, object]:
        """What the stops' words may name."""
        trace = self.trace
        return {"steps": len(trace.belt_tokens) - 1, "words": integer(trace.words),
                "chain": integer(trace.ways[0].within), "shortest": int(trace.shortest[-1]),
                "longest": int(trace.longest[-1])}

    def stop_number(self, i: int) -> NumberLabel:
        """The one number of a stop, as an earlier clip or this one computed it."""
        trace, last = self.trace, len(self.trace.shortest) - 1
        told = (
            (trace.log10_cells_left[0], "log10_cells_left", (0,), amount),
            (trace.log10_cells_left[1], "log10_cells_left", (1,), amount),
            (trace.fixed_bleu[-1], "fixed_bleu", (last,), one_decimal),
            (trace.attention_bleu[-1], "attention_bleu", (last,), one_decimal),
            (trace.ways[3].within, "ways[3].within", (), integer),
        )
        value, field, index, text = told[i]
        return self.number(value, field, *index, text=text, role=ROLES[i], size="title")

