"""Three cells trained alike: what each answers, and how far its gradient reaches."""

from __future__ import annotations

import numpy as np
from manim import (
    Create,
    DashedLine,
    FadeIn,
    FadeOut,
    VGroup,
)

from scenes.channels import Linear
from scenes.conveyor_belt_light import Light
from scenes.conveyor_belt_stage import CELL_NAMES, CELL_ROLES
from scenes.grid import Band
from scenes.mobjects.axis import Axis, Span
from scenes.mobjects.belt import Belt
from scenes.mobjects.level_bar import LevelBar
from scenes.mobjects.note import INK
from scenes.mobjects.number_label import NumberLabel, fixed, integer
from scenes.mobjects.state_strip import swatch
from scenes.mobjects.text import label
from scenes.mobjects.word_card import WordCard, flat
from scenes.relay_game_parts import amount

WIDTHS = {"rnn": 4.0, "lstm": 5.0, "gru": 2.5}
BARS = 0.38  # of the band, for a probability of 1
COLUMNS = (0.16, 0.46, 0.8)  # of what is left of the band: number, word, score
CHIP = 1.3  # em, height of an answer
FEET = 0.5  # manim units under the bars, for the axis
VANISHED, REACHES = -2.0, -1.0  # log₁₀ of first against last word


class Compare(Light):
    """RNN, LSTM and GRU on one axis."""

    # Answers

    def answer(self) -> None:
        band = self.places.panel
        rows = {cell: self.answer_row(cell, k, band) for k, cell in enumerate(("lstm", "gru",
                                                                              "rnn"))}
        axis = self.answer_axis(band)
        right = {cell: recall.answer == self.name for cell, (_, recall) in self.recalls.items()}
        with self.beat("answer", variant=answer_story(right), **self.answer_values()):
            self.release(self.gru_parts)
            self.play(FadeOut(self.gru_parts), FadeOut(self.window), FadeOut(self.legend),
                      *self.dim(self.items), run_time=0.6)
            self.play(FadeIn(axis))
            for parts, move in rows.values():
                self.play(FadeIn(parts), run_time=0.5)
                self.play(*move, run_time=0.9)
        self.answers = VGroup(axis, *[parts for parts, _ in rows.values()])

    def answer_values(self) -> dict[str, object]:
        names = self.trace.recalls[0].names
        values: dict[str, object] = {"name": self.name, "names": names, "chance": 1 / names}
        for cell, (_, recall) in self.recalls.items():
            values[cell] = recall.probability
            values[f"{cell}_says"] = recall.answer
        return values

    def answer_scale(self, band: Band) -> tuple[float, Linear]:
        """Where bars start, and how long a probability is."""
        left = band.left + 0.13 * band.width
        return left, Linear(0.0, 1.0, 0.0, BARS * band.width)

    def answer_row(self, cell: str, row: int, band: Band) -> tuple[VGroup, list]:  # type: ignore[type-arg]
        """Name, bar, number, the word it says, and how many names it gets right."""
        field, recall = self.recalls[cell]
        left, scale = self.answer_scale(band)
        y = band.top - (row + 0.5) * (band.height - FEET - 0.1) / 3
        name = label(self.theme, CELL_NAMES[cell], CELL_ROLES[cell], "label", weight=500)
        name.centre_on(np.array([left - 0.2 - name.width / 2, y, 0.0]))
        bar = LevelBar(self.theme.color(CELL_ROLES[cell]), np.array([left, y, 0.0]), 0.3)
        grow = self.bind_animation(bar, "length", recall.probability, scale,
                                   field=f"{field}.probability", label="p")
        number = NumberLabel(self.theme, 0.0, format=fixed(3))
        number.centre_on(np.array([self.answer_column(0, band), y, 0.0]))
        count = self.count_to(number, recall.probability, field=f"{field}.probability")
        said = WordCard(self.theme, recall.answer, "TARGET",
                        flat(recall.answer, self.grid.type.label,
                             height=CHIP * self.grid.type.label))
        said.mark("focus" if recall.answer == self.name else "wrong")
        said.seat(np.array([self.answer_column(1, band), y, 0.0]))
        right = self.number(recall.names_right, f"{field}.names_right", text=integer)
        score = label(self.theme, f"/ {recall.names}", "MUTED", "label")
        score.next_to(right, buff=0.08).stand_on(right.baseline)
        of = VGroup(right, score).move_to([self.answer_column(2, band), 0.0, 0.0])
        of.shift([0.0, y - of.get_y(), 0.0])
        return VGroup(name, bar, number, said, of), [grow, count]

    def answer_column(self, column: int, band: Band) -> float:
        """x of number, word and score at the right of the bars."""
        left, scale = self.answer_scale(band)
        start = left + scale(1.0)
        return start + COLUMNS[column] * (band.right - start)

    def answer_axis(self, band: Band) -> VGroup:
        """p from 0 to 1 under the bars, with the chance line."""
        left, scale = self.answer_scale(band)
        axis = Axis(self.theme, Span(0, 1), scale(1.0), ticks=[0, 0.5, 1])
        y = band.bottom + FEET
        axis.shift(np.array([left, y, 0.0]) - axis.line.get_start())
        chance = DashedLine([0, y, 0], [0, band.top, 0], color=self.theme.color("MUTED"),
                            stroke_width=1.5)
        field, recall = self.recalls["lstm"]
        x = Linear(0.0, 1.0, left, left + scale(1.0))
        self.bind(chance, "x", 1.0 / recall.names, x, field=f"inverse({field}.names)",
                  label="chance")
        name = label(self.theme, self.say("labels.chance_of", names=recall.names), "MUTED",
                     "smallest")
        name.stand_on(axis.texts[0].baseline).set_x(left + 0.25 * scale(1.0))
        title = label(self.theme, self.say("labels.p_axis", name=self.name), "MUTED", "smallest")
        title.stand_on(name.baseline).set_x(left + 0.75 * scale(1.0))
        heads = VGroup(*[
            label(self.theme, self.say(f"labels.{key}"), "MUTED", "smallest")
            .stand_on(name.baseline).set_x(self.answer_column(column, band))
            for column, key in ((1, "says"), (2, "names_right"))
        ])
        return VGroup(axis, chance, name, title, heads)

    # Gradients

    def gradients(self) -> None:
        steps = list(self.steps)
        values = {cell: recall.log10_input_gradients[steps]
                  for cell, (_, recall) in self.recalls.items()}
        self.plot = self.word_plot(*values.values(), label_key="labels.gradient_axis")
        self.curves = VGroup(*[
            self.word_curve(self.plot, f"{self.recalls[cell][0]}.log10_input_gradients", value,
                            CELL_ROLES[cell], WIDTHS[cell])
            for cell, value in values.items()
        ])
        self.curve_names = self.name_all([
            (curve, CELL_NAMES[cell], CELL_ROLES[cell])
            for cell, curve in zip(values, self.curves, strict=True)
        ], VGroup(self.curves, self.plot.titles), self.over_words(self.plot))
        reach = {cell: float(recall.log10_input_gradients[0] - recall.log10_input_gradients[-1])
                 for cell, (_, recall) in self.recalls.items()}
        self.lanes, lane_names, legend = self.three_lanes()
        told = {cell: amount(value) for cell, value in reach.items()}
        with self.beat("gradients", variant=reach_story(reach), name=self.name, last=self.last,
                       **told):
            self.release(self.answers)
            plain = self.belt.frame.animate.set_stroke(self.theme.color("LINE"))
            self.play(FadeOut(self.answers), FadeOut(self.items), FadeOut(self.belt_name), plain,
                      run_time=0.6)
            self.play(FadeIn(self.plot), FadeIn(lane_names), FadeIn(legend))
            for curve, name in zip(self.curves, self.curve_names, strict=True):
                self.play(Create(curve), FadeIn(name), run_time=1.2)
            self.play(self.come_back(self.lanes))
        self.belt_name, self.legend = lane_names, legend

    def three_lanes(self) -> tuple[VGroup, VGroup, VGroup]:
        """The way back in each cell as light on a lane of its own, with names and a key."""
        lanes = Belt(self.theme, self.places.belt, self.places.xs, len(self.recalls))
        columns, names = VGroup(), VGroup()
        for k, step in enumerate(self.steps):
            column = lanes.column(k).set_fill(self.theme.color("GRADIENT"))
            for item, (field, recall) in zip(column, self.recalls.values(), strict=True):
                self.bind(item, "fill_opacity", 10 ** recall.log10_state_jacobians[step], INK,
                          field=f"exp10({field}.log10_state_jacobians)", index=(step,),
                          label="‖∂s(T)/∂s(t)‖")
            columns.add(column)
        for lane, cell in enumerate(self.recalls):
            name = label(self.theme, CELL_NAMES[cell], CELL_ROLES[cell], "smallest", weight=500)
            x = self.places.belt.left - 0.1 - name.width / 2
            names.add(name.centre_on(np.array([x, lanes.at(0, lane)[1], 0.0])))
        sample = VGroup(swatch(self.theme, self.theme.color("GRADIENT"), 0.16))
        return columns, names, self.key_line([(sample, self.say("labels.lane_light"))])


def answer_story(right: dict[str, bool]) -> str:
    """Which cells say the right name: the variant of the caption."""
    if right["lstm"] and right["gru"]:
        return "all" if right["rnn"] else ""
    return "wrong" if not right["lstm"] else "gru_wrong"


def reach_story(reach: dict[str, float]) -> str:
    """Whether the plain cell's gradient vanishes and the gated ones' does not."""
    gated = min(reach["lstm"], reach["gru"]) > REACHES
    return "" if gated and reach["rnn"] < VANISHED else "plain"

