"""Contrast, colour blindness and scales of both themes."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from manim import ManimColor

from scenes.theme import DARK, LIGHT, QUIET, ROLES, THEMES, Theme, contrast

# Roles that stand side by side in one picture and must not be told apart by chance.
COMPANY = [
    ("SOURCE", "TARGET"),
    ("QUERY", "KEY", "VALUE"),
    ("FORGET", "INPUT", "OUTPUT", "CELL"),
    ("CORRECT", "WRONG"),
    ("HIDDEN", "CELL", "GRADIENT"),
    ("NEGATIVE", "POSITIVE"),
]
# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
DEFICIENCIES = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
               [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
               [-0.011820, 0.042940, 0.968881]],
}
MARKS_ONLY = ("LINE", "NEGATIVE", "POSITIVE", "HIGH")
TEXT_ROLES = [role for role in ROLES if role not in (*QUIET, *MARKS_ONLY)]


def linear(color: str) -> np.ndarray:
    rgb = np.array(ManimColor(color).to_rgb())
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIE L*a*b* (D65) of linear RGB."""
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = np.array(to_xyz) @ rgb / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("role", TEXT_ROLES)
def test_type_in_any_role_reads_on_the_background(theme: Theme, role: str) -> None:
    assert contrast(getattr(theme, role), theme.BACKGROUND) >= 4.5


@pytest.mark.parametrize("role", ["TEXT", "MUTED"])
def test_plain_type_reads_on_a_panel_too(theme: Theme, role: str) -> None:
    assert contrast(getattr(theme, role), theme.PANEL) >= 4.5


@pytest.mark.parametrize("role", [role for role in ROLES if role not in QUIET])
def test_marks_stand_out(theme: Theme, role: str) -> None:
    assert contrast(getattr(theme, role), theme.BACKGROUND) >= 3.0


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
@pytest.mark.parametrize("roles", COMPANY, ids="-".join)
def test_companions_differ_for_colour_blind_eyes(
    theme: Theme, roles: tuple[str, ...], deficiency: str
) -> None:
    seen = {
        role: lab(np.clip(np.array(DEFICIENCIES[deficiency]) @ linear(getattr(theme, role)), 0, 1))
        for role in roles
    }
    for one, other in combinations(roles, 2):
        assert np.linalg.norm(seen[one] - seen[other]) > 14, (one, other)


@pytest.mark.parametrize("other", ["TARGET", "CELL", "HIDDEN", "QUERY"])
def test_weights_have_a_colour_of_their_own(theme: Theme, other: str) -> None:
    """Beams and dots lie beside words and bars; for colour-blind eyes their shapes differ too."""
    one, two = (lab(linear(getattr(theme, role))) for role in ("HIGH", other))
    assert np.linalg.norm(one - two) > 20


def test_diverging_scale_is_symmetric_and_clamped(theme: Theme) -> None:
    assert theme.diverging(0.0, 2.0) == ManimColor(theme.ZERO)
    assert theme.diverging(9.0, 2.0) == theme.diverging(2.0, 2.0) == ManimColor(theme.POSITIVE)
    assert theme.diverging(-9.0, 2.0) == ManimColor(theme.NEGATIVE)
    away = [
        np.abs(np.subtract(theme.diverging(v, 1).to_rgb(), ManimColor(theme.ZERO).to_rgb())).sum()
        for v in (0.25, 0.5, 1.0)
    ]
    assert away[0] < away[1] < away[2]


def test_sequential_scale_grows(theme: Theme) -> None:
    values = [contrast(theme.sequential(v), theme.BACKGROUND) for v in (0, 0.25, 0.5, 1)]
    assert values == sorted(values) and values[0] < values[-1]


def test_themes_have_the_same_roles_and_other_colours() -> None:
    assert set(THEMES) == {"dark", "light"}
    assert DARK.BACKGROUND != LIGHT.BACKGROUND
    assert contrast(DARK.BACKGROUND, LIGHT.BACKGROUND) > 10


def test_unknown_role_is_named() -> None:
    with pytest.raises(KeyError, match="no role 'QUARY'"):
        DARK.color("QUARY")
