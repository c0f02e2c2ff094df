"""Folders of our own: for what may be thrown away, and for what was made once and is kept."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def cache_home() -> Path:
    """LOOKBACK_CACHE, else the user's cache folder, else one of the user's own in /tmp."""
    given = os.environ.get("LOOKBACK_CACHE")
    if given:
        return Path(given).absolute()
    with suppress(OSError, RuntimeError):  # RuntimeError: there is no home
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        home = Path(base).absolute() / "lookback"
        home.mkdir(parents=True, exist_ok=True)
        if os.access(home, os.W_OK):
            return home
    return own_temporary_folder()


def own_temporary_folder() -> Path:
    """`lookback-<user>` among the temporary files; a new one where that is not ours alone."""
    folder = Path(tempfile.gettempdir()) / f"lookback-{os.getuid()}"
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        # Somebody else may have made a folder, or a link, of that name for us to trust.
        state = folder.lstat()
        if folder.is_dir() and not folder.is_symlink() and state.st_uid == os.getuid():
            return folder
    return Path(tempfile.mkdtemp(prefix="lookback-"))
