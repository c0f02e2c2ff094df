"""Manim's own flags, as manim 0.22 spells them, so that `--help` needs no `import manim`.

A test compares this table with the option groups of the installed manim. What the studio
answers for itself (`--seed`, where files go) is said in `render.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click


class Numbers(click.ParamType):
    """Whole numbers joined by `,`, `;` or `-`, such as 1280,720; kept as the text typed."""

    name = "numbers"

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        parts = re.split(r"[;,\-]", str(value))
        if not self.least <= len(parts) <= self.most or not all(p.isdigit() for p in parts):
            self.fail(f"{value!r} is not {self.example}", param, ctx)
        return str(value)

    @property
    def example(self) -> str:
        return "W,H" if self.least == self.most else "N or N,M"


class KeyValue(click.ParamType):
    """One KEY=VALUE of an encoder."""

    name = "KEY=VALUE"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        key, _, setting = str(value).partition("=")
        if not key.strip() or not setting:
            self.fail(f"{value!r} is not KEY=VALUE", param, ctx)
        return str(value)


@dataclass(frozen=True)
class Native:
    """One option of the `manim` command. Without a type it is a flag."""

    names: tuple[str, ...]
    dest: str
    help: str
    type: click.ParamType | None = None
    off: str | None = None  # the flag that says no, for an option with both
    multiple: bool = False

    def arguments(self, value: Any) -> list[str]:
        """How `value` is written on manim's command line."""
        if value is None or value == ():
            return []
        if self.type is None:
            return [self.names[-1]] if value else [self.off] if self.off else []
        values = value if self.multiple else [value]
        return [word for one in values for word in (self.names[-1], str(one))]


def _choice(*values: str) -> click.Choice:  # type: ignore[type-arg]
    return click.Choice(values, case_sensitive=False)


def _flag(*names: str, help: str, dest: str | None = None) -> Native:
    return Native(names, dest or names[-1].lstrip("-").replace("-", "_"), help)


def _option(
    *names: str, type: click.ParamType, help: str, dest: str | None = None, multiple: bool = False
) -> Native:
    dest = dest or names[-1].lstrip("-").replace("-", "_")
    return Native(names, dest, help, type, multiple=multiple)


_TEXT = click.STRING
_COUNT = click.IntRange(min=1)
_LEVELS = _choice("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_FORMATS = _choice("auto", "none", "png", "png-sequence", "gif", "mp4", "webm", "mov")

NATIVE = (
    _option("-q", "--quality", type=_choice("l", "m", "h", "p", "k"), help="480p15 … 2160p60."),
    _option("-r", "--resolution", type=Numbers(2, 2), help="Width and height, as W,H."),
    _option("--fps", "--frame_rate", type=click.FLOAT, help="Frames per second."),
    _option("--format", type=_FORMATS, help="Kind of file."),
    _flag("-t", "--transparent", help="With an alpha channel."),
    _flag("-s", "--save_last_frame", help="Only the last frame, as PNG."),
    _option("-n", "--from_animation_number", type=Numbers(1, 2), help="Only animations N … M."),
    _flag("-a", "--write_all", help="All stations, as without names."),
    _flag("--dry_run", help="Play everything, write nothing."),
    _flag("--save_sections", help="A clip per beat as well."),
    _flag("-p", "--preview", help="A quick look: 480p15 if no size is named; opened when ready."),
    _flag("--show_in_file_browser", help="Show the clip in its folder."),
    _option("--preview_command", type=_TEXT, help="The program that opens it."),
    _option("-o", "--output_file", type=_TEXT, help="Name of the files of one station."),
    _option("--renderer", type=_choice("cairo", "opengl"), help="Who draws."),
    _option("--video-codec", type=_TEXT, help="Encoder of the frames."),
    _option("--pixel-format", type=_TEXT, help="Pixel format of the frames."),
    _option(
        "--encoder-option",
        dest="video_encoder_options",
        type=KeyValue(),
        multiple=True,
        help="Setting of the encoder.",
    ),
    _option("--max-inflight-encoders", type=_COUNT, help="Encoders at work at once."),
    _option("--encoder-queue-size", type=_COUNT, help="Frames waiting per encoder."),
    _flag("--use_projection_fill_shaders", help="OpenGL only."),
    _flag("--use_projection_stroke_shaders", help="OpenGL only."),
    _flag("--enable_wireframe", help="OpenGL only."),
    _option("-c", "--config_file", type=_TEXT, help="A manim.cfg to read."),
    _option("-v", "--verbosity", type=_LEVELS, help="How much manim says."),
    _option("--progress_bar", type=_choice("display", "leave", "none"), help="Manim's own bars."),
    _flag("--disable_caching", help="Manim's cache of animations."),
    Native(
        ("--notify_outdated_version",),
        "notify_outdated_version",
        "Look for a newer manim on the network.",
        off="--silent",
    ),
    _option("--media_dir", type=_TEXT, help="Where manim keeps its working files."),
    _option("--log_dir", type=_TEXT, help="Where manim keeps its logs."),
    _flag("--log_to_file", help="Log to a file as well."),
    _option("-0", "--zero_pad", type=click.IntRange(0, 9), help="Digits in PNG file names."),
    _option("--tex_template", type=_TEXT, help="A TeX template (no station needs TeX)."),
    _flag("--no_latex_cleanup", help="Keep TeX's working files."),
    _flag("-l", "--live-preview", help="In a window of manim's own."),
    _flag("--enable_gui", help="In a window of manim's own."),
    _option("--gui_location", type=Numbers(2, 2), help="In a window of manim's own."),
    _flag("--fullscreen", help="In a window of manim's own."),
    _flag("--jupyter", help="In a notebook use `from render import show`."),
)

#: Paths are named from where the command was typed, not from where a worker runs.
PATHS = ("config_file", "media_dir", "log_dir", "tex_template")
#: Options that need manim's own window or loop: the plain `manim` command has them.
WINDOWED = ("live_preview", "enable_gui", "gui_location", "fullscreen", "jupyter")


def native_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: every option of the table on a click command."""
    for native in reversed(NATIVE):
        command = _click_option(native)(command)
    return command


def _click_option(native: Native) -> Callable[..., Any]:
    if native.type is None:
        first = "/".join([native.names[-1], native.off]) if native.off else native.names[-1]
        names = (*native.names[:-1], first)
        return click.option(*names, native.dest, is_flag=True, default=None, help=native.help)
    return click.option(
        *native.names,
        native.dest,
        type=native.type,
        multiple=native.multiple,
        default=None,
        help=native.help,
    )


def native_arguments(values: Mapping[str, Any]) -> list[str]:
    """The words to put on manim's command line for the options that were given."""
    return [word for native in NATIVE for word in native.arguments(values.get(native.dest))]


def native_name(dest: str) -> str:
    """How a person writes the option, such as --live-preview."""
    return next(native.names[-1] for native in NATIVE if native.dest == dest)
