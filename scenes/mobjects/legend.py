"""Which channels carry data: a sample beside a few words, so that story and measurement differ."""

from __future__ import annotations

from collections.abc import Sequence

from manim import DOWN, LEFT, RIGHT, Mobject, VGroup

from scenes.mobjects.text import label, stand_together
from scenes.theme import Theme


class Legend(VGroup):
    """Rows (or one line) of sample and text at the smallest size."""

    def __init__(
        self, theme: Theme, entries: Sequence[tuple[Mobject, str]], across: bool = False
    ) -> None:
        super().__init__()
        texts = [label(theme, text, "MUTED", "smallest") for _, text in entries]
        if across:
            stand_together(*texts)
        for (sample, _), text in zip(entries, texts, strict=True):
            self.add(VGroup(sample, text.next_to(sample, RIGHT, buff=0.14)))
        if across:
            self.arrange(RIGHT, buff=0.5)
            stand_together(*[entry[1] for entry in self])
        else:
            self.arrange(DOWN, buff=0.14, aligned_edge=LEFT)
