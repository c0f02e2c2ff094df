"""How a scene ties mobjects to numbers: nothing is bound that the trace does not say."""

from __future__ import annotations

import math
from collections.abc import Iterable

from manim import Animation, Mobject, MoveToTarget

from scenes.channels import AS_IT_IS, Channel, Channels, Scale, write
from scenes.fields import read_field
from scenes.mobjects.number_label import ChangeNumber, NumberLabel

DIMMED = 1 / 3  # opacity of what belongs to an earlier step


class Binding:
    """The part of a Station that binds. `trace` is what every value is checked against."""

    trace: object

    def prepare_binding(self) -> None:
        """Nothing is bound yet."""
        self.channels = Channels()
        self.beat_name = ""
        self.targets: dict[int, MoveToTarget] = {}  # movements asked for since the last play
        self._dimmed: dict[int, float] = {}

    def bind(
        self,
        mobject: Mobject,
        attribute: str,
        value: float,
        scale: Scale,
        *,
        field: str,
        index: tuple[int, ...] = (),
        label: str = "",
    ) -> Mobject:
        """Sets `attribute` to scale(value) and records where the value comes from.

        `field` names the place in the trace, such as "pairs[0].weights"; `index` the entry.
        """
        value = self._checked(value, field, index)
        write(mobject, attribute, scale(value))
        self._record(mobject, attribute, value, scale, field, index, label)
        return mobject

    def bind_animation(
        self,
        mobject: Mobject,
        attribute: str,
        value: float,
        scale: Scale,
        *,
        field: str,
        index: tuple[int, ...] = (),
        label: str = "",
    ) -> Animation:
        """Like `bind`, but the mobject goes there when the returned animation is played.

        Several attributes of one mobject may be asked for before one `play`: they share
        one animation.
        """
        value = self._checked(value, field, index)
        if id(mobject) not in self.targets:
            mobject.generate_target()
            self.targets[id(mobject)] = MoveToTarget(mobject)
        write(mobject.target, attribute, scale(value))
        self._record(mobject, attribute, value, scale, field, index, label)
        return self.targets[id(mobject)]

    def bind_each(
        self,
        mobjects: Iterable[Mobject],
        attribute: str,
        values: Iterable[float],
        scale: Scale,
        *,
        field: str,
        index: tuple[int, ...] = (),
        label: str = "",
    ) -> None:
        """`bind` for a row of mobjects: the i-th one stands for entry (*index, i)."""
        for i, (mobject, value) in enumerate(zip(mobjects, values, strict=True)):
            self.bind(
                mobject, attribute, value, scale, field=field, index=(*index, i), label=label
            )

    def bind_each_animation(
        self,
        mobjects: Iterable[Mobject],
        attribute: str,
        values: Iterable[float],
        scale: Scale,
        *,
        field: str,
        index: tuple[int, ...] = (),
        label: str = "",
    ) -> list[Animation]:
        """`bind_animation` for a row of mobjects."""
        return [
            self.bind_animation(
                mobject, attribute, value, scale, field=field, index=(*index, i), label=label
            )
            for i, (mobject, value) in enumerate(zip(mobjects, values, strict=True))
        ]

    def count_to(
        self,
        number: NumberLabel,
        value: float,
        *,
        field: str,
        index: tuple[int, ...] = (),
        label: str = "",
        log: bool = False,
    ) -> Animation:
        """An animation that counts a number label to a value of the trace, and records it."""
        value = self._checked(value, field, index)
        self._record(number, "value", value, AS_IT_IS, field, index, label)
        return ChangeNumber(number, value, log=log)

    def _checked(self, value: float, field: str, index: tuple[int, ...]) -> float:
        """The value, once it is sure that the trace says so: nothing else may be drawn."""
        told = read_field(self.trace, field, tuple(index))
        if not math.isclose(told, float(value), rel_tol=1e-9, abs_tol=1e-12):
            raise ValueError(f"{field}{list(index)} is {told} in the trace, not {value}")
        return float(value)

    def _record(
        self,
        mobject: Mobject,
        attribute: str,
        value: float,
        scale: Scale,
        field: str,
        index: tuple[int, ...],
        label: str,
    ) -> None:
        entry = tuple(int(i) for i in index)
        channel = Channel(
            self.beat_name, label, field, entry, value, scale.describe(), attribute, scale(value)
        )
        self.channels.bind(mobject, channel)

    def release(self, *mobjects: Mobject) -> None:
        """These mobjects no longer stand for numbers, so they may be dimmed or moved freely."""
        self.channels.release(*mobjects)

    def dim(self, *mobjects: Mobject, opacity: float = DIMMED) -> list[Animation]:
        """Animations that let an earlier step recede; its channels end.

        `opacity` is a share of what each part had: 1 brings it back.
        """
        self.release(*mobjects)
        animations = []
        for mobject in mobjects:
            factor = opacity / self._dimmed.get(id(mobject), 1.0)
            self._dimmed[id(mobject)] = opacity
            animations.append(mobject.animate.fade(1 - factor))
        return animations
