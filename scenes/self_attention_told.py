"""The first act of self-attention: whom does the pronoun mean, and how does it find out?"""

from __future__ import annotations

import numpy as np
from manim import (
    DOWN,
    Animation,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    Mobject,
    VGroup,
)

from engine.errors import InputError
from scenes.base import GUESS_SECONDS, Station
from scenes.grid import Band
from scenes.mobjects.alignment_grid import AlignmentGrid
from scenes.mobjects.number_label import fixed
from scenes.mobjects.text import Label, label
from scenes.mobjects.word_card import TIGHT, Reshape, WordCard, flat
from scenes.readout_band import ReadoutBand
from scenes.self_attention_row import FEW, SentenceRow
from scenes.trust import at_least, trust_badge

NARROW = 6.0  # manim units: a narrower stage has no room for a sentence and its arcs
ARCS = 0.42  # share of the stage without the cards that lies over them
LOWEST = 0.95  # em, from one row word to the next
MOST_LANES = 2  # of row words; with more only the pronoun's word is set
CLEAR = 2.0  # weights this many times those before training count as learned
ANSWER = 0.55  # manim units, the row in which the answer stands
LARGE = 0.5  # α from which on one speaks of most of the weight


class ToldSentence:
    """The beats from the question to the untrained twin. `row` is the sentence."""

    def __init__(self, scene: Station) -> None:
        if scene.grid.stage.width < NARROW:
            raise InputError("station.frame", station=scene.station, frames="16:9, 4:3")
        self.scene, self.theme = scene, scene.theme
        self.look, self.field = scene.trace.told, "told"
        self.readout = ReadoutBand(scene)
        stage = scene.grid.stage
        longest = max(flat(w, scene.grid.type.smallest, TIGHT).width for w in self.look.tokens)
        gutter = min(longest + 0.3, 0.2 * stage.width)
        columns = Band(stage.left + gutter, stage.right - gutter, stage.bottom, stage.top)
        size = "title" if len(self.look.tokens) <= FEW else "label"
        probe = SentenceRow(scene, self.field, columns, 0.0, size)
        # Upright cards are high: arcs and what hangs under the cards share what they leave.
        self.rise = ARCS * (stage.height - 2 * probe.half)
        at = stage.top - self.rise - probe.half
        self.row = SentenceRow(scene, self.field, columns, at, size)
        low = self.row.y - self.row.half - 0.12
        self.under = Band(columns.left, columns.right, stage.bottom, low)
        self.badge = trust_badge(scene, self.look.trust)

    @property
    def words(self) -> dict[str, str]:
        """The pronoun and the word that it looks at most, as captions name them."""
        look = self.look
        return {"pronoun": look.tokens[look.pronoun], "word": look.tokens[look.attended],
                "meant": look.tokens[look.antecedent]}

    # Beats

    def question(self) -> None:
        """The sentence lies there; whom does the pronoun mean?"""
        scene, row = self.scene, self.row
        mark = label(self.theme, "?", "QUERY", "title")
        mark.next_to(row.asking, DOWN, buff=0.25)
        self.guides = row.guides(0.9 * self.rise)
        # The sentence lies in the middle first, and rises when the grid needs room.
        self.lower = np.array([0.0, scene.grid.stage.center[1] - row.y - 0.3, 0.0])
        for mobject in (*row.cards, self.guides, mark):
            mobject.shift(self.lower)
        with scene.beat("question", guess=GUESS_SECONDS, pronoun=self.words["pronoun"],
                        count=len(self.look.tokens)):
            scene.play(LaggedStart(*row.laid(), lag_ratio=0.2), run_time=1.4)
            scene.play(FadeIn(mark), Create(self.guides), run_time=1.0)
        self.mark = mark

    def ask(self) -> None:
        """Every word asks every word, all at once: a row for each, a dot for each weight."""
        scene = self.scene
        self.grid = self._grid()
        self.askers: dict[int, WordCard] = {}
        marks = [self._mark(i, j) for i, j in self.grid.seen(self.look.weights)]
        with scene.beat("ask", count=len(self.look.tokens), squared=len(self.look.tokens) ** 2):
            scene.play(FadeOut(self.guides), FadeOut(self.mark), run_time=0.4)
            scene.play(*[card.animate.shift(-self.lower) for card in self.row.cards],
                       run_time=0.8)
            scene.play(*self._asking(), FadeIn(self.grid.lines), run_time=1.2)
            scene.play(*[FadeIn(mark, scale=0.3) for mark in marks], run_time=0.8)
            self.readout.show(*self._keys())
        self.marks = VGroup(*marks)

    def beam(self) -> None:
        """One row of it: the pronoun's weights as arcs, and as bars under the words."""
        scene, look = self.scene, self.look
        variant = "" if look.attended == look.antecedent else "elsewhere"
        weight = float(look.weights[look.pronoun, look.attended])
        if not variant and weight < LARGE:
            variant = "weak"
        self.bars, self.numbers = self.row.bars(self._bar_room())
        self.arcs = self.row.sights(self.rise - 0.1)
        with scene.beat("beam", variant=variant, **self.words, weight=f"{weight:.2f}"):
            gone = [self.grid.lines, self.marks, *self.askers.values()]
            scene.release(*gone)
            scene.play(*map(FadeOut, gone), *self.readout.change(), run_time=0.7)
            scene.play(FadeIn(self.bars), FadeIn(self.numbers), run_time=0.8)
            scene.play(LaggedStart(*map(Create, self.arcs), lag_ratio=0.1), run_time=1.2)
            self._show_sum()

    def answer(self) -> None:
        """What comes back along the arc is the answer; how far may it be trusted?"""
        scene, look = self.scene, self.look
        unsure = look.trust == "unknown"
        self.said = self._said()
        values = {"answer": look.answer, "p": at_least(look.probability),
                  "pronoun": self.words["pronoun"], "word": self.words["word"],
                  "agreeing": look.agreeing, "seeds": len(scene.trace.seeds)}
        with scene.beat("answer", variant="unsure" if unsure else "", **values):
            scene.play(self.said[2], FadeIn(self.said[0]), run_time=1.2)
            scene.play(FadeIn(self.badge), *self.readout.change(*self._checks()), run_time=0.6)

    def untrained(self) -> None:
        """The same network before training, under the same words and on the same scale."""
        scene, look = self.scene, self.look
        entry = (look.pronoun, look.antecedent)
        after, before = (float(w[entry]) for w in (look.weights, look.untrained_weights))
        below = self.row.sights(-min(self.rise - 0.1, self.under.height - 0.1),
                                "untrained_weights")
        names = self._sides()
        with scene.beat("untrained", variant="" if after > CLEAR * before else "alike",
                        **self.words, after=f"{after:.2f}", before=f"{before:.2f}"):
            gone = [self.bars, self.numbers, *self.said[:2]]
            scene.release(*gone)
            scene.play(*map(FadeOut, gone), *self.readout.change(), run_time=0.7)
            scene.play(LaggedStart(*map(Create, below), lag_ratio=0.1), FadeIn(names),
                       run_time=1.4)
            self.readout.show(*[
                self.readout.number(f"alpha_{key}", value, f"{self.field}.{field}", entry,
                                    fixed(2), pronoun=self.words["pronoun"],
                                    word=self.words["meant"])
                for key, field, value in (("trained", "weights", after),
                                          ("untrained", "untrained_weights", before))
            ])

    # The grid

    def _rows(self) -> Band:
        return self.under

    def _grid(self) -> AlignmentGrid:
        band, count = self._rows(), len(self.look.tokens)
        step = min(0.62, band.height / count)
        ys = [band.top - (i + 0.5) * step for i in range(count)]
        return AlignmentGrid(self.theme, self.row.xs, ys, band.top + 0.06)

    def _asking(self) -> list[Animation]:
        """Copies of the words go to the left of their rows, in two lanes where rows are low."""
        sizes, ys = self.scene.grid.type, self.grid.ys
        step = self.grid.steps[1]
        em = float(np.clip(0.66 * step, sizes.smallest, sizes.label))
        lanes = max(1, int(np.ceil(LOWEST * em / step - 1e-6)))
        height = min(1.45 * em, 0.96 * step * lanes)
        shaped = {i: flat(word, em, TIGHT, height) for i, word in enumerate(self.look.tokens)}
        widest = max(shape.width for shape in shaped.values()) + 0.06
        edge = self.grid.lines.get_left()[0] - 0.08
        if lanes > MOST_LANES or lanes * widest > edge - self.scene.grid.stage.left:
            shaped = {self.look.pronoun: shaped[self.look.pronoun]}
        moves: list[Animation] = []
        for i, shape in shaped.items():
            lane = i % lanes if len(shaped) > 1 else 0
            at = np.array([edge - lane * widest - shape.width / 2, ys[i], 0.0])
            self.askers[i] = self.row.cards[i].copy()
            moves.append(Reshape(self.askers[i], shape, at))
        return moves

    def _mark(self, i: int, j: int) -> Mobject:
        grid = self.grid
        return self.scene.bind(
            grid.mark(i, j), grid.attribute, self.look.weights[i, j], grid.scale_to,
            field=f"{self.field}.weights", index=(i, j), label="α",
        )

    # The read-out band

    def _keys(self) -> list[Mobject]:
        """What a dot says; words that the model does not know."""
        key = self.readout.note("dot_key" if self.grid.dotted else "cell_key")
        unknown = [w for w, new in zip(self.look.tokens, self.look.unknown, strict=True) if new]
        if not unknown:
            return [key]
        return [key, self.readout.note("unknown", words=" ".join(unknown))]

    def _show_sum(self) -> None:
        i = self.look.pronoun
        total = float(self.look.weights[i].sum())
        self.readout.show(
            self.readout.number("sum", total, f"sum({self.field}.weights)", (i,), fixed(3)),
            self.readout.note("width_key"),
        )

    def _checks(self) -> list[Mobject]:
        """p, what hiding the word costs, and how many seeds say the same."""
        look, readout = self.look, self.readout
        least = float(look.seed_probabilities.min())
        cost = float(look.leave_one_out[look.attended])
        return [
            readout.number("least", least, f"min({self.field}.seed_probabilities)", (),
                           at_least),
            readout.number("cost", cost, f"{self.field}.leave_one_out", (look.attended,),
                           fixed(1), word=self.words["word"]),
            readout.note("agreeing", "TEXT", agreeing=look.agreeing,
                         seeds=len(self.scene.trace.seeds)),
        ]

    # Places under the cards

    def _bar_room(self) -> Band:
        under = self.under
        return Band(under.left, under.right, under.bottom + ANSWER, under.top - 0.05)

    def _said(self) -> tuple[Label, WordCard, Animation]:
        """他 = 小明, under the pronoun: the word comes from where it stands in the sentence."""
        look, sizes, stage = self.look, self.scene.grid.type, self.scene.grid.stage
        shape = flat(look.answer, sizes.body)
        sign = label(self.theme, f"{self.words['pronoun']} =", "QUERY", "body")
        width = sign.width + 0.15 + shape.width
        x = float(np.clip(self.row.xs[look.pronoun], stage.left + width / 2,
                          stage.right - width / 2))
        at = np.array([x + width / 2 - shape.width / 2, self.under.bottom + 0.22, 0.0])
        sign.centre_on(np.array([x - width / 2 + sign.width / 2, at[1], 0.0]))
        if look.answer != look.tokens[look.attended]:
            card = WordCard(self.theme, look.answer, "WRONG", shape).seat(at)
            return sign, card, FadeIn(card)
        card = self.row.cards[look.attended].copy().unmark()
        return sign, card, Reshape(card, shape, at)

    def _sides(self) -> VGroup:
        """Which arcs are whose, at the left edge of the stage."""
        stage = self.scene.grid.stage
        places = (("trained", self.row.y + 0.55 * self.rise),
                  ("untrained", self.row.y - 0.55 * self.under.height))
        names, free = VGroup(), self.row.xs[0] - self.row.half - stage.left
        for key, y in places:
            text = self.scene.say(f"labels.{key}")
            name = label(self.theme, text, "TEXT", "body")
            if name.width > free:
                name = label(self.theme, text, "TEXT", "smallest")
            name.centre_on(np.array([0.0, y, 0.0]))
            names.add(name.shift([stage.left - name.get_left()[0], 0.0, 0.0]))
        return names
