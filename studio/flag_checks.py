"""Manim's own flags with values that manim would only fail on later: refused at once."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.errors import InputError, Phrase, cause
from engine.lesson import MOST_LAYERS
from studio.native_options import native_name

SMALLEST, LARGEST = 16, 8192  # pixels of a side
SLOWEST, FASTEST = 0.1, 240.0  # frames per second


def check_flags(values: Mapping[str, Any]) -> None:
    """Raises InputError naming the first flag whose value nothing can be drawn with."""
    for dest, check in _CHECKS.items():
        value = values.get(dest)
        expected = None if value is None else check(value)
        if expected is not None:
            flag = native_name(dest)
            raise InputError("flags.bad_value", flag=flag, value=repr(value), expected=expected)
    for dest in ("media_dir", "log_dir"):
        if values.get(dest):
            check_folder(Path(values[dest]), native_name(dest))
    if values.get("config_file"):
        _check_config(Path(values["config_file"]))


def check_folder(path: Path, flag: str) -> None:
    """Raises InputError unless `path` is a folder, or could be made one."""
    try:
        _must_be_folder(path)
    except (OSError, ValueError) as error:
        raise InputError("flags.bad_path", flag=flag, path=path, reason=cause(error)) from None


def translator_flags(
    model: str | Path | None, layer: int | None, head: int | str | None
) -> dict[str, Any]:
    """The lesson's keys for --model, --layer and --head. Raises InputError naming the flag."""
    if model is not None:
        model = existing_folder(model, "--model")
    if isinstance(head, str) and head != "mean":
        if not re.fullmatch("[1-9][0-9]?", head) or int(head) > MOST_LAYERS:
            expected = Phrase("lesson.expected.head")
            raise InputError("flags.bad_value", flag="--head", value=repr(head), expected=expected)
        head = int(head)
    given = {"model": model, "layer": layer, "head": head}
    return {f"translation.{key}": value for key, value in given.items() if value is not None}


def existing_folder(path: str | Path, flag: str) -> str:
    """Its absolute path. Raises InputError unless it is there."""
    if not str(path).strip():
        raise InputError("flags.no_value", flag=flag)
    path = Path(path)
    try:
        folder = path.expanduser().absolute()
        if not stat.S_ISDIR(folder.stat().st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    except (OSError, ValueError) as error:
        raise InputError("flags.bad_path", flag=flag, path=path, reason=cause(error)) from None
    except RuntimeError:  # ~ of a user who is not there
        folder = path.absolute()
    return str(folder)


def _must_be_folder(path: Path) -> None:
    if b"\0" in os.fsencode(path):
        raise ValueError("no file can have that name")
    there = next((part for part in (path, *path.parents) if part.exists()), path)
    if not there.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def _resolution(value: str) -> Phrase | None:
    sides = [int(side) for side in re.split(r"[;,\-]", value) if side.isdecimal()]
    if len(sides) == 2 and all(SMALLEST <= s <= LARGEST and s % 2 == 0 for s in sides):
        return None
    return Phrase("flags.expected.frame", least=SMALLEST, most=LARGEST)


def _rate(value: float) -> Phrase | None:
    if SLOWEST <= value <= FASTEST:  # never true of nan
        return None
    return Phrase("flags.expected.rate", least=SLOWEST, most=FASTEST)


def _encoder(value: str) -> Phrase | None:
    import av

    try:
        av.Codec(value, "w")
    except (ValueError, av.FFmpegError):
        return Phrase("flags.expected.encoder")
    return None


def _pixel_format(value: str) -> Phrase | None:
    import av

    try:
        av.VideoFormat(value)
    except ValueError:
        return Phrase("flags.expected.pixel_format")
    return None


def _animations(value: str) -> Phrase | None:
    numbers = [int(number) for number in re.split(r"[;,\-]", value) if number.isdecimal()]
    return Phrase("flags.expected.animations") if numbers != sorted(numbers) else None


_CHECKS = {
    "resolution": _resolution,
    "frame_rate": _rate,
    "video_codec": _encoder,
    "pixel_format": _pixel_format,
    "from_animation_number": _animations,
}


def _check_config(file: Path) -> None:
    from configparser import Error, RawConfigParser

    try:
        RawConfigParser().read_string(file.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        reason = Phrase("flags.config.not_utf8")
    except OSError as error:
        reason = cause(error)
    except Error as error:
        line = getattr(error, "lineno", None) or next(iter(getattr(error, "errors", [])), (0,))[0]
        reason = Phrase("flags.config.line", line=line)
    else:
        return
    raise InputError("flags.config_bad", file=file, reason=reason)
