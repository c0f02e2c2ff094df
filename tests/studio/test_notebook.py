"""From Python in one line."""

from __future__ import annotations

import base64
import re

import pytest

import render as command
import studio.notebook as notebook
from engine.errors import InputError
from studio.notebook import Shown
from tests import factories
from tests.studio.conftest import SCENES, SMALL


@pytest.fixture
def small(studio, monkeypatch):
    """Calls from Python draw the fake station, small, into the studio's cache."""
    studio.request()  # keeps the numbers of 我|爱|你
    monkeypatch.setenv("LOOKBACK_CACHE", str(studio.cache.root))
    make = notebook.make_request

    def small_request(stations, **options):
        options["native"] = SMALL | options.get("native", {})
        return make(stations, scenes=SCENES, **options)

    monkeypatch.setattr(notebook, "make_request", small_request)
    return studio


def test_show_draws_and_returns_numbers_and_files(small):
    shown = command.show("我|爱|你", station="relay_game", out=small.out)
    assert shown.video == small.folder / "relay_game.mp4"
    assert shown.trace.tokens == factories.relay_game("我|爱|你").tokens == ("我", "爱", "你")
    assert command.render("relay_game", sentence="我|爱|你", out=small.out) == {
        "relay_game": list(shown.files.values())
    }


def test_errors_are_raised():
    with pytest.raises(InputError, match="unknown station 'nope'"):
        command.render(["nope"])
    with pytest.raises(InputError, match="--source: the sentence is empty"):
        command.show("  ")


def test_the_player_needs_no_other_file(drawn):
    _, outcome = drawn
    files = {name.removeprefix("clip"): path for name, path in outcome.files.items()}
    html = Shown("relay_game", "zh", files).html()
    parts = dict(re.findall(r'src="data:([^;]+);base64,([^"]+)"', html))
    assert base64.b64decode(parts["video/mp4"]) == files[".mp4"].read_bytes()
    assert base64.b64decode(parts["text/vtt"]).startswith(b"WEBVTT")
    assert 'aria-label="传话游戏：梯度消失"' in html and "http" not in html.split("base64")[0]
