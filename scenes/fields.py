"""Looking a number up in a trace by the name that a channel records.

    read_field(trace, "pairs[0].weights", (2, 1))        # trace.pairs[0].weights[2, 1]
    read_field(trace, "mean(forget_gate)", (4,))          # trace.forget_gate[4].mean()
    read_field(trace, "exp10(log10_gradients)", (7,))     # 10 ** trace.log10_gradients[7]
    read_field(trace, "mean(forget_gate @ units)", (4,))  # trace.forget_gate[4][trace.units].mean()
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    "mean": np.mean,
    "sum": np.sum,
    "norm": np.linalg.norm,
    "min": np.min,
    "max": np.max,
    "argmax": np.argmax,
    "median": np.median,
    "abs": np.abs,
    "exp10": lambda x: np.power(10.0, x),
    "log10": lambda x: np.log10(np.abs(x)),
    "inverse": lambda x: 1.0 / np.asarray(x),
    "q10": lambda x: np.quantile(x, 0.10),
    "q25": lambda x: np.quantile(x, 0.25),
    "q75": lambda x: np.quantile(x, 0.75),
    "q90": lambda x: np.quantile(x, 0.90),
}

_CALL = re.compile(r"^(\w+)\((.*)\)$")
_STEP = re.compile(r"\.?([A-Za-z_]\w*)|\[(-?\d+)\]")


def read_field(trace: object, field: str, index: tuple[int, ...] = ()) -> float:
    """The number a channel names. KeyError where the trace has no such field or entry."""
    call = _CALL.match(field)
    if call:
        name, inner = call.groups()
        if name not in REDUCTIONS:
            raise KeyError(f"no reduction {name!r}; known are {', '.join(REDUCTIONS)}")
        return float(REDUCTIONS[name](_entry(trace, inner, index)))
    return float(_entry(trace, field, index))


def _entry(trace: object, field: str, index: tuple[int, ...]) -> Any:
    call = _CALL.match(field)
    if call:
        return REDUCTIONS[call.group(1)](_entry(trace, call.group(2), index))
    if " @ " in field:
        whole, chosen = field.split(" @ ")
        return np.asarray(_entry(trace, whole, index))[..., _entry(trace, chosen, ())]
    value: Any = trace
    try:
        for name, position in _STEP.findall(field):
            value = getattr(value, name) if name else value[int(position)]
        return np.asarray(value)[index] if index else value
    except (AttributeError, IndexError, TypeError) as error:
        raise KeyError(f"the trace has no {field}{list(index)}: {error}") from None
