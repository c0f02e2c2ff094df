"""One animation for many bound things at once: every reading goes from what it is to what it means.

    changes = [change_to(scene, bar, "height", c, scale, field="cell_states", index=(t, unit)), …]
    scene.play(Retune(changes))

Fifty MoveToTarget would copy fifty mobjects three times each; this copies none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from manim import Animation, ManimColor, Mobject, VGroup, interpolate_color

from scenes.binding import Binding
from scenes.channels import Reading, Scale, read_back, write


@dataclass(frozen=True)
class Change:
    """An attribute of a mobject on its way from one reading to another."""

    mobject: Mobject
    attribute: str
    start: Reading
    end: Reading

    def write(self, share: float) -> None:
        """Sets the attribute a share of the way; exactly the end at 1."""
        write(self.mobject, self.attribute, self.end if share >= 1 else self._between(share))

    def _between(self, share: float) -> Reading:
        if isinstance(self.start, str) or isinstance(self.end, str):
            return interpolate_color(ManimColor(self.start), ManimColor(self.end), share).to_hex()
        return self.start + (self.end - self.start) * share


def change_to(
    scene: Binding,
    mobject: Mobject,
    attribute: str,
    value: float,
    scale: Scale,
    *,
    field: str,
    index: tuple[int, ...] = (),
    label: str = "",
) -> Change:
    """Binds the attribute to a value of the trace; the change leads there from where it is."""
    start = read_back(mobject, attribute)
    scene.bind(mobject, attribute, value, scale, field=field, index=index, label=label)
    return Change(mobject, attribute, start, scale(value))


class Retune(Animation):
    """All changes together."""

    def __init__(self, changes: Sequence[Change], **kwargs) -> None:  # type: ignore[no-untyped-def]
        self.changes = tuple(changes)
        super().__init__(VGroup(*dict.fromkeys(c.mobject for c in self.changes)), **kwargs)

    def create_starting_mobject(self) -> VGroup:
        """Nothing is interpolated between two states, so none is copied."""
        return self.mobject  # type: ignore[no-any-return]

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        for change in self.changes:
            change.write(share)
