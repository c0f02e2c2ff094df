"""The relay game's two panels: what one step multiplies by, and what clipping does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from manim import DOWN, LEFT, Animation, DashedLine, VGroup

from engine.traces import RelayGameTrace
from scenes.grid import Band
from scenes.mobjects.bar_row import Bar, BarRow
from scenes.mobjects.clip_dial import ArrowLength, ClipDial, GradientArrow
from scenes.mobjects.formula import Formula
from scenes.mobjects.lag_plot import log_span, name_curve
from scenes.mobjects.number_label import NumberLabel
from scenes.mobjects.text import Label, label
from scenes.relay_game_parts import (
    OneMinusSquare,
    Places,
    amount,
    factor_text,
    gain_text,
    log10_of,
)
from scenes.theme import Theme

Say = Callable[..., str]

STEP = (
    "(partial L)/(partial h_t) = {{ W^top : same }} {{ op(\"diag\")(1 - h_(t+1)^2) : slope }}"
    " thin {{ (partial L)/(partial h_(t+1)) : given }}"
)
PRODUCT = (
    "(partial L)/(partial h_1) = {{ product_(t=2)^T W^top op(\"diag\")(1 - h_t^2) : chain }}"
    " thin {{ (partial L)/(partial h_T) : given }}"
)
MOST_BAR = 0.6  # manim units
ROLES = {"given": "GRADIENT", "slope": "HIDDEN"}


class StepPanel(VGroup):
    """The rule of one step, and 1 − h² of every unit of one runner."""

    def __init__(self, theme: Theme, band: Band, trace: RelayGameTrace, say: Say) -> None:
        super().__init__()
        self.theme, self.say, self.band = theme, say, band
        rule, self.bars_band = band.columns(1.15, 1, gap=0.5)
        self.rule_place, below = rule.rows(1.5, 1, gap=0.1)
        self.formula = Formula(theme, STEP, "title", ROLES)
        band.place(self.formula, 0.5, 0.62)
        self.same = NumberLabel(theme, trace.spectral_norm, 2, prefix=say("labels.same_w"))
        self.factor = NumberLabel(theme, 1.0, role="GRADIENT", format=factor_text,
                                  prefix=say("labels.this_step"))
        self.same_place, factor_place = below.columns(1, 1)
        band.place(self.same, 0.5, 0.16)
        factor_place.place(self.factor, 0.5, 0.85)
        self.slopes, self.bound, self.slope_title = self._slopes(trace)

    def step_aside(self) -> list[Animation]:
        """Rule and gain make room for the bars."""
        fitted = self.rule_place.fit(self.formula.copy())
        rule = self.formula.animate.match_width(fitted).move_to(self.rule_place.center)
        same = self.same_place.place(self.same.copy(), 0.5, 0.85).get_center()
        return [rule, self.same.animate.move_to(same)]

    def _slopes(self, trace: RelayGameTrace) -> tuple[BarRow, VGroup, Label]:
        band, em = self.bars_band, label(self.theme, "1", size="smallest").em
        height = band.height - 3.2 * em
        row = BarRow(self.theme, trace.hidden_size, band.width - 3 * em, height, 1.0,
                     signed=False, fill=0.72)
        row.move_to([band.center[0] + em, band.bottom + height / 2 + 0.3 * em, 0.0])
        title = label(self.theme, self.say("labels.unit_slopes", word=trace.tokens[-1]), "HIDDEN",
                      "smallest", width=band.width)
        title.move_to([band.center[0], band.top - title.height / 2, 0.0])
        low, high = row.extent.get_corner([-1, 1, 0]), row.extent.get_corner([1, 1, 0])
        line = DashedLine(low, high, color=self.theme.color("LINE"), stroke_width=1.5)
        one = label(self.theme, self.say("labels.bound"), "MUTED", "smallest")
        one.centre_on(low - [0.9 * em, 0, 0])
        return row, VGroup(line, one), title

    @property
    def slope_scale(self) -> OneMinusSquare:
        return OneMinusSquare(float(self.slopes.extent.height))

    def product(self) -> Formula:
        """The whole chain, in the middle of the panel."""
        formula = Formula(self.theme, PRODUCT, "title", {"given": "GRADIENT"})
        return self.band.place(formula, 0.5, 0.7)  # type: ignore[return-value]

    def decides(self) -> Label:
        """What the fate of the note hangs on, under the chain."""
        words = label(self.theme, self.say("labels.norm_decides"), "MUTED",
                      width=self.band.width, align=0.5)
        return self.band.place(words, 0.5, 0.12)  # type: ignore[return-value]


class TermBars(VGroup):
    """Under every runner a bar for its term of ∂L/∂W, and one for the sum of all terms."""

    def __init__(self, theme: Theme, where: Places, trace: RelayGameTrace, say: Say) -> None:
        super().__init__()
        plot, em, parts = where.plot, where.factor_em, trace.weight_parts
        longest = max(float(parts.max()), trace.weight_gradient_norm) or 1.0
        height = plot.height - 1.6 * em
        self.words = BarRow(theme, len(parts), plot.width, height, longest, "GRADIENT",
                            signed=False, fill=min(0.62, MOST_BAR / where.slot), at=where.xs)
        self.words.shift([0.0, plot.bottom - self.words.line.get_y(), 0.0])
        self.scale_to = self.words.scale_to
        foot = np.array([where.loss[0], plot.bottom, 0.0])  # the sum stands under the loss
        self.total = Bar(min(MOST_BAR, 0.62 * where.slot), theme.color("TEXT"), foot)
        self.sum_name = label(theme, say("labels.sum"), "TEXT", "smallest", width=5.0 * em,
                              align=0.5)
        self.sum_name.move_to(foot + (0.4 * em + self.sum_name.height / 2) * DOWN)
        self.title = label(theme, say("labels.terms"), "GRADIENT", "smallest")
        self.title.centre_on(np.array([plot.center[0], plot.bottom - 1.0 * em, 0.0]))
        self.start = label(theme, say("labels.first_term"), "MUTED", "smallest")
        self.start.centre_on(self.words.bars[0].base + 1.0 * em * DOWN)

    def over(self, number: NumberLabel, bar: Bar) -> NumberLabel:
        """A number above its bar, and above whatever neighbours it reaches over."""
        x, half = bar.base[0], number.width / 2 + 0.1
        near = [other.tip[1] for other in (*self.words.bars, self.total)
                if abs(other.base[0] - x) < half + other.width / 2]
        return number.move_to(  # type: ignore[no-any-return]
            [x, max(near) + 0.5 * number.em + number.height / 2, 0.0])


class ClipPanel(VGroup):
    """One gradient as three arrows: as it is, clipped by its norm, clipped entry by entry."""

    def __init__(self, theme: Theme, band: Band, trace: RelayGameTrace, say: Say) -> None:
        super().__init__()
        self.theme, self.trace, self.say, self.band = theme, trace, say, band
        clip = trace.clipping
        lengths = [clip.log10_norm, *map(log10_of, (clip.limit, clip.norm_clipped,
                                                     clip.norm_by_value))]
        span = log_span(np.array(lengths))
        # One decade more at the centre, so that the shortest arrow has a length to be seen.
        span = type(span)(max(span.low, min(lengths)) // 1 - 1, span.high, log=True)
        em = label(theme, "1", size="smallest").em
        title_band, dial_band = Band(band.left, band.right, band.top - 1.3 * em, band.top), Band(
            band.left, band.right, band.bottom, band.top - 1.8 * em
        )
        self.dial = ClipDial(theme, dial_band, span)
        self.title = label(theme, say("labels.length_scale"), "MUTED", "smallest")
        title_band.place(self.title, 0, 0.5)
        self.limit = self.dial.arc_at(log10_of(clip.limit), "TEXT", 2.5)
        self.limit_name = label(theme, say("labels.limit", limit=gain_text(clip.limit)), "TEXT",
                                "smallest")
        self.limit_name.next_to(self.limit.get_end(), LEFT, buff=0.1)
        self.before = self.dial.arrow("GRADIENT", 5)
        self.by_norm = self.dial.arrow("GRADIENT", 9)
        self.by_value = self.dial.arrow("TEXT", 5)

    @property
    def plain(self) -> ArrowLength:
        """The scale of lengths that are given as they are, not as log₁₀."""
        return ArrowLength(self.dial.span.low, self.dial.span.high, self.dial.reach, log10=False)

    def arrow_names(self, clipped: bool) -> list[Label]:
        """What each arrow is, and how long, beside its tip where there is room."""
        clip = self.trace.clipping
        named = [(self.before, "before", clip.log10_norm, "MUTED"),
                 (self.by_value, "by_value", log10_of(clip.norm_by_value), "TEXT"),
                 (self.by_norm, "by_norm", log10_of(clip.norm_clipped), "GRADIENT")]
        names: list[Label] = []
        for arrow, key, log10, role in named if clipped else named[:1]:
            text = self.say(f"labels.{key}", norm=amount(log10))
            name = label(self.theme, text, role, "smallest", weight=500)
            names.append(self.beside(arrow, name, names))
        return names

    def beside(self, arrow: GradientArrow, name: Label, names: Sequence[Label]) -> Label:
        """Moves a name to a free place along an arrow."""
        arrows = (self.before, self.by_norm, self.by_value)
        arrows = [a for a in arrows if np.linalg.norm(a.end - a.origin) < self.dial.reach * 1.01]
        taken = [np.array([a.origin, a.end]) for a in arrows]
        taken += [m.get_anchors() for m in (self.limit, self.limit_name, *names)]
        free = Band(self.band.left, self.band.right, self.dial.origin[1] + 0.05, self.band.top)
        tip = np.array([arrow.origin + 0.8 * (arrow.end - arrow.origin), arrow.end])
        return name_curve(name, tip, taken, free)

    def entitle(self, word: Label) -> Label:
        """The name of the whole, in the corner that no arrow reaches."""
        return self.band.place(word, 1.0, 1.0)  # type: ignore[return-value]
