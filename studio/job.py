"""What one drawing process is told: everything, so that it asks nobody."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from studio.lanes import Lane
from studio.request import Product

#: What the files of a clip are called until they get their station's name: clip.mp4, clip.vtt …
STEM = "clip"


@dataclass(frozen=True)
class Job:
    """One station to draw into the folder `made`."""

    station: str
    scenes: str  # folder of the scene files
    lesson: str  # as JSON
    trace: str  # as JSON
    made: str  # where the finished files go
    media: str  # where manim works
    arguments: tuple[str, ...]  # manim's own flags
    product: Product
    lane: Lane
    workers: int
    cache: str  # root of the cache, for segments that were drawn before
    segments: str  # stands for all that they depend on and that cannot be seen in them
    anew: bool  # draw them again
    debug: bool

    @property
    def scene_name(self) -> str:
        """looking_back is drawn by LookingBack."""
        return "".join(part.capitalize() for part in self.station.split("_"))

    @property
    def scene_file(self) -> Path:
        return Path(self.scenes) / f"{self.station}.py"

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Job:
        table = json.loads(text)
        return cls(**{**table, "arguments": tuple(table["arguments"])})
