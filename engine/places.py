"""Folders of our own for what may be thrown away: nobody else can have put anything there."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


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
