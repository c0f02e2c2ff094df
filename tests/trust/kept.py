"""A clip in the cache that nobody has drawn: files go where they belong without a render."""

from __future__ import annotations

import json
from functools import cache
from io import BytesIO
from pathlib import Path

import av
import numpy as np

from engine.traces import to_json
from studio.plan import make_plan
from studio.production import MADE, Outcome, produce
from studio.request import Request
from tests import factories
from tests.studio.conftest import Studio

BEAT = {"name": "question", "start": 0.0, "end": 2.0, "captions": {"zh": "问", "en": "ask"}}


@cache
def film(size: int) -> bytes:
    """An MP4 of two seconds, at least so many bytes long."""
    data = BytesIO()
    with av.open(data, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=5)
        stream.width, stream.height, stream.pix_fmt = 128, 72, "yuv420p"
        picture = np.zeros((72, 128, 3), np.uint8)  # [row, column, RGB]
        for _ in range(10):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture)))
        container.mux(stream.encode())
    made = data.getvalue()
    rest = max(8, size - len(made))
    return made + rest.to_bytes(4, "big") + b"free" + bytes(rest - 8)


def keep_clip(studio: Studio, request: Request, size: int = 100) -> None:
    """Puts what a worker would have made for the request into the studio's cache."""
    trace = to_json(factories.relay_game(request.lesson.relay_game.sentence))
    made = studio.cache.workspace()
    beats = {"station": "relay_game", "duration": 2.0, "width": 128, "height": 72,
             "frame_rate": 5.0, "poster": "question", "beats": [BEAT], "channels": []}
    files = {
        "clip.mp4": film(size),
        "clip.png": b"png",
        "clip.vtt": b"WEBVTT\n",
        "clip.json": trace.encode(),
        "clip.beats.json": json.dumps(beats).encode(),
        MADE: b'{"duration": 2.0}',
    }
    for name, data in files.items():
        (made / name).write_bytes(data)
    studio.cache.put("clips", make_plan(request, "relay_game", trace).key, made)


def restore(studio: Studio, size: int = 100, **options) -> tuple[Request, Outcome]:
    """A request whose clip is in the cache, and what became of it."""
    request = studio.request(**options)
    keep_clip(studio, request, size)
    (outcome,) = produce(request, studio.reporter, studio.cache)
    return request, outcome


def files_below(folder: Path) -> set[str]:
    """Every file, relative to the folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
