"""From a request to files, with a station of three beats."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import av
import pytest
from PIL import Image

from engine.errors import FaultError
from engine.traces import from_json, to_json
from studio.cache import checksum
from studio.clips import starts_at_once
from studio.delivery import only_run_in
from studio.production import produce
from tests import factories
from tests.studio.conftest import OTHER, Studio

FILES = {
    f"relay_game.{ending}"
    for ending in (
        "mp4", "png", "vtt", "srt", "en.vtt", "en.srt", "json", "beats.json",
        "chapters.vtt", "chapters.en.vtt", "transcript.zh.md", "transcript.en.md",
    )
} | {"index.html", "deck.html", "relay_game"}  # the last is the folder of its beats


def test_a_station_is_these_files(drawn):
    studio, outcome = drawn
    assert outcome.status == "drawn" and studio.names() == FILES
    assert outcome.main_file == studio.folder / "relay_game.mp4"


def test_the_clip_plays_in_a_browser(drawn):
    studio, outcome = drawn
    film = studio.folder / "relay_game.mp4"
    assert starts_at_once(film)
    with av.open(str(film)) as container:
        (stream,) = container.streams
        context = stream.codec_context
        assert (context.name, context.pix_fmt) == ("h264", "yuv420p")
        assert (context.width, context.height, stream.average_rate) == (128, 72, 5)
        frames = sum(1 for _ in container.decode(stream))
    assert frames / 5 == pytest.approx(outcome.duration, abs=0.01)


def test_the_poster_is_the_end_of_the_beat_that_tells(drawn):
    studio, _ = drawn
    with Image.open(studio.folder / "relay_game.png") as poster:
        assert poster.size == (128, 72)
        # The circle of the beat "number" is there, and the picture is not empty.
        assert len(poster.convert("L").getcolors()) > 20


def test_the_numbers_lie_beside_the_clip(drawn):
    studio, _ = drawn
    text = (studio.folder / "relay_game.json").read_text("utf-8")
    assert text == to_json(factories.relay_game("我|爱|你"))
    assert to_json(from_json(text)) == text


def test_beats_say_what_happens_when(drawn):
    studio, outcome = drawn
    table = json.loads((studio.folder / "relay_game.beats.json").read_text("utf-8"))
    beats = table["beats"]
    assert [beat["name"] for beat in beats] == ["question", "number", "name"]
    assert beats[0]["start"] == 0 and beats[-1]["end"] == pytest.approx(table["duration"], abs=0.01)
    assert all(a["end"] == b["start"] for a, b in pairwise(beats))
    assert beats[1]["captions"]["en"].startswith("Step 3:")
    assert (table["poster"], table["width"]) == ("number", 128)
    assert table["duration"] == pytest.approx(outcome.duration, abs=1e-5)


def test_captions_are_in_the_lessons_language_and_in_the_other(drawn):
    studio, _ = drawn
    assert "谁离得最远" in (studio.folder / "relay_game.vtt").read_text("utf-8")
    assert "Who is furthest" in (studio.folder / "relay_game.en.srt").read_text("utf-8")


def test_nothing_changed_means_nothing_drawn(studio: Studio, monkeypatch):
    assert studio.draw().status == "restored"  # drawn before, in another folder
    before = {p: (p.stat().st_mtime_ns, checksum(p)) for p in studio.folder.glob("relay_game.*")}
    monkeypatch.setattr("studio.children.Children.start", None)  # no process may be needed
    assert studio.draw().status == "unchanged"
    assert {p: (p.stat().st_mtime_ns, checksum(p)) for p in before} == before
    (studio.folder / "relay_game.png").unlink()
    (studio.folder / "relay_game.vtt").write_text("edited")
    assert studio.draw().status == "restored"
    assert {p: checksum(p) for p in before} == {p: sha for p, (_, sha) in before.items()}


def test_a_then_b_then_a(studio: Studio):
    def shown(sentence: str) -> dict[str, str | None]:
        studio.draw(sentence)
        return {path.name: checksum(path) for path in studio.folder.glob("relay_game.*")}

    first, second = shown("我|爱|你"), shown(OTHER)
    assert first.keys() == second.keys()
    different = {name for name in first if first[name] != second[name]}
    assert {"relay_game.mp4", "relay_game.json", "relay_game.vtt"} <= different
    assert shown("我|爱|你") == first


def test_a_damaged_cache_entry_is_drawn_again(studio: Studio):
    for kept in (studio.cache.root / "clips").glob("*/clip.mp4"):
        kept.write_bytes(kept.read_bytes()[:500])
    again = studio.draw()
    assert again.status == "drawn" and starts_at_once(again.files["clip.mp4"])
    assert studio.draw().status == "unchanged"


def test_force_draws_again(studio: Studio, monkeypatch):
    drawn_again = []

    def draw(maker, plan):
        drawn_again.append(plan.station)
        return maker.cache.get("clips", plan.key)

    monkeypatch.setattr("studio.production._Maker._draw", draw)
    assert studio.draw(force=True).status == "drawn"
    assert len(drawn_again) == 1
    studio.draw()
    assert len(drawn_again) == 1


def test_plain_manim_makes_the_same_clip(studio: Studio, drawn):
    outcome = studio.draw(stock=True)
    assert starts_at_once(outcome.files["clip.mp4"])
    assert outcome.duration == pytest.approx(drawn[1].duration, abs=0.01)
    one, other = (o.files["clip.vtt"].read_text() for o in (outcome, drawn[1]))
    assert one == other


def test_the_last_frame_alone(studio: Studio):
    outcome = studio.draw(native={"save_last_frame": True})
    assert studio.names() == {"relay_game.png", "relay_game.json"}
    assert outcome.main_file == studio.folder / "relay_game.png"
    assert "--save_last_frame is drawn by manim's own renderer" in studio.reporter.err.getvalue()


def test_a_part_of_a_clip_leaves_the_whole_one_alone(studio: Studio):
    studio.draw()
    whole = checksum(studio.folder / "relay_game.mp4")
    studio.draw(native={"from_animation_number": "2,4"})
    assert studio.names() == FILES | {"relay_game_n2,4.mp4"}
    assert checksum(studio.folder / "relay_game.mp4") == whole


def test_a_dry_run_writes_nothing(studio: Studio):
    outcome = studio.draw(native={"dry_run": True})
    assert outcome.files == {} and studio.names() == set()
    assert "dry run, nothing written" in studio.reporter.out.getvalue()


def test_files_of_another_sentence_do_not_stay_beside_the_new_ones(studio: Studio):
    outcome = studio.draw("我|爱|你", native={"format": "gif"})
    assert outcome.main_file == studio.folder / "relay_game.gif"
    assert {"relay_game.png", "relay_game.vtt", "relay_game.json"} < studio.names()
    (studio.folder / "my notes.txt").write_text("mine")
    studio.draw(OTHER)
    assert studio.names() == FILES | {"my notes.txt"}


def test_a_lesson_has_its_own_folder_proportions_and_names(studio: Studio, tmp_path):
    lesson = tmp_path / "竖屏.toml"
    lesson.write_text('[look]\naspect = "9:16"\n')
    native = {"resolution": None, "quality": "l", "output_file": "第一课"}
    outcome = studio.draw(native=native, lesson=lesson)
    there = {path.name for path in (studio.out / "竖屏").glob("[!.]*")}
    assert there == {name.replace("relay_game", "第一课") for name in FILES}
    with av.open(str(outcome.files["clip.mp4"])) as container:
        context = container.streams.video[0].codec_context
        assert (context.width, context.height) == (480, 854)


def test_folders_with_odd_names(studio: Studio, tmp_path):
    folder = tmp_path / ("it's 空 #%20 " + "x" * 200)
    studio.cache.root = folder / "cache"
    outcome = studio.draw(out=folder, seed=1)
    assert outcome.status == "drawn" and starts_at_once(outcome.files["clip.mp4"])


BROKEN = """
from scenes.base import Station
class RelayGame(Station):
    def construct(self):
        {body}
