"""Where the things of the unrolled loop stand, from top to bottom.

    tablet    one set of parameters
    panel     beams to the copies, later the bars of every copy
    copies    one for every word, at its x
    words     under their copies
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import InputError
from scenes.fitting import block, lowered
from scenes.grid import Band, Grid
from scenes.mobjects.word_card import Shape

WIDEST = 1.7  # manim units, between copies
TABLET = 0.36  # shares of the stage's height
PANEL = 0.25
WORDS = 0.2
GAP = 0.12
FILL = 0.68  # of its pitch that a copy takes: arrows need the rest
LEAST_COPY = 0.3  # manim units


@dataclass(frozen=True)
class Places:
    """The stage cut up once, for every beat."""

    xs: tuple[float, ...]  # [time]
    pitch: float
    shapes: tuple[Shape, ...]  # [time]
    words_top: float
    copies: Band
    rows: int  # of cells in a copy
    cell: float  # manim units, side of a cell
    panel: Band
    tablet: Band
    below: Band  # all that is under the tablet


def places(grid: Grid, tokens: Sequence[str], units: int) -> Places:
    """Computed from the grid's bands and the sentence.

    Raises InputError for a frame higher than wide, and where words find no room.
    """
    if grid.frame.width < grid.frame.height:
        raise InputError("station.frame", station="unrolled", frames="16:9, 4:3")
    stage = grid.stage
    pitch = min(WIDEST, stage.width / len(tokens))
    shaped = lowered(tokens, pitch, grid.type.body, grid.type.smallest, WORDS * stage.height)
    words = max(shape.height for shape in shaped)
    tablet = Band(stage.left, stage.right, stage.top - TABLET * stage.height, stage.top)
    low = tablet.bottom - PANEL * stage.height
    panel = Band(stage.left, stage.right, low, tablet.bottom - 0.25 * GAP)
    copies = Band(stage.left, stage.right, stage.bottom + words + GAP, panel.bottom - GAP)
    if copies.height < LEAST_COPY:
        longest = max(tokens, key=len)
        raise InputError("sentence.long_word", word=longest[:40], length=len(longest))
    middle = stage.center[0]
    xs = tuple(middle + (i - (len(tokens) - 1) / 2) * pitch for i in range(len(tokens)))
    rows, cell = block(units, FILL * pitch, copies.height)
    below = Band(stage.left, stage.right, stage.bottom, tablet.bottom - GAP)
    return Places(xs, pitch, tuple(shaped), stage.bottom + words, copies, rows, cell, panel,
                  tablet, below)
