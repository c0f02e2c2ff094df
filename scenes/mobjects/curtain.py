"""A curtain before a band: it tells the story and carries no data.

    curtain = Curtain(theme, band)                # gathered at both sides
    self.play(*curtain.draw(closed=True))         # closes; draw(closed=False) opens it again
    self.play(curtain.thin())                     # lets what is behind show through
"""

from __future__ import annotations

import numpy as np
from manim import Animation, MoveToTarget, Rectangle, VGroup, interpolate_color

from scenes.grid import Band
from scenes.theme import Theme

FOLDS = 9  # on each side
GATHERED = 0.16  # manim units that a side takes when the curtain is open
CLOSED = 0.502  # of the band's width: each side passes the middle by a hair
THIN = 0.12  # opacity of a cloth that lets things show through
SHADES = (0.2, 0.34)  # of the line's colour in the ground's


class Curtain(VGroup):
    """Two cloths of upright folds under a rail."""

    is_ground = True

    def __init__(self, theme: Theme, band: Band) -> None:
        super().__init__()
        self.band = band
        color = theme.color("LINE")
        self.rail = Rectangle(
            width=band.width, height=0.05, stroke_width=0.0, fill_opacity=1.0, fill_color=color
        ).move_to([band.center[0], band.top, 0.0])
        self.cloths = VGroup(*[self._cloth(theme, side) for side in (-1, 1)])
        self.add(self.cloths, self.rail)
        self.set_z_index(5)
        for cloth, side in zip(self.cloths, (-1, 1), strict=True):
            _pull(cloth, side, GATHERED)

    def _cloth(self, theme: Theme, side: int) -> VGroup:
        """Half the band, in folds of two shades."""
        band, wide = self.band, self.band.width / 2 / FOLDS
        shades = [interpolate_color(theme.color("PANEL"), theme.color("LINE"), s) for s in SHADES]
        return VGroup(*[
            Rectangle(
                width=1.03 * wide, height=band.height, stroke_width=0.0, fill_opacity=1.0,
                fill_color=shades[k % 2],
            ).move_to([band.center[0] + side * (k + 0.5) * wide, band.center[1], 0.0])
            for k in range(FOLDS)
        ])

    def draw(self, closed: bool) -> list[Animation]:
        """Closes or opens both cloths."""
        moves = []
        for cloth, side in zip(self.cloths, (-1, 1), strict=True):
            cloth.generate_target()
            _pull(cloth.target, side, CLOSED * self.band.width if closed else GATHERED)
            cloth.target.set_fill(opacity=1.0)
            moves.append(MoveToTarget(cloth))
        return moves

    def thin(self) -> Animation:
        """The cloth stays closed, and what is behind it shows through."""
        self.cloths.generate_target()
        self.cloths.target.set_fill(opacity=THIN)
        return MoveToTarget(self.cloths)


def _pull(cloth: VGroup, side: int, width: float) -> None:
    """Stretches a cloth from its outer edge, the rail's end."""
    cloth.stretch(width / cloth.width, 0, about_edge=np.array([float(side), 0.0, 0.0]))
