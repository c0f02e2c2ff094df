"""How large words and cells may be in the room they have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenes.mobjects.word_card import Shape, shapes

LARGEST_CELL = 0.32  # manim units


def lowered(
    tokens: Sequence[str], pitch: float, largest: float, smallest: float, height: float
) -> list[Shape]:
    """Shapes of words side by side that are no higher than `height`, or as low as they can be."""
    for em in np.linspace(largest, smallest, 6):
        shaped = shapes(tokens, pitch, float(em), smallest)
        if max(shape.height for shape in shaped) <= height:
            break
    return shaped


def block(units: int, width: float, height: float) -> tuple[int, float]:
    """Rows and side of the square cells with which `units` cells fill a room best."""
    divisors = [rows for rows in range(1, units + 1) if units % rows == 0]
    side = {rows: min(width * rows / units, height / rows, LARGEST_CELL) for rows in divisors}
    rows = max(divisors, key=lambda rows: (round(side[rows], 6), -rows))
    return rows, side[rows]
