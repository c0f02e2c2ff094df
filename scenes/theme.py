"""Colours by meaning, the same in every clip. Two themes, each checked for contrast by a test.

The hues are Okabe and Ito's colour-blind-safe set, tuned in lightness to each background:
every role can be used for type (contrast ≥ 4.5 : 1). Signed values use one blue–orange scale,
symmetric about 0; magnitudes use one sequential scale. Hue never speaks alone.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from manim import ManimColor, interpolate_color


@dataclass(frozen=True)
class Theme:
    """One look. Every field is a colour as #RRGGBB, named by what it stands for."""

    name: str
    BACKGROUND: str
    PANEL: str  # a quiet surface behind a group of things
    TEXT: str
    MUTED: str  # words of second rank: still ≥ 4.5 : 1
    LINE: str  # frames, axes, arrows that carry no data: ≥ 3 : 1
    GRID: str  # hairlines that may fade into the ground
    SOURCE: str
    TARGET: str
    HIDDEN: str
    CELL: str
    GRADIENT: str
    QUERY: str
    KEY: str
    VALUE: str
    FORGET: str
    INPUT: str
    OUTPUT: str
    CORRECT: str
    WRONG: str
    NEGATIVE: str  # the blue end of the diverging scale
    ZERO: str  # its middle
    POSITIVE: str  # the orange end
    LOW: str  # the sequential scale's 0
    HIGH: str  # its 1

    def color(self, role: str) -> ManimColor:
        """The colour of a role by name, such as "SOURCE"; KeyError for an unknown one."""
        if role not in ROLES:
            raise KeyError(f"no role {role!r}; roles are {', '.join(ROLES)}")
        return ManimColor(getattr(self, role))

    def __deepcopy__(self, memo: dict[int, object]) -> Theme:
        """Itself: it never changes, and mobjects that know it are copied all the time."""
        return self

    def diverging(self, value: float, limit: float) -> ManimColor:
        """Blue at -limit, the ground's grey at 0, orange at +limit; clamped outside."""
        share = float(np.clip(value / limit, -1.0, 1.0))
        end = self.POSITIVE if share >= 0 else self.NEGATIVE
        return interpolate_color(ManimColor(self.ZERO), ManimColor(end), abs(share))

    def sequential(self, value: float, limit: float = 1.0) -> ManimColor:
        """The ground's grey at 0, full at `limit`; clamped outside."""
        share = float(np.clip(value / limit, 0.0, 1.0))
        return interpolate_color(ManimColor(self.LOW), ManimColor(self.HIGH), share)


ROLES = tuple(field.name for field in fields(Theme) if field.name.isupper())
QUIET = ("BACKGROUND", "PANEL", "GRID", "ZERO", "LOW")  # grounds: no contrast asked of them

DARK = Theme(
    name="dark",
    BACKGROUND="#0F141B",
    PANEL="#19212B",
    TEXT="#EEF2F6",
    MUTED="#9FACBA",
    LINE="#7A8999",
    GRID="#2C3743",
    SOURCE="#5CB8F2",
    TARGET="#F2A93B",
    HIDDEN="#2DB58F",
    CELL="#F2E55C",
    GRADIENT="#F7AEDB",
    QUERY="#FF8B5E",
    KEY="#A78BFA",
    VALUE="#7FDDC0",
    FORGET="#FF8B5E",
    INPUT="#8AD4FF",
    OUTPUT="#A78BFA",
    CORRECT="#2DB58F",
    WRONG="#FF7A59",
    NEGATIVE="#4AA8F0",
    ZERO="#232D38",
    POSITIVE="#FF9F2E",
    LOW="#1C2530",
    HIGH="#FFE08A",
)

LIGHT = Theme(
    name="light",
    BACKGROUND="#FBFAF7",
    PANEL="#F0EEE8",
    TEXT="#1B222B",
    MUTED="#5A6573",
    LINE="#7F8A96",
    GRID="#DAD7CF",
    SOURCE="#0067A8",
    TARGET="#9A5B00",
    HIDDEN="#007F63",
    CELL="#4F4400",
    GRADIENT="#86125C",
    QUERY="#C24A00",
    KEY="#5A3BB0",
    VALUE="#1F7A63",
    FORGET="#C24A00",
    INPUT="#0F78B5",
    OUTPUT="#5A3BB0",
    CORRECT="#007F63",
    WRONG="#BF3B0B",
    NEGATIVE="#0B6DB7",
    ZERO="#ECEAE4",
    POSITIVE="#C76A00",
    LOW="#F0EEE8",
    HIGH="#766A00",
)

THEMES = {theme.name: theme for theme in (DARK, LIGHT)}


def luminance(color: str | ManimColor) -> float:
    """Relative luminance as WCAG 2 defines it, 0 for black to 1 for white."""
    rgb = np.array(ManimColor(color).to_rgb())
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: str | ManimColor, other: str | ManimColor) -> float:
    """WCAG 2 contrast ratio, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
