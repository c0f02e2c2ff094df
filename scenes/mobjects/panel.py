"""Quiet grounds and frames that group things and carry no data."""

from __future__ import annotations

from manim import Mobject, RoundedRectangle

from scenes.grid import Band
from scenes.theme import Theme


class Panel(RoundedRectangle):
    """A ground behind a band or a group; texts and marks may stand on it."""

    is_ground = True

    def __init__(self, theme: Theme, width: float, height: float, edge: bool = False) -> None:
        super().__init__(
            width=width,
            height=height,
            corner_radius=min(0.14, width / 4, height / 4),
            fill_color=theme.color("PANEL"),
            fill_opacity=1.0,
            stroke_color=theme.color("GRID"),
            stroke_width=1.5 if edge else 0.0,
        )
        self.set_z_index(-5)

    @classmethod
    def behind(cls, theme: Theme, mobject: Mobject, buff: float = 0.2, edge: bool = False) -> Panel:
        """A panel that surrounds a mobject."""
        panel = cls(theme, mobject.width + 2 * buff, mobject.height + 2 * buff, edge)
        return panel.move_to(mobject)  # type: ignore[no-any-return]

    @classmethod
    def under(cls, theme: Theme, band: Band, edge: bool = False) -> Panel:
        """A panel that fills a band."""
        return cls(theme, band.width, band.height, edge).move_to(band.center)  # type: ignore[no-any-return]
