"""A small station that uses every part of the kit, on numbers made up for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from manim import FadeIn

from engine.traces import Model, Provenance, Trace
from engine.words import Words
from scenes.base import GUESS_SECONDS, Station
from scenes.channels import AS_IT_IS
from scenes.mobjects.number_label import NumberLabel
from scenes.mobjects.token_row import TokenRow

TABLES = {
    "zh": {
        "demo": {
            "title": "示例：工具箱",
            "quantity": "α",
            "captions": {
                "question": "写下一个词之前，先看哪里？",
                "weights": "每个词的深浅就是它的权重，{n} 个权重加起来等于 1。",
            },
            "labels": {"sum": "Σ α ="},
        },
    },
    "en": {
        "demo": {
            "title": "Demo: the kit",
            "quantity": "α",
            "captions": {
                "question": "Before a word is written, where does one look?",
                "weights": "Each word is as strong as its weight; the {n} weights sum to 1.",
            },
            "labels": {"sum": "Σ α ="},
        },
    },
}


@dataclass(frozen=True)
class DemoTrace(Trace):
    station: ClassVar[str] = "demo"

    tokens: tuple[str, ...]
    weights: np.ndarray  # [token]


def demo_trace(tokens: tuple[str, ...] = ("欢迎", "来", "杭州")) -> DemoTrace:
    weights = np.arange(1.0, len(tokens) + 1)
    provenance = Provenance((Model("demo", "", True),), 7, "float64", "cpu", ())
    return DemoTrace(provenance, tokens, weights / weights.sum())


class Demo(Station):
    def table(self, lang: str) -> Words:
        common = {"common": {k: super(Demo, self).table(lang)(f"common.{k}") for k in COMMON}}
        return Words(lang, TABLES[lang] | common)

    def construct(self) -> None:
        self.row = TokenRow(self.theme, self.trace.tokens, width=self.grid.stage.width)
        self.grid.stage.place(self.row)
        with self.beat("question", guess=GUESS_SECONDS):
            self.play(FadeIn(self.row))
        with self.beat("weights", n=len(self.row)):
            self.play(*[
                self.bind_animation(
                    token, "opacity", weight, AS_IT_IS, field="weights", index=(i,), label="α"
                )
                for i, (token, weight) in enumerate(zip(self.row, self.trace.weights, strict=True))
            ])
            prefix = self.say("labels.sum") + " "
            self.number = NumberLabel(self.theme, 0.0, decimals=3, prefix=prefix)
            self.grid.readout.place(self.number)
            self.play(FadeIn(self.number))
            total = float(self.trace.weights.sum())
            self.play(self.count_to(self.number, total, field="sum(weights)"))


COMMON = ("model_trained", "model_untrained", "seed")
