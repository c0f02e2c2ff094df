"""The recital itself: a short sentence, then a long one, through the same strip."""

from __future__ import annotations

import numpy as np
from manim import Animation, FadeIn, FadeOut, LaggedStart, Mobject, VGroup

from engine.traces import Recital
from scenes.base import GUESS_SECONDS
from scenes.channels import AS_IT_IS
from scenes.closed_eyes_recital_stage import (
    LIMIT,
    LONGEST_SAYING,
    SAYING,
    RecitalStage,
)
from scenes.mobjects.bust import sound
from scenes.mobjects.gauged_word import WordBlock
from scenes.mobjects.number_label import NumberLabel, fixed, integer
from scenes.mobjects.text import Label, label
from scenes.trust import trust_badge, trust_items

CLOSE, TRAVEL = 1.0, 1.4  # seconds


class Told(RecitalStage):
    """Beats from the question to the long recital."""

    def question(self) -> None:
        self.source = self.heard("short")
        mark = self.question_mark()
        self.badge = trust_badge(self, self.trace.short.trust)
        levels = {self.trace.short.trust, self.trace.long.trust}
        with self.beat("question", variant="unknown" if "unknown" in levels else "",
                       guess=GUESS_SECONDS, numbers=self.units):
            self.play(FadeIn(self.grounds[0], self.curtain, self.listener, self.names[0]),
                      FadeIn(self.source), FadeIn(self.badge), *self.trusted("short"))
            self.play(FadeIn(self.grounds[1], self.speaker, self.names[1]))
            self.play(FadeIn(self.parcel), FadeIn(mark))
        self.mark = mark

    def trusted(self, name: str) -> list[Animation]:
        """How far the translator that judges is to be trusted on this sentence."""
        evidence = getattr(self.trace, name).evidence
        return self.notes.change(*trust_items(self, evidence, f"{name}.evidence"))

    def question_mark(self) -> Label:
        """What will be said?"""
        mark = label(self.theme, "?", "TARGET", "title", weight=600)
        return mark.centre_on(self.hall.right.center)

    # The short sentence

    def listen(self) -> None:
        trace = self.trace
        drawn = self.notes.scale_key(LIMIT, self.say("labels.units", units=self.units))
        with self.beat("listen", words=len(trace.short.source), numbers=self.units):
            arcs = self.listening()
            self.play(FadeIn(arcs), run_time=0.4)
            self.read(self.source)
            self.play(FadeOut(arcs), self.fill_strip("short"),
                      *self.notes.change(self.size("short"), *drawn))

    def listening(self) -> VGroup:
        """Sound that comes to the listener."""
        head = self.listener.head
        return sound(self.theme, head.get_right() + np.array([0.02, 0.0, 0.0]), 0.24)

    def size(self, name: str) -> VGroup:
        """So many words, and the size of the vector."""
        recital: Recital = getattr(self.trace, name)
        words, units = (
            NumberLabel(self.theme, value, format=integer, role=role)
            for value, role in ((len(recital.source), "SOURCE"), (len(recital.context), "VALUE"))
        )
        self.bind(words, "value", len(recital.source), AS_IT_IS, field=f"{name}.kept.size")
        self.bind(units, "value", len(recital.context), AS_IT_IS, field=f"{name}.context.size")
        return self.notes.figure(words, self.say("labels.words_to"), units,
                                 self.say("labels.numbers_unit"))

    def hand(self) -> None:
        with self.beat("hand_over"):
            self.play(*self.curtain.draw(closed=True), run_time=CLOSE)
            self.play(self.hand_over(1), run_time=TRAVEL)

    def recite(self) -> None:
        recital = self.trace.short
        variant = "" if recital.correct.all() else "part"
        with self.beat("recite", variant=variant, **self.score_values(recital)):
            self.play(FadeOut(self.mark), run_time=0.3)
            self.say_and_judge("short")

    def score_values(self, recital: Recital) -> dict[str, object]:
        """Numbers that a caption on a recital may use."""
        return {
            "right": int(recital.correct.sum()), "said": len(recital.output),
            "reference": len(recital.reference), "words": len(recital.source),
            "share": recital.share_correct, **sureness(recital),
        }

    def say_and_judge(self, name: str) -> None:
        """Word after word, then the reference, then what is right."""
        recital: Recital = getattr(self.trace, name)
        self.spoken, self.reference_label = self.said(name), self.reference(recital)
        self.figures = self.said_numbers(self.spoken, name)
        self.speak(self.spoken, self.figures)
        self.play(FadeIn(self.reference_label))
        self.judge(self.spoken, recital.correct)
        share = self.share(name, "share_correct")
        self.play(*self.notes.change(
            self.notes.gauge_key("labels.gauge", "TARGET"), *self.notes.verdict_keys(), share
        ))

    def speak(self, block: WordBlock, numbers: VGroup | None = None) -> None:
        """The words come one after another."""
        moves = [FadeIn(word, shift=np.array([0.0, -0.15, 0.0])) for word in block]
        seconds = min(SAYING * len(moves) + 0.6, LONGEST_SAYING)
        if moves:
            self.play(LaggedStart(*moves, lag_ratio=0.6, run_time=seconds))
        if numbers:
            self.play(FadeIn(numbers), run_time=0.5)

    def judge(self, block: WordBlock, correct: np.ndarray) -> None:
        """Ticks and crosses."""
        marks = [FadeIn(word.judge(bool(right)))
                 for word, right in zip(block, correct[: len(block)], strict=True)]
        if marks:
            self.play(LaggedStart(*marks, lag_ratio=0.2, run_time=min(0.3 * len(marks) + 0.4, 2.4)))

    def share(self, name: str, field: str) -> VGroup:
        """The share of words recited right."""
        value = getattr(getattr(self.trace, name), field)
        number = NumberLabel(self.theme, value, format=fixed(2))
        self.bind(number, "value", value, AS_IT_IS, field=f"{name}.{field}")
        return self.notes.figure(self.say("labels.share"), number)

    # The long one

    def listen_long(self) -> None:
        recital = self.trace.long
        longer = len(recital.source) > len(self.trace.short.source)
        with self.beat("listen_long", variant="" if longer else "other",
                       words=len(recital.source), numbers=len(recital.context)):
            self.wipe(self.spoken, self.figures, self.reference_label)
            self.play(FadeIn(self.mark), run_time=0.3)
            self.play(*self.empty_strip(), run_time=0.5)
            self.play(*self.curtain.draw(closed=False), self.hand_over(0), run_time=1.2)
            self.exchange_sentence()
            self.read(self.source)
            self.play(self.fill_strip("long"),
                      *self.notes.change(self.size("short"), self.size("long")))

    def wipe(self, *mobjects: Mobject) -> None:
        """These and the read-out leave the stage."""
        self.release(*mobjects)
        self.play(*[FadeOut(m) for m in mobjects if len(m.get_family()) > 1 or len(m.points)],
                  *self.notes.change(), run_time=0.5)

    def exchange_sentence(self) -> None:
        old, self.source = self.source, self.heard("long")
        before, self.badge = self.badge, trust_badge(self, self.trace.long.trust)
        self.play(FadeOut(old, before), run_time=0.4)
        self.play(FadeIn(self.source), FadeIn(self.badge), *self.trusted("long"), run_time=0.6)

    def recite_long(self) -> None:
        trace = self.trace
        with self.beat("recite_long", variant=long_story(trace.short, trace.long),
                       **self.score_values(trace.long)):
            self.play(*self.curtain.draw(closed=True), run_time=CLOSE)
            self.play(self.hand_over(1), run_time=TRAVEL)
            self.play(FadeOut(self.mark), run_time=0.3)
            self.say_and_judge("long")


def long_story(short: Recital, long: Recital) -> str:
    """How the second recital went beside the first."""
    if long.share_correct == 1:
        return "all"
    if long.share_correct >= short.share_correct:
        return "same"
    return "unsure" if long.correct.any() and wavers(long) else ""


def sureness(recital: Recital) -> dict[str, float]:
    """Mean p of the words that are right, and of those that are wrong."""
    p, correct = recital.probabilities, recital.correct
    return {name: float(p[which].mean()) if which.any() else 0.0
            for name, which in (("p_right", correct), ("p_wrong", ~correct))}


def wavers(recital: Recital) -> bool:
    """Whether it was less sure of the words that it got wrong."""
    sure = sureness(recital)
    return 0 < sure["p_wrong"] < sure["p_right"]
