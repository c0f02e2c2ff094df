"""Where everything of the recital stands, computed from the stage and the words.

    who listens | strip  →  strip | who recites
    the words, behind a curtain   |   the words recited, and the reference
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.errors import InputError
from engine.traces import Recital
from scenes.grid import LINE, Band, Grid
from scenes.mobjects.gauged_word import block_height, chip_width
from scenes.mobjects.text import wrap

HEAD, TALL_HEAD = 1.2, 0.62  # manim units, height of the row with figures and strips
GAP = 0.16  # manim units, between that row and the words
BETWEEN = 0.5  # manim units, between the two sides
PADDING = 0.24  # manim units, between a panel's edge and its words
LARGEST = 1.35  # largest words of the recital against body type
MOST_NUMBERED = 8  # words, for a number under each
LEAST_SIDE, MOST_SIDE = 0.4, 0.56  # share of the stage for the side that listens
WIDE = 1.6  # width against height of a stage that takes the sides beside each other
MOST_LABEL = 14  # words of a reference that is set at the label size
HEADER, SCORE = 1.5, 1.9  # manim units, beside the words where two recitals are compared
ROW_GAP = 0.14  # manim units, between compared rows


@dataclass(frozen=True)
class Hall:
    """The two sides. `left` listens, `right` recites; heads hold the figures and strips."""

    left_head: Band
    left: Band
    right_head: Band
    right: Band

    @property
    def source(self) -> Band:
        """Room for the words heard."""
        return self.left.inset(PADDING, 0.6 * PADDING)

    @property
    def speech(self) -> Band:
        """Room for the words recited and the reference."""
        return self.right.inset(PADDING, 0.6 * PADDING)


def make_hall(grid: Grid, recitals: Sequence[Recital]) -> Hall:
    """Sides as wide as their words need, beside or above each other."""
    stage = grid.stage
    if stage.width < WIDE * stage.height:
        upper, lower = stage.rows(1.0, 1.25, gap=0.12)
        return Hall(*_cut(upper, TALL_HEAD), *_cut(lower, TALL_HEAD))
    heard = max(sum(chip_width(word, False) for word in r.source) for r in recitals)
    said = max(sum(chip_width(word, True) for word in r.output) for r in recitals)
    share = min(max(heard / (heard + said), LEAST_SIDE), MOST_SIDE)
    left, right = stage.columns(share, 1 - share, gap=BETWEEN)
    return Hall(*_cut(left, HEAD), *_cut(right, HEAD))


def _cut(side: Band, head: float) -> tuple[Band, Band]:
    """The head of a side, and the panel under it."""
    foot = side.top - head
    return (
        Band(side.left, side.right, foot, side.top),
        Band(side.left, side.right, side.bottom, foot - GAP),
    )


# Sizes of the words


def numbered(recital: Recital) -> bool:
    """Whether there is room for a number under each word said."""
    return len(recital.output) <= MOST_NUMBERED


def reference_lines(text: str, words: int, grid: Grid, width: float) -> tuple[list[str], float]:
    """The reference in lines, and its size."""
    em = grid.type.label if words <= MOST_LABEL else grid.type.smallest
    return wrap(text, width / em), em


def word_size(grid: Grid, hall: Hall, recital: Recital, reference: str, compared: bool) -> float:
    """The one size of a recital's words, wherever they stand in the clip.

    Raises InputError where they do not fit even at the smallest size.
    """
    lines, size = reference_lines(reference, len(recital.reference), grid, hall.speech.width)
    speech = hall.speech.height - (len(lines) * LINE + 0.6) * size

    def fits(em: float) -> bool:
        heard = block_height(recital.source, False, em, hall.source.width)
        said = block_height(recital.output, True, em, hall.speech.width, numbered(recital))
        rows = sum(compared_heights(grid, recital, em)) if compared else 0.0
        return heard <= hall.source.height and said <= speech and rows <= grid.stage.height

    smallest = grid.type.smallest
    em = _search(fits, max(LARGEST * grid.type.body, smallest), smallest)
    if em is None:
        raise InputError(
            "sentence.does_not_fit", count=max(len(recital.source), len(recital.output)),
            sentence=" ".join(recital.source)[:40],
        )
    return em


def _search(fits: Callable[[float], bool], em: float, smallest: float) -> float | None:
    while not fits(em):
        if em <= smallest:
            return None
        em = max(smallest, 0.97 * em)
    return em


# The same sentence twice


def compared_width(grid: Grid) -> float:
    """Width of the words where two recitals are compared."""
    return grid.stage.width - HEADER - SCORE - 2 * PADDING


def compared_heights(grid: Grid, recital: Recital, em: float) -> list[float]:
    """Heights that the source and the two recitals need, with the gap under each."""
    width = compared_width(grid)
    rows = [(recital.source, False), (recital.output, True), (recital.attended_output, True)]
    return [block_height(words, judged, em, width) + 0.16 + ROW_GAP for words, judged in rows]


def compared_rows(grid: Grid, recital: Recital, em: float) -> list[Band]:
    """A band for each of source, recital from one vector, recital with attention."""
    heights = compared_heights(grid, recital, em)
    spare = max(0.0, (grid.stage.height - sum(heights)) / len(heights))
    bands, top = [], grid.stage.top
    for height in heights:
        foot = top - height - spare + ROW_GAP
        bands.append(Band(grid.stage.left, grid.stage.right, foot, top))
        top = foot - ROW_GAP
    return bands


def row_words(band: Band) -> Band:
    """The part of a compared row that holds words."""
    return Band(band.left + HEADER + PADDING, band.right - SCORE - PADDING, band.bottom, band.top)
