"""What was measured: what the strip still holds, and quality by the length of the source."""

from __future__ import annotations

import numpy as np
from manim import Animation, Create, DashedLine, FadeIn, LaggedStart, VGroup

from engine.traces import LengthCurve, Recital
from scenes.channels import AS_IT_IS, Linear
from scenes.closed_eyes_recital_told import Told
from scenes.grid import Band
from scenes.mobjects.axis import Span
from scenes.mobjects.curve_plot import CurvePlot, spread_tags
from scenes.mobjects.gauged_word import WordBlock
from scenes.mobjects.number_label import NumberLabel, integer
from scenes.mobjects.text import Label, label

HELD = Linear(0.0, 1.0, 0.2, 1.0)  # ink of a word: what is lost can still be made out
CHANCE = 0.5  # what the probe says of a word when it has no idea
FALLS = 0.7  # a curve that ends below this share of its start falls
WIDTHS = (2.0, 2.8, 3.6, 4.4, 5.2)
FIFTHS = 5
NEAR = 1.3  # manim units between two guides, for their names to stand over each other


class Measured(Told):
    """Beats after the long recital."""

    # What the strip still holds

    def kept(self) -> None:
        trace, source = self.trace, self.source
        moves = self.show_kept(source)
        tracks = VGroup(*[word.track for word in source])
        chances = VGroup(*[word.chance_mark(CHANCE) for word in source])
        chances.set_z_index(1)  # over the gauges, which come after them
        chart, curves, tags, chance = self.probe_chart(self.hall.right.inset(0.2, 0.16))
        with self.beat("kept", variant=probe_story(trace.long),
                       lengths=trace.probe_lengths[-1].replace("-", "–"), **self.probe_values()):
            self.wipe(self.spoken, self.figures, self.reference_label)
            self.play(self.curtain.thin(), FadeIn(tracks, chances), run_time=0.8)
            self.play(*moves, run_time=1.2)
            self.play(*self.notes.change(
                self.notes.gauge_key("labels.kept_key", "SOURCE"),
                self.notes.figure(self.say("labels.kept_chance"))))
            self.play(FadeIn(chart, chance))
            self.play(LaggedStart(*map(Create, curves), lag_ratio=0.4), FadeIn(tags), run_time=1.6)

    def show_kept(self, block: WordBlock) -> list[Animation]:
        """Ink and gauge of every source word go to what the probe says."""
        moves: list[Animation] = []
        for j, (word, p) in enumerate(zip(block, self.trace.long.kept, strict=True)):
            self.let_overlap(word, self.curtain)
            moves += [
                self.bind_animation(word.gauge, "height", p, word.gauge_scale,
                                    field="long.kept", index=(j,), label="kept"),
                self.bind_animation(word.token, "opacity", p, HELD,
                                    field="long.kept", index=(j,), label="kept"),
            ]
        return moves

    def probe_values(self) -> dict[str, float]:
        """Numbers for the caption: words the probe finds, and accuracies of long sentences."""
        last, kept = self.trace.probe_accuracy[-1], self.trace.long.kept
        return {
            "words": len(kept), "found": int((kept > CHANCE).sum()),
            "first": float(last[0]), "last": float(last[-1]),
            "chance": float(self.trace.probe_chance[-1].mean()),
        }

    def probe_chart(self, band: Band) -> tuple[CurvePlot, VGroup, VGroup, VGroup]:
        """Accuracy by place in the sentence, a curve for each range of lengths, and chance."""
        trace = self.trace
        low = np.floor(min(trace.probe_accuracy.min(), trace.probe_chance.min()) * 10) / 10
        room = max(label(self.theme, self.length_name(name), size="smallest").width
                   for name in trace.probe_lengths) + 0.3
        plot = CurvePlot(
            self.theme, Span(1, FIFTHS), Span(min(float(low), 0.4), 1.0), band.width, band.height,
            x_label=self.say("labels.fifths"), y_label=self.say("labels.probe_accuracy"),
            x_ticks=range(1, FIFTHS + 1), tag_room=room,
        )
        band.place(plot, 0.0, 0.5)
        curves, tags = VGroup(), VGroup()
        for k, row in enumerate(trace.probe_accuracy):
            curve = plot.curve(range(1, FIFTHS + 1), row, "VALUE", WIDTHS[k])
            for i, value in enumerate(row):
                self.bind(curve, f"y{i}", value, plot.y_scale, field="probe_accuracy",
                          index=(k, i), label="accuracy")
            curves.add(curve)
            tags.add(plot.tag(curve, self.length_name(trace.probe_lengths[k]), "VALUE"))
        line = DashedLine(plot.at(1, CHANCE), plot.at(FIFTHS, CHANCE),
                          color=self.theme.color("MUTED"), stroke_width=2)
        last = len(trace.probe_chance) - 1  # as the caption says: that of long sentences
        self.bind(line, "y", float(trace.probe_chance[last].mean()), plot.y_scale,
                  field=f"mean(probe_chance[{last}])", label="chance")
        name = label(self.theme, self.say("labels.chance"), "MUTED", "smallest")
        name.centre_on(line.get_right() + np.array([0.14 + name.width / 2, 0.0, 0.0]))
        spread_tags([*tags, name], float(plot.at(1, plot.y_axis.span.low)[1]),
                    float(plot.at(1, 1.0)[1]) + 0.2)
        plot.marks.remove(*curves, *tags)
        return plot, curves, tags, VGroup(line, name)

    def length_name(self, name: str) -> str:
        return self.say("labels.length_range", range=name.replace("-", "–"))

    # Quality by length

    def curve(self) -> None:
        plot, curves, tags = self.length_chart()
        counts, guides = self.counts(plot), self.guides(plot)
        fixed_curve = self.own_curve()
        story = "" if fixed_curve.bleu[-1] < FALLS * fixed_curve.bleu[0] else "flat"
        attention = [c for c in self.trace.curves if c.model == "attention"]
        with self.beat("curve", variant=story, start=float(fixed_curve.bleu[0]),
                       end=float(fixed_curve.bleu[-1]), longest=int(fixed_curve.lengths[-1]),
                       attended=float(attention[0].bleu[-1]) if attention else 0.0):
            self.notes.shown = []
            self.clear_stage()
            self.play(FadeIn(plot, counts, guides))
            for curve, tag in zip(curves, tags, strict=True):
                self.play(Create(curve[0]), FadeIn(curve[1]), FadeIn(tag), run_time=1.3)

    def own_curve(self) -> LengthCurve:
        """The curve of the translator that recited."""
        fixed_ones = [c for c in self.trace.curves if c.model == "fixed"]
        return next((c for c in fixed_ones if c.context == self.units), fixed_ones[0])

    def length_chart(self) -> tuple[CurvePlot, list[VGroup], list[Label]]:
        """One axis for every translator measured."""
        trace, stage = self.trace, self.grid.stage
        whole = Band(stage.left, stage.right, self.grid.readout.bottom + 0.1, stage.top)
        texts = [self.curve_name(curve) for curve in trace.curves]
        room = max(label(self.theme, text, size="smallest", weight=500).width for text in texts)
        sentences = [len(trace.short.source), len(trace.long.source)]
        longest = max(*(float(c.lengths[-1]) for c in trace.curves), *sentences)
        plot = CurvePlot(
            self.theme, Span(0, 10 * np.ceil(longest / 10)), Span(0, 100), whole.width,
            whole.height - 0.42, x_label=self.say("labels.length"), y_label=self.say("labels.bleu"),
            tag_room=room + 0.3, most_ticks=7,
        )
        whole.place(plot, 0.0, 1.0)
        curves, tags = [], []
        for k, curve in enumerate(trace.curves):
            curves.append(self.length_curve(plot, k))
            role = "HIGH" if curve.model == "attention" else "VALUE"
            tags.append(plot.tag(curves[-1][0], texts[k], role))
        spread_tags(tags, float(plot.at(0, 0)[1]), float(plot.at(0, 100)[1]) + 0.2)
        plot.marks.remove(*[c[0] for c in curves], *tags)
        return plot, curves, tags

    def curve_name(self, curve: LengthCurve) -> str:
        key = "attention_curve" if curve.model == "attention" else "fixed_curve"
        return self.say(f"labels.{key}", numbers=curve.context, thousands=curve.parameters / 1000)

    def length_curve(self, plot: CurvePlot, k: int) -> VGroup:
        """A line through the measured points, and the points."""
        curve = self.trace.curves[k]
        own = curve.model == "attention" or curve is self.own_curve()
        role = "HIGH" if curve.model == "attention" else "VALUE"
        line = plot.curve(curve.lengths, curve.bleu, role, 5.0 if own else 2.0)
        dots = VGroup()
        for i, (x, y) in enumerate(zip(curve.lengths, curve.bleu, strict=True)):
            self.bind(line, f"y{i}", y, plot.y_scale, field=f"curves[{k}].bleu", index=(i,),
                      label="BLEU")
            dot = plot.dot(float(x), float(y), role, 0.075 if own else 0.05)
            plot.marks.remove(dot)
            self.bind(dot, "y", y, plot.y_scale, field=f"curves[{k}].bleu", index=(i,),
                      label="BLEU")
            dots.add(dot)
        return VGroup(line, dots)

    def counts(self, plot: CurvePlot) -> VGroup:
        """How many held-out sentences stand behind each point, in a row under the axis."""
        curve, row = self.own_curve(), VGroup()
        k = self.trace.curves.index(curve)
        y = plot.get_bottom()[1] - 0.2
        last = -np.inf
        for i, (x, n) in enumerate(zip(curve.lengths, curve.counts, strict=True)):
            number = NumberLabel(self.theme, n, role="MUTED", size="smallest", format=integer,
                                 weight=400)
            number.centre_on(np.array([plot.at(float(x), 0.0)[0], y, 0.0]))
            if number.get_left()[0] < last + 0.1:
                continue
            last = number.get_right()[0]
            self.bind(number, "value", n, AS_IT_IS, field=f"curves[{k}].counts", index=(i,),
                      label="n")
            row.add(number)
        name = label(self.theme, self.say("labels.counts"), "MUTED", "smallest")
        name.centre_on(np.array([last + 0.3 + name.width / 2, y, 0.0]))
        return VGroup(row, name)

    def guides(self, plot: CurvePlot) -> VGroup:
        """Where the two sentences of this clip stand on the axis."""
        guides, (low, high) = VGroup(), (plot.at(0, 0), plot.at(0, 100))
        sizes = {name: len(getattr(self.trace, name).source) for name in ("short", "long")}
        x = Linear(0.0, 1.0, float(plot.at(0, 0)[0]), float(plot.at(1, 0)[0]))
        near = abs(x(sizes["short"]) - x(sizes["long"])) < NEAR
        for name, size in sizes.items():
            line = DashedLine([0.0, low[1], 0], [0.0, high[1], 0], stroke_width=1.5,
                              color=self.theme.color("SOURCE"))
            self.bind(line, "x", size, x, field=f"{name}.kept.size", label="words")
            text = label(self.theme, self.say(f"labels.{name}_here"), "SOURCE", "smallest")
            lift = (1.6 if near and name == "short" else 0.0) + 0.9
            right = x(max(sizes.values()) if near else size)
            text.centre_on(np.array([right + 0.08 + text.width / 2,
                                     low[1] + lift * text.em, 0.0]))
            guides.add(line, text)
        return guides


def probe_story(recital: Recital) -> str:
    """Whether the probe finds a larger share of the words than the decoder said right."""
    return "" if float((recital.kept > CHANCE).mean()) > recital.share_correct else "plain"
