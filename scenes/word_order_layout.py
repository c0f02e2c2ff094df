"""Where the things of word order stand.

    orders     two lanes under each other: words over their tape at the left, a bag at the right
    contexts   two sentences under each other, the word in question at one x in both; under each
               what was read from the left and what was read from the right; last the differences
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.errors import InputError
from engine.traces import InContext
from scenes.fitting import block, lowered
from scenes.grid import Band, Grid
from scenes.mobjects.token_row import PAD_X, PAD_Y
from scenes.mobjects.word_card import Shape, flat

WIDEST = 2.1  # manim units, between words
TAPE, BAG = 0.6, 0.4  # shares of the stage's width
SIGN = 0.5  # manim units between the lanes, for a sign that compares them
GAP = 0.14
WORDS = 0.45  # of a lane's height, for words that stand upright
LEAST_TAPE = 0.4  # manim units
STRIP = 0.3  # manim units, height of the bag's strip with its frame
CHIP_GAP = 0.25  # em, between words in a bag
BETWEEN_HALVES = 3.0  # em, between what was read from the left and from the right
HEAD = 1.45  # em, for the name over a strip
THICKEST = 0.46  # manim units, of a state's strip


@dataclass(frozen=True)
class Lane:
    """One sentence: its words, the blocks of its tape, and its bag."""

    band: Band
    xs: tuple[float, ...]  # [time]
    shapes: tuple[Shape, ...]  # [time]
    words_y: float  # middle of the words
    tape_y: float  # middle of the blocks
    tape_rows: int
    tape_cell: float
    bag: Band
    strip: Band


@dataclass(frozen=True)
class Sentence:
    """One sentence around the word, and where the strips under it lie."""

    xs: tuple[float, ...]  # [time]
    shapes: tuple[Shape, ...]  # [time]
    words_y: float
    strips: tuple[Band, Band]  # read from the left, read from the right; each with its name


@dataclass(frozen=True)
class Contexts:
    """Two sentences, and under them how far their states lie apart."""

    sentences: tuple[Sentence, ...]
    differences: tuple[Band, Band]


def wide(grid: Grid) -> Grid:
    """The grid, if it is wide enough. Raises InputError for a frame higher than wide."""
    if grid.frame.width < grid.frame.height:
        raise InputError("station.frame", station="word_order", frames="16:9, 4:3")
    return grid


def lanes(grid: Grid, pair: Sequence[Sequence[str]], units: int) -> tuple[Lane, ...]:
    """The two lanes. Raises InputError where the words find no room."""
    halves = wide(grid).stage.rows(1, 1, gap=SIGN)
    told = zip(halves, pair, strict=True)
    return tuple(_lane(grid, band, tokens, units) for band, tokens in told)


def _lane(grid: Grid, band: Band, tokens: Sequence[str], units: int) -> Lane:
    left, right = band.columns(TAPE, BAG, gap=0.5)
    pitch = min(WIDEST, left.width / len(tokens))
    xs = tuple(left.left + (i + 0.5) * pitch for i in range(len(tokens)))
    shaped = lowered(tokens, pitch, grid.type.title, grid.type.smallest, WORDS * band.height)
    words = max(shape.height for shape in shaped)
    room = band.height - words - GAP
    if room < LEAST_TAPE:
        longest = max(tokens, key=len)
        raise InputError("sentence.long_word", word=longest[:40], length=len(longest))
    rows, cell = block(units, 0.86 * pitch, room)
    strip = Band(right.left, right.right, band.bottom, band.bottom + STRIP)
    bag = Band(right.left, right.right, strip.top + GAP, band.top)
    tape_y = band.top - words - GAP - room / 2
    return Lane(band, xs, tuple(shaped), band.top - words / 2, tape_y, rows, cell, bag, strip)


def in_bag(band: Band, tokens: Sequence[str], largest: float, smallest: float) -> list[
    tuple[Shape, np.ndarray]
]:
    """Shape and place of every word inside a bag, in the order of the tokens, lines centred.

    Raises InputError where they do not fit at the smallest size.
    """
    for em in np.linspace(largest, smallest, 8):
        chips = [flat(token, float(em), PAD_X) for token in tokens]
        lines = _filled(chips, band.width, CHIP_GAP * float(em))
        step = (1 + 2 * PAD_Y + CHIP_GAP) * float(em)
        if lines and step * len(lines) <= band.height:
            return _placed(chips, lines, band, step, CHIP_GAP * float(em))
    text = "".join(tokens)
    raise InputError("sentence.does_not_fit", count=len(tokens), sentence=text[:40])


def _filled(chips: Sequence[Shape], width: float, gap: float) -> list[list[int]]:
    """Which chips stand on which line; none where one is too wide."""
    lines: list[list[int]] = [[]]
    used = -gap
    for i, chip in enumerate(chips):
        if chip.width > width:
            return []
        if used + gap + chip.width > width:
            lines.append([])
            used = -gap
        lines[-1].append(i)
        used += gap + chip.width
    return lines


def _placed(
    chips: Sequence[Shape], lines: Sequence[Sequence[int]], band: Band, step: float, gap: float
) -> list[tuple[Shape, np.ndarray]]:
    places: dict[int, np.ndarray] = {}
    for row, line in enumerate(reversed(lines)):  # they lie on the bag's ground
        width = sum(chips[i].width for i in line) + gap * (len(line) - 1)
        x = band.center[0] - width / 2
        for i in line:
            places[i] = np.array([x + chips[i].width / 2, band.bottom + (row + 0.5) * step, 0.0])
            x += chips[i].width + gap
    return [(chip, places[i]) for i, chip in enumerate(chips)]


def contexts(grid: Grid, pair: Sequence[InContext]) -> Contexts:
    """Both sentences with the word at one x. Raises InputError where they find no room."""
    stage, em = wide(grid).stage, grid.type.smallest
    before = max(c.position for c in pair)
    after = max(len(c.tokens) - 1 - c.position for c in pair)
    pitch = min(WIDEST, stage.width / (before + 1 + after))
    middle = stage.center[0] + (before - after) / 2 * pitch
    strips = HEAD * em + THICKEST
    rest = Band(stage.left, stage.right, stage.bottom, stage.bottom + strips)
    above = Band(stage.left, stage.right, rest.top + GAP, stage.top).rows(1, 1, gap=GAP)
    drawn = tuple(
        _sentence(grid, row, context, middle, pitch)
        for row, context in zip(above, pair, strict=True)
    )
    return Contexts(drawn, _halves(rest, em))


def _sentence(
    grid: Grid, band: Band, context: InContext, middle: float, pitch: float
) -> Sentence:
    tokens, em = context.tokens, grid.type.smallest
    strips = HEAD * em + THICKEST
    shaped = lowered(tokens, pitch, grid.type.body, em, band.height - strips)
    words = max(shape.height for shape in shaped)
    if words + strips > band.height:
        longest = max(tokens, key=len)
        raise InputError("sentence.long_word", word=longest[:40], length=len(longest))
    xs = tuple(middle + (i - context.position) * pitch for i in range(len(tokens)))
    top = band.top - words - min(GAP, band.height - words - strips)
    low = Band(band.left, band.right, top - strips, top)
    return Sentence(xs, tuple(shaped), band.top - words / 2, _halves(low, em))


def _halves(band: Band, em: float) -> tuple[Band, Band]:
    left, right = band.columns(1, 1, gap=BETWEEN_HALVES * em)
    return left, right
