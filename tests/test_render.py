"""The command line: what it accepts, what it says, how it ends."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import studio.production as production
from engine.errors import FaultError
from engine.stations import STATIONS
from engine.words import words
from render import main
from studio.native_options import NATIVE
from studio.production import Outcome
from studio.request import FILMS

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 0.5


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "render.py", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"LANG": "C.UTF-8", "LC_ALL": ""} | environment,
    )


def quickest(*arguments: str) -> float:
    """The least CPU time of three runs: waiting for a busy machine does not count."""
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run(*arguments).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def test_help_names_every_flag():
    text = run("--help").stdout
    for native in NATIVE:
        assert native.names[-1] in text
    own = "--lesson --source --target --sentence --lang --device --seed --out --list --stock"
    assert all(flag in text for flag in f"{own} --jobs --force --debug".split())


def test_list_names_every_station_in_both_languages():
    for lang in ("zh", "en"):
        lines = run("--list", "--lang", lang).stdout.splitlines()
        assert [line.split()[0] for line in lines] == [*STATIONS, *FILMS]
        keys = [*(f"{s}.title" for s in STATIONS), *(f"studio.films.{f}" for f in FILMS)]
        assert all(words(lang)(key) in line for key, line in zip(keys, lines, strict=True))


@pytest.mark.parametrize("flag", ["--help", "--list"])
def test_it_starts_at_once(flag):
    assert quickest(flag) < START_SECONDS


ERRORS = [
    (["nope"], "unknown station 'nope'; the stations are word_order", "没有名为 'nope' 的站"),
    (["--source", ""], "--source: the sentence is empty", "--source：句子是空的"),
    (["--sentence", " \t"], "--sentence: the sentence is empty", "--sentence：句子是空的"),
    (["--sentence", "\u200b"], "--sentence: the sentence is empty", "--sentence：句子是空的"),
    (["--sentence", "a\x07b"], "--sentence: the sentence holds U+0007", "有 U+0007"),
    (["--source", "我" * 2001], "has 2001 characters; at most 2000", "有 2001 个字符"),
    (["--target", "x"], "--target needs --source", "--target 要与 --source 一起用"),
    (["--lesson", "none.toml"], "none.toml: there is no such lesson", "没有这个课程文件"),
    (["--seed", "x"], "--seed: 'x' cannot be used; a whole number from 0", "--seed：'x' 不能用"),
    (["--seed", "-1"], "--seed: -1 cannot be used", "--seed：-1 不能用"),
    (["--jobs", "0"], "--jobs: 0 cannot be used; a whole number of at least 1", "不小于 1"),
    (["--lang", "fr"], "--lang: 'fr' cannot be used; choose one of zh, en, both", None),
    (["--device", "tpu"], "--device: 'tpu' cannot be used; choose one of auto", "请在 auto, cpu"),
    (["--fps", "fast"], "--frame_rate: 'fast' cannot be used; a number is needed", "需要一个数"),
    (["-r", "big"], "--resolution: 'big' cannot be used; write it as W,H", "请写成 W,H"),
    (["-qx"], "--quality: 'x' cannot be used; choose one of l, m, h, p, k", "请在 l, m"),
    (["--colour"], "there is no flag --colour; see render.py --help", "没有 --colour 这个选项"),
    (["--out"], "--out needs a value; see render.py --help", "--out 需要一个值"),
    (["-o", "x"], "--output_file names the files of one station", "只为一个站的文件命名"),
    (["relay_game", "-o", "a/b"], "'a/b' is no file name", "'a/b' 不是文件名"),
    (["-l"], "--live-preview opens a window of manim's own", "manim 自己的窗口"),
    (["-c", "none.cfg"], "--config_file: there is no file none.cfg", "没有文件 none.cfg"),
]


@pytest.mark.parametrize(("arguments", "english", "chinese"), ERRORS, ids=lambda x: str(x)[:30])
def test_input_errors_are_one_line_in_the_readers_language(
    arguments, english, chinese, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C")
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert english in said.err and said.err.count("\n") == 1 and said.out == ""
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert (chinese or "请在 zh, en, both 中选择") in said.err and said.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [], "nothing is left half-written"


def test_the_flag_decides_the_language_before_the_locale(capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    main(["nope", "--lang", "en"])
    assert "unknown station" in capsys.readouterr().err
    main(["nope", "--lang=zh"])
    assert "没有名为" in capsys.readouterr().err


def test_debug_shows_where_it_comes_from(capsys):
    assert main(["nope", "--debug"]) == 2
    said = capsys.readouterr().err
    assert "Traceback" in said and said.splitlines()[-1].startswith("unknown station")
    main(["nope"])
    assert "Traceback" not in capsys.readouterr().err


@pytest.fixture
def asked(monkeypatch):
    """What the command asks the studio for; nothing is drawn."""
    requests = []

    def produce(request, reporter, cache=None):
        requests.append(request)
        return [Outcome(s, "unchanged", {"clip.mp4": Path(f"{s}.mp4")}) for s in request.stations]

    monkeypatch.setattr(production, "produce", produce)
    return requests


def test_without_names_it_is_every_station(asked):
    assert main([]) == 0
    (request,) = asked
    assert request.stations == STATIONS and request.lesson.name == "default"
    assert request.folder == Path("out/default").absolute()


def test_flags_become_a_lesson(asked):
    flags = ["looking_back", "relay_game", "looking_back", "--lang", "en", "--seed", "5"]
    mine = ["--source", "苹果发布了新手机", "--target", "Apple released a new phone"]
    assert main([*flags, *mine, "--sentence", "我 爱 你"]) == 0
    (request,) = asked
    lesson = request.lesson
    assert request.stations == ("looking_back", "relay_game")
    assert (lesson.lang, lesson.seed) == ("en", 5)
    first = lesson.looking_back.pairs[0]
    assert (first.source, first.target) == (mine[1], mine[3])
    assert lesson.closed_eyes_recital.short == first
    assert lesson.relay_game.sentence == lesson.conveyor_belt.sentence == "我 爱 你"


def test_manims_flags_are_handed_on(asked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.cfg").write_text("[CLI]\n")
    main(["-ql", "--fps", "10", "-c", "my.cfg", "--seed", "3", "--media_dir", "m"])
    (request,) = asked
    arguments = request.drawing.arguments
    assert arguments[:4] == ("--quality", "l", "--frame_rate", "10.0")
    assert str(tmp_path / "my.cfg") in arguments and str(tmp_path / "m") in arguments


@pytest.mark.parametrize(
    ("flags", "product", "slow"),
    [
        ([], "clip", None),
        (["--format", "mp4", "-ql", "--fps", "10"], "clip", None),
        (["--format", "gif"], "clip", "--format"),
        (["-t"], "clip", None),
        (["-s"], "still", "--save_last_frame"),
        (["--format", "png-sequence"], "frames", "--format"),
        (["-n", "1,3"], "part", "--from_animation_number"),
        (["--dry_run"], "nothing", "--dry_run"),
        (["--renderer", "opengl"], "clip", "--renderer"),
        (["--renderer", "cairo"], "clip", None),
    ],
)
def test_what_comes_out_and_who_draws_it(asked, flags, product, slow):
    main(flags)
    (request,) = asked
    assert (request.drawing.product, request.drawing.slow_flag) == (product, slow)


@pytest.mark.parametrize(
    ("flags", "quality"),
    [(["-p"], "l"), (["--preview"], "l"), (["-pqh"], "h"), (["-p", "-r", "640,360"], None)],
)
def test_a_preview_is_a_quick_look(asked, monkeypatch, flags, quality):
    monkeypatch.setattr("click.launch", lambda path: 0)
    main(flags)
    (request,) = asked
    assert request.drawing.values.get("quality") == quality


def test_a_fault_of_one_station_is_the_commands(asked, monkeypatch, capsys):
    error = FaultError("studio.disk_full", path="out")
    monkeypatch.setattr(
        production,
        "produce",
        lambda request, reporter: [
            Outcome("relay_game", "failed", error=error),
            Outcome("looking_back", "drawn", {"clip.mp4": Path("x.mp4")}),
        ],
    )
    assert main(["relay_game", "looking_back"]) == 1
    assert "1 of 2 ready" in capsys.readouterr().err


def test_ctrl_c_is_one_line(monkeypatch, capsys):
    def produce(request, reporter):
        raise KeyboardInterrupt

    monkeypatch.setattr(production, "produce", produce)
    assert main(["--lang", "zh"]) == 130
    assert capsys.readouterr().err.strip() == "已停止；先前完成的都完好"


def test_output_that_nobody_reads_and_letters_that_cannot_be_written():
    closed = [sys.executable, "-c", "from render import main; main(['--help'])"]
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(closed, cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert ran.stderr == ""
    plain = run("nope", "--lang", "zh", PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0")
    assert plain.returncode == 2 and "Traceback" not in plain.stderr and "nope" in plain.stderr
