"""Where the conveyor belt's things stand: what is told, above the belt, above its words.

    panel    valves and bars, later curves
    belt     always at this height; a column for every word that is drawn
    words    under their columns: they are the axis of every curve
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import InputError
from scenes.grid import Band, Grid
from scenes.mobjects.belt import ROLLER
from scenes.mobjects.word_card import Shape, shapes

MARGIN = 4.6  # em at the left, for the numbers of an upright axis
RIGHT_MARGIN = 0.6  # em
WIDEST = 2.4  # manim units, between words
NARROWEST = 1.0  # smallest type sizes, between words
BELT = 0.17  # of the stage's height
GAP = 0.14
LEAST_PANEL = 0.35  # of the stage's height; upright words as long as these leave less
CLEAR = 0.26  # between the belt and what is told above it


@dataclass(frozen=True)
class Places:
    """The stage cut up once, for every beat."""

    steps: tuple[int, ...]  # [column] the words that are drawn
    xs: tuple[float, ...]  # [column]
    shapes: tuple[Shape, ...]  # [column]
    words_top: float
    belt: Band
    panel: Band
    margin: Band  # left of the belt, as high as it

    @property
    def gap(self) -> int | None:
        """The column before the words that are left out, if any are."""
        jumps = [k for k in range(len(self.steps) - 1) if self.steps[k + 1] > self.steps[k] + 1]
        return jumps[0] if jumps else None

    @property
    def left_out(self) -> int:
        """How many words are not drawn."""
        return self.steps[-1] + 1 - len(self.steps)

    @property
    def foot(self) -> float:
        """y below the longest word."""
        return self.words_top - max(shape.height for shape in self.shapes)


def places(grid: Grid, tokens: Sequence[str], key_room: float = 0.0) -> Places:
    """Computed from the grid's bands and the sentence; `key_room` is kept free at the top.

    Raises InputError for a frame higher than wide, and where words find no room.
    """
    if grid.frame.width < grid.frame.height:
        raise InputError("station.frame", station="conveyor_belt", frames="16:9, 4:3")
    stage, em = grid.stage, grid.type.smallest
    left, right = stage.left + MARGIN * em, stage.right - RIGHT_MARGIN * em
    most = int((right - left) / (NARROWEST * em))
    steps = chosen_steps(len(tokens), most)
    pitch = min(WIDEST, (right - left) / len(steps))
    middle = (left + right) / 2
    xs = tuple(middle + (k - (len(steps) - 1) / 2) * pitch for k in range(len(steps)))
    drawn = [tokens[step] for step in steps]
    shaped = tuple(shapes(drawn, pitch, grid.type.label, em))
    words_top = stage.bottom + max(shape.height for shape in shaped)
    bottom = words_top + 2 * ROLLER + GAP
    belt = Band(xs[0] - pitch / 2, xs[-1] + pitch / 2, bottom, bottom + BELT * stage.height)
    panel = Band(stage.left, stage.right, belt.top + CLEAR, stage.top - key_room)
    if panel.height < LEAST_PANEL * stage.height:
        longest = max(drawn, key=len)
        raise InputError("sentence.long_word", word=longest[:40], length=len(longest))
    margin = Band(stage.left, belt.left, belt.bottom, belt.top)
    return Places(steps, xs, shaped, words_top, belt, panel, margin)


def chosen_steps(count: int, most: int) -> tuple[int, ...]:
    """All words where they fit, else the first and the last ones."""
    if count <= most:
        return tuple(range(count))
    first = (most + 1) // 2
    return (*range(first), *range(count - (most - first), count))
