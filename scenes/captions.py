"""The caption band: what is being said, in one language or two."""

from __future__ import annotations

from manim import VGroup

from scenes.grid import LINE, SMALLEST, Grid
from scenes.mobjects.text import WEIGHTS, Label, wrap
from scenes.theme import Theme


def caption(theme: Theme, grid: Grid, texts: list[str]) -> VGroup:
    """Caption lines, one text per language, at the top of the band; shrunk where they must.

    Raises ValueError where the band cannot take them at the smallest size: a text of ours
    is too long then.
    """
    band, smallest = grid.caption, grid.frame.height * SMALLEST
    em = grid.type.body if len(texts) == 1 else grid.type.label
    while True:
        lines = [wrap(text, band.width / em) for text in texts]
        if sum(map(len, lines)) * em * LINE <= band.height + 1e-6 or em <= smallest:
            break
        em = max(smallest, em * 0.96)
    if sum(map(len, lines)) * em * LINE > band.height + 1e-6:
        raise ValueError(f"the caption does not fit its band: {texts[0][:60]}")
    roles = ["TEXT", "MUTED"]
    labels = [
        Label("\n".join(block), em, theme.color(role), WEIGHTS["body"], 0.5)
        for block, role in zip(lines, roles, strict=False)
    ]
    return _stacked(labels, grid, em)


def _stacked(labels: list[Label], grid: Grid, em: float) -> VGroup:
    """Blocks under each other on an even rhythm, the first baseline always at one height."""
    top = grid.caption.top - em
    for block in labels:
        block.set_x(grid.caption.center[0])
        block.stand_on(top - (len(block.lines) - 1) * LINE * em)
        top -= len(block.lines) * LINE * em
    return VGroup(*labels)
