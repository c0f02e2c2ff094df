"""The numbers behind a picture as tables that can be read: any trace, field by field.

What a field means is said in [page.meanings], by its class; what its axes are, in the comment
behind it in `engine/traces/`, whose words are also the meaning where there is no other yet.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

import numpy as np

from engine.words import LANGUAGES, words

MOST_ROWS = 48
MOST_COLUMNS = 24

#: Where the names along an axis stand, if not in a field of the axis's own name.
_NAMES = {
    "time": "tokens",
    "lag": "lags",
    "bucket": "lengths",
    "distance": "distances",
    "length": "probe_lengths",
    "attended": "attended_output",
    "shown": "units",
}
_FIELD = re.compile(r"^    (\w+): [^#\n]+#\s*(.+(?:\n    # [a-z].+)*)$", re.MULTILINE)
_AXES = re.compile(r"^\[([^\]]*)\]\s*")
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Number:
    """A field with one value."""

    path: str
    name: str
    meanings: Mapping[str, str]  # by language
    value: str


@dataclass(frozen=True)
class Table:
    """Fields side by side: one row for each item of their first axis."""

    axis: str
    rows: tuple[str, ...]  # what the rows are called
    columns: tuple[Number, ...]  # `value` is unused: what each column is
    cells: tuple[tuple[str, ...], ...]  # [row][column]
    matrix: bool  # one field with two axes; its columns are named by the second

    @property
    def lines(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        return zip(self.rows, self.cells, strict=True)


@dataclass(frozen=True)
class Group:
    """The numbers of one dataclass; `large` ones are only in the file."""

    name: str
    meanings: Mapping[str, str]
    numbers: tuple[Number, ...]
    tables: tuple[Table, ...]
    large: tuple[Number, ...]  # `value` is the shape
    groups: tuple[Group, ...]


def numbers_of(
    owner: object, name: str = "", path: str = "", meanings: Mapping[str, str] | None = None
) -> Group:
    """Everything that a trace (or a part of one) holds, except where it comes from."""
    about = _comments(type(owner))
    single: list[Number] = []
    rows: list[tuple[Number, str, list[Any]]] = []  # field, axis, items
    tables: list[Table] = []
    large: list[Number] = []
    groups: list[Group] = []
    for key in (field.name for field in fields(owner)):  # type: ignore[arg-type]
        value = getattr(owner, key)
        axes, comment = about.get(key, ((), ""))
        meant = meanings_of(type(owner), key, comment)
        here = f"{path}.{key}".lstrip(".")
        field = Number(here, key, meant, "")
        parts = _parts(value)
        if key == "provenance":
            continue
        if parts:
            groups += [numbers_of(part, f"{key}{at}", f"{here}{at}", meant) for at, part in parts]
        elif not isinstance(value, np.ndarray | tuple):
            single.append(Number(here, key, meant, said(value)))
        elif _is_large(value):
            shape = " × ".join(map(str, np.shape(value)))
            large.append(Number(here, key, meant, shape))
        elif np.ndim(value) == 2:
            tables.append(_matrix(owner, field, axes, value))
        else:
            rows.append((field, axes[0] if axes else "", list(value)))
    return Group(name, meanings or {}, tuple(single), (*_side_by_side(owner, rows), *tables),
                 tuple(large), tuple(groups))  # fmt: skip


def meanings_of(kind: type, field: str, comment: str = "") -> Mapping[str, str]:
    """What a field of a dataclass means, in every language; the comment, where no table says."""
    key = f"page.meanings.{kind.__name__}.{field}"
    return {lang: words(lang)(key) if key in words(lang) else comment for lang in LANGUAGES}


def _parts(value: object) -> list[tuple[str, object]]:
    """Dataclasses inside a field, each with its place, such as "[0]"."""
    if is_dataclass(value):
        return [("", value)]
    if isinstance(value, tuple) and value and is_dataclass(value[0]):
        return [(f"[{index}]", part) for index, part in enumerate(value)]
    return []


def _is_large(value: Any) -> bool:
    shape = np.shape(value)
    limits = (MOST_ROWS, MOST_COLUMNS)
    return len(shape) > 2 or any(n > most for n, most in zip(shape, limits, strict=False))


def _matrix(owner: object, field: Number, axes: tuple[str, ...], value: Any) -> Table:
    first, second = axes if len(axes) == 2 else ("", "")
    columns = tuple(
        Number(field.path, name, field.meanings, "")
        for name in _names(owner, second, value.shape[1])
    )
    cells = tuple(tuple(map(said, row)) for row in value.tolist())
    return Table(first, _names(owner, first, value.shape[0]), columns, cells, True)


def _side_by_side(owner: object, rows: list[tuple[Number, str, list[Any]]]) -> Iterator[Table]:
    """One table for all fields that share an axis."""
    shared = dict.fromkeys((axis, len(items)) for _, axis, items in rows)
    for axis, length in shared:
        mine = [(f, items) for f, a, items in rows if (a, len(items)) == (axis, length)]
        names = _names(owner, axis, length)
        cells = zip(*(map(said, items) for _, items in mine), strict=True)
        yield Table(axis, names, tuple(field for field, _ in mine), tuple(cells), False)


def _names(owner: object, axis: str, length: int) -> tuple[str, ...]:
    """What the items along an axis are called: words where there are any, else 0, 1, 2, …"""
    named = getattr(owner, _NAMES.get(axis, axis), ()) if axis.isidentifier() else ()
    if isinstance(named, tuple | np.ndarray) and len(named) == length:
        return tuple(str(name) for name in named)
    return tuple(map(str, range(length)))


@cache
def _comments(kind: type) -> dict[str, tuple[tuple[str, ...], str]]:
    """For each field of a dataclass its axes and its meaning."""
    found: dict[str, tuple[tuple[str, ...], str]] = {}
    try:
        source = inspect.getsource(kind)
    except (OSError, TypeError):  # installed without sources: the numbers speak alone
        return found
    for name, comment in _FIELD.findall(source):
        axes = _AXES.match(comment)
        names = tuple(part.strip() for part in axes[1].split(",")) if axes else ()
        found[name] = (names, re.sub(r"\s*\n\s*# ", " ", _AXES.sub("", comment)))
    return found


def said(value: Any) -> str:
    """A value as it is read: three digits that count, 5.2 × 10⁻³ where it is very small."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return "✓" if value else "–"
    if isinstance(value, int | np.integer):
        return str(value)
    number = float(value)
    if math.isinf(number):
        return "−∞" if number < 0 else "∞"
    if number == 0:
        return "0"
    if not 1e-3 <= abs(number) < 1e6:
        mantissa, exponent = f"{number:.2e}".split("e")
        power = str(int(exponent)).translate(_SUPERSCRIPTS)
        return f"{mantissa} × 10{power}".replace("-", "−")
    return f"{number:.3f}".replace("-", "−") if abs(number) < 1000 else f"{number:.0f}"
