"""Traces: the only thing a scene knows about the mathematics. No torch in here."""

from __future__ import annotations

from engine.traces import json as _json
from engine.traces.base import Learned as Learned
from engine.traces.base import Model, Provenance, Trace
from engine.traces.closed_eyes_recital import ClosedEyesRecitalTrace, LengthCurve, Recital
from engine.traces.conveyor_belt import ConveyorBeltTrace, ForgetBias
from engine.traces.conveyor_belt import Recall as Recall
from engine.traces.evidence import Evidence
from engine.traces.finale import FinaleTrace
from engine.traces.looking_back import Lookback, LookingBackTrace
from engine.traces.query_key_value import Projected, QueryKeyValueTrace, Relabelled, Spread
from engine.traces.relay_game import Clipping, RelayGameTrace
from engine.traces.self_attention import HeldOutLooks, Reordered, SelfAttentionTrace, SelfLook
from engine.traces.serial_parallel import SerialParallelTrace
from engine.traces.unrolled import UnrolledTrace
from engine.traces.word_order import Answer, InContext, Ordered, WordOrderTrace

__all__ = [
    "Answer",
    "Clipping",
    "ClosedEyesRecitalTrace",
    "ConveyorBeltTrace",
    "Evidence",
    "FinaleTrace",
    "ForgetBias",
    "HeldOutLooks",
    "InContext",
    "LengthCurve",
    "Lookback",
    "LookingBackTrace",
    "Model",
    "Ordered",
    "Projected",
    "Provenance",
    "QueryKeyValueTrace",
    "Recall",
    "Recital",
    "Relabelled",
    "RelayGameTrace",
    "Reordered",
    "SelfAttentionTrace",
    "SelfLook",
    "SerialParallelTrace",
    "Spread",
    "Trace",
    "UnrolledTrace",
    "WordOrderTrace",
    "from_json",
    "to_json",
]

KINDS: dict[str, type[Trace]] = {
    kind.station: kind
    for kind in (
        WordOrderTrace,
        UnrolledTrace,
        RelayGameTrace,
        ConveyorBeltTrace,
        ClosedEyesRecitalTrace,
        LookingBackTrace,
        SerialParallelTrace,
        SelfAttentionTrace,
        QueryKeyValueTrace,
        FinaleTrace,
    )
}

to_json = _json.to_json


def from_json(text: str) -> Trace:
    """The trace written by `to_json`. Raises ValueError for anything else."""
    return _json.from_json(text, KINDS)
