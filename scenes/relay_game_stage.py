"""What stands on the relay game's stage all along, and the small helpers of its beats."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from manim import VGroup, VMobject

from engine.traces import RelayGameTrace
from scenes.base import Station
from scenes.channels import AS_IT_IS
from scenes.grid import Band
from scenes.mobjects.curve_plot import Curve
from scenes.mobjects.lag_plot import LagPlot, log_span, name_curve
from scenes.mobjects.legend import Legend
from scenes.mobjects.note import Note
from scenes.mobjects.number_label import NumberLabel
from scenes.mobjects.readout import Readout
from scenes.mobjects.runner import RunnerRow
from scenes.mobjects.text import Label, label
from scenes.relay_game_long_way import LongWay
from scenes.relay_game_parts import (
    Loss,
    check_amount,
    factor_numbers,
    factor_text,
    gain_text,
    places,
)


class RelayStage(Station):
    """The runners, the loss, the places; every act uses the same ones."""

    trace: RelayGameTrace

    def prepare(self) -> None:
        trace, theme = self.trace, self.theme
        self.count = len(trace.tokens) - 1  # factors on the way back
        self.gain = gain_text(trace.gain)
        factors = [factor_text(factor) for factor in trace.step_factors]
        self.places = where = places(self.grid, theme, trace.tokens, factors)
        self.row = RunnerRow(theme, trace.tokens, where.xs, where.slot, where.head_top)
        self.homes = [(head.get_center(), head.width) for head in self.row.heads]
        self.node_y = float(self.homes[0][0][1])
        self.loss = Loss(theme, self.say("labels.loss")).move_to(where.loss)
        self.factors = factor_numbers(theme, where, trace.step_factors)
        self.note = self.at_loss(Note(theme, where.note_width))
        self.x_title = self.lag_title()
        self.y_title = self.margin_text("labels.norm_axis")
        self.legend = self.ink_legend()

    @property
    def steps(self) -> int:
        """The last lag of acts 1 and 3."""
        return len(self.trace.log10_linear_norms) - 1

    def alone(self) -> np.ndarray:
        """log₁₀ of gain^k over the sentence's lags, as far as act 1 went. # [lag]"""
        return self.trace.log10_linear_reference[: self.count + 1]

    def alone_at(self, lag: int) -> float:
        """log₁₀ of gain^lag, also beyond the last lag of act 1: the line is straight."""
        reference = self.trace.log10_linear_reference
        return float(reference[lag] if lag < len(reference) else lag * reference[1])

    def long_way(self, *values: np.ndarray) -> LongWay:
        """A plot over all steps, with room for these values."""
        return LongWay(self.theme, self.places, self.node_y, self.steps, log_span(*values))

    def at_loss(self, note: Note) -> Note:
        """A note just written: all of its ink."""
        note.set(width=self.places.note_width)
        note.write_channel("fill_opacity", 1.0)
        over_box = self.loss.get_top()[1] + note.height / 2 + 0.06
        return note.move_to([self.places.loss[0], max(self.places.note_y, over_box), 0.0])  # type: ignore[no-any-return]

    # Texts

    def lag_title(self) -> Label:
        """The name of the lower axis, in the margin beside its end."""
        plot, stage = self.places.plot, self.grid.stage
        room = stage.right - plot.right - 0.1
        text = label(self.theme, self.say("labels.steps_back"), "MUTED", "smallest", width=room)
        return text.move_to([stage.right - text.width / 2, plot.bottom, 0.0])  # type: ignore[no-any-return]

    def margin_text(self, key: str) -> Label:
        """The name of the upright axis, above it in the margin."""
        stage, plot = self.grid.stage, self.places.plot
        room = plot.left - stage.left
        text = label(self.theme, self.say(key), "MUTED", "smallest", width=room)
        text.move_to([stage.left + text.width / 2, 0.0, 0.0])
        return text.set_y(plot.top + text.height / 2 + 0.02 * stage.height)  # type: ignore[no-any-return]

    def ink_legend(self) -> Legend:
        """What the ink of a note says, beside the title."""
        sample = Note(self.theme, 0.3)
        sample.write_channel("fill_opacity", 0.6)
        legend = Legend(self.theme, [(sample, self.say("labels.opacity"))])
        return self.grid.title.place(legend, 1, 0.5)  # type: ignore[return-value]

    def curve_name(
        self,
        text: str,
        curve: VMobject,
        others: VGroup,
        role: str,
        size: str = "smallest",
        area: Band | None = None,
    ) -> Label:
        """A curve's name at the nearest free place beside it."""
        name = label(self.theme, text, role, size, weight=500)
        lines = [m.get_anchors() for m in (curve, *others.family_members_with_points())]
        return name_curve(name, curve.get_anchors(), lines, area or self.places.plot)

    def bind_curve(
        self, curve: Curve, plot: LagPlot, values: np.ndarray, field: str, last: int | None = None
    ) -> None:
        """Every vertex of a curve over lags. `last` is the trace's index of lag 0, where it
        counts words and not lags."""
        for lag, value in enumerate(values[: len(curve.points) // 4]):
            index = lag if last is None else last - lag
            self.bind(curve, f"y{lag}", value, plot.y_scale, field=field, index=(index,))

    # Numbers

    def number(
        self,
        value: float,
        field: str,
        *index: int,
        text: Callable[[float], str] = check_amount,
    ) -> NumberLabel:
        """A number of the trace, written and bound."""
        number = NumberLabel(self.theme, value, format=text)
        self.bind(number, "value", value, AS_IT_IS, field=field, index=index)
        return number

    def read_out(self, *items: tuple[str, NumberLabel], widest: str = "") -> Readout:
        """Numbers side by side in the read-out band; `widest` keeps room for changing ones."""
        return Readout(self.theme, self.grid.readout, [(*item, widest) for item in items])

    def near_plot(self) -> LagPlot:
        """The plot under the sentence's own runners."""
        trace = self.trace
        span = log_span(trace.log10_gradient_norms, self.alone(), trace.log10_band)
        return LagPlot(self.theme, self.places.plot, self.count, span)
