"""The read-out band as one set of things that gives way to the next."""

from __future__ import annotations

from manim import DOWN, RIGHT, Animation, FadeIn, FadeOut, Mobject, VGroup

from scenes.base import Station
from scenes.channels import AS_IT_IS
from scenes.mobjects.number_label import Format, NumberLabel
from scenes.mobjects.text import Label, label, wrap

ACROSS = 0.6  # manim units, between the items of a line


class ReadoutBand:
    """What stands in the band now; a new set takes its place."""

    def __init__(self, scene: Station) -> None:
        self.scene = scene
        self.shown: list[Mobject] = []

    def change(self, *items: Mobject) -> list[Animation]:
        """Animations that let the old set give way; without items the band is cleared."""
        leaving, self.shown = self.shown, list(items)
        self.scene.release(*leaving)
        if items:
            self._arrange(items)
        return [*map(FadeOut, leaving), *map(FadeIn, items)]

    def show(self, *items: Mobject, run_time: float = 0.5) -> None:
        """The same, played."""
        self.scene.play(*self.change(*items), run_time=run_time)

    def _arrange(self, items: tuple[Mobject, ...]) -> None:
        """In lines, as many as the width of the band asks for, on common base lines."""
        band, lines = self.scene.grid.readout, [VGroup()]
        for item in items:
            if len(lines[-1]) and lines[-1].width + ACROSS + item.width > band.width:
                lines.append(VGroup())
            lines[-1].add(item)
            lines[-1].arrange(RIGHT, buff=ACROSS)
        VGroup(*lines).arrange(DOWN, buff=0.12).move_to(band.center)
        for line in lines:
            texts = [m for m in line if isinstance(m, Label | NumberLabel) and _lines(m) == 1]
            for text in texts[1:]:
                text.stand_on(texts[0].baseline)

    # What stands there

    def note(self, key: str, role: str = "MUTED", **values: object) -> Label:
        """A remark from the words, wrapped to the band."""
        em = self.scene.grid.type.label
        text = self.scene.say(f"labels.{key}", **values)
        lines = wrap(text, self.scene.grid.readout.width / em)
        return label(self.scene.theme, "\n".join(lines), role, "label", align=0.5)

    def number(
        self,
        key: str,
        value: float,
        field: str,
        index: tuple[int, ...] = (),
        format: Format | None = None,
        role: str = "TEXT",
        **values: object,
    ) -> NumberLabel:
        """What it is and its value in one piece, bound to the trace."""
        prefix = self.scene.say(f"labels.{key}", **values)
        number = NumberLabel(self.scene.theme, 0.0, role=role, size="label", format=format,
                             prefix=prefix)
        self.scene.bind(number, "value", value, AS_IT_IS, field=field, index=index, label=key)
        return number


def _lines(text: Mobject) -> int:
    return len(getattr(text, "lines", [""]))
