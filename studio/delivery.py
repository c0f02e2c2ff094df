"""From the cache to the folder that people use: file by file, each whole or not at all.

`.lookback.json` in the folder remembers what was put there, so that files of another sentence
never stay beside the new ones, while a file that somebody changed is never taken away.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from studio.cache import Entry, checksum
from studio.job import STEM
from studio.plan import StationPlan
from studio.request import as_fault

RECORD = ".lookback.json"
LOCK = ".lookback.lock"


@contextmanager
def only_run_in(folder: Path, on_wait: Callable[[], None]) -> Iterator[None]:
    """Holds the folder's lock. Another run's end is waited for, after saying so once."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("w")
    except OSError as error:
        raise as_fault(error, folder) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_wait()
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def deliver(plan: StationPlan, *entries: Entry) -> tuple[dict[str, Path], bool]:
    """Puts the entries' files in place; their paths by name, and whether any had to be written.

    A file of a later entry stands in for an earlier one's of that name. Raises FaultError when
    the disk is full or the folder cannot be written to.
    """
    made = {name: entry.path(name) for entry in entries for name in entry.files}
    files = {name: sha for entry in entries for name, sha in entry.files.items()}
    paths = {name: plan.target(name) for name in files}
    changed = [name for name, sha in files.items() if checksum(paths[name]) != sha]
    try:
        _remove_other_content(plan, files)
        for name in changed:
            place(made[name], paths[name])
        if changed:
            _remember(plan, files)
    except OSError as error:
        raise as_fault(error, plan.folder) from None
    return paths, bool(changed)


def place(made: Path, target: Path) -> None:
    """Puts a file where it belongs: copied beside it, then renamed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f".{target.name}.part")
    try:
        shutil.copyfile(made, beside)
        os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)


def _remove_other_content(plan: StationPlan, files: dict[str, str]) -> None:
    """Takes away files of this stem that show another sentence, or beats that are no more, and
    that nobody has touched.
    """
    content, old = _recorded(plan)
    with_beats = any(name.startswith(f"{STEM}/") for name in files)
    for name, sha in old.items():
        path = plan.target(name)
        other = content != plan.content or (with_beats and name.startswith(f"{STEM}/"))
        if other and name not in files and checksum(path) == sha:
            path.unlink()
            with suppress(OSError):  # not empty, or the folder of all
                if path.parent != plan.folder:
                    path.parent.rmdir()


def _remember(plan: StationPlan, files: dict[str, str]) -> None:
    content, old = _recorded(plan)
    kept = old if content == plan.content else {}
    kept = {name: sha for name, sha in kept.items() if plan.target(name).exists()}
    remember(plan.folder, plan.stem, plan.content, kept | files)


def remember(folder: Path, name: str, content: str, files: dict[str, str]) -> None:
    """Writes down what was put into the folder: digest of the content, sha256 by file."""
    record = _read_record(folder)
    record[name] = {"content": content, "files": files}
    beside = folder / f"{RECORD}.part"
    beside.write_text(json.dumps(record, indent=1, ensure_ascii=False), encoding="utf-8")
    os.replace(beside, folder / RECORD)


def _recorded(plan: StationPlan) -> tuple[str | None, dict[str, str]]:
    """What the record says of this stem: digest of the content, sha256 of every file."""
    content, files = recorded(plan.folder, plan.stem)
    # The record lies where anybody can write: only names of our own making are followed.
    return content, {k: v for k, v in files.items() if k.startswith(STEM) and ".." not in k}


def recorded(folder: Path, name: str) -> tuple[str | None, dict[str, str]]:
    """What `remember` wrote down under this name; nothing, where that cannot be read."""
    old = _read_record(folder).get(name)
    if not isinstance(old, dict) or not isinstance(old.get("files"), dict):
        return None, {}
    return old.get("content"), old["files"]


def _read_record(folder: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        if isinstance(record, dict):
            return record
    return {}
