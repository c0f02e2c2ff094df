"""What a run says, on a terminal and elsewhere."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from engine.errors import FaultError
from studio.production import Outcome
from studio.progress import Reporter, TerminalReporter, print_line

FILM = {"clip.mp4": Path("relay_game.mp4")}


class Screen(io.StringIO):
    """A terminal without colours or a cursor."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome("relay_game", "drawn", FILM, 24.4, 81.0), "81 s of clip drawn in 24 s → relay_"),
        (
            Outcome("relay_game", "unchanged", FILM),
            "relay_game: nothing has changed → relay_game.mp4",
        ),
        (Outcome("relay_game", "restored", FILM), "drawn before, taken from the cache → relay_"),
        (
            Outcome("relay_game", "drawn", {"clip.png": Path("x.png")}, 3),
            "still drawn in 3 s → x.png",
        ),
        (Outcome("relay_game", "drawn", {}, 3), "played to the end in 3 s; dry run"),
    ],
)
def test_each_outcome_is_one_line(outcome, said):
    reporter = Reporter("en", io.StringIO(), io.StringIO())
    reporter.finish(outcome)
    assert said in reporter.out.getvalue() and reporter.out.getvalue().count("\n") == 1
    assert reporter.err.getvalue() == ""


def test_errors_and_waiting_go_to_standard_error():
    reporter = Reporter("zh", io.StringIO(), io.StringIO())
    reporter.fail("relay_game", FaultError("studio.worker_died", station="relay_game", code=9))
    reporter.say("waiting", folder="out")
    reporter.start("relay_game", "--format")
    assert reporter.err.getvalue().splitlines() == [
        "relay_game：短片完成之前绘制进程就结束了（退出码 9）",
        "另一次运行正在写入 out；等它结束",
        "relay_game：--format 由 manim 自己的渲染器绘制，较慢",
    ]
    assert reporter.out.getvalue() == ""


def test_a_terminal_shows_how_far_each_station_is():
    screen = Screen()
    with TerminalReporter("en", 15.0, screen, screen) as reporter:
        reporter.start("relay_game", None)
        reporter.advance("relay_game", 300, 900, False)
        (task,) = reporter.tasks
        assert (task.completed, task.total) == (300, 75 * 15)  # not known yet: a likely length
        reporter.advance("relay_game", 300, 900, True)
        assert (task.completed, task.total) == (300, 900)
        reporter.finish(Outcome("relay_game", "drawn", FILM, 24.4, 60.0))
        assert reporter.tasks == []
        reporter.start("looking_back", "--transparent")
        reporter.fail("looking_back", FaultError("studio.disk_full", path="[out]"))
    text = screen.getvalue()
    assert "relay_game: 60 s of clip drawn in 24 s → relay_game.mp4" in text
    assert "no room left on the disk for [out]" in text, "brackets are no markup"


def test_a_closed_stream_and_missing_letters_are_no_error():
    closed = io.StringIO()
    closed.close()
    print_line(closed, "x")
    raw = io.BytesIO()
    ascii_only = io.TextIOWrapper(raw, encoding="ascii")
    print_line(ascii_only, "词 \ud800")
    assert raw.getvalue() == b"\\u8bcd \\ud800\n"
