"""The standing picture of the recital: two figures, a curtain, and one strip between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, FadeIn, FadeOut, LaggedStart, RoundedRectangle, VGroup

from engine.traces import Recital
from scenes.base import Station
from scenes.channels import AS_IT_IS, Linear
from scenes.closed_eyes_recital_layout import (
    HEAD,
    PADDING,
    Hall,
    heard_size,
    make_hall,
    numbered,
    reference_lines,
    said_size,
)
from scenes.closed_eyes_recital_readout import Notes
from scenes.grid import Band
from scenes.mobjects.bust import Bust
from scenes.mobjects.curtain import Curtain
from scenes.mobjects.gauged_word import GaugedWord, WordBlock
from scenes.mobjects.number_label import NumberLabel, fixed, integer
from scenes.mobjects.panel import Panel
from scenes.mobjects.state_strip import StateStrip
from scenes.mobjects.text import WEIGHTS, Label, label, text_width
from scenes.mobjects.walk import Walk

PER_ROW = 32  # units of the context in one row of its strip
STRIP, STRIP_HEIGHT = 2.9, 0.42  # manim units
CLOSING = ",.;:!?)’”'"  # signs that stand close behind a word
ROLES = ("listens", "recites")
LIMIT = 1.0  # the context is a tanh
FAINTEST = 0.45  # ink of a word said with p = 0: pale, but legible
INK = Linear(0.0, 1.0, FAINTEST, 1.0)
READING, LONGEST_READING = 0.34, 5.0  # seconds per word read each way; at most for all
SAYING, LONGEST_SAYING = 0.55, 7.0  # the same for reciting


class RecitalStage(Station):
    """Builds the parts; the beats are in the classes that follow."""

    def prepare(self) -> None:
        """Places and parts that stay through the clip."""
        trace, theme = self.trace, self.theme
        self.hall: Hall = make_hall(self.grid, [
            (each, self.reference_text(each)) for each in (trace.short, trace.long)])
        self.notes = Notes(self)
        self.grounds = VGroup(*[Panel.under(theme, b) for b in (self.hall.left, self.hall.right)])
        self.curtain = Curtain(theme, self.hall.left)
        self.listener, self.speaker = self._figures()
        self.parcel = self._parcel()
        self.strip: StateStrip = self.parcel[0]
        self.names = VGroup(*[self._figure_name(side) for side in (0, 1)])

    def _footer(self) -> Label:
        """The models by direction: their full names stand in the file beside the clip."""
        models = self.trace.provenance.models
        named: dict[str, list[str]] = {}
        for model in models:
            kind, _, rest = model.name.partition("_")
            direction, _, rest = rest.partition("_")
            named.setdefault(direction, []).append(kind if kind == "probe" else rest or kind)
        groups = [
            self.say("labels.models", direction=direction, names=", ".join(names))
            if direction else ", ".join(names) for direction, names in named.items()
        ]
        if all(model.trained for model in models):
            groups[-1] += self.say("labels.all_trained")
        parts = [*groups, self.say("seed", seed=self.trace.provenance.seed), self.say("quantity")]
        band, em = self.grid.footer, self.grid.type.smallest
        while len(parts) > 1 and text_width(" · ".join(parts)) * em > band.width:
            parts.pop()  # the least of them first
        text = label(self.theme, " · ".join(parts), "MUTED", "smallest")
        return band.place(text, 0, 0)  # type: ignore[return-value]

    # Figures

    def _figures(self) -> tuple[Bust, Bust]:
        hall = self.hall
        height = 0.94 * hall.left_head.height
        listener, speaker = Bust(self.theme, height), Bust(self.theme, height, "shut", True)
        return hall.left_head.place(listener, 0, 0), hall.right_head.place(speaker, 1, 0)  # type: ignore[return-value]

    def _figure_name(self, side: int) -> Label:
        """A name above the strip's place; on low heads at the other end."""
        head = (self.hall.left_head, self.hall.right_head)[side]
        name = label(self.theme, self.say(f"labels.{ROLES[side]}"), "MUTED")
        if head.height < HEAD:
            way = 1 - 2 * side
            x = self.strip_place(side)[0] + way * (self.strip_width / 2 + 0.2 + name.width / 2)
            return name.centre_on(np.array([x, self.strip_place(side)[1], 0.0]))
        x = self.strip_place(side)[0] + (0.5 - side) * (name.width - self.strip_width - 0.08)
        return name.centre_on(np.array([x, head.top - 0.5 * name.em, 0.0]))

    # The strip

    @property
    def units(self) -> int:
        """Size of the context."""
        return len(self.trace.short.context)

    @property
    def strip_width(self) -> float:
        """The strip's width, the same for every sentence."""
        head = self.hall.left_head
        share = 0.6 if head.height < HEAD else 0.9  # on low heads a name stands beside it
        return min(STRIP, share * (head.width - 1.2 * head.height))

    def _parcel(self) -> VGroup:
        """The strip, and under it how many numbers it has: they travel together."""
        low = self.hall.left_head.height < HEAD
        strip = StateStrip(self.theme, self.units, self.strip_width, LIMIT, "VALUE",
                           -(-self.units // PER_ROW), 0.28 if low else STRIP_HEIGHT)
        count = NumberLabel(self.theme, self.units, role="VALUE", size="label", format=integer,
                            suffix=self.say("labels.numbers"), weight=WEIGHTS["label"])
        count.next_to(strip, np.array([0.0, -1.0, 0.0]), buff=0.06 if low else 0.1)
        self.bind(count, "value", self.units, AS_IT_IS, field="short.context.size")
        parcel = VGroup(strip, count)
        return parcel.shift(self.strip_place(0) - strip.get_center())

    def strip_place(self, side: int) -> np.ndarray:
        """The strip's centre: with the listener (0) or in the speaker's hand (1)."""
        head = (self.hall.left_head, self.hall.right_head)[side]
        away = self.listener.width + 0.16 + self.strip_width / 2
        x = head.right - away if side else head.left + away
        lift = 0.13 if head.height < HEAD else 0.04
        return np.array([x, head.center[1] + lift, 0.0])

    def hand_over(self, side: int) -> Animation:
        """The strip goes to the other figure."""
        return self.parcel.animate.shift(self.strip_place(side) - self.strip.get_center())

    def fill_strip(self, name: str, run_time: float = 1.2) -> Animation:
        """The context of a sentence comes into the cells, unit by unit."""
        context = getattr(self.trace, name).context
        moves = self.bind_each_animation(self.strip.cells, "fill", context, self.strip.scale_to,
                                         field=f"{name}.context", label="c")
        return LaggedStart(*moves, lag_ratio=0.03, run_time=run_time)

    def empty_strip(self) -> list[Animation]:
        """The cells hold nothing again."""
        self.release(self.strip)
        return [cell.animate.set_fill(self.theme.ZERO) for cell in self.strip.cells]

    # Words heard

    def heard(self, name: str) -> WordBlock:
        """The source sentence in the left panel."""
        recital: Recital = getattr(self.trace, name)
        block = WordBlock(self.theme, recital.source, "SOURCE",
                          heard_size(self.grid, self.hall, recital))
        block.seat(self.hall.source)
        for word in block:
            word.remove(word.track, word.gauge)
        self.let_overlap(block, self.curtain)
        return block

    def read(self, block: WordBlock) -> None:
        """A frame goes from word to word, there and back: both directions are read."""
        seconds = min(2 * READING * len(block), LONGEST_READING)
        frames = [self._frame(word) for word in [*block, *list(block)[-2::-1]]]
        cursor = frames[0].copy()
        self.play(FadeIn(cursor), run_time=0.3)
        self.play(Walk(cursor, frames[1:] or frames), run_time=seconds)
        self.play(FadeOut(cursor), run_time=0.3)

    def _frame(self, word: GaugedWord) -> RoundedRectangle:
        chip = word.token.chip
        edge = RoundedRectangle(width=chip.width + 0.06, height=chip.height + 0.06,
                                corner_radius=0.28 * word.token.em)
        return edge.set_stroke(self.theme.color("TEXT"), 2.5).set_fill(opacity=0).move_to(chip)

    # Words said

    def reference_text(self, recital: Recital) -> str:
        """What the words are judged by."""
        key = "reference" if recital.reference_given else "reference_attended"
        return self.say(f"labels.{key}", words=join(recital.reference))

    def left_out(self, count: int) -> str:
        """A remark on words that had no room."""
        return self.say("labels.left_out", count=count) if count > 0 else ""

    def reference(self, recital: Recital) -> Label:
        """The reference at the foot of the right panel."""
        speech = self.hall.speech
        text = self.reference_text(recital)
        drawn = said_size(self.grid, self.hall, recital, text)[1]
        text += self.left_out(len(recital.output) - drawn)
        lines, em = reference_lines(text, len(recital.reference), self.grid, speech)
        text = Label("\n".join(lines), em, self.theme.color("MUTED"))
        return speech.place(text, 0.5, 0)  # type: ignore[return-value]

    def said(self, name: str) -> WordBlock:
        """The words recited in the right panel, each as sure as it was said."""
        recital: Recital = getattr(self.trace, name)
        em, count = said_size(self.grid, self.hall, recital, self.reference_text(recital))
        words = recital.output[:count]
        block = WordBlock(self.theme, words, "TARGET", em, True, numbered(recital))
        foot = self.reference(recital).get_top()[1] + PADDING
        speech = self.hall.speech
        block.seat(Band(speech.left, speech.right, foot, speech.top))
        self.ink(block, name, "probabilities")
        return block

    def ink(self, block: WordBlock, name: str, field: str) -> None:
        """Binds gauge and ink of every word said to its probability."""
        values = getattr(getattr(self.trace, name), field)[: len(block)]
        for i, (word, p) in enumerate(zip(block, values, strict=True)):
            self.bind(word.gauge, "height", p, word.gauge_scale, field=f"{name}.{field}",
                      index=(i,), label="p")
            self.bind(word.token, "opacity", p, INK, field=f"{name}.{field}", index=(i,),
                      label="p")

    def said_numbers(self, block: WordBlock, name: str) -> VGroup:
        """p under each word, where there are few."""
        numbers = VGroup()
        for i, p in enumerate(getattr(self.trace, name).probabilities if block.numbered else ()):
            number = NumberLabel(self.theme, p, format=fixed(2), size="label")
            word = block[i]
            number.centre_on(word.place - np.array([0.0, 1.3 * word.token.em, 0.0]))
            self.bind(number, "value", p, AS_IT_IS, field=f"{name}.probabilities", index=(i,))
            numbers.add(number)
        return numbers


def join(words: Sequence[str]) -> str:
    """Words as running text: no space beside Han characters."""
    text = words[0] if words else ""
    for word in words[1:]:
        glued = _is_wide(text[-1]) or _is_wide(word[0]) or word[0] in CLOSING
        text += word if glued else f" {word}"
    return text


def _is_wide(sign: str) -> bool:
    return ord(sign) > 0x2E7F
