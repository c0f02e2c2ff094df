"""Errors on their way from a worker process to the command, as plain JSON."""

from __future__ import annotations

import sys
import traceback
from typing import Any

from engine.errors import FaultError, InputError, LookbackError, Phrase


def to_message(error: Exception, otherwise: str, station: str, debug: bool) -> dict[str, Any]:
    """An error as JSON; one that is not ours becomes the fault `otherwise`."""
    if debug:
        traceback.print_exception(error, file=sys.stderr)
    if isinstance(error, ModuleNotFoundError):
        error = FaultError("studio.package", name=error.name)
    elif not isinstance(error, LookbackError):
        error = FaultError(otherwise, station=station, reason=_reason(error))
    values = {name: _plain(value) for name, value in error.values.items()}
    return {"exit_code": error.exit_code, "key": error.key, "values": values}


def from_message(message: dict[str, Any]) -> LookbackError:
    """The error that `to_message` described."""
    kind = InputError if message["exit_code"] == InputError.exit_code else FaultError
    values = {name: _restored(value) for name, value in message["values"].items()}
    return kind(message["key"], **values)


def _reason(error: Exception) -> str:
    """What went wrong, in one line; of another process's traceback only the end."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    if any("Traceback (most" in line for line in lines):
        return lines[-1][:300]
    return f"{type(error).__name__}: {error}"[:300]


def _plain(value: Any) -> Any:
    if isinstance(value, Phrase):
        return {"key": value.key, "values": {k: _plain(v) for k, v in value.values.items()}}
    # Numbers stay numbers: a text may ask for two digits of them.
    return value if isinstance(value, int | float | str) else str(value)


def _restored(value: Any) -> Any:
    if isinstance(value, dict):
        return Phrase(value["key"], **{k: _restored(v) for k, v in value["values"].items()})
    return value
