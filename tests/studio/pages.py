"""A lesson's folder with a real film of two seconds for each station, and its page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import av
import numpy as np
from PIL import Image

from engine.lesson import Lesson, load_lesson
from engine.traces import Trace, to_json
from studio import captions
from studio.cache import Cache
from studio.page import make_page
from tests import factories

SIZE = (160, 90)
RATE = 10  # frames a second
BEATS = ("question", "weights", "sum", "name")  # half a second each
SECONDS = 0.5
HOSTILE = (
    "<script>window.hacked=1</script>",
    "{{7*191}}",
    "\"'><img src=x onerror=window.hacked=1>",
    "</script><b>",
    "javascript:window.hacked=1",
)


@dataclass(frozen=True)
class Said:
    """One beat of a clip that was never drawn."""

    name: str
    start: float
    end: float
    captions: dict[str, str]


def beats(text: str = "") -> list[Said]:
    said = (f"Beat {n}: 1 < 2 & so on. {text}" for n in range(len(BEATS)))
    return [
        Said(name, n * SECONDS, (n + 1) * SECONDS, {"en": one, "zh": f"第 {n} 拍：看。{text}"})
        for n, (name, one) in enumerate(zip(BEATS, said, strict=True))
    ]


def make_folder(
    folder: Path, traces: Mapping[str, Trace], text: str = "", stills: bool = False
) -> Path:
    """Every file that the studio would put there, by stem; `text` is added to captions."""
    folder.mkdir(parents=True, exist_ok=True)
    for stem, trace in traces.items():
        (folder / f"{stem}.mp4").write_bytes(film(folder))
        Image.new("RGB", SIZE, "#224466").save(folder / f"{stem}.png")
        (folder / f"{stem}.json").write_text(to_json(trace), encoding="utf-8")
        _write_texts(folder, stem, trace.station, text)
        if stills:
            (folder / stem).mkdir(exist_ok=True)
            for name in BEATS:
                Image.new("RGB", SIZE, "#446622").save(folder / stem / f"{name}.png")
    return folder


def _write_texts(folder: Path, stem: str, station: str, text: str) -> None:
    said = beats(text)
    for lang, ending in (("zh", "vtt"), ("en", "en.vtt")):
        cues = captions.cues(said, lang, len(BEATS) * SECONDS)
        (folder / f"{stem}.{ending}").write_text(captions.to_vtt(cues, lang), encoding="utf-8")
    channel = {"beat": "weights", "field": "pairs[0].weights", "index": [0, 0], "value": 0.5,
               "attribute": "fill", "scale": "as it is", "label": "α", "expected": 0.5}  # fmt: skip
    table = {
        "station": station,
        "duration": len(BEATS) * SECONDS,
        "width": SIZE[0],
        "height": SIZE[1],
        "frame_rate": RATE,
        "poster": "name",
        "beats": [vars(one) for one in said],
        "channels": [channel, channel],
    }
    (folder / f"{stem}.beats.json").write_text(json.dumps(table), encoding="utf-8")


@cache
def film(folder: Path) -> bytes:
    """A grey that grows lighter, as H.264 with its index first."""
    path = folder / ".film.mp4"
    with av.open(str(path), "w", options={"movflags": "faststart"}) as container:
        stream = container.add_stream("libx264", rate=RATE, options={"g": "5"})
        stream.width, stream.height = SIZE
        stream.pix_fmt = "yuv420p"
        for number in range(round(len(BEATS) * SECONDS * RATE)):
            grey = np.full((SIZE[1], SIZE[0], 3), 10 * number, dtype=np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(grey)))
        container.mux(stream.encode())
    data = path.read_bytes()
    path.unlink()
    return data


def make(folder: Path, lesson: Lesson | None = None) -> Path:
    """The page of a folder, made anew."""
    made = make_page(folder, lesson or load_lesson(), Cache(folder.parent / "cache"))
    assert made is not None
    return made


def all_stations() -> dict[str, Trace]:
    """One short trace for each station: what is on the page, not how much of it."""
    pair = factories.PAIRS["short"]
    made = (
        factories.relay_game("我|爱|你", steps=20),
        factories.conveyor_belt("我|爱|你"),
        factories.closed_eyes_recital(pair, factories.PAIRS["zh"]),
        factories.looking_back([pair, factories.PAIRS["zh"]]),
    )
    return {trace.station: trace for trace in made}


def hostile_trace() -> Trace:
    """Words as somebody might write them who wishes the reader no good."""
    source = "|".join(word.replace("|", "") for word in HOSTILE)
    return factories.looking_back([(source, " ".join(HOSTILE))])
