"""Where things may stand: four bands inside the safe area, computed from the frame.

    title band    the station's name
    stage         the picture
    read-out      the numbers a viewer checks
    caption       what is being said (two or three lines), with the footer under it

Lengths are manim units; the frame is config.frame_width × config.frame_height.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from manim import Mobject

SMALLEST = 1 / 40  # of the frame height: the least size (em) of any type
LINE = 1.32  # baseline to baseline, in em


@dataclass(frozen=True)
class TypeSizes:
    """Sizes of type in manim units. A size is the em; capitals are 0.733 of it, x 0.543."""

    title: float
    body: float
    label: float
    number: float
    smallest: float

    def __getitem__(self, name: str) -> float:
        return float(getattr(self, name))


@dataclass(frozen=True)
class Band:
    """A rectangle that mobjects are placed in."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def center(self) -> np.ndarray:
        return np.array([(self.left + self.right) / 2, (self.bottom + self.top) / 2, 0.0])

    def at(self, x: float, y: float) -> np.ndarray:
        """The point at fractions of the band: (0, 0) lower left, (1, 1) upper right."""
        return np.array([self.left + x * self.width, self.bottom + y * self.height, 0.0])

    def rows(self, *shares: float, gap: float = 0.2) -> tuple[Band, ...]:
        """The band cut from top to bottom into rows of these shares of its height."""
        free = self.height - gap * (len(shares) - 1)
        bands, top = [], self.top
        for share in shares:
            height = free * share / sum(shares)
            bands.append(Band(self.left, self.right, top - height, top))
            top -= height + gap
        return tuple(bands)

    def columns(self, *shares: float, gap: float = 0.3) -> tuple[Band, ...]:
        """The band cut from left to right into columns of these shares of its width."""
        free = self.width - gap * (len(shares) - 1)
        bands, left = [], self.left
        for share in shares:
            width = free * share / sum(shares)
            bands.append(Band(left, left + width, self.bottom, self.top))
            left += width + gap
        return tuple(bands)

    def inset(self, x: float, y: float | None = None) -> Band:
        """The band with a margin of x at the sides and y (or x) above and below."""
        y = x if y is None else y
        return Band(self.left + x, self.right - x, self.bottom + y, self.top - y)

    def place(self, mobject: Mobject, x: float = 0.5, y: float = 0.5) -> Mobject:
        """Moves the mobject so that its own fraction (x, y) lies at the band's."""
        point = self.at(x, y)
        corner = mobject.get_corner([-1, -1, 0])  # type: ignore[arg-type]
        anchor = corner + np.array([x * mobject.width, y * mobject.height, 0.0])
        return mobject.shift(point - anchor)

    def fit(self, mobject: Mobject) -> Mobject:
        """Shrinks a picture (never type: it has its own sizes) to the band and centres it."""
        scale = min(1.0, self.width / mobject.width, self.height / mobject.height)
        return mobject.scale(scale).move_to(self.center)


@dataclass(frozen=True)
class Grid:
    """The bands and type sizes of one frame."""

    frame: Band
    safe: Band
    title: Band
    stage: Band
    readout: Band
    caption: Band
    footer: Band
    type: TypeSizes


def type_sizes(width: float, height: float) -> TypeSizes:
    """Sizes from the frame: those of a wide frame grow less on a tall one, none is too small."""
    unit = (height * min(height, 0.75 * width)) ** 0.5
    floor = height * SMALLEST

    def size(share: float) -> float:
        return max(unit * share, floor)

    return TypeSizes(
        title=size(1 / 19), body=size(1 / 25), label=size(1 / 33), number=size(1 / 30),
        smallest=floor,
    )


def make_grid(width: float, height: float, languages: int = 1) -> Grid:
    """The grid of a frame, with room for captions in one language or two.

    One language has 2 body lines on wide frames and 4 on tall ones; two share a little more.
    """
    sizes = type_sizes(width, height)
    tall = width < height
    lines = {(False, 1): 2.0, (False, 2): 2.5, (True, 1): 4.0, (True, 2): 6.0}[tall, languages]
    frame = Band(-width / 2, width / 2, -height / 2, height / 2)
    safe = frame.inset(0.05 * min(width, height), 0.04 * height)
    gap = 0.02 * height
    titles = 2 if tall else 1
    title = Band(safe.left, safe.right, safe.top - sizes.title * LINE * titles, safe.top)
    notes = 3 if tall else 1
    foot = safe.bottom + notes * sizes.smallest * LINE
    footer = Band(safe.left, safe.right, safe.bottom, foot)
    low = footer.top + gap / 2
    caption = Band(safe.left, safe.right, low, low + lines * sizes.body * LINE)
    low = caption.top + gap
    readout = Band(safe.left, safe.right, low, low + (2 if tall else 1) * 0.09 * height)
    stage = Band(safe.left, safe.right, readout.top + gap, title.bottom - gap)
    return Grid(frame, safe, title, stage, readout, caption, footer, sizes)
