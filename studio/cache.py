"""What was made once is kept by its content: a key that says what it was made from.

An entry is a folder of files with a manifest of their checksums. It appears whole, by one
rename, and is checked whenever it is read: a damaged one counts as absent and is made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.places import cache_home as cache_home

MANIFEST = "manifest.json"
MOST_BYTES = 2_000_000_000
ABANDONED_SECONDS = 86_400  # a working folder that old belongs to no run any more


@dataclass(frozen=True)
class Entry:
    """One kept result. `files` maps names, relative to the folder, to sha256."""

    folder: Path
    files: dict[str, str]

    def path(self, name: str) -> Path:
        return self.folder / name

    def without(self, *names: str) -> Entry:
        """The same entry, less some of its files."""
        return Entry(self.folder, {k: v for k, v in self.files.items() if k not in names})

    def text(self, name: str) -> str:
        return self.path(name).read_text(encoding="utf-8")


class Cache:
    """Entries under `root/<kind>/<key>/`; working folders under `root/work/`."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or cache_home()

    def get(self, kind: str, key: str) -> Entry | None:
        """The entry, if it is there and whole; using it makes it young again."""
        folder = self.root / kind / key
        files = _read_manifest(folder)
        if files is None or any(checksum(folder / name) != sha for name, sha in files.items()):
            return None
        with suppress(OSError):
            os.utime(folder)
        return Entry(folder, files)

    def put(self, kind: str, key: str, made: Path) -> Entry:
        """Keeps the files of the folder `made`, which must lie on the cache's own disk."""
        found = sorted(path for path in made.rglob("*") if path.is_file())
        files = {path.relative_to(made).as_posix(): _must_checksum(path) for path in found}
        (made / MANIFEST).write_text(json.dumps(files, indent=1), encoding="utf-8")
        folder = self.root / kind / key
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._make_room_for(folder)
        try:
            made.rename(folder)
        except OSError:
            # Another run was faster; what it made from the same key is the same.
            entry = self.get(kind, key)
            if entry is None:
                raise
            shutil.rmtree(made, ignore_errors=True)
            return entry
        return Entry(folder, files)

    def workspace(self) -> Path:
        """A new empty folder on the cache's disk. Whoever asks removes it."""
        work = self.root / "work"
        work.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="run-", dir=work))

    def prune(self, most_bytes: int = MOST_BYTES) -> None:
        """Removes abandoned working folders, then the oldest entries beyond `most_bytes`."""
        for folder in _children(self.root / "work"):
            if time.time() - _age(folder) > ABANDONED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
        total = 0
        kinds = [kind for kind in _children(self.root) if kind.name != "work"]
        entries = [entry for kind in kinds for entry in _children(kind)]
        for entry in sorted(entries, key=_age, reverse=True):
            total += _bytes(entry)
            if total > most_bytes:
                shutil.rmtree(entry, ignore_errors=True)

    def _make_room_for(self, folder: Path) -> None:
        """Moves a damaged entry out of the way, so that the rename finds its place free."""
        if folder.exists() and self.get(folder.parent.name, folder.name) is None:
            damaged = self.workspace()
            with suppress(OSError):
                folder.rename(damaged / folder.name)
            shutil.rmtree(damaged, ignore_errors=True)


def checksum(path: Path) -> str | None:
    """sha256 of a file, None where there is none to read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _must_checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_manifest(folder: Path) -> dict[str, str] | None:
    try:
        files = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    named = isinstance(files, dict) and all(_inside(name) for name in files)
    return files if named and files else None


def _inside(name: str) -> bool:
    """Whether a name stays in its folder."""
    path = Path(name)
    return not path.is_absolute() and ".." not in path.parts


def _children(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []


def _age(folder: Path) -> float:
    with suppress(OSError):
        return folder.stat().st_mtime
    return 0.0


def _bytes(folder: Path) -> int:
    total = 0
    with suppress(OSError):
        total = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return total
