"""The command in the rooms it may wake up in: no network, no home, no locale, nobody listening."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import av
import pytest

from studio.cache import Cache
from studio.request import make_request
from tests.studio.conftest import SCENES, SMALL, Studio
from tests.trust.kept import files_below, film, keep_clip

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = "我|爱|你"
ASKED = ["relay_game", "--sentence", SENTENCE, "--lang", "zh",
         "--resolution", str(SMALL["resolution"]), "--frame_rate", str(SMALL["frame_rate"])]
BARE = {"PATH": os.environ["PATH"]}


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> Path:
    """A cache in which the real relay game, as ASKED for, is drawn already."""
    studio = Studio(tmp_path_factory.mktemp("kept"))
    options = {"sentence": SENTENCE, "lang": "zh", "scenes": make_request().scenes}
    keep_clip(studio, studio.request(native={"seed": None}, **options))
    return studio.cache.root


def run(*arguments: str, env: dict[str, str], cwd: Path, root: Path = ROOT, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run(
        [sys.executable, str(root / "render.py"), *arguments],
        env=env, cwd=cwd, text=True, encoding="utf-8", timeout=300, **options,
    )  # fmt: skip


ROOMS = {
    "plain": {"HOME": "/root"},
    "no home": {},
    "a home that is not there": {"HOME": "/no/such/home"},
    "a home that cannot be written to": {"HOME": "/proc"},
    "no locale": {"LANG": "C"},
    "no locale and no help from Python": {"LC_ALL": "POSIX", "PYTHONUTF8": "0",
                                          "PYTHONCOERCECLOCALE": "0"},
    "a locale that is not installed": {"LANG": "xx_YY.UTF-8"},
    "a dumb terminal": {"TERM": "dumb"},
    "no terminal": {"TERM": ""},
    "letters of one byte": {"PYTHONIOENCODING": "latin-1"},
}


@pytest.mark.parametrize("room", ROOMS)
def test_the_files_are_the_same_in_every_room(kept, tmp_path, room):
    env = BARE | {"LOOKBACK_CACHE": str(kept)} | ROOMS[room]
    ran = run(*ASKED, "--out", "o", env=env, cwd=tmp_path)
    assert (ran.returncode, "Traceback" in ran.stderr) == (0, False), ran.stderr
    assert {"relay_game.mp4", "relay_game.vtt", "index.html"} <= files_below(tmp_path / "o/default")
    assert "relay_game.mp4" in ran.stdout and "\x1b" not in ran.stdout + ran.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"o"}, "nothing else is left about"


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)], ids=str)
def test_streams_that_are_closed(kept, tmp_path, closed):
    def close() -> None:
        for stream in closed:
            os.close(stream)

    env = BARE | {"LOOKBACK_CACHE": str(kept)}
    ran = run(*ASKED, "--out", "o", env=env, cwd=tmp_path, preexec_fn=close)
    assert ran.returncode == 0 and "Traceback" not in ran.stderr + ran.stdout
    folder = tmp_path / "o/default"
    assert (folder / ".lookback.lock").read_bytes() == b"", "no file was taken for a stream"
    assert (folder / "relay_game.mp4").read_bytes() == film(100)


@pytest.mark.parametrize("arguments", [["--list"], ["--help"], ["--doctor"], ASKED])
def test_a_pipe_that_nobody_reads(kept, tmp_path, arguments):
    reader, writer = os.pipe()
    os.close(reader)
    env = BARE | {"LOOKBACK_CACHE": str(kept)}
    ran = run(*arguments, env=env, cwd=tmp_path, stdout=writer)
    os.close(writer)
    assert ran.returncode == 0 or arguments == ["--doctor"]
    assert "BrokenPipe" not in ran.stderr and "Traceback" not in ran.stderr


def test_errors_are_said_in_the_locales_language_whatever_it_can_write(tmp_path):
    env = BARE | {"LC_ALL": "zh_CN.GBK"}
    assert run("nope", env=env, cwd=tmp_path).returncode == 2
    ran = run("nope", env=BARE | {"LC_ALL": "zh_CN.UTF-8"}, cwd=tmp_path)
    assert ran.returncode == 2 and ran.stderr.startswith("没有名为 'nope' 的站")
    ran = run("nope", env=BARE | {"LANG": "C"}, cwd=tmp_path)
    assert ran.returncode == 2 and ran.stderr.startswith("unknown station 'nope'")


def network_cut() -> list[str]:
    """What to put before a command so that it has no network; skips where that cannot be had."""
    cut = ["unshare", "--net", "--map-root-user"]
    if shutil.which("unshare") is None or subprocess.run([*cut, "true"]).returncode:
        pytest.skip("taking the network away needs unshare")
    return cut


def test_drawn_from_nothing_under_an_apostrophe_without_home_or_network(tmp_path):
    """All at once: manim's own faults with such paths, and the whole way from words to film."""
    root = tmp_path / "l'été 课 #1"
    ignore = shutil.ignore_patterns("__pycache__", "*.safetensors")
    for room in ("engine", "scenes", "studio", "assets"):
        shutil.copytree(ROOT / room, root / room, ignore=ignore)
    shutil.copy(ROOT / "render.py", root)
    shutil.copy(SCENES / "relay_game.py", root / "scenes")
    elsewhere = tmp_path / "else'where"
    elsewhere.mkdir()
    env = BARE | {"LANG": "C", "TERM": "dumb", "LOOKBACK_CACHE": str(root / "c'ache"),
                  "TMPDIR": str(tmp_path)}
    ran = subprocess.run(
        [*network_cut(), sys.executable, str(root / "render.py"), *ASKED, "--out", "o'ut"],
        env=env, cwd=elsewhere, capture_output=True, text=True, encoding="utf-8", timeout=550,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    folder = elsewhere / "o'ut" / "default"
    with av.open(str(folder / "relay_game.mp4")) as film:
        assert film.streams.video[0].codec_context.width == 128
    assert "我" in (folder / "relay_game.json").read_text("utf-8")
    assert files_below(elsewhere) == {f"o'ut/default/{f}" for f in files_below(folder)}
    assert list((root / "c'ache" / "work").iterdir()) == [], "no working folder is left"


def test_a_cache_that_cannot_be_made_is_another_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("LOOKBACK_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/proc")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert Cache().root == tmp_path / f"lookback-{os.getuid()}"
    assert Cache().root.stat().st_mode & 0o077 == 0, "nobody else may look in"


def test_a_folder_that_somebody_else_prepared_is_not_trusted(monkeypatch, tmp_path):
    from engine.places import own_temporary_folder

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    trap = tmp_path / f"lookback-{os.getuid()}"
    trap.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert own_temporary_folder() not in (trap, tmp_path / "elsewhere")
    trap.unlink()
    trap.mkdir()
    theirs = os.stat_result((0o40700, 0, 0, 1, os.getuid() + 1, 0, 0, 0, 0, 0))
    monkeypatch.setattr(Path, "lstat", lambda self: theirs)
    assert own_temporary_folder() != trap


def test_the_word_list_of_jieba_is_kept_where_only_we_write(tmp_path):
    code = ("from engine.tokens import tokenize, _segmenter; print(tokenize('我爱你'));"
            "print(_segmenter().tmp_dir, _segmenter().cache_file)")
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, text=True, capture_output=True,
                         env=BARE | {"TMPDIR": str(tmp_path), "PYTHONUTF8": "1"}, check=True)
    assert f"{tmp_path}/lookback-{os.getuid()} jieba-" in ran.stdout
    assert not list(tmp_path.glob("jieba*")), "a name that anybody could have written under"
