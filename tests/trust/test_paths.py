"""Folders and files with any name, on any disk; nothing ever lands outside --out."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FaultError, InputError
from engine.lesson import load_lesson
from studio.delivery import RECORD
from studio.request import Request, make_request, safe_name
from tests.studio.conftest import Studio
from tests.trust.kept import files_below, restore

ODD = ["a b", "l'été", "第一课 骨", "🎓", "a#b", "a%20b", "a&b;c", "$HOME `id` $(id)", "-rf",
       "a*[b]?", "x" * 250, "é" * 125, "a\tb", "a\nb", 'a"b', "a\\b", "~", "C:", "nul", "b  "]


@pytest.fixture
def studio(tmp_path) -> Studio:
    return Studio(tmp_path)


@pytest.mark.parametrize("name", ODD)
def test_files_land_in_folders_of_any_name(studio, tmp_path, name):
    request, outcome = restore(studio, out=tmp_path / "o" / name)
    assert outcome.error is None and outcome.main_file == request.folder / "relay_game.mp4"
    assert request.folder == tmp_path / "o" / name / "default"
    assert "index.html" in files_below(request.folder)
    assert {path.name for path in (tmp_path / "o").iterdir()} == {name}


@pytest.mark.parametrize("name", [n for n in ODD if len(n.encode()) < 250])
def test_lessons_of_any_file_name(studio, tmp_path, name):
    file = tmp_path / f"{name}.toml"
    file.write_text("seed = 3\n")
    request, outcome = restore(studio, lesson=file)
    assert outcome.error is None and request.lesson.seed == 3
    assert request.folder.parent == studio.out and request.folder.is_dir()
    html = (request.folder / "index.html").read_text("utf-8")
    assert "relay_game.mp4" in html


ESCAPES = ["../../x", "..", ".", "/etc/passwd", "a/../../b", "\\\\server\\share", "C:\\x", "~/x",
           "x" * 255, "语" * 255, ".lookback", "index.html", "con"]


@pytest.mark.parametrize("name", ESCAPES)
def test_a_lessons_own_name_cannot_leave_the_folder(studio, tmp_path, name):
    file = tmp_path / "mine.toml"
    file.write_text(f"name = {json.dumps(name)}\n", encoding="utf-8")
    before = files_below(tmp_path)
    request, outcome = restore(studio, lesson=file)
    assert outcome.error is None and request.folder.parent == studio.out
    new = {f for f in files_below(tmp_path) - before if not f.startswith("cache/")}
    assert new and all(f.startswith(f"out/{request.folder.name}/") for f in new)


@given(st.text())
def test_any_name_becomes_one_folder_below(name):
    made = safe_name(name)
    assert Path("out") / made == Path(os.path.normpath(f"out/{made}"))
    assert made not in ("", ".", "..") and len(os.fsencode(made)) <= 120 and "\0" not in made


@pytest.mark.parametrize("name", ["../x", "/x", "a/b", ".", "..", "", "a\0b", "x" * 200, ".hidden"])
def test_output_file_is_a_name_and_no_path(name):
    with pytest.raises(InputError) as error:
        make_request(["relay_game"], native={"output_file": name})
    assert error.value.key == "flags.bad_name" and error.value.text("zh").isprintable()


@pytest.mark.parametrize("name", ["clip/../../../victim", "/victim", "clip.mp4"])
def test_a_record_that_somebody_wrote_removes_nothing_of_others(studio, tmp_path, name):
    """`.lookback.json` lies where anybody can write to it."""
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    folder = studio.out / "default"
    folder.mkdir(parents=True)
    (folder / "relay_game.mp4").write_bytes(b"mine, another")
    record = {"relay_game": {"content": "other", "files": {name: checksum_of(victim)}}}
    (folder / RECORD).write_text(json.dumps(record))
    restore(studio)
    assert victim.read_bytes() == b"mine"


def checksum_of(path: Path) -> str:
    from studio.cache import checksum

    return checksum(path) or ""


@pytest.mark.parametrize("name", ["../../../victim", "/victim"])
def test_an_entry_that_names_files_elsewhere_is_no_entry(studio, name):
    work = studio.cache.workspace()
    (work / "clip.mp4").write_bytes(b"x")
    entry = studio.cache.put("clips", "key", work)
    assert studio.cache.get("clips", "key") is not None
    (entry.folder / "manifest.json").write_text(json.dumps({name: checksum_of(Path(name))}))
    assert studio.cache.get("clips", "key") is None


def test_a_link_in_the_folder_is_replaced_and_not_followed(studio, tmp_path):
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    folder = studio.out / "default"
    folder.mkdir(parents=True)
    (folder / "relay_game.mp4").symlink_to(victim)
    _, outcome = restore(studio)
    assert outcome.error is None and victim.read_bytes() == b"mine"
    assert not (folder / "relay_game.mp4").is_symlink()


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    """A small disk of its own at `folder`; skips where one cannot be had."""
    folder.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.getuid() or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("a disk of one's own needs root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_one_line_and_leaves_the_earlier_clip(studio, tmp_path):
    with mounted(tmp_path / "small", "size=1m") as out:
        request, outcome = restore(studio, out=out)
        assert outcome.error is None
        before = {name: (request.folder / name).read_bytes() for name in
                  files_below(request.folder) if not name.startswith(".")}
        request, outcome = restore(studio, size=2_000_000, out=out, sentence="欢迎|来")
        error = outcome.error
        assert isinstance(error, FaultError) and error.exit_code == 1
        assert error.text("en").startswith("no room left on the disk for ")
        assert error.text("zh").startswith("磁盘已满")
        left = files_below(request.folder)
        assert not [name for name in left if name.endswith(".part")], "nothing half-written"
        film = before["relay_game.mp4"]
        assert (request.folder / "relay_game.mp4").read_bytes() == film, "the earlier clip is whole"


def test_a_read_only_disk_is_one_line(studio, tmp_path):
    with mounted(tmp_path / "closed", "size=1m") as out:
        subprocess.run(["mount", "-o", "remount,ro", str(out)], check=True)
        with pytest.raises(FaultError) as error:
            restore(studio, out=out)
    assert error.value.text("en") == (
        f"cannot write to {out / 'default'} (the disk is read-only); "
        "choose another folder with --out"
    )
    assert "磁盘是只读的" in error.value.text("zh")


def test_the_request_itself_writes_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert isinstance(make_request(["relay_game"], out="new/folder"), Request)
    assert load_lesson() and list(tmp_path.iterdir()) == []
