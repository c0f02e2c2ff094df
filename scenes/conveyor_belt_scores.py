"""Two charts side by side: gradients, and accuracy on unseen sentences; then the control."""

from __future__ import annotations

import numpy as np
from manim import Create, DashedLine, FadeIn, FadeOut, ReplacementTransform, VGroup, VMobject

from engine.traces import Recall
from scenes.conveyor_belt_compare import VANISHED, WIDTHS, Compare
from scenes.conveyor_belt_light import decades
from scenes.conveyor_belt_stage import CELL_NAMES, CELL_ROLES
from scenes.grid import Band
from scenes.mobjects.axis import Span
from scenes.mobjects.curve_plot import CurvePlot
from scenes.mobjects.number_label import fixed
from scenes.mobjects.text import Label, label
from scenes.relay_game_parts import amount

TAUGHT = "near_first_rnn"  # the control's field in the trace
SAME = 0.02  # accuracies that lie on each other


class Scores(Compare):
    """How the cells score, and what the plain one can do when it is taught otherwise."""

    def accuracy(self) -> None:
        left, right = self.halves()
        self.reach_plot, curves, names = self.reach_chart(left)
        self.score_plot, scores = self.score_chart(right)
        leaving = VGroup(self.plot, self.cards, self.gap_line, self.belt, self.belt_name,
                         self.legend, self.lanes)
        with self.beat("accuracy", **self.accuracy_values()):
            self.play(FadeOut(leaving), FadeIn(self.reach_plot),
                      *[ReplacementTransform(a, b) for a, b in
                        zip((*self.curves, *self.curve_names), (*curves, *names), strict=True)],
                      run_time=1.4)
            self.play(FadeIn(self.score_plot))
            self.play(*map(Create, scores[:-1]), FadeIn(scores[-1]), run_time=1.4)
        self.curves, self.curve_names, self.scores = curves, names, scores

    def accuracy_values(self) -> dict[str, object]:
        recalls = {cell: recall for cell, (_, recall) in self.recalls.items()}
        values: dict[str, object] = {"far": int(recalls["rnn"].distances[-1]),
                                     "names": recalls["rnn"].names}
        for cell, recall in recalls.items():
            values[cell] = float(recall.accuracy_by_distance[-1])
        return values

    def halves(self) -> tuple[Band, Band]:
        """Two charts side by side, or above each other on a tall frame."""
        stage = self.grid.stage
        wide = stage.width > stage.height
        return stage.columns(1, 1, gap=0.6) if wide else stage.rows(1, 1)  # type: ignore[return-value]

    def reach_chart(self, band: Band) -> tuple[CurvePlot, VGroup, VGroup]:
        """The gradients again, over words back from the question."""
        recalls = {**self.recalls, "taught": (TAUGHT, self.trace.near_first_rnn)}
        every = np.concatenate([r.log10_input_gradients for _, r in recalls.values()])
        last = len(self.trace.tokens) - 1
        words = Span(-last, 0)
        plot = CurvePlot(self.theme, words, decades(every), band.width, band.height,
                         x_ticks=[tick for tick in words.ticks() if tick == round(tick)],
                         x_label=self.say("labels.words_from_end"),
                         y_label=self.say("labels.gradient_axis"))
        band.place(plot, 0, 0.5)
        curves = {cell: self.back_curve(plot, *recall, CELL_ROLES.get(cell, "HIDDEN"),
                                        WIDTHS.get(cell, 3.0), cell == "taught")
                  for cell, recall in recalls.items()}
        self.taught_curve = curves.pop("taught")
        obstacles = VGroup(*curves.values(), self.taught_curve, plot.titles)
        named = [(curve, CELL_NAMES[cell], CELL_ROLES[cell]) for cell, curve in curves.items()]
        named.append((self.taught_curve, self.say("labels.taught"), "HIDDEN"))
        names = self.chart_names(plot, named, obstacles)
        self.taught_name = names[-1]
        names.remove(names[-1])
        return plot, VGroup(*curves.values()), names

    def back_curve(
        self, plot: CurvePlot, field: str, recall: Recall, role: str, width: float, dashed: bool
    ) -> VMobject:
        """One cell's gradients, the question at the right end."""
        values = recall.log10_input_gradients
        xs = np.arange(len(values)) - (len(values) - 1)
        curve = plot.curve(xs, values, role, width, dashed)
        plot.marks.remove(curve)
        if not dashed:
            self.bind_vertices(plot, curve, values, f"{field}.log10_input_gradients")
        return curve

    def bind_vertices(
        self, plot: CurvePlot, curve: VMobject, values: np.ndarray, field: str
    ) -> None:
        for k, value in enumerate(values):
            self.bind(curve, f"y{k}", value, plot.y_scale, field=field, index=(k,))

    def chart_names(
        self, plot: CurvePlot, named: list[tuple[VMobject, str, str]], others: VGroup,
        left: float = 0.0, right: float = 1.0,
    ) -> VGroup:
        """Names at free places of a chart, between two shares of its width."""
        start, end = plot.x_axis.line.get_start(), plot.x_axis.line.get_end()
        whole = Band(start[0] + 0.05, end[0], start[1] + 0.05, plot.y_axis.line.get_end()[1])
        part = Band(whole.at(left, 0)[0], whole.at(right, 0)[0], whole.bottom, whole.top)
        return self.name_all(named, others, part)

    def score_chart(self, band: Band) -> tuple[CurvePlot, VGroup]:
        """Held-out accuracy against the distance of name and question."""
        lstm = self.recalls["lstm"][1]
        far = float(np.log10(lstm.distances[-1]))
        plot = CurvePlot(self.theme, Span(0.0, far, log=True), Span(0, 1), band.width, band.height,
                         x_label=self.say("labels.distance"), y_label=self.say("labels.accuracy"),
                         y_ticks=[0, 0.5, 1])
        band.place(plot, 0, 0.5)
        curves = VGroup(*[
            self.score_curve(plot, field, recall, CELL_ROLES[cell], WIDTHS[cell])
            for cell, (field, recall) in self.recalls.items()
        ])
        chance = plot.dot(0.0, 1.0 / lstm.names, "MUTED", 0.001)
        line = DashedLine(plot.at(0, 1 / lstm.names), plot.at(far, 1 / lstm.names),
                          color=self.theme.color("MUTED"), stroke_width=1.5)
        plot.marks.remove(chance)
        self.bind(line, "y", 1.0 / lstm.names, plot.y_scale,
                  field=f"inverse({self.recalls['lstm'][0]}.names)", label="chance")
        name = label(self.theme, self.say("labels.chance"), "MUTED", "smallest")
        names = self.score_names(plot, curves, line, name)
        return plot, VGroup(*curves, VGroup(line, *names))

    def score_names(
        self, plot: CurvePlot, curves: VGroup, line: VMobject, chance: Label
    ) -> list[Label]:
        """Names of the curves at free places; those that lie together share one."""
        named: list[tuple[VMobject, str, str]] = []
        for cells in self.alike():
            first = curves[list(self.recalls).index(cells[0])]
            text = self.say("labels.comma").join(CELL_NAMES[cell] for cell in cells)
            named.append((first, text, CELL_ROLES[cells[0]]))
        obstacles = VGroup(*curves, line)
        names = list(self.chart_names(plot, named, obstacles, right=0.6))
        beside = self.chart_names(plot, [(line, chance.text, "MUTED")], obstacles, left=0.6)
        return [*names, *beside]

    def alike(self) -> list[list[str]]:
        """The cells in groups that score the same to the eye."""
        groups: list[list[str]] = []
        for cell, (_, recall) in self.recalls.items():
            for group in groups:
                other = self.recalls[group[0]][1].accuracy_by_distance
                if np.abs(recall.accuracy_by_distance - other).max() < SAME:
                    group.append(cell)
                    break
            else:
                groups.append([cell])
        return groups

    def score_curve(
        self, plot: CurvePlot, field: str, recall: Recall, role: str, width: float,
        dashed: bool = False,
    ) -> VMobject:
        xs = np.log10(recall.distances)
        curve = plot.curve(xs, recall.accuracy_by_distance, role, width, dashed)
        plot.marks.remove(curve)
        if not dashed:
            self.bind_vertices(plot, curve, recall.accuracy_by_distance,
                               f"{field}.accuracy_by_distance")
        return curve

    def taught(self) -> None:
        """The control: the same plain cell, taught near distances first."""
        trace, taught = self.trace, self.trace.near_first_rnn
        score = self.score_curve(self.score_plot, TAUGHT, taught, "HIDDEN", 3.0, dashed=True)
        points = self.taught_points(score)
        reach = float(taught.log10_input_gradients[0] - taught.log10_input_gradients[-1])
        right = taught.answer == self.name
        p = self.number(taught.probability, f"{TAUGHT}.probability", text=fixed(3))
        self.readout = self.read_out(
            (self.say("labels.taught_p", name=self.name), p),
            (self.say("labels.taught_reach"), self.number(
                taught.log10_input_gradients[0], f"{TAUGHT}.log10_input_gradients", 0,
                text=amount)),
        )
        variant = "" if right and reach > VANISHED else "faint" if right else "wrong"
        with self.beat("taught", variant=variant, name=self.name, p=taught.probability,
                       says=taught.answer, reach=amount(reach),
                       far=int(trace.near_first_rnn.distances[-1]),
                       score=float(taught.accuracy_by_distance[-1])):
            self.play(Create(self.taught_curve), FadeIn(self.taught_name), run_time=1.2)
            self.play(Create(score), FadeIn(points), FadeIn(self.readout), run_time=1.2)
        self.charts = VGroup(self.reach_plot, self.score_plot, self.curves, self.curve_names,
                             self.scores, self.taught_curve, self.taught_name, score, points)

    def taught_points(self, score: VMobject) -> VGroup:
        """Rings on the dashed curve, where it was measured."""
        taught, plot = self.trace.near_first_rnn, self.score_plot
        dots = VGroup()
        for k, (x, y) in enumerate(zip(np.log10(taught.distances), taught.accuracy_by_distance,
                                       strict=True)):
            dot = plot.dot(float(x), float(y), "HIDDEN", 0.08)
            plot.marks.remove(dot)
            self.bind(dot, "y", y, plot.y_scale, field=f"{TAUGHT}.accuracy_by_distance",
                      index=(k,))
            dots.add(dot)
        return dots
