"""The levels of trust, at their borders."""

from __future__ import annotations

import pytest

from engine.trust import CARRIED, KNOWN, trust


@pytest.mark.parametrize(
    ("least", "unknown", "length", "level"),
    [
        (1.0, 0, 3, "known"),
        (KNOWN, 0, 20, "known"),
        (KNOWN - 1e-9, 0, 3, "unknown"),
        (CARRIED, 1, 3, "carried"),
        (0.99, 1, 3, "carried"),
        (CARRIED - 1e-9, 1, 3, "unknown"),
        (0.99, 2, 6, "carried"),
        (0.99, 2, 5, "unknown"),
        (0.99, 3, 30, "unknown"),
        (0.99, 1, 2, "unknown"),
    ],
)
def test_levels(least: float, unknown: int, length: int, level: str) -> None:
    assert trust(least, unknown, length) == level
