"""What it costs: a batch, the bill of one length, and every length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from manim import Create, DashedLine, FadeIn, VGroup, VMobject

from scenes.channels import AS_IT_IS, Linear
from scenes.grid import Band
from scenes.mobjects.axis import Span
from scenes.mobjects.curve_plot import CurvePlot, spread_tags
from scenes.mobjects.level_bar import LevelBar
from scenes.mobjects.number_label import Format, NumberLabel, format_fixed, integer
from scenes.mobjects.readout import Readout
from scenes.mobjects.state_strip import swatch
from scenes.mobjects.text import WEIGHTS, Label, label, text_width
from scenes.serial_parallel_race import Race, appear, ms_text

TASKS = ("loop", "fused", "attention")
ROLES = {"loop": "HIDDEN", "fused": "HIDDEN", "attention": "HIGH"}
DIGITS = 3.4  # em, for the digits behind a bar, with their gap
FAINT = 0.55  # opacity of the second bar of a pair


@dataclass(frozen=True)
class ByLog:
    """Words to x: as far between two lengths as their logarithms are."""

    lengths: tuple[float, ...]
    xs: tuple[float, ...]

    def __call__(self, value: float) -> float:
        return float(np.interp(np.log(value), np.log(self.lengths), self.xs))

    def describe(self) -> str:
        return f"log [{self.lengths[0]:g}, {self.lengths[-1]:g}] -> x"


class Charts(Race):
    """Bars and curves on the same three readers."""

    @property
    def behind(self) -> float:
        """Room behind the longest bar of any chart for its number and what it counts."""
        units = [self.say("labels.alone"), self.say("labels.in_batch", batch=self.trace.batch),
                 self.say("labels.million_operations"), self.say("labels.gflops")]
        widest = max(text_width(unit, WEIGHTS["number"]) for unit in units)
        return (widest + DIGITS) * self.grid.type.label

    # A batch

    def batch(self) -> None:
        trace = self.trace
        rows = self.task_rows(self.grid.stage, 1.25)
        limit = float(trace.sentence_ms.max())
        bars, numbers = VGroup(), VGroup()
        for task, (_, row) in enumerate(rows):
            for column, part in enumerate(row.rows(1, 1, gap=0.08)):
                bar, number = self.bar(
                    part, trace.sentence_ms[task, column], limit, "sentence_ms", (task, column),
                    ROLES[TASKS[task]], ms_text, FAINT if column else 1.0,
                    self.say("labels.alone" if not column else "labels.in_batch",
                             batch=trace.batch))
                bars.add(bar)
                numbers.add(number)
        title = self.chart_title("labels.per_sentence", words=trace.words)
        share = trace.sentence_ms[:, 1] / trace.sentence_ms[:, 0]
        with self.beat("batch", batch=trace.batch, loop=percent(share[0]),
                       attention=percent(share[2])):
            self.clear_stage(self.machine)
            self.play(FadeIn(VGroup(*[name for name, _ in rows])), FadeIn(title), run_time=0.6)
            self.play(appear(bars[::2]), run_time=1.0)
            self.play(FadeIn(numbers[::2]), run_time=0.5)
            self.play(appear(bars[1::2]), run_time=1.0)
            self.play(FadeIn(numbers[1::2]), run_time=0.5)

    def task_rows(self, band: Band, thick: float) -> list[tuple[Label, Band]]:
        """A name at the left of each of three rows; the rows that are left for bars."""
        names = [label(self.theme, self.say(f"labels.{task}"), ROLES[task], "label", weight=500,
                       width=0.24 * band.width) for task in TASKS]
        left = band.left + max(name.width for name in names) + 0.3
        below = Band(band.left, band.right, band.bottom, band.top - 0.5)
        rows = []
        for name, row in zip(names, below.rows(1, 1, 1, gap=0.35), strict=True):
            name.move_to([left - 0.3 - name.width / 2, row.center[1], 0.0])
            high = min(row.height, thick)
            middle = row.center[1]
            rows.append((name, Band(left, band.right, middle - high / 2, middle + high / 2)))
        return rows

    def chart_title(self, key: str, **values: object) -> Label:
        """What the bars count, at the top of the stage."""
        text = label(self.theme, self.say(key, **values), "MUTED", "label")
        return self.grid.stage.place(text, 0.5, 1.0)  # type: ignore[return-value]

    def bar(
        self, band: Band, value: float, limit: float, field: str, index: tuple[int, ...],
        role: str, text: Format, opacity: float = 1.0, suffix: str = "",
    ) -> tuple[LevelBar, NumberLabel]:
        """A lying bar on one linear scale with its number behind it."""
        scale = Linear(0.0, limit, 0.0, band.width - self.behind)
        thick = min(0.5, band.height)
        bar = LevelBar(self.theme.color(role), np.array([band.left, band.center[1], 0.0]), thick)
        bar.set_fill(opacity=opacity)
        self.bind(bar, "length", value, scale, field=field, index=index)
        number = NumberLabel(self.theme, value, format=text, size="label", suffix=suffix)
        self.bind(number, "value", value, AS_IT_IS, field=field, index=index)
        number.centre_on(np.array([bar.tip[0] + 0.15 + number.width / 2, band.center[1], 0.0]))
        return bar, number

    # The bill

    def bill(self) -> None:
        trace = self.trace
        rows = self.task_rows(self.grid.stage, 1.25)
        operations, rates = VGroup(), VGroup()
        for task, (_, row) in enumerate(rows):
            upper, lower = row.rows(1, 1, gap=0.08)
            operations.add(self.operations_bar(task, upper))
            rates.add(VGroup(*self.bar(
                lower, trace.gflops[task], float(trace.gflops.max()), "gflops", (task,), "TEXT",
                lambda rate: format_fixed(rate, 0 if rate >= 10 else 1), FAINT,
                self.say("labels.gflops"))))
        title = self.bill_title()
        read = self.bill_readout()
        ratio = trace.operations[2] / trace.operations[0]
        rate = trace.gflops[2] / trace.gflops[0]
        with self.beat("bill", words=integer(trace.bill_words), cells=integer(trace.bill_cells),
                       ratio=times(ratio), rate=times(rate)):
            self.clear_stage(self.machine)
            self.play(FadeIn(VGroup(*[name for name, _ in rows])), FadeIn(title), run_time=0.6)
            self.play(appear(list(operations)), FadeIn(read), run_time=1.2)
            self.play(appear(list(rates)), run_time=1.2)

    def bill_readout(self) -> Readout:
        """How many weights, and how long both took."""
        trace = self.trace
        told = [(self.say("labels.cells"), self.number(trace.bill_cells, "bill_cells"), "")]
        for task in (1, 2):
            name = self.say("labels.took", task=self.say(f"labels.{TASKS[task]}_short"))
            told.append((name, self.number(trace.bill_ms[task], "bill_ms", task, text=ms_text), ""))
        return Readout(self.theme, self.grid.readout, told)

    def operations_bar(self, task: int, band: Band) -> VGroup:
        """Multiply–adds of one reader; of attention's, the part for pairs apart."""
        trace, limit = self.trace, float(self.trace.operations.max())
        bar, number = self.bar(band, trace.operations[task], limit, "operations", (task,),
                               ROLES[TASKS[task]], self.in_millions,
                               suffix=self.say("labels.million_operations"))
        parts = VGroup(bar, number)
        if TASKS[task] == "attention":
            bar.set_fill(opacity=FAINT)
            pairs = LevelBar(self.theme.color(ROLES["attention"]), bar.base, float(bar.height))
            self.bind(pairs, "length", trace.pair_operations,
                      Linear(0.0, trace.operations[task], 0.0, float(bar.tip[0] - bar.base[0])),
                      field="pair_operations")
            parts.add(pairs)
        return parts

    @staticmethod
    def in_millions(operations: float) -> str:
        return integer(operations / 1e6)

    def bill_title(self) -> VGroup:
        """What the two bars of each row count, and which part pairs make up."""
        entries = [((("HIDDEN", 1.0), ("HIGH", FAINT)), "operations_key"),
                   ((("HIGH", 1.0),), "pairs_key"), ((("TEXT", FAINT),), "rate_key")]
        parts = VGroup()
        for shades, key in entries:
            patch = VGroup(*[swatch(self.theme, self.theme.color(role)).set_fill(opacity=opacity)
                             for role, opacity in shades]).arrange(buff=0.04)
            text = label(self.theme, self.say(f"labels.{key}"), "MUTED", "smallest")
            parts.add(VGroup(patch, text.next_to(patch, buff=0.12)))
        parts.arrange(buff=0.5)
        return self.grid.stage.place(parts, 0.5, 1.0)  # type: ignore[return-value]

    # Every length

    def by_length(self) -> None:
        trace, stage = self.trace, self.grid.stage
        plot = self.length_plot()
        curves, tags = VGroup(), []
        for task, role in enumerate(ROLES.values()):
            ys = trace.log10_ms[task]
            curve = plot.curve(range(len(ys)), ys, role, 2.0 if TASKS[task] == "fused" else 4.0)
            plot.marks.remove(curve)
            for i, value in enumerate(ys):
                self.bind(curve, f"y{i}", value, plot.y_scale, field="log10_ms", index=(task, i))
            curves.add(curve)
            tag = plot.tag(curve, self.say(f"labels.{TASKS[task]}_short"), role)
            plot.marks.remove(tag)
            tags.append(tag)
        spread_tags(tags, plot.y_axis.line.get_start()[1], stage.top - 0.2)
        with self.beat("lengths", variant=self.length_story(), words=self.crossing_text(),
                       most=integer(trace.lengths[-1])):
            self.clear_stage(self.machine)
            self.play(FadeIn(plot), FadeIn(self.length_names(plot)), run_time=0.6)
            for curve, tag in zip(curves, tags, strict=True):
                self.play(Create(curve), FadeIn(tag), run_time=0.9)
            if trace.crossings[1]:
                self.play(*map(FadeIn, self.crossing_mark(plot)))

    def length_plot(self) -> CurvePlot:
        """Milliseconds over words, both on log axes."""
        trace, stage = self.trace, self.grid.stage
        em = label(self.theme, "0", size="smallest").em
        room = 0.3 + max(label(self.theme, self.say(f"labels.{task}_short"), size="smallest",
                               weight=500).width for task in TASKS)
        count = len(trace.lengths)
        left, right = stage.left + 1.4, stage.right - room
        xs = [left + (right - left) * i / (count - 1) for i in range(count)]
        low, high = np.floor(trace.log10_ms.min()), np.ceil(trace.log10_ms.max())
        plot = CurvePlot(self.theme, Span(0, 1), Span(low, max(high, low + 1), log=True),
                         stage.width, stage.height - 1.7 * em,
                         y_label=self.say("labels.milliseconds"), x_at=xs)
        return plot.stand_under(stage.top)

    def length_names(self, plot: CurvePlot) -> VGroup:
        """How many words, under each place of the axis."""
        foot = plot.x_axis.line.get_start()[1]
        names = VGroup()
        for i, words in enumerate(self.trace.lengths):
            name = label(self.theme, integer(words), "MUTED", "smallest")
            names.add(name.centre_on(np.array([plot.x_at[i], foot - 0.9 * name.em, 0.0])))
        unit = label(self.theme, self.say("labels.words"), "MUTED", "smallest")
        unit.stand_on(names[-1].baseline)
        return names.add(unit.set_x(names[-1].get_right()[0] + 0.2 + unit.width / 2))  # type: ignore[no-any-return]

    def length_story(self) -> str:
        """Whether attention is overtaken somewhere, nowhere, or from the start."""
        if self.trace.crossings[1]:
            return ""
        ahead = self.trace.log10_ms[2, -1] <= self.trace.log10_ms[1, -1]
        return "ahead" if ahead else "behind"

    def crossing_text(self) -> str:
        """The crossing to two digits: more the measurement does not say."""
        words = float(self.trace.crossings[1])
        step = 10 ** max(0, int(np.floor(np.log10(max(words, 1.0)))) - 1)
        return integer(round(words / step) * step)

    def crossing_mark(self, plot: CurvePlot) -> tuple[VMobject, Label]:
        """An upright line where attention's curve crosses that of torch.nn.RNN."""
        foot, top = plot.x_axis.line.get_start()[1], plot.y_axis.line.get_end()[1]
        line = DashedLine([0, foot, 0], [0, top, 0], color=self.theme.color("TEXT"),
                          stroke_width=2)
        scale = ByLog(tuple(map(float, self.trace.lengths)), tuple(map(float, plot.x_at)))
        self.bind(line, "x", self.trace.crossings[1], scale, field="crossings", index=(1,))
        name = label(self.theme, self.say("labels.crossing", words=self.crossing_text()), "TEXT",
                     "label", weight=500)
        name.move_to([line.get_x() - 0.15 - name.width / 2, top - name.height / 2, 0.0])
        return line, name


def percent(share: float) -> str:
    """25%"""
    return f"{100 * share:.0f}%"


def times(ratio: float) -> str:
    """How many times as much: one decimal, none from ten on."""
    return format_fixed(ratio, 0 if ratio >= 10 else 1)
