"""One builder per station: `engine/stations/<station>.py` has `build(lesson, device) -> Trace`."""

from __future__ import annotations

#: The stations there are, in the order of the line of thought.
STATIONS = (
    "word_order",
    "unrolled",
    "relay_game",
    "conveyor_belt",
    "closed_eyes_recital",
    "looking_back",
    "serial_parallel",
    "self_attention",
    "query_key_value",
    "finale",
)

#: What stations read of each other's sections in a lesson.
READS = {
    "query_key_value": ("looking_back", "self_attention"),
    "finale": ("relay_game", "conveyor_belt"),
}
