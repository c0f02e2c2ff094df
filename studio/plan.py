"""What it takes: every key and every path is known before anything is drawn or written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from studio.digests import clip_key, content_key, digest, segment_base
from studio.job import STEM, Job
from studio.lanes import Lane, choose_lane
from studio.request import Request


@dataclass(frozen=True)
class StationPlan:
    """One station of a request, with its numbers."""

    request: Request
    station: str
    trace: str  # as JSON
    content: str  # digest of what is shown, however it is drawn
    key: str  # of the cache entry
    segments: str  # the same for the parts of its film
    lane: Lane
    stem: str  # of its files

    @property
    def folder(self) -> Path:
        return self.request.folder

    def target(self, made: str) -> Path:
        """Where a file that the worker called clip.vtt or clip_frames/0001.png will be."""
        return self.folder / f"{self.stem}{made.removeprefix(STEM)}"

    @property
    def main_name(self) -> str:
        """The file that a person asked for, as the worker calls it (video: by its ending)."""
        return {"still": f"{STEM}.png", "frames": f"{STEM}_frames"}.get(
            self.request.drawing.product, STEM
        )

    def job(self, made: Path, media: Path, workers: int, cache: Path) -> Job:
        """The order for a drawing process that works in these folders."""
        request = self.request
        given = request.drawing.values.get("media_dir")
        return Job(
            station=self.station,
            scenes=str(request.scenes),
            lesson=request.lesson.model_dump_json(),
            trace=self.trace,
            made=str(made),
            media=str(given or media),
            arguments=request.drawing.arguments,
            product=request.drawing.product,
            lane=self.lane,
            workers=workers,
            cache=str(cache),
            segments=self.segments,
            anew=request.force,
            debug=request.debug,
        )


def make_plan(request: Request, station: str, trace: str) -> StationPlan:
    """The plan of one station. Raises FaultError where the font is missing."""
    lane, drawing = drawing_of(request)
    content = content_key(request.lesson, station, trace)
    return StationPlan(
        request=request,
        station=station,
        trace=trace,
        content=content,
        key=clip_key(content, station, request.scenes, drawing),
        segments=segment_base(request.lesson, station, request.scenes, drawing),
        lane=lane,
        stem=_stem(request, station),
    )


def drawing_of(request: Request) -> tuple[Lane, tuple[str, ...]]:
    """Who draws, and all that is said about how."""
    lane = choose_lane(request)
    return lane, (lane, *request.drawing.arguments, _config_file(request))


def _stem(request: Request, station: str) -> str:
    """The station's name; a part of a clip says which, so that the whole one is kept."""
    stem = request.drawing.values.get("output_file") or station
    if request.drawing.product == "part":
        return f"{stem}_n{request.drawing.values['from_animation_number']}"
    return str(stem)


def _config_file(request: Request) -> str:
    file = request.drawing.values.get("config_file")
    return digest(Path(file).read_text(encoding="utf-8", errors="replace")) if file else ""
