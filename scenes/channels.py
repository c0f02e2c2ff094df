"""Channels: the one place that says which number drives which attribute of which mobject.

A channel is (trace field, index) → value → scale → attribute. `bind` sets the attribute and
records the channel, so that the legend, the file beside the clip and the tests read the same
fact. Reading back looks at the mobject's points and styles, never at a remembered value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
from manim import DOWN, LEFT, ManimColor, Mobject, VMobject

from scenes.theme import Theme

Reading = float | str  # a length, opacity or angle; or a colour as #RRGGBB


class Scale(Protocol):
    """From a computed value to what an attribute is set to."""

    def __call__(self, value: float) -> Reading: ...

    def describe(self) -> str: ...


@dataclass(frozen=True)
class Linear:
    """[low, high] of the value to [start, end] of the attribute; not clamped."""

    low: float
    high: float
    start: float = 0.0
    end: float = 1.0

    def __call__(self, value: float) -> float:
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low)

    def describe(self) -> str:
        return f"linear [{self.low:g}, {self.high:g}] -> [{self.start:g}, {self.end:g}]"


@dataclass(frozen=True)
class Log10:
    """log₁₀ of the value, [low, high] in powers of ten to [start, end]; clamped at the ends."""

    low: float
    high: float
    start: float = 0.0
    end: float = 1.0

    def __call__(self, value: float) -> float:
        log = np.log10(value) if value > 0 else self.low
        share = (float(np.clip(log, self.low, self.high)) - self.low) / (self.high - self.low)
        return self.start + (self.end - self.start) * share

    def describe(self) -> str:
        return f"log10 [1e{self.low:g}, 1e{self.high:g}] -> [{self.start:g}, {self.end:g}]"


@dataclass(frozen=True)
class Diverging:
    """A signed value to the blue–orange scale, symmetric about 0; clamped at ± limit."""

    theme: Theme
    limit: float

    def __call__(self, value: float) -> str:
        return self.theme.diverging(value, self.limit).to_hex()

    def describe(self) -> str:
        return f"diverging [{-self.limit:g}, {self.limit:g}] ({self.theme.name})"


@dataclass(frozen=True)
class Sequential:
    """A magnitude to the sequential scale; clamped at 0 and limit."""

    theme: Theme
    limit: float = 1.0

    def __call__(self, value: float) -> str:
        return self.theme.sequential(value, self.limit).to_hex()

    def describe(self) -> str:
        return f"sequential [0, {self.limit:g}] ({self.theme.name})"


@dataclass(frozen=True)
class Identity:
    """The value as it is: an opacity that is a probability, a number that is written."""

    def __call__(self, value: float) -> float:
        return value

    def describe(self) -> str:
        return "as it is"


AS_IT_IS = Identity()


@dataclass(frozen=True)
class Channel:
    """One bound attribute, as the file beside the clip records it."""

    beat: str
    label: str
    field: str
    index: tuple[int, ...]
    value: float
    scale: str
    attribute: str
    expected: Reading

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class Binding:
    """A channel together with the mobject that shows it."""

    channel: Channel
    mobject: Mobject

    def reading(self) -> Reading:
        return read_back(self.mobject, self.channel.attribute)

    def matches(self, tolerance: float = 1e-4) -> bool:
        """Whether the mobject shows the recorded value now."""
        return same(self.reading(), self.channel.expected, tolerance)


def same(one: Reading, other: Reading, tolerance: float = 1e-4) -> bool:
    """Equal numbers within a tolerance, or equal colours within a step of 1/255."""
    if isinstance(one, str) or isinstance(other, str):
        rgb = [np.array(ManimColor(color).to_rgb()) for color in (one, other)]
        return bool(np.abs(rgb[0] - rgb[1]).max() < 1.5 / 255)
    return one == other or bool(abs(one - other) <= tolerance * max(1.0, abs(other)))


def write(mobject: Mobject, attribute: str, reading: Reading) -> Mobject:
    """Sets an attribute; a mobject with a meaning of its own defines `write_channel`."""
    own = getattr(mobject, "write_channel", None)
    if own is not None and own(attribute, reading):
        return mobject
    _known(attribute)[0](mobject, reading)
    return mobject


def read_back(mobject: Mobject, attribute: str) -> Reading:
    """What an attribute is now, from points and styles; `read_channel` where defined."""
    own = getattr(mobject, "read_channel", None)
    reading = own(attribute) if own is not None else None
    return reading if reading is not None else _known(attribute)[1](mobject)


def _known(attribute: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    if attribute not in ATTRIBUTES:
        raise KeyError(f"no attribute {attribute!r}; known are {', '.join(ATTRIBUTES)}")
    return ATTRIBUTES[attribute]


def _drawn(mobject: Mobject) -> VMobject:
    """The first member that has points: styles are read from it."""
    return mobject.family_members_with_points()[0]  # type: ignore[no-any-return]


def _opacity(mobject: Mobject) -> float:
    drawn = _drawn(mobject)
    stroke = drawn.get_stroke_opacity() if drawn.get_stroke_width() > 0 else 0.0
    return float(max(drawn.get_fill_opacity(), stroke))


def _set_length(mobject: Mobject, length: float, dim: int, edge: np.ndarray) -> None:
    """Stretches from an edge. A length of 0 becomes a hair, so that it can grow again."""
    now = mobject.length_over_dim(dim)
    mobject.stretch(max(length, 1e-6) / max(now, 1e-9), dim, about_edge=edge)


def _set_radius(mobject: Mobject, radius: float) -> None:
    mobject.scale(max(radius, 1e-6) / max(mobject.width / 2, 1e-9))


ATTRIBUTES: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "stroke_width": (
        lambda m, v: m.set_stroke(width=v),
        lambda m: float(_drawn(m).get_stroke_width()),
    ),
    "opacity": (lambda m, v: m.set_opacity(v), _opacity),
    "fill_opacity": (
        lambda m, v: m.set_fill(opacity=v),
        lambda m: float(_drawn(m).get_fill_opacity()),
    ),
    "stroke_opacity": (
        lambda m, v: m.set_stroke(opacity=v),
        lambda m: float(_drawn(m).get_stroke_opacity()),
    ),
    "fill": (
        lambda m, v: m.set_fill(color=v),
        lambda m: _drawn(m).get_fill_color().to_hex(),
    ),
    "stroke": (
        lambda m, v: m.set_stroke(color=v),
        lambda m: _drawn(m).get_stroke_color().to_hex(),
    ),
    "height": (lambda m, v: _set_length(m, v, 1, DOWN), lambda m: float(m.height)),
    "width": (lambda m, v: _set_length(m, v, 0, LEFT), lambda m: float(m.width)),
    "radius": (_set_radius, lambda m: float(m.width) / 2),
    "x": (lambda m, v: m.set_x(v), lambda m: float(m.get_x())),
    "y": (lambda m, v: m.set_y(v), lambda m: float(m.get_y())),
    "angle": (lambda m, v: m.set_angle(v), lambda m: float(m.get_angle())),
}


class Channels:
    """All channels of one scene: what is bound now, and everything that ever was."""

    def __init__(self) -> None:
        self.recorded: list[Channel] = []
        self._bound: dict[tuple[int, str], Binding] = {}

    def bind(self, mobject: Mobject, channel: Channel) -> None:
        """Records a channel; an earlier one of the same mobject and attribute ends."""
        self.recorded.append(channel)
        self._bound[id(mobject), channel.attribute] = Binding(channel, mobject)

    def release(self, *mobjects: Mobject) -> None:
        """These mobjects and their parts no longer stand for numbers."""
        gone = {id(member) for mobject in mobjects for member in mobject.get_family()}
        self._bound = {key: bound for key, bound in self._bound.items() if key[0] not in gone}

    def current(self, on_screen: set[int] | None = None) -> list[Binding]:
        """What is bound now; with ids of mobjects, only what is among them."""
        return [b for b in self._bound.values() if on_screen is None or id(b.mobject) in on_screen]
