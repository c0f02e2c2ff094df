"""Segments of clips in the cache: what did not change in a new clip is not drawn again."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from studio.cache import Cache
from studio.digests import digest

KIND = "segments"
FILE = "segment"


class KeptSegments:
    """The segments of one way of drawing: `base` stands for code, size and encoder."""

    def __init__(self, cache: Cache, base: str, anew: bool = False) -> None:
        self._cache = cache
        self._base = base
        self._anew = anew  # draw, whatever is there

    def find(self, key: str) -> Path | None:
        """The file of a segment that looks like that."""
        entry = None if self._anew else self._cache.get(KIND, self._key(key))
        return entry.path(FILE) if entry else None

    def keep(self, key: str, segment: Path) -> None:
        """Remember a segment. A cache that cannot be written to costs time, not the clip."""
        with suppress(OSError):
            folder = self._cache.workspace()
            try:
                shutil.copyfile(segment, folder / FILE)
                self._cache.put(KIND, self._key(key), folder)
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def _key(self, key: str) -> str:
        return digest(self._base, key)
