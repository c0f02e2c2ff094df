"""The long sentence once more, with attention beside; then what all this is called."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import (
    DashedLine,
    FadeIn,
    LaggedStart,
    Line,
    Polygon,
    VGroup,
    VMobject,
)

from engine.traces import Recital
from scenes.channels import AS_IT_IS, Linear
from scenes.closed_eyes_recital_layout import SCORE, Rows, make_rows, reference_lines, row_words
from scenes.closed_eyes_recital_measured import Measured
from scenes.grid import Band
from scenes.mobjects.bust import Bust
from scenes.mobjects.gauged_word import WordBlock
from scenes.mobjects.level_bar import LevelBar
from scenes.mobjects.number_label import NumberLabel, fixed, integer
from scenes.mobjects.panel import Panel
from scenes.mobjects.text import Label, label

BAR = 0.26  # manim units, thickness of a bar of the share
BAR_LENGTH = 1.15  # manim units, a share of 1
NECK = 0.75  # manim units, height of the narrow ends of the funnels
MOUTH_SHARE = 0.92  # of the funnel's band, height of the wide ends

Score = tuple[VGroup, LevelBar, NumberLabel, str]  # axis, bar, number, field


class Compared(Measured):
    """The last two beats."""

    # The same sentence with attention

    def attention(self) -> None:
        long = self.trace.long
        rows = make_rows(self.grid, long)
        bands = {"source": rows.source, "fixed": rows.fixed, "attended": rows.attended}
        parts = {key: self.row_head(band, key) for key, band in bands.items() if band}
        self.release(self.source, self.spoken)
        if rows.source:
            self.open_source(rows.em, row_words(rows.source))
        self.spoken.numbered = False
        self.spoken.remove(*self.spoken[rows.counts[0]:])
        self.spoken.resize(rows.em).seat(row_words(rows.fixed), 0.0)
        attended = self.attended_block(rows)
        scores = [self.score(rows.fixed, "share_correct"),
                  self.score(rows.attended, "attended_share_correct")]
        values = self.score_values(long) | {
            "attended": int(long.attended_correct.sum()), "attended_said": len(long.attended_output)
        }
        with self.beat("attention", variant=attention_story(long), **values):
            self.notes.shown = []
            self.clear_stage()
            self.ink(self.spoken, "long", "probabilities")
            self.play(*map(FadeIn, parts["fixed"]), FadeIn(self.spoken),
                      FadeIn(self.badge))
            if rows.source:
                self.play(*map(FadeIn, parts["source"]), FadeIn(self.source))
            self.play(*map(FadeIn, parts["attended"]))
            self.play(*parts["attended"][1].open_eyes(), run_time=0.6)
            self.speak(attended)
            self.judge(attended, long.attended_correct)
            self.show_scores(scores, self.score_name(rows))
            undrawn = len(long.output) + len(long.attended_output) - sum(rows.counts)
            self.play(*self.notes.change(self.reference_note(undrawn)))

    def open_source(self, em: float, band: Band) -> None:
        """The source lies open: full ink, no gauges."""
        for word in self.source:
            word.remove(word.track, word.gauge)
            word.token.set_opacity(1.0)
        self.source.resize(em).seat(band, 0.0)

    def attended_block(self, rows: Rows) -> WordBlock:
        """What the translator with attention says."""
        words = self.trace.long.attended_output[: rows.counts[1]]
        block = WordBlock(self.theme, words, "TARGET", rows.em, judged=True)
        block.seat(row_words(rows.attended), 0.0)
        self.ink(block, "long", "attended_probabilities")
        return block

    def row_head(self, band: Band, key: str) -> list[VMobject]:
        """Ground, figure and name at the left of a compared row."""
        ground = Panel.under(self.theme, band)
        role = {"source": "SOURCE", "fixed": "VALUE", "attended": "HIGH"}[key]
        name = label(self.theme, self.say(f"labels.row_{key}"), role, "smallest", weight=500)
        head = Band(band.left + 0.12, band.left + 1.5, band.bottom + 0.06, band.top - 0.06)
        if key == "source":
            return [ground, head.place(name, 0.5, 0.5)]  # type: ignore[list-item]
        figure = Bust(self.theme, min(0.8, head.height - 1.6 * name.em), "shut", True)
        group = VGroup(figure, name).arrange(np.array([0.0, -1.0, 0.0]), buff=0.08)
        head.place(group)
        return [ground, figure, name]

    def score(self, band: Band, field: str) -> Score:
        """A bar for the share of words right, on one scale with the other row's."""
        left = band.right - SCORE + 0.1
        foot, top = band.bottom + 0.1, band.top - 0.1
        axis = VGroup(*[
            DashedLine([x, foot, 0], [x, top, 0], color=self.theme.color("LINE"), stroke_width=1.5)
            for x in (left, left + BAR_LENGTH)
        ])
        bar = LevelBar(self.theme.color("CORRECT"), np.array([left, band.center[1], 0.0]), BAR)
        number = NumberLabel(self.theme, 0.0, format=fixed(2))
        number.centre_on(np.array([band.right - 0.4, band.center[1], 0.0]))
        return axis, bar, number, field

    def score_name(self, rows: Rows) -> Label:
        """What the bars say, over them."""
        name = label(self.theme, self.say("labels.share"), "MUTED", "smallest")
        band = rows.source or rows.fixed
        y = band.center[1] if rows.source else band.top - 0.9 * name.em
        x = band.right - SCORE + 0.1 + BAR_LENGTH / 2
        return name.centre_on(np.array([x, y, 0.0]))

    def show_scores(self, scores: Sequence[Score], name: Label) -> None:
        """Bars and numbers grow together."""
        scale = Linear(0.0, 1.0, 0.0, BAR_LENGTH)
        moves = []
        for _, bar, number, field in scores:
            value = getattr(self.trace.long, field)
            moves.append(self.bind_animation(bar, "length", value, scale, field=f"long.{field}",
                                             label="right"))
            moves.append(self.count_to(number, value, field=f"long.{field}"))
        self.play(FadeIn(name), *[FadeIn(axis, number) for axis, _, number, _ in scores],
                  run_time=0.5)
        self.play(*moves, run_time=1.2)

    def reference_note(self, undrawn: int) -> Label:
        """The reference in the read-out band."""
        long, band = self.trace.long, self.grid.readout
        text = self.reference_text(long) + self.left_out(undrawn)
        double = Band(band.left, band.right, band.bottom, band.bottom + 2 * band.height)
        lines, em = reference_lines(text, len(long.reference), self.grid, double)
        return Label("\n".join(lines), em, self.theme.color("MUTED"), align=0.5)

    # The name

    def name_it(self) -> None:
        upper, lower = self.grid.stage.rows(2.0, 1.0, gap=0.1)
        left, neck, right = upper.columns(1.0, 0.85, 1.0, gap=0.0)
        funnels = VGroup(self.funnel(left, 1), self.funnel(right, -1))
        named = [self.big_name(band, *name) for band, name in
                 ((left, ("encoder", "SOURCE")), (right, ("decoder", "TARGET")))]
        strip = self.parcel.move_to(neck.center)
        strip_name = label(self.theme, self.say("labels.context"), "VALUE", "body", weight=500)
        strip_name.centre_on(neck.center + np.array([0.0, 0.75, 0.0]))
        bottleneck = label(self.theme, self.say("labels.bottleneck"), "TEXT", "title", weight=600)
        bottleneck.centre_on(np.array([neck.center[0], upper.bottom + 0.35, 0.0]))
        remarks = self.remarks(lower)
        with self.beat("name"):
            self.notes.shown = []
            self.clear_stage(self.badge)
            self.bind_strip()
            self.play(FadeIn(strip))
            self.play(*map(FadeIn, funnels), *map(FadeIn, named), FadeIn(strip_name))
            self.play(FadeIn(bottleneck))
            self.play(LaggedStart(*map(FadeIn, remarks), lag_ratio=0.6, run_time=1.6))

    def bind_strip(self) -> None:
        """The strip still holds the long sentence."""
        self.bind(self.parcel[1], "value", self.units, AS_IT_IS, field="long.context.size")
        self.bind_each(self.strip.cells, "fill", self.trace.long.context, self.strip.scale_to,
                       field="long.context", label="c")

    def funnel(self, band: Band, side: int) -> VGroup:
        """A wide mouth and a narrow end towards the strip: a picture, no data."""
        high, low = MOUTH_SHARE * band.height / 2, NECK / 2
        wide, narrow = (high, low) if side > 0 else (low, high)
        y = float(band.center[1])
        corners = [[band.left, y + wide, 0], [band.right, y + narrow, 0],
                   [band.right, y - narrow, 0], [band.left, y - wide, 0]]
        shape = Polygon(*corners, stroke_width=0.0, fill_opacity=1.0,
                        fill_color=self.theme.color("PANEL"))
        shape.is_ground = True
        shape.set_z_index(-5)
        edges = VGroup(*[Line(corners[a], corners[b], color=self.theme.color("LINE"),
                              stroke_width=2) for a, b in ((0, 1), (2, 3))])
        return VGroup(shape, edges)

    def big_name(self, band: Band, key: str, role: str) -> VGroup:
        """What a side is called, and how many words the two sentences have there."""
        name = label(self.theme, self.say(f"labels.{key}"), role, "title", weight=600)
        group = VGroup(name)
        field = "kept.size" if key == "encoder" else "probabilities.size"
        for sentence in ("short", "long"):
            recital = getattr(self.trace, sentence)
            size = len(recital.source if key == "encoder" else recital.output)
            number = NumberLabel(self.theme, size, role="TEXT", size="label", format=integer,
                                 suffix=self.say("labels.words"), weight=400)
            self.bind(number, "value", size, AS_IT_IS, field=f"{sentence}.{field}")
            group.add(number)
        group.arrange(np.array([0.0, -1.0, 0.0]), buff=0.16)
        shift = -0.08 if key == "encoder" else 0.08
        return group.move_to(band.center + np.array([shift * band.width, 0.0, 0.0]))

    def remarks(self, band: Band) -> VGroup:
        """What this does not say."""
        lines = VGroup(*[
            label(self.theme, self.say(f"labels.remark_{k}"), "MUTED", "label", band.width,
                  align=0.5)
            for k in ("cho", "sutskever", "lengths")
        ])
        return lines.arrange(np.array([0.0, -1.0, 0.0]), buff=0.16).move_to(band.center)


def attention_story(long: Recital) -> str:
    """How the two recitals of one sentence compare."""
    if not long.reference_given:
        return "own"
    fixed_share, attended = long.share_correct, long.attended_share_correct
    return "" if attended > fixed_share else ("same" if attended == fixed_share else "worse")
