"""Where everything of the recital stands, computed from the stage and the words.

    who listens | strip  →  strip | who recites
    the words, behind a curtain   |   the words recited, and the reference
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from engine.errors import InputError
from engine.traces import Recital
from scenes.grid import LINE, Band, Grid
from scenes.mobjects.gauged_word import block_height
from scenes.mobjects.text import wrap

HEAD, LOW_HEAD = 1.2, 0.62  # manim units, height of the row with figures and strips
GAP = 0.16  # manim units, between that row and the words
BETWEEN = 0.5  # manim units, between the two sides
PADDING = 0.24  # manim units, between a panel's edge and its words
LARGEST = 1.35  # largest words of the recital against body type
MOST_NUMBERED = 8  # words, for a number under each
SIDES = (0.4, 0.44, 0.36, 0.48, 0.32, 0.52, 0.28, 0.56)  # shares for the side that listens
WIDE = 1.8  # least width of a stage against its height
MOST_LABEL = 14  # words of a reference that is set at the label size
MOST_REFERENCE = 0.5  # of the speaker's panel
HEADER, SCORE = 1.5, 2.1  # manim units, beside the words where two recitals are compared
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


def make_hall(grid: Grid, recitals: Sequence[tuple[Recital, str]]) -> Hall:
    """Sides and heads so that the words, with their references' texts, are large.

    Raises InputError on a frame too narrow for two sides.
    """
    stage = grid.stage
    if stage.width < WIDE * stage.height:
        raise InputError("station.frame", station="closed_eyes_recital", frames="16:9, 4:3")
    halls = [_hall(stage, share, head) for head in (HEAD, LOW_HEAD) for share in SIDES]
    return max(halls, key=lambda hall: _worth(grid, hall, recitals))  # the first of equals


def _hall(stage: Band, share: float, head: float) -> Hall:
    left, right = stage.columns(share, 1 - share, gap=BETWEEN)
    return Hall(*_cut(left, head), *_cut(right, head))


def _worth(grid: Grid, hall: Hall, recitals: Sequence[tuple[Recital, str]]) -> float:
    """Size of the smallest words, up to that of labels: a wider strip is worth more then."""
    sizes = [grid.type.label]
    for recital, text in recitals:
        every = len(recital.output)
        sizes += [_largest(grid, partial(_heard_fits, hall, recital)),
                  _largest(grid, partial(_said_fits, grid, hall, recital, text, every))]
    return min(sizes)


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


def reference_lines(text: str, words: int, grid: Grid, band: Band) -> tuple[list[str], float]:
    """The reference in lines of a band, and its size; cut where it would take half the band."""
    em = grid.type.label if words <= MOST_LABEL else grid.type.smallest
    lines = list(_wrapped(text, band.width / em))
    most = max(1, int(MOST_REFERENCE * band.height / (LINE * em)))
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1][:-1] + "…"]
    return lines, em


@lru_cache(maxsize=64)
def _wrapped(text: str, measure: float) -> tuple[str, ...]:
    return tuple(wrap(text, measure))


def heard_size(grid: Grid, hall: Hall, recital: Recital) -> float:
    """Size of the words heard. Raises InputError where they do not fit even at the smallest."""
    em = _largest(grid, partial(_heard_fits, hall, recital))
    if not em:
        raise InputError("sentence.does_not_fit", count=len(recital.source),
                         sentence=" ".join(recital.source)[:40])
    return em


def said_size(grid: Grid, hall: Hall, recital: Recital, text: str) -> tuple[float, int]:
    """Size of the words said above the reference's text, and how many of them have room."""
    count = len(recital.output)
    while count > 1:
        em = _largest(grid, partial(_said_fits, grid, hall, recital, text, count))
        if em:
            return em, count
        count -= 1
    return grid.type.smallest, count


def _heard_fits(hall: Hall, recital: Recital, em: float) -> bool:
    return block_height(recital.source, False, em, hall.source.width) <= hall.source.height


def _said_fits(
    grid: Grid, hall: Hall, recital: Recital, text: str, count: int, em: float
) -> bool:
    lines, size = reference_lines(text, len(recital.reference), grid, hall.speech)
    free = hall.speech.height - len(lines) * LINE * size - PADDING
    words = recital.output[:count]
    return block_height(words, True, em, hall.speech.width, numbered(recital)) <= free


def _largest(grid: Grid, fits: Callable[[float], bool]) -> float:
    """The largest size that fits; 0 where not even the smallest does."""
    smallest = grid.type.smallest
    if not fits(smallest):
        return 0.0
    em = max(LARGEST * grid.type.body, smallest)
    while not fits(em):
        em = max(smallest, 0.97 * em)
    return em


# The same sentence twice


@dataclass(frozen=True)
class Rows:
    """Bands for one sentence recited twice; without `source` where there is no room for it."""

    em: float
    source: Band | None
    fixed: Band
    attended: Band
    counts: tuple[int, int]  # words that have room


def make_rows(grid: Grid, recital: Recital) -> Rows:
    """As large as can be; source, then words, are left out rather than the size."""
    words = [list(recital.output), list(recital.attended_output)]
    for with_source in (True, False):
        em = _largest(grid, lambda em: _stack(grid, recital, words, with_source, em)[1] <= 0)  # noqa: B023
        if em:
            return _rows(grid, recital, words, with_source, em)
    while _stack(grid, recital, words, False, grid.type.smallest)[1] > 0:
        max(words, key=len).pop()
    return _rows(grid, recital, words, False, grid.type.smallest)


def _stack(
    grid: Grid, recital: Recital, words: list[list[str]], with_source: bool, em: float
) -> tuple[list[float], float]:
    """Heights of the rows, and by how much they are too high together."""
    width = grid.stage.width - HEADER - SCORE - 2 * PADDING
    rows = [(recital.source, False)] * with_source + [(row, True) for row in words]
    heights = [block_height(row, judged, em, width) + 0.16 for row, judged in rows]
    return heights, sum(heights) + ROW_GAP * (len(heights) - 1) - grid.stage.height


def _rows(
    grid: Grid, recital: Recital, words: list[list[str]], with_source: bool, em: float
) -> Rows:
    heights, over = _stack(grid, recital, words, with_source, em)
    bands, top = [], grid.stage.top
    for height in heights:
        foot = top - height + over / len(heights)
        bands.append(Band(grid.stage.left, grid.stage.right, foot, top))
        top = foot - ROW_GAP
    source = bands[0] if with_source else None
    return Rows(em, source, bands[-2], bands[-1], (len(words[0]), len(words[1])))


def row_words(band: Band) -> Band:
    """The part of a compared row that holds words."""
    return Band(band.left + HEADER + PADDING, band.right - SCORE - PADDING, band.bottom, band.top)
