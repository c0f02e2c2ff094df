"""The command with the quick station of the tests: `python -m tests.trust.one_run [FLAG]...`."""

from __future__ import annotations

import signal
import sys
from functools import partial
from pathlib import Path

signal.signal(signal.SIGINT, signal.SIG_DFL)  # as render.py does

import studio.request  # noqa: E402

SCENES = Path(__file__).parent.parent / "studio" / "fake_scenes"
SMALL = ("-r", "128,72", "--fps", "5")

if __name__ == "__main__":
    from render import main

    studio.request.make_request = partial(studio.request.make_request, scenes=SCENES)
    sys.exit(main(["relay_game", *SMALL, *sys.argv[1:]], standalone_mode=False))
