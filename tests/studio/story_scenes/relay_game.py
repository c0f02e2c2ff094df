"""A station whose second beat alone depends on the sentence."""

from __future__ import annotations

from manim import Circle, Create, FadeOut, Square, Transform

from engine.words import Words
from scenes.base import Station
from scenes.mobjects.text import label

CAPTIONS = {
    "zh": {"question": "问题", "number": "数字", "name": "名字"},
    "en": {"question": "A question", "number": "A number", "name": "A name"},
}


class RelayGame(Station):
    def table(self, lang: str) -> Words:
        real = super().table(lang)
        texts = {key: real(key) for key in real.keys()}  # noqa: SIM118
        own = {f"relay_game.captions.{name}": text for name, text in CAPTIONS[lang].items()}
        return Words(lang, texts | own)

    def construct(self) -> None:
        square = Square(0.5)
        with self.beat("question"):
            self.play(Create(square), run_time=0.4)
        words = label(self.theme, "".join(self.trace.tokens))
        with self.beat("number"):
            self.play(Transform(square, Circle(1)), run_time=0.4)
            self.play(Create(words), run_time=0.4)
            self.play(FadeOut(words), run_time=0.4)
        with self.beat("name"):
            self.play(FadeOut(square), run_time=0.4)
