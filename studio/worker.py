"""The process that draws one station: `python -m studio.worker`, one Job on standard input.

It answers in JSON lines: frames done, then what was made, or an error.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from engine.errors import FaultError, InputError
from engine.lesson import Lesson
from engine.traces import from_json
from engine.words import LANGUAGES
from studio import captions, clips
from studio.cache import Cache
from studio.children import own_the_output
from studio.job import STEM, Job
from studio.kept_segments import KeptSegments
from studio.lanes import make_renderer
from studio.messages import to_message

Send = Callable[[Mapping[str, Any]], None]
TELL_SECONDS = 0.2  # between two reports of progress

#: Options that the command itself answers for, once the files are in place.
_NOT_HERE = ("output_file", "write_all", "preview", "show_in_file_browser", "preview_command")


def main() -> None:
    send = own_the_output()
    job = Job.from_json(sys.stdin.readline())
    try:
        send({"made": _make(job, send)})
    except Exception as error:
        send({"error": to_message(error, "studio.render_failed", job.station, job.debug)})


def _make(job: Job, send: Send) -> dict[str, Any]:
    """Draws and files; what the command wants to know about it."""
    _configure_manim(job)
    scene = _draw(job, send)
    made = Path(job.made)
    film = _collect(job, scene, made)
    if job.product in ("clip", "still") and job.trace:
        (made / f"{STEM}.json").write_text(job.trace, encoding="utf-8")
    if film is None or job.product != "clip":
        return {"duration": 0.0}
    duration = clips.seconds(film)
    _write_captions(job, scene.beats, duration, made)
    _write_poster(scene, film, made)
    _write_beats(job, scene, duration, made)
    return {"duration": duration, "drawn": _drawn(scene)}


def _configure_manim(job: Job) -> None:
    """Manim's own flags through manim's own options, then what the studio decides."""
    import click
    from manim import config, logger
    from manim.cli.render.ease_of_access_options import ease_of_access_options
    from manim.cli.render.global_options import global_options
    from manim.cli.render.output_options import output_options
    from manim.cli.render.render_options import render_options

    def options(**values: Any) -> None: ...

    for group in (global_options, output_options, render_options, ease_of_access_options):
        options = group(options)
    given = click.command()(options).make_context("manim", list(job.arguments)).params
    given |= dict.fromkeys(_NOT_HERE)
    config.media_dir = job.media
    config.verbosity = "WARNING"
    config.digest_args(Namespace(file=job.scene_file, scene_names=[job.scene_name], **given))
    config.progress_bar = "none"
    config.notify_outdated_version = False
    config.disable_caching = True  # every render has its own folder; our cache knows what is new
    config.disable_caching_warning = True
    logger.setLevel(config.verbosity)
    if given["resolution"] is None:
        _shape(config, Lesson.model_validate_json(job.lesson).look.aspect)


def _shape(config: Any, aspect: str) -> None:
    """The frame in the lesson's proportions; its shorter side as manim's quality has it."""
    if aspect == "16:9":
        return
    wide, high = (int(part) for part in aspect.split(":"))
    short = min(config.pixel_width, config.pixel_height)
    unit = short / min(wide, high)
    config.pixel_width, config.pixel_height = (2 * round(unit * n / 2) for n in (wide, high))
    unit = config.frame_height / min(wide, high)
    config.frame_width, config.frame_height = unit * wide, unit * high


def _draw(job: Job, send: Send) -> Any:
    from manim import config
    from manim.manager import Manager

    tell = _Progress(send)
    scene = _scene_class(job)(
        renderer=make_renderer(job.lane, job.workers, tell.frames, _kept_segments(job)),
        trace=from_json(job.trace) if job.trace else None,  # title cards have no numbers
        lesson=Lesson.model_validate_json(job.lesson),
    )
    scene.on_beat_end.append(lambda scene, beat: tell.known(beat.end * config.frame_rate))

    class Told(Manager):  # type: ignore[type-arg]
        """Says how long the clip is as soon as the scene has run to its end."""

        def tear_down(self) -> None:
            tell.known(self.time * config.frame_rate, total=True)
            super().tear_down()

    Told(scene).render()
    return scene


def _kept_segments(job: Job) -> KeptSegments:
    return KeptSegments(Cache(Path(job.cache)), job.segments, job.anew)


def _scene_class(job: Job) -> Any:
    spec = importlib.util.spec_from_file_location(f"scenes.{job.station}", job.scene_file)
    if spec is None or spec.loader is None or not job.scene_file.is_file():
        raise _no_scene(job)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    if not hasattr(module, job.scene_name):
        raise _no_scene(job)
    return getattr(module, job.scene_name)


def _no_scene(job: Job) -> FaultError:
    file = job.scene_file
    return FaultError("studio.no_scene", station=job.station, scene=job.scene_name, file=file)


class _Progress:
    """Counts frames and says so now and then."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._frames, self._known, self._total = 0, 0, False
        self._told = 0.0

    def frames(self, more: int) -> None:
        """So many more are drawn."""
        self._frames += more
        if time.monotonic() - self._told > TELL_SECONDS:
            self._told = time.monotonic()
            self._send({"frames": self._frames, "known": self._known, "total": self._total})

    def known(self, frames: float, total: bool = False) -> None:
        """The clip has at least so many frames, drawn or not; `total`: and no more."""
        self._known, self._total = round(frames), total


