"""The gallery: every beat of every sheet on one page, and a failure that hides nothing else."""

from __future__ import annotations

import html
import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from PIL import Image

from engine.errors import InputError
from engine.lesson import load_lesson
from engine.traces import to_json
from studio import gallery, gallery_page, stills
from tests import factories
from tests.studio.conftest import SCENES

BEATS = ["question", "number", "name"]
SENTENCE = "我|爱|你"


def fake_station(station: str) -> type:
    spec = importlib.util.spec_from_file_location(f"fake_{station}", SCENES / f"{station}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.RelayGame


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SimpleNamespace:
    """The command with the fake station and numbers that need no torch."""
    asked: list[tuple[str, ...]] = []

    def numbers(request, cache, children):
        asked.append(request.stations)
        for station in request.stations:
            known = station == "relay_game"
            trace = to_json(factories.relay_game(SENTENCE))
            yield station, trace if known else InputError("sentence.empty", where="<here>")

    monkeypatch.setattr(stills, "station_class", fake_station)
    monkeypatch.setattr(gallery, "traces", numbers)

    def run(*flags: str):
        command = [*flags, "--size", "72", "--out", str(tmp_path / "out")]
        return CliRunner().invoke(gallery.main, command)

    return SimpleNamespace(run=run, out=tmp_path / "out", asked=asked)


def test_each_combination_becomes_a_sheet_with_all_beats_and_the_numbers_are_asked_once(
    looked: SimpleNamespace,
) -> None:
    ran = looked.run("--station", "relay_game", "--lang", "en", "--lang", "both",
                     "--theme", "light", "--aspect", "16:9", "--aspect", "9:16")  # fmt: skip
    assert ran.exit_code == 0, ran.output
    assert looked.asked == [("relay_game",)]
    folders = sorted(path.name for path in (looked.out / "default").iterdir())
    assert folders == [f"relay_game-{lang}-light-{aspect}" for lang in ("both", "en")
                       for aspect in ("16x9", "9x16")]  # fmt: skip
    wide, tall = (looked.out / "default" / name for name in folders[2:])
    for folder, size in ((wide, (128, 72)), (tall, (72, 128))):
        pictures = sorted(path.name for path in folder.glob("0*.png"))
        assert pictures == [f"{n:02}_{name}.png" for n, name in enumerate(BEATS, start=1)]
        assert Image.open(folder / pictures[0]).size == size
        assert Image.open(folder / gallery_page.OVERVIEW).width > 3 * size[0]
    text = (looked.out / gallery_page.PAGE).read_text(encoding="utf-8")
    assert text.count("<figure>") == 4 * len(BEATS)
    assert text.count('lang="zh">') == 2 * len(BEATS)  # only where both are on screen
    assert html.escape("Step 3: 1 < 2 & <b>is no markup</b>", quote=False) in text
    for link in ("relay_game-en-light-9x16/03_name.png", "relay_game-both-light-16x9/sheet.png"):
        assert f'href="./default/{link}"' in text
    assert not list(looked.out.glob(".*"))


def test_what_cannot_be_drawn_says_so_in_its_place_and_the_rest_is_there(
    looked: SimpleNamespace,
) -> None:
    ran = looked.run("--station", "unrolled", "--station", "relay_game", "--lang", "en")
    assert ran.exit_code == 1
    text = (looked.out / gallery_page.PAGE).read_text(encoding="utf-8")
    assert "&lt;here&gt;: the sentence is empty" in text
    assert text.count("<figure>") == len(BEATS)
    assert text.index('id="unrolled"') < text.index('id="relay_game"')


def test_a_scene_that_breaks_keeps_the_beats_before_it(
    looked: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Breaks(fake_station("relay_game")):  # type: ignore[misc]
        station = "relay_game"

        def construct(self) -> None:
            with self.beat("question"):
                self.wait(0.2)
            raise ZeroDivisionError("no way")

    monkeypatch.setattr(stills, "station_class", lambda station: Breaks)
    ran = looked.run("--station", "relay_game")
    assert ran.exit_code == 1 and "no way" in ran.output and "Traceback" not in ran.output
    text = (looked.out / gallery_page.PAGE).read_text(encoding="utf-8")
    assert "ZeroDivisionError: no way" in text and text.count("<figure>") == 1


def test_a_station_drawn_again_leaves_the_other_sheets_on_the_page(
    looked: SimpleNamespace,
) -> None:
    for theme in ("dark", "light"):
        looked.run("--station", "relay_game", "--theme", theme)
    stray = looked.out / "default" / "relay_game-zh-light-16x9" / "09_gone.png"
    stray.write_bytes(b"")
    looked.run("--station", "relay_game", "--theme", "light")
    text = (looked.out / gallery_page.PAGE).read_text(encoding="utf-8")
    assert text.count("<h3>") == 2 and "-dark-" in text and "-light-" in text
    assert not stray.exists()


def test_a_wrong_look_is_told_in_one_line(looked: SimpleNamespace) -> None:
    ran = looked.run("--theme", "pink")
    assert ran.exit_code == 2
    assert "look.theme" in ran.output and "Traceback" not in ran.output
    assert not looked.out.exists()


def test_a_sheet_survives_its_file() -> None:
    still = gallery_page.Still("name", "01_name.png", 1.5, {"en": "“a” & b"})
    look = load_lesson().look
    sheet = gallery_page.Sheet("课", "relay_game", "en", look.theme, look.aspect, (still,))
    assert gallery_page.Sheet.from_json(sheet.to_json()) == sheet
