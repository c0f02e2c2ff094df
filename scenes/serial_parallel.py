"""Station 6, serial vs parallel: one state after another, or all words at once.

Two boards fill from measured times, then by what must wait for what. The batch, the bill and
every length follow; at last both boards write, and both have to wait.
"""

from __future__ import annotations

from collections.abc import Sequence

from manim import FadeIn, VGroup, VMobject

from scenes.channels import AS_IT_IS
from scenes.mobjects.number_label import NumberLabel, integer
from scenes.mobjects.text import label
from scenes.serial_parallel_charts import Charts

Entry = tuple[float, str, tuple[int, ...]]  # a value of the trace, its field and its index
LARGE = 1.6  # of the title's size


class SerialParallel(Charts):
    trailer = ("race",)

    def construct(self) -> None:
        self.prepare()
        self.question()
        self.race()
        self.chain()
        self.batch()
        self.bill()
        self.by_length()
        self.clear_stage(self.machine)
        self.writing()
        self.name()

    def name(self) -> None:
        reading, writing, last = self.trace.reading, self.trace.writing, self.trace.words - 1
        cells = [
            [(reading.recurrent_depths[-1], "reading.recurrent_depths", (last + 1,)),
             (writing.recurrent_depths[-1], "writing.recurrent_depths", (last,)), None],
            [(reading.attention_depths[-1], "reading.attention_depths", (3,)),
             (writing.attention_depths[-1], "writing.attention_depths", (last,)),
             (reading.cells, "reading.cells", ())],
        ]
        heads = ("reading_head", "writing_head", "cells_head")
        table = self.summary(heads, (("rnn", "HIDDEN"), ("attention_short", "HIGH")), cells)
        with self.beat("name"):
            self.clear_stage(self.machine)
            for row in table:
                self.play(FadeIn(row), run_time=0.8)

    def summary(
        self, heads: Sequence[str], rows: Sequence[tuple[str, str]],
        cells: Sequence[Sequence[Entry | None]],
    ) -> list[VGroup]:
        """Large numbers under their heads, a row for each kind of reader."""
        bands = self.grid.stage.inset(0.3, 0.1).rows(0.7, 1, 1)
        lines = [VGroup() for _ in bands]
        for column, key in enumerate(heads, 1):
            place = bands[0].columns(1.1, 1, 1, 1)[column]
            text = label(self.theme, self.say(f"labels.{key}", words=self.trace.words), "MUTED",
                         "label", width=place.width, align=0.5)
            lines[0].add(text.move_to(place.center))
        for line, band, (key, role), values in zip(lines[1:], bands[1:], rows, cells, strict=True):
            places = band.columns(1.1, 1, 1, 1)
            name = label(self.theme, self.say(f"labels.{key}"), role, "title", weight=500,
                         width=places[0].width)
            line.add(name.move_to([places[0].left + name.width / 2, band.center[1], 0.0]))
            for place, value in zip(places[1:], values, strict=True):
                line.add(self.entry(value, role).move_to(place.center))
        return lines

    def entry(self, value: Entry | None, role: str) -> VMobject:
        """A large number of the trace; a dash where there is nothing to count."""
        if value is None:
            return label(self.theme, "–", "MUTED", "title")
        number = NumberLabel(self.theme, value[0], format=integer, role=role, size="title")
        self.bind(number, "value", value[0], AS_IT_IS, field=value[1], index=value[2])
        return number.scale(LARGE)  # type: ignore[no-any-return]
