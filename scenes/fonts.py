"""Letters as outlines: one named font, shaped by HarfBuzz, no system font and no file in between.

Every word on screen, Chinese or Latin, is set in `Noto Sans CJK SC`, read straight from the
package `manimgx-fonts-cjk`. Without a named face, Chinese gets Japanese glyph shapes
(骨 直 角 令); with a system font, two machines draw two pictures. Lengths here are in em:
1 is the size of the type.
"""

from __future__ import annotations

import hashlib
import importlib.util
import unicodedata
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import uharfbuzz as hb

from engine.errors import FaultError, InputError

FAMILY = "Noto Sans CJK SC"
PACKAGE = "manimgx_fonts_cjk"
FILE = "NotoSansCJK-VF.otf.ttc"

CAP_HEIGHT = 0.733  # em, of a Latin capital
X_HEIGHT = 0.543  # em, of a Latin x
OPTICAL_CENTRE = 0.37  # em above the baseline: the middle of a capital and of a Han square
_FAMILY_NAME = hb.OTNameIdPredefined.FONT_FAMILY
_HAN_LATIN_GAP = 0.14  # em, between Han and Latin letters, as good typesetting has it

_SMALL = 0.64  # size of a superscript or subscript against its line
_RAISE, _LOWER = 0.36, -0.16  # em
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁱᵏⁿᵗᵀ", "0123456789−+ikntT", strict=True))
_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₋₊ₐₑₕᵢⱼₖₗₘₙₒₚₛₜₓᴛ", "0123456789−+aehijklmnopstxT", strict=True))

# Signs that the font sets as wide as a Han square; between letters they want less room.
_BEARING = dict.fromkeys("∂∥∇∏∑√|", 0.06) | dict.fromkeys("×÷±≈≤≥→←⊙", 0.1) | {"·": 0.12}
_QUOTING = 4  # Latin letters for each Han character, from which on a line only quotes Chinese
_WESTERN_SIGNS = "’‘“”…"  # their Western forms stand in Western lines and words


@dataclass(frozen=True)
class Outline:
    """A line of type: cubic Bézier points in em, baseline at y = 0, pen starting at x = 0."""

    points: np.ndarray  # [4 * curve, xyz], manim's order: start, handle, handle, end
    advance: float  # em, where the pen stands after the last letter


def font_path() -> Path:
    """The font file inside its package; FaultError when it is not there."""
    spec = importlib.util.find_spec(PACKAGE)
    path = Path(spec.origin).parent / FILE if spec and spec.origin else None
    if path is None or not path.exists():
        raise FaultError("font.missing", family=FAMILY, package="manimgx-fonts-cjk")
    return path


@cache
def fingerprint() -> str:
    """What the drawn letters depend on, for cache keys."""
    path = font_path()
    parts = f"{path.name} {path.stat().st_size} {hb.__version__}"
    return hashlib.sha256(parts.encode()).hexdigest()[:16]


@cache
def _face() -> hb.Face:
    blob = hb.Blob.from_file_path(str(font_path()))
    for index in range(hb.Face(blob).count):
        face = hb.Face(blob, index)
        if face.get_name(_FAMILY_NAME) == FAMILY:
            return face
    raise FaultError("font.missing", family=FAMILY, package="manimgx-fonts-cjk")


@cache
def _font(weight: int) -> hb.Font:
    font = hb.Font(_face())
    font.set_variations({"wght": weight})
    return font


def missing_glyphs(text: str) -> list[str]:
    """The characters of `text` that the font cannot draw, each once, in order."""
    font = _font(400)
    return [
        sign
        for sign in dict.fromkeys(text)
        if not sign.isspace()
        and sign not in _SUPERSCRIPTS
        and sign not in _SUBSCRIPTS
        and unicodedata.category(sign) != "Cf"
        and not font.get_nominal_glyph(ord(sign))
    ]


def check_glyphs(text: str) -> None:
    """Raises InputError naming what the font lacks, so that no box is ever drawn."""
    missing = missing_glyphs(text)
    if missing:
        named = " ".join(f"{sign} (U+{ord(sign):04X})" for sign in missing[:8])
        raise InputError("font.glyphs", text=text[:60], signs=named, family=FAMILY)


@cache
def line_outline(text: str, weight: int = 400) -> Outline:
    """One line of type, shaped and kerned. Superscripts and subscripts are set, not looked up."""
    check_glyphs(text)
    parts: list[np.ndarray] = []
    pen = 0.0
    previous = ""
    western = _is_western(text)
    for run, size, rise in _runs(text.replace("‖", "||")):  # the font's own ‖ is a hairline
        if previous and size == 1.0 and _wants_gap(previous, run[0]):
            pen += _HAN_LATIN_GAP
        for piece in _split_han_latin(run):
            if piece is not run and previous and _wants_gap(previous, piece[0]):
                pen += _HAN_LATIN_GAP
            points, advance = _shaped(piece, weight, western)
            parts.append(points * size + [pen, rise, 0.0])
            pen += advance * size
            previous = piece[-1]
    points = np.concatenate(parts) if parts else np.zeros((0, 3))
    return Outline(points, pen)


def _is_western(line: str) -> bool:
    """Whether a line is set in a Western language; it may quote a Han word or two."""
    han = sum(map(is_han, line))
    return not han or sum(map(_is_latin, line)) > _QUOTING * han


def digit_width(weight: int = 400) -> float:
    """The advance of any digit in em: the font's figures are tabular."""
    return _shaped("0", weight)[1]


