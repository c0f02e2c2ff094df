"""The course kit: what a finished clip is taken apart into, for slides, sites and platforms.

`python -m studio.kit` is the process that does it: one order a line on standard input. All of it
is made from the clip and the files beside it in the cache; nothing is drawn a second time.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.traces import from_json
from engine.words import LANGUAGES
from studio import chapters, clips
from studio.cutting import cut
from studio.job import STEM
from studio.moving import write_moving
from studio.silence import add_silence
from studio.transcript import Script, transcript

BEATS = f"{STEM}.beats.json"
TOLD = "told.json"  # in a part's cache entry: what there is to say about it
FILMS = (".mp4", ".webm")


@dataclass(frozen=True)
class Order:
    """One part of the kit, made from the files of the folder `entry` into the folder `made`."""

    part: str
    station: str
    entry: str
    made: str
    lang: str  # of the lesson
    budget: float  # MB, of a moving picture
    debug: bool = False

    @property
    def film(self) -> Path:
        films = (Path(self.entry) / f"{STEM}{ending}" for ending in FILMS)
        return next(film for film in films if film.is_file())

    def table(self) -> dict[str, Any]:
        """What happens when."""
        text = (Path(self.entry) / BEATS).read_text(encoding="utf-8")
        return json.loads(text)  # type: ignore[no-any-return]


def texts(order: Order, made: Path) -> dict[str, Any]:
    """Chapters and transcripts in every language."""
    table = order.table()
    trace = from_json((Path(order.entry) / f"{STEM}.json").read_text(encoding="utf-8"))
    found = chapters.of_beats(order.station, table["beats"])
    for name, lang in named_by_language(order.lang, f"{STEM}.chapters").items():
        text = chapters.to_chapters_vtt(found, lang)
        (made / f"{name}.vtt").write_text(text, encoding="utf-8")
    for lang in LANGUAGES:
        text = transcript(Script(table, trace), lang)
        (made / f"{STEM}.transcript.{lang}.md").write_text(text, encoding="utf-8")
    return {}


def named_by_language(lang: str, stem: str) -> dict[str, str]:
    """`stem` for the lesson's language, `stem.en` for another: what files are called."""
    first = LANGUAGES[0] if lang == "both" else lang
    return {stem if one == first else f"{stem}.{one}": one for one in LANGUAGES}


def beats(order: Order, made: Path) -> dict[str, Any]:
    """clip/01_question.mp4 and .png: each beat, and how it ends."""
    table, film = order.table(), order.film
    (made / STEM).mkdir()
    rate = float(table["frame_rate"])
    for number, beat in enumerate(table["beats"], 1):
        name = made / STEM / f"{number:02}_{beat['name']}"
        first, after = (round(beat[side] * rate) for side in ("start", "end"))
        cut(film, first, after, name.with_suffix(film.suffix))
        clips.save_frame(film, (after - 0.5) / rate, name.with_suffix(".png"))
    return {}


def moving(order: Order, made: Path) -> dict[str, Any]:
    """clip.webp, within its budget."""
    return asdict(write_moving(order.film, made / f"{STEM}.webp", order.budget))


def silent(order: Order, made: Path) -> dict[str, Any]:
    """clip.mp4 again, with a sound track that is empty."""
    add_silence(order.film, made / f"{STEM}.mp4")
    return {}


PARTS: dict[str, Callable[[Order, Path], dict[str, Any]]] = {
    "texts": texts,
    "beats": beats,
    "moving": moving,
    "silent": silent,
}


def main() -> None:
    from studio.children import own_the_output
    from studio.messages import to_message

    send = own_the_output()
    for line in iter(sys.stdin.readline, ""):
        order = Order(**json.loads(line))
        made = Path(order.made)
        try:
            told = PARTS[order.part](order, made)
            (made / TOLD).write_text(json.dumps(told), encoding="utf-8")
            send({"made": told})
        except Exception as error:
            send({"error": to_message(error, "studio.kit_failed", order.station, order.debug)})


if __name__ == "__main__":
    main()
