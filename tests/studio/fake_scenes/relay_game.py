"""A station of three beats that is drawn in a second: for tests of everything but pictures."""

from __future__ import annotations

from manim import Circle, Create, FadeOut, Square

from engine.words import Words
from scenes.base import Station

CAPTIONS = {
    "zh": {
        "question": "谁离得最远，梯度还剩多少？",
        "number": "第 {n} 步：1 < 2 & <b>不是标记</b>",
        "name": "这就叫梯度消失，每往回走一步，就要再乘一次小于一的数。",
    },
    "en": {
        "question": "Who is furthest away, and how much gradient is left?",
        "number": "Step {n}: 1 < 2 & <b>is no markup</b>",
        "name": "This is a vanishing gradient: one more factor below 1 for every step back.",
    },
}


class RelayGame(Station):
    poster = "number"

    def table(self, lang: str) -> Words:
        real = super().table(lang)
        texts = {key: real(key) for key in real.keys()}  # noqa: SIM118
        own = {f"relay_game.captions.{name}": text for name, text in CAPTIONS[lang].items()}
        return Words(lang, texts | own)

    def construct(self) -> None:
        square = Square(0.5 + len(self.trace.tokens) / 10)
        with self.beat("question"):
            self.play(Create(square), run_time=0.4)
        with self.beat("number", n=len(self.trace.tokens)):
            self.play(Create(Circle(1)), run_time=0.4)
        with self.beat("name"):
            self.play(FadeOut(square), run_time=0.4)