def _collect(job: Job, scene: Any, made: Path) -> Path | None:
    """Moves what manim wrote to `made`; the film, if there is one."""
    writer = scene.renderer.file_writer
    if job.product == "nothing":
        return None
    if job.product == "frames":
        shutil.copytree(writer.image_sequence_directory, made / f"{STEM}_frames")
        return None
    if job.product == "still":
        shutil.move(writer.image_file_path, made / f"{STEM}.png")
        return None
    plays = scene.renderer.num_plays
    drawn = Path(getattr(writer, "final_file_path", "")) if plays else None
    if job.product == "part" and (drawn is None or not drawn.is_file()):
        raise InputError("studio.no_such_part", station=job.station, count=plays)
    if drawn is None or drawn.suffix == ".png" or not drawn.is_file():
        raise FaultError("studio.empty_clip", station=job.station)
    film = made / f"{STEM}{drawn.suffix}"
    if drawn.suffix == ".mp4" and not clips.starts_at_once(drawn):
        clips.copy_with_index_first(drawn, film)
    else:
        shutil.move(drawn, film)
    for section in (
        sorted(Path(writer.sections_output_dir).glob(f"*{drawn.suffix}"))
        if (writer.output_spec.save_sections)
        else ()
    ):
        shutil.move(section, made / f"{STEM}{section.name.removeprefix(drawn.stem)}")
    return film


def _write_captions(job: Job, beats: Any, duration: float, made: Path) -> None:
    """clip.vtt and clip.srt in the lesson's language, clip.en.vtt … in the others."""
    asked = Lesson.model_validate_json(job.lesson).lang
    first = LANGUAGES[0] if asked == "both" else asked
    for lang in LANGUAGES:
        found = captions.cues(beats, lang, duration)
        stem = STEM if lang == first else f"{STEM}.{lang}"
        vtt, srt = captions.to_vtt(found, lang), captions.to_srt(found)
        (made / f"{stem}.vtt").write_text(vtt, encoding="utf-8")
        (made / f"{stem}.srt").write_text(srt, encoding="utf-8")


def _drawn(scene: Any) -> dict[str, int]:
    """The beats that were not taken from earlier clips, and how many frames that was."""
    return dict(getattr(scene.renderer.file_writer, "drawn_sections", {}))


def _poster_beat(scene: Any) -> Any:
    """The beat that the scene names in `poster`, else its last: each ends in a full picture."""
    named = [beat for beat in scene.beats if beat.name == getattr(scene, "poster", None)]
    return (named or scene.beats)[-1]


def _write_poster(scene: Any, film: Path, made: Path) -> None:
    from manim import config

    half_a_frame = 0.5 / config.frame_rate
    clips.save_frame(film, _poster_beat(scene).end - half_a_frame, made / f"{STEM}.png")


def _write_beats(job: Job, scene: Any, duration: float, made: Path) -> None:
    """What happens when, and which number drove which attribute."""
    from manim import config

    table = {
        "station": job.station,
        "duration": round(duration, 6),
        "width": config.pixel_width,
        "height": config.pixel_height,
        "frame_rate": config.frame_rate,
        "poster": _poster_beat(scene).name,
        "trailer": list(getattr(scene, "trailer", ())),
        "beats": [beat.as_dict() for beat in scene.beats],
        "channels": [channel.as_dict() for channel in scene.channels.recorded],
    }
    text = json.dumps(table, ensure_ascii=False, indent=1) + "\n"
    (made / f"{STEM}.beats.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