def _runs(text: str) -> list[tuple[str, float, float]]:
    """Stretches of equal size: (letters to draw, size, rise in em)."""
    runs: list[tuple[str, float, float]] = []
    for sign in text:
        if sign in _SUPERSCRIPTS:
            style = (_SUPERSCRIPTS[sign], _SMALL, _RAISE)
        elif sign in _SUBSCRIPTS:
            style = (_SUBSCRIPTS[sign], _SMALL, _LOWER)
        else:
            style = (sign, 1.0, 0.0)
        if runs and runs[-1][1:] == style[1:]:
            runs[-1] = (runs[-1][0] + style[0], *style[1:])
        else:
            runs.append(style)
    return runs


def _split_han_latin(run: str) -> list[str]:
    pieces = [run[0]] if run else []
    for left, right in pairwise(run):
        if _wants_gap(left, right):
            pieces.append(right)
        else:
            pieces[-1] += right
    return pieces


def _wants_gap(left: str, right: str) -> bool:
    return (is_han(left) and _is_latin(right)) or (_is_latin(left) and is_han(right))


def is_han(sign: str) -> bool:
    """A Han character (punctuation and kana are not)."""
    return "㐀" <= sign <= "鿿" or "豈" <= sign <= "﫿" or "𠀀" <= sign <= "𲎯"


def _is_latin(sign: str) -> bool:
    return sign.isalnum() and not is_han(sign) and unicodedata.east_asian_width(sign) not in "WF"


@cache
def _shaped(run: str, weight: int, western: bool = True) -> tuple[np.ndarray, float]:
    """HarfBuzz's glyphs and positions for one run: points in em and the advance."""
    font, buffer = _font(weight), hb.Buffer()
    buffer.add_codepoints([ord(sign) for sign in run])
    buffer.guess_segment_properties()
    buffer.language = "zh-Hans"
    narrow = _proportional(run, western)
    hb.shape(font, buffer, {"kern": True, "liga": False} | ({"pwid": narrow} if narrow else {}))
    upem, pen = _face().upem, 0.0
    parts = []
    for info, at in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        points, advance = _glyph(info.codepoint, weight), at.x_advance
        bearing = _BEARING.get(run[info.cluster])
        if bearing is not None:
            points, advance = _trimmed(points, bearing * upem)
        offset = np.array([pen + at.x_offset, at.y_offset, 0.0])
        parts.append((points + offset) / upem)
        pen += advance
    return (np.concatenate(parts) if parts else np.zeros((0, 3))), pen / upem


def _proportional(run: str, western: bool) -> list[tuple[int, int, bool]]:
    """Where quotes, apostrophes and dots take their narrow Western form."""
    return [
        (i, i + 1, True)
        for i, sign in enumerate(run)
        if sign in _WESTERN_SIGNS and (western or (i > 0 and _is_latin(run[i - 1])))
    ]


def _trimmed(points: np.ndarray, bearing: float) -> tuple[np.ndarray, float]:
    """A sign with `bearing` on both sides of its ink, in font units."""
    low, high = points[:, 0].min(), points[:, 0].max()
    return points + np.array([bearing - low, 0.0, 0.0]), float(high - low + 2 * bearing)


@cache
def _glyph(glyph: int, weight: int) -> np.ndarray:
    """One glyph's closed contours as cubic curves in font units, [4 * curve, xyz]."""
    pen = _CurvePen()
    _font(weight).draw_glyph(glyph, _draw_funcs(), pen)
    return np.array(pen.points, dtype=float).reshape(-1, 3)


class _CurvePen:
    """Collects contours the way manim stores them: every edge a cubic curve."""

    def __init__(self) -> None:
        self.points: list[tuple[float, float, float]] = []
        self.start = self.at = np.zeros(2)

    def move_to(self, x: float, y: float) -> None:
        self.start = self.at = np.array([x, y])

    def line_to(self, x: float, y: float) -> None:
        end = np.array([x, y])
        self._curve((2 * self.at + end) / 3, (self.at + 2 * end) / 3, end)

    def cubic_to(self, ax: float, ay: float, bx: float, by: float, x: float, y: float) -> None:
        self._curve(np.array([ax, ay]), np.array([bx, by]), np.array([x, y]))

    def quadratic_to(self, cx: float, cy: float, x: float, y: float) -> None:
        control, end = np.array([cx, cy]), np.array([x, y])
        self._curve((self.at + 2 * control) / 3, (2 * control + end) / 3, end)

    def close(self) -> None:
        if not np.array_equal(self.at, self.start):
            self.line_to(*self.start)

    def _curve(self, a: np.ndarray, b: np.ndarray, end: np.ndarray) -> None:
        self.points += [(float(p[0]), float(p[1]), 0.0) for p in (self.at, a, b, end)]
        self.at = end


@cache
def _draw_funcs() -> hb.DrawFuncs:
    funcs = hb.DrawFuncs()
    funcs.set_move_to_func(lambda x, y, pen: pen.move_to(x, y))
    funcs.set_line_to_func(lambda x, y, pen: pen.line_to(x, y))
    funcs.set_cubic_to_func(lambda a, b, c, d, x, y, pen: pen.cubic_to(a, b, c, d, x, y))
    funcs.set_quadratic_to_func(lambda a, b, x, y, pen: pen.quadratic_to(a, b, x, y))
    funcs.set_close_path_func(lambda pen: pen.close())
    return funcs
