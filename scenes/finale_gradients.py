"""The gradient curves of the earlier clips, all on one axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from manim import Create, FadeIn, FadeOut, VGroup, VMobject

from scenes.finale_hops import Hops
from scenes.grid import Band
from scenes.mobjects.curve_plot import Curve
from scenes.mobjects.lag_plot import LagPlot, log_span, name_curve
from scenes.mobjects.text import Label, label
from scenes.relay_game_parts import amount

MARGIN = 3.7  # em, for the numbers of the upright axis
FAR = -1.0  # log₁₀ under which a gradient has all but vanished on the way


@dataclass(frozen=True)
class Kept:
    """One curve: its values by word, and where the trace has them."""

    key: str  # of its name
    values: np.ndarray  # log₁₀ [word]
    field: str
    row: tuple[int, ...]  # index before the word's
    left: float  # log₁₀ of first over last
    left_field: str
    role: str
    width: float


class Gradients(Hops):
    """Untrained on one sentence, then trained on another; the axis stays."""

    def curves_of(self) -> tuple[list[Kept], list[Kept]]:
        """What is untrained, and what is trained."""
        trace = self.trace
        untrained = [
            Kept("rnn_untrained", trace.log10_relay, "log10_relay", (), trace.log10_relay_left,
                 "log10_relay_left", "GRADIENT", 3.0),
            Kept("attention_untrained", trace.log10_attention, "log10_attention", (),
                 trace.log10_attention_left, "log10_attention_left", "HIGH", 5.0),
        ]
        looks = (("HIDDEN", 4.0), ("CELL", 5.0), ("TEXT", 2.5))
        trained = [
            Kept(cell, trace.log10_cells[i], "log10_cells", (i,),
                 float(trace.log10_cells_left[i]), "log10_cells_left", *looks[i])
            for i, cell in enumerate(("rnn", "lstm", "gru"))
        ]
        return untrained, trained

    def gradients(self) -> None:
        self.kept, self.kept_trained = self.curves_of()
        every = [*self.kept, *self.kept_trained]
        longest = max(len(kept.values) for kept in every)
        self.plot = LagPlot(self.theme, self.plot_area(), max(1, longest - 1),
                            log_span(*[kept.values for kept in every]))
        self.drawn = [self.draw(kept) for kept in every]
        self.names = self.name_all(every)
        titles = self.axis_titles()
        relay, attention = self.kept
        steps = len(self.trace.relay_tokens) - 1
        with self.beat("gradients", steps=steps, variant="" if steps else "alone",
                       relay=amount(relay.left), attention=amount(attention.left)):
            self.clear_stage()
            self.play(FadeIn(self.plot), FadeIn(titles), run_time=0.8)
            for curve, name in zip(self.drawn[:2], self.names, strict=False):
                self.play(Create(curve), FadeIn(name), run_time=1.2)
            self.told = self.ratios(self.kept)
            self.play(FadeIn(self.told))

    def trained(self) -> None:
        rnn, lstm, gru = self.kept_trained
        story = "" if rnn.left < FAR < min(lstm.left, gru.left) else "other"
        with self.beat("trained", variant=story, steps=len(self.trace.belt_tokens) - 1,
                       rnn=amount(rnn.left), lstm=amount(lstm.left), gru=amount(gru.left)):
            self.play(FadeOut(self.told), run_time=0.4)
            for curve, name in zip(self.drawn[2:], self.names[2:], strict=True):
                self.play(Create(curve), FadeIn(name), run_time=1.0)
            self.told = self.ratios(self.kept_trained)
            self.play(FadeIn(self.told))

    def plot_area(self) -> Band:
        stage, em = self.grid.stage, self.grid.type.smallest
        return Band(stage.left + MARGIN * em, stage.right - 0.4, stage.bottom + 1.9 * em,
                    stage.top - 1.4 * em)

    def draw(self, kept: Kept) -> Curve:
        """The curve over steps back, every vertex bound to its word."""
        by_lag = kept.values[::-1]
        curve = self.plot.curve(by_lag, kept.role, kept.width)
        for lag, value in enumerate(by_lag[: len(curve.points) // 4 + 1]):
            self.bind(curve, f"y{lag}", value, self.plot.y_scale, field=kept.field,
                      index=(*kept.row, len(by_lag) - 1 - lag))
        return curve

    def name_all(self, every: list[Kept]) -> list[Label]:
        """Each curve's name at the nearest free place."""
        names: list[Label] = []
        lines = [np.array(curve.get_anchors()) for curve in self.drawn]
        for kept, curve in zip(every, lines, strict=True):
            name = label(self.theme, self.say(f"labels.{kept.key}"), kept.role, "smallest",
                         weight=500)
            taken = [*lines, *[np.array(other.get_anchors()) for other in names]]
            names.append(name_curve(name, curve, taken, self.plot.area))
        return names

    def axis_titles(self) -> VGroup:
        """What the axes count, at their ends."""
        area, stage = self.plot.area, self.grid.stage
        up = label(self.theme, self.say("labels.gradient_axis"), "MUTED", "smallest")
        up.move_to([stage.left + up.width / 2, stage.top - up.height / 2, 0.0])
        back = label(self.theme, self.say("labels.steps_back"), "MUTED", "smallest")
        back.move_to([area.left + back.width / 2, stage.bottom + 0.1 * back.em, 0.0])
        if len(self.plot.x_axis.texts):  # beside the last number, where it is free
            back.stand_on(self.plot.x_axis.texts[0].baseline - 1.25 * back.em)
        back.set_y(max(back.get_y(), stage.bottom - 0.9 * back.em))
        return VGroup(up, back)

    def ratios(self, kept: list[Kept]) -> VMobject:
        """The first word's gradient over the last word's, model by model."""
        items = []
        for one in kept:
            index = one.row if one.left_field == "log10_cells_left" else ()
            number = self.number(one.left, one.left_field, *index, text=amount)
            items.append((self.say(f"labels.{one.key}"), number))
        title = (self.say("labels.ratio") + " " + items[0][0], items[0][1])
        return self.read_out(title, *items[1:])
