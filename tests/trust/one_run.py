"""The command with the quick station of the tests: `python -m tests.trust.one_run [FLAG]...`.

`film` and `trailer` are made of that one station.
"""

from __future__ import annotations

import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

signal.signal(signal.SIGINT, signal.SIG_DFL)  # as render.py does

import studio.request  # noqa: E402

SCENES = Path(__file__).parent.parent / "studio" / "fake_scenes"
SMALL = ("-r", "128,72", "--fps", "5")


def one_station(stations: list[str], **options: Any) -> studio.request.Request:
    """A request for the quick station only."""
    request = _make_request(stations, scenes=SCENES, **options)
    return replace(request, stations=("relay_game",))


_make_request = studio.request.make_request

if __name__ == "__main__":
    from render import main

    studio.request.make_request = one_station  # type: ignore[assignment]
    sys.exit(main(["relay_game", *SMALL, *sys.argv[1:]], standalone_mode=False))
