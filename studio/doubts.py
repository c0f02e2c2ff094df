"""Sentences of a trace that the model does not know, for the command to say so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from engine.tokens import join


def doubts(trace: str) -> list[dict[str, Any]]:
    """Of each sentence of a trace (as JSON) with trust "unknown": what it is, and why."""
    found = {each["source"]: each for each in map(_doubt, _parts(json.loads(trace)))}
    return list(found.values())


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every part of a trace that has evidence against it."""
    if isinstance(value, list):
        for item in value:
            yield from _parts(item)
    elif isinstance(value, dict):
        if value.get("trust") == "unknown" and "evidence" in value:
            yield value
        for item in value.values():
            yield from _parts(item)


def _doubt(part: dict[str, Any]) -> dict[str, Any]:
    evidence = part["evidence"]
    return {
        "source": join(tuple(part["source"])),
        "least": min(evidence["seed_probabilities"]),
        "agreeing": evidence["agreeing"],
        "seeds": len(evidence["seeds"]),
    }
