"""Keys to colours: beside the title where there is room, else at the right end of the footer."""

from __future__ import annotations

from collections.abc import Sequence

from manim import DOWN, LEFT, RIGHT, VGroup

from scenes.base import Station
from scenes.mobjects.state_strip import swatch
from scenes.mobjects.text import label, stand_together

SHADES = 5  # of the diverging scale
SIDE = 0.13  # manim units, of one shade
APART = 0.4  # manim units, between a key and what it stands beside


def place_keys(scene: Station, texts: Sequence[str]) -> VGroup:
    """One row of shades of the diverging scale for every text, and the text, at their place."""
    rows = [_key(scene, text) for text in texts]
    grid = scene.grid
    beside = grid.title.width - scene.title_label.width - APART
    stacked = VGroup(*rows).arrange(DOWN, buff=0.08, aligned_edge=LEFT)
    if stacked.width <= beside:
        return grid.title.place(stacked, 1, 0.5)  # type: ignore[return-value]
    line = VGroup(*rows).arrange(RIGHT, buff=APART)
    stand_together(*[row[1] for row in rows])
    if line.width <= grid.footer.width - scene.footer_label.width - APART:
        grid.footer.place(line, 1, 0)
        return line.shift([0.0, scene.footer_label.baseline - rows[0][1].baseline, 0.0])  # type: ignore[no-any-return]
    narrow = [_key(scene, text, beside) for text in texts]
    return grid.title.place(VGroup(*narrow).arrange(DOWN, buff=0.08), 1, 0.5)  # type: ignore[return-value]


def _key(scene: Station, text: str, width: float | None = None) -> VGroup:
    shades = VGroup(*[
        swatch(scene.theme, scene.theme.diverging(k / (SHADES - 1) * 2 - 1, 1.0), SIDE)
        for k in range(SHADES)
    ]).arrange(buff=0.0)
    room = None if width is None else width - shades.width - SIDE
    return VGroup(shades, label(scene.theme, text, "MUTED", "smallest", room)).arrange(
        buff=SIDE
    )
