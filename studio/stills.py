"""Pictures of a station's beats in seconds: what an author looks at while writing.

    python -m studio.stills looking_back [--lesson F] [--trace F] [--lang en] [--theme light]
                                         [--aspect 9:16] [--size 540] [--beat NAME] [--out DIR]

Every beat's end is drawn once, nothing is encoded. Writes <station>_<nn>_<beat>.png and a
contact sheet <station>.png into the folder (default: out/stills).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import numpy as np
from manim import CairoRenderer, config, tempconfig
from PIL import Image

from engine.errors import LookbackError
from engine.lesson import Lesson, load_lesson
from engine.traces import Trace, from_json
from scenes.base import Beat, Station

ASPECTS = {"16:9": 16 / 9, "4:3": 4 / 3, "9:16": 9 / 16}
Keep = Callable[[Beat, Image.Image], None]


class SkippingRenderer(CairoRenderer):
    """Plays animations to their ends and draws only when asked."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(skip_animations=True, **kwargs)

    def update_frame(self, *args: Any, **kwargs: Any) -> None:
        """Drawing waits for `picture`."""

    def save_static_frame_data(self, scene: Any, static_mobjects: Any) -> None:
        self.static_image = None

    def picture(self, scene: Station) -> Image.Image:
        """The scene as it stands now."""
        self.camera.reset()
        self.camera.capture_mobjects(scene.mobjects)
        return Image.fromarray(np.array(self.camera.pixel_array)[..., :3])


def station_class(station: str) -> type[Station]:
    """The scene class of a station: looking_back → scenes.looking_back.LookingBack."""
    name = "".join(part.capitalize() for part in station.split("_"))
    return getattr(import_module(f"scenes.{station}"), name)  # type: ignore[no-any-return]


def draw_stills(
    kind: type[Station], keep: Keep, lesson: Lesson, trace: Trace | None = None, height: int = 540
) -> Station:
    """Runs a station and hands the picture of every beat's end to `keep`."""
    aspect = ASPECTS[lesson.look.aspect]
    width = round(height * aspect) if aspect >= 1 else height
    height = height if aspect >= 1 else round(width / aspect)
    with tempconfig(_settings(width, height)):
        scene = kind(renderer=SkippingRenderer(), trace=trace, lesson=lesson)
        scene.on_beat_end.append(lambda s, beat: keep(beat, s.renderer.picture(s)))
        scene.render()
    return scene


def _settings(width: int, height: int) -> dict[str, Any]:
    return {
        "pixel_width": width,
        "pixel_height": height,
        "frame_height": 8.0,
        "frame_width": 8.0 * width / height,
        "dry_run": True,
        "verbosity": "ERROR",
        "progress_bar": "none",
        "media_dir": str(Path(config["media_dir"])),
    }


def contact_sheet(pictures: list[Image.Image], columns: int = 2) -> Image.Image:
    """All pictures side by side."""
    width, height = pictures[0].size
    gap = width // 60
    rows = -(-len(pictures) // columns)
    size = (columns * (width + gap) + gap, rows * (height + gap) + gap)
    sheet = Image.new("RGB", size, "#808080")
    for place, picture in enumerate(pictures):
        row, column = divmod(place, columns)
        sheet.paste(picture, (gap + column * (width + gap), gap + row * (height + gap)))
    return sheet


@click.command()
@click.argument("station")
@click.option("--lesson", "lesson_path", help="A lesson file (default: the default lesson).")
@click.option("--trace", "trace_path", help="A trace JSON instead of computing one.")
@click.option("--lang", help="zh, en or both.")
@click.option("--theme", help="dark or light.")
@click.option("--aspect", help="16:9, 4:3 or 9:16.")
@click.option("--set", "overrides", multiple=True, help="A lesson key, such as relay_game.gain=2.")
@click.option("--beat", help="Only this beat.")
@click.option("--size", default=540, help="Height of a picture in pixels (width for 9:16).")
@click.option("--out", default="out/stills", help="Folder for the pictures.")
def main(
    station: str,
    lesson_path: str | None,
    trace_path: str | None,
    lang: str | None,
    theme: str | None,
    aspect: str | None,
    overrides: tuple[str, ...],
    beat: str | None,
    size: int,
    out: str,
) -> None:
    """Draws the end of every beat of STATION as PNG."""
    keys = {"lang": lang, "look.theme": theme, "look.aspect": aspect}
    keys = {key: value for key, value in keys.items() if value} | dict(map(_override, overrides))
    try:
        lesson = load_lesson(lesson_path, keys)
        trace = from_json(Path(trace_path).read_text(encoding="utf-8")) if trace_path else None
        paths = _write(station, lesson, trace, beat, size, Path(out))
    except LookbackError as error:
        click.echo(error.text("en"), err=True)
        raise SystemExit(error.exit_code) from None
    click.echo("\n".join(map(str, paths)))


def _override(text: str) -> tuple[str, object]:
    """key=value, where the value is read as TOML, or as text where it is none."""
    import tomllib

    key, _, value = text.partition("=")
    try:
        return key, tomllib.loads(f"v = {value}")["v"]
    except tomllib.TOMLDecodeError:
        return key, value


def _write(
    station: str, lesson: Lesson, trace: Trace | None, only: str | None, size: int, out: Path
) -> list[Path]:
    out.mkdir(parents=True, exist_ok=True)
    pictures: list[Image.Image] = []
    paths: list[Path] = []

    def keep(beat: Beat, picture: Image.Image) -> None:
        if only in (None, beat.name):
            pictures.append(picture)
            paths.append(out / f"{station}_{len(paths):02}_{beat.name}.png")
            picture.save(paths[-1])

    draw_stills(station_class(station), keep, lesson, trace, size)
    if len(pictures) > 1:
        paths.append(out / f"{station}.png")
        contact_sheet(pictures).save(paths[-1])
    return paths


if __name__ == "__main__":
    main()