"""


def broken(tmp_path: Path, body: str) -> Path:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "relay_game.py").write_text(BROKEN.format(body=body))
    return folder


@pytest.mark.parametrize(
    ("body", "key", "said"),
    [
        ("1 / 0", "studio.render_failed", "ZeroDivisionError: division by zero"),
        ("pass", "studio.empty_clip", "played nothing"),
        ("import os; os._exit(9)", "studio.worker_died", "exit code 9"),
    ],
)
def test_a_scene_that_fails_is_one_line_and_leaves_nothing(studio, tmp_path, body, key, said):
    with pytest.raises(FaultError) as error:
        studio.draw(scenes=broken(tmp_path, body))
    assert error.value.key == key and said in error.value.text("en")
    assert studio.names() == set() and not list((studio.cache.root / "work").iterdir())


def test_a_scene_that_is_not_there(studio: Studio, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(FaultError) as error:
        studio.draw(scenes=tmp_path / "empty")
    assert error.value.key == "studio.no_scene"


def test_one_failing_station_stops_no_other(studio: Studio, tmp_path):
    request = studio.request(stations=["conveyor_belt", "relay_game"])
    key_of = {"conveyor_belt": factories.conveyor_belt()}
    for station, trace in key_of.items():
        _keep(studio, request, station, to_json(trace))
    outcomes = produce(request, studio.reporter, studio.cache)
    assert [o.status for o in outcomes] == ["failed", "restored"]  # there is no fake belt
    assert outcomes[0].error.key == "studio.no_scene"


def _keep(studio: Studio, request, station: str, trace: str) -> None:
    from studio.digests import trace_key

    work = studio.cache.workspace()
    (work / "trace.json").write_text(trace, encoding="utf-8")
    studio.cache.put("traces", trace_key(request.lesson, station, request.device), work)


def test_a_folder_that_cannot_be_written_to(studio: Studio, monkeypatch):
    def refuse(folder: Path, *rest, **options) -> None:
        raise PermissionError(13, "Permission denied")

    request = studio.request()
    with monkeypatch.context() as patch, pytest.raises(FaultError) as error:
        patch.setattr(Path, "mkdir", refuse)
        with only_run_in(request.folder, lambda: None):
            pass
    assert error.value.key == "studio.not_writable"
    assert "(no permission)" in error.value.text("en")
    assert "choose another folder with --out" in error.value.text("en")


def test_a_missing_font_is_one_line(studio: Studio, monkeypatch):
    import studio.digests as digests
    from scenes import fonts

    monkeypatch.setitem(sys.modules, fonts.PACKAGE, None)  # as if it were not installed
    fonts.fingerprint.cache_clear()
    digests._fonts.cache_clear()
    with pytest.raises(FaultError) as error:
        studio.draw()
    assert error.value.key == "font.missing" and fonts.FAMILY in error.value.text("en")


def test_a_second_run_waits_and_says_so(tmp_path):
    holder = (
        "import sys, time; from pathlib import Path; from studio.delivery import only_run_in\n"
        "with only_run_in(Path(sys.argv[1]), lambda: None):\n"
        "    print('held', flush=True); time.sleep(1)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", holder, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    waited = []
    with only_run_in(tmp_path, lambda: waited.append(time.monotonic())):
        assert process.wait() == 0
    assert len(waited) == 1
    process.stdout.close()


def test_numbers_come_from_a_process_of_their_own(studio: Studio):
    """The one test here that computes: the real relay, and the same bytes again."""
    from studio.children import Children
    from studio.request import make_request
    from studio.tracing import traces

    request = make_request(["relay_game"], sentence="我|爱|你|们|好", device="cpu")
    ((station, text),) = traces(request, studio.cache, Children())
    assert station == "relay_game" and isinstance(text, str)
    assert from_json(text).tokens == ("我", "爱", "你", "们", "好")
    assert "torch" not in sys.modules or os.environ.get("PYTEST_XDIST_WORKER")
    ((_, again),) = traces(request, studio.cache, Children())
    assert again == text
