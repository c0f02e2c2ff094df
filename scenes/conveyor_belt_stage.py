"""What stands on the conveyor belt's stage all along: words, belt, and the window that walks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from manim import DOWN, LEFT, UP, Animation, DashedLine, VGroup

from engine.traces import ConveyorBeltTrace, Recall
from scenes.base import Station
from scenes.channels import AS_IT_IS, Diverging, Scale
from scenes.conveyor_belt_layout import places
from scenes.conveyor_belt_panel import StepPanel
from scenes.grid import Band
from scenes.mobjects.belt import Belt
from scenes.mobjects.legend import Legend
from scenes.mobjects.number_label import NumberLabel, fixed, format_number
from scenes.mobjects.readout import Readout
from scenes.mobjects.retune import Change, change_to
from scenes.mobjects.state_strip import swatch
from scenes.mobjects.text import Label, label, text_width
from scenes.mobjects.word_card import WordCard, flat

KEYS = ("item", "gru_item", "light", "lane_light")
KEY_LINE = 0.34  # manim units, for keys that stand under the title
KEY_SAMPLE = 1.3  # manim units, the widest sample beside a key
SHADES = 7  # of the diverging scale in the legend
CELL_NAMES = {"rnn": "RNN", "lstm": "LSTM", "gru": "GRU"}
CELL_ROLES = {"rnn": "HIDDEN", "lstm": "CELL", "gru": "TEXT"}


class BeltStage(Station):
    """Every beat draws over the same words at the same places."""

    trace: ConveyorBeltTrace

    def prepare(self) -> None:
        trace = self.trace
        self.units = [int(unit) for unit in trace.units]
        self.key_band = self.room_for_keys()
        own_line = self.key_band is not self.grid.title
        self.places = where = places(self.grid, trace.tokens, KEY_LINE * own_line)
        self.steps = where.steps
        self.cards = VGroup(*[self.card(k) for k in range(len(self.steps))])
        self.belt = Belt(self.theme, where.belt, where.xs, len(self.units))
        self.panel = StepPanel(self, self.theme, where.panel, trace, self.say)
        self.cells_scale = Diverging(self.theme, self.panel.limit)
        self.columns: dict[int, VGroup] = {}  # [column] the items on the belt
        self.belt_name = self.in_margin("labels.cell_state", "CELL")
        self.legend = self.item_legend("labels.item", self.panel.limit)
        self.gap_line = self.gap_mark()

    def room_for_keys(self) -> Band:
        """The title band where keys fit beside the title, else a line of their own below it."""
        grid, em = self.grid, self.grid.type.smallest
        texts = [self.say(f"labels.{key}", limit="0.0") for key in KEYS]
        widest = max(text_width(text) for text in texts) * em + KEY_SAMPLE
        if widest <= grid.title.width - self.title_label.width - 0.4:
            return grid.title
        top = grid.stage.top
        return Band(grid.stage.left, grid.stage.right, top - KEY_LINE + 0.1, top)

    def card(self, column: int) -> WordCard:
        """One word under the belt; a dashed edge says that the cells do not know it."""
        where, step = self.places, self.steps[column]
        shape = where.shapes[column]
        card = WordCard(self.theme, self.trace.tokens[step], "SOURCE", shape)
        if self.trace.unknown[step]:
            card.mark("unknown")
        return card.seat(np.array([where.xs[column], where.words_top - shape.height / 2, 0.0]))

    def in_margin(self, key: str, role: str) -> Label:
        """The name of the belt, at its left."""
        margin = self.places.margin
        text = label(self.theme, self.say(key), role, "smallest", width=margin.width - 0.12,
                     weight=500)
        return text.move_to([margin.left + text.width / 2, margin.center[1], 0.0])  # type: ignore[no-any-return]

    def gap_mark(self) -> VGroup:
        """A broken line where words are left out; empty where none are."""
        where, gap = self.places, self.places.gap
        if gap is None:
            return VGroup()
        x = (where.xs[gap] + where.xs[gap + 1]) / 2
        line = DashedLine([x, where.foot, 0], [x, where.belt.top + 0.1, 0],
                          color=self.theme.color("TEXT"), stroke_width=2)
        return VGroup(line)

    # Legends and texts

    def item_legend(self, key: str, limit: float) -> Legend:
        """What an item's colour says; and the mark of unknown words where there are any."""
        shades = VGroup(*[
            swatch(self.theme, self.theme.diverging(k / (SHADES - 1) * 2 - 1, 1.0), 0.16)
            for k in range(SHADES)
        ]).arrange(buff=0.0)
        return self.key_line([(shades, self.say(key, limit=f"{limit:.1f}"))])

    def key_line(self, entries: list[tuple[VGroup, str]]) -> Legend:
        """Keys at the right end of the title band; what every picture needs comes last."""
        keys = [*entries, *self.word_keys()]
        legend = Legend(self.theme, keys, across=True)
        beside = self.key_band is self.grid.title
        room = self.key_band.width - (self.title_label.width + 0.4 if beside else 0.0)
        if legend.width > room:
            legend = Legend(self.theme, keys).arrange(DOWN, buff=0.06, aligned_edge=LEFT)
        return self.key_band.place(legend, 1, 0.5)  # type: ignore[return-value]

    def word_keys(self) -> list[tuple[VGroup, str]]:
        """Keys to marks on the words: unknown ones, and those left out."""
        keys = []
        drawn = [bool(self.trace.unknown[step]) for step in self.steps]
        if any(drawn):
            em = self.grid.type.smallest
            card = WordCard(self.theme, "?", "SOURCE", flat("?", em, height=1.25 * em))
            keys.append((card.mark("unknown"), self.say("labels.unknown")))
        if self.places.gap is not None:
            mark = DashedLine([0, -0.15, 0], [0, 0.15, 0], color=self.theme.color("TEXT"),
                              stroke_width=2)
            keys.append((VGroup(mark), self.say("labels.left_out", count=self.places.left_out)))
        return keys

    # Numbers

    def share(self, value: float) -> str:
        """A share for caption and read-out: what is not all never reads as 1, nor as 0."""
        if value < 0.01:
            return format_number(value)
        texts = [f"{value:.{decimals}f}" for decimals in range(3, 8)]
        return next((text for text in texts if not text.startswith("1.")), texts[0])

    def number(
        self, value: float, field: str, *index: int, text: Callable[[float], str] | None = None,
        role: str = "TEXT",
    ) -> NumberLabel:
        """A number of the trace, written and bound."""
        number = NumberLabel(self.theme, value, format=text or fixed(2), role=role)
        self.bind(number, "value", value, AS_IT_IS, field=field, index=index)
        return number

    def read_out(self, *items: tuple[str, NumberLabel]) -> Readout:
        return Readout(self.theme, self.grid.readout, [(*item, "") for item in items])

    # The walk

    def put(
        self, column: int, values: np.ndarray, field: str, rows: Callable[[int], int],
        units: Sequence[int], scale: Scale, label: str = "c",
    ) -> list[Change]:
        """The items of the column before travel on to this one, and take its values.

        The first column's items come from above. # values: [row, unit]
        """
        row = rows(self.steps[column])
        before = self.columns.get(column - 1)
        items = before.copy() if before is not None else self.belt.column(column)
        self.columns[column] = items
        self.add(items)
        x = float(self.belt.xs[column])
        moves = [Change(item, "x", float(item.get_x()), x) for item in items]
        colors = [
            change_to(self, item, "fill", values[row, unit], scale, field=field,
                      index=(row, unit), label=label)
            for item, unit in zip(items, units, strict=True)
        ]
        return [*moves, *colors]

    def put_cell(self, column: int) -> list[Change]:
        """The cell state after this column's word."""
        return self.put(column, self.trace.cell_states, "cell_states", lambda step: step + 1,
                        self.units, self.cells_scale)

    def step_window(self, column: int) -> Animation:
        """The window walks to another word."""
        top = float(self.window.get_top()[1])
        move = self.window.animate.set_x(self.belt.xs[column])
        move.stretch_to_fit_height(top - self.window_foot(column), about_edge=UP)
        return move  # type: ignore[no-any-return]

    def window_foot(self, column: int) -> float:
        return self.places.words_top - self.places.shapes[column].height - 0.06

    @property
    def items(self) -> VGroup:
        return VGroup(*self.columns.values())

    # The cells compared

    @property
    def recalls(self) -> dict[str, tuple[str, Recall]]:
        """Each cell with the field that holds its recall."""
        return {r.cell: (f"recalls[{i}]", r) for i, r in enumerate(self.trace.recalls)}

    @property
    def name(self) -> str:
        return self.trace.name

    @property
    def last(self) -> str:
        return self.trace.tokens[-1]
