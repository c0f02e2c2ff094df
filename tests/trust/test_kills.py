"""Killed at any moment and run again: the right result, and no leftover taken for one.

The moments are drawn by a fixed seed, and the runs follow each other on the same folder, so that
each finds what the last one left. `LOOKBACK_KILLS=36 pytest tests/trust/test_kills.py` ends each
command at so many moments; without it there are fewer, for the sake of everybody's time.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from engine.checkpoints import load
from engine.words import words
from tests.studio.conftest import OTHER, Studio
from tests.trust.killing import Run, contents, moments

KILLS = int(os.environ.get("LOOKBACK_KILLS", "0"))
SENTENCES = ("我|爱|你", OTHER)


def command(studio: Studio, sentence: str, *flags: str) -> Run:
    """The fake station for a sentence whose trace is in the studio's cache."""
    studio.request(sentence)
    arguments = ("-m", "tests.trust.one_run", "--sentence", sentence, "--out", str(studio.out))
    return Run((*arguments, *flags), {"LOOKBACK_CACHE": str(studio.cache.root)})


@pytest.fixture(scope="module")
def right(tmp_path_factory) -> tuple[dict[str, dict[str, bytes]], float]:
    """What each sentence's folder holds when nothing happens, and how long it takes."""
    found, started = {}, time.monotonic()
    for sentence in SENTENCES:
        studio = Studio(tmp_path_factory.mktemp("right"))
        code, said = command(studio, sentence).to_its_end()
        assert code == 0, said
        found[sentence] = contents(studio.out)
    return found, (time.monotonic() - started) / len(SENTENCES)


def test_while_it_draws(right, tmp_path):
    """Two sentences in turn, always drawn anew: what lies there is one's file or the other's."""
    wanted, longest = right
    studio = Studio(tmp_path)
    for number, (moment, ending) in enumerate(moments(KILLS or 8, longest, seed=1)):
        sentence = SENTENCES[number % 2]
        code, said = command(studio, sentence, "--force").ended_after(moment, ending)
        assert code in (0, 130, -signal.SIGKILL, -ending), said
        assert "Traceback" not in said
        for name, data in contents(studio.out).items():
            pages = name.endswith(".html")
            assert pages or any(data == files.get(name) for files in wanted.values()), name
    for sentence in SENTENCES:
        code, said = command(studio, sentence).to_its_end()
        assert code == 0, said
        assert contents(studio.out) == wanted[sentence]


def test_while_it_puts_files_and_page_in_place(right, tmp_path):
    """Everything is in the cache: the whole run is the copying of files and the page."""
    wanted, _ = right
    studio = Studio(tmp_path)
    for sentence in SENTENCES:
        assert command(studio, sentence).to_its_end()[0] == 0
    started = time.monotonic()
    assert command(studio, SENTENCES[0]).to_its_end()[0] == 0
    longest = time.monotonic() - started
    for number, (moment, ending) in enumerate(moments(KILLS or 6, longest, seed=2)):
        sentence = SENTENCES[number % 2]
        _, said = command(studio, sentence).ended_after(moment, ending)
        assert "Traceback" not in said
        for name, data in contents(studio.out).items():
            assert any(data == files.get(name) for files in wanted.values()), name
    code, said = command(studio, SENTENCES[0]).to_its_end()
    assert code == 0, said
    assert contents(studio.out) == wanted[SENTENCES[0]]


def test_ctrl_c_is_one_line_within_two_seconds(right, tmp_path):
    studio = Studio(tmp_path)
    for moment in (0.7 * right[1], 0.9 * right[1]):
        process = command(studio, SENTENCES[0], "--force").start()
        time.sleep(moment)
        asked = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=10)
        assert time.monotonic() - asked < 2
        assert process.returncode in (0, 130) and "Traceback" not in said
        if process.returncode:
            assert said.strip().splitlines()[-1] == words("en")("studio.interrupted")


def test_two_runs_at_once_on_one_folder(right, tmp_path):
    wanted, _ = right
    studio = Studio(tmp_path)
    runs = [command(studio, sentence, "--force").start() for sentence in SENTENCES]
    ends = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], ends
    assert sum("another run" in err for _, err in ends) <= 1
    assert contents(studio.out) in wanted.values()


def train(folder: Path) -> Run:
    arguments = ("recall", "--cell", "rnn", "--steps", "2", "--hidden", "8")
    return Run(("-m", "engine.training", *arguments, "--out", str(folder)))


def test_while_it_trains(tmp_path):
    started = time.monotonic()
    code, said = train(tmp_path / "right").to_its_end()
    longest = time.monotonic() - started
    assert code == 0, said
    wanted = contents(tmp_path / "right")
    folder = tmp_path / "killed"
    for moment, ending in moments(KILLS or 3, longest, seed=3):
        train(folder).ended_after(moment, ending)
        for name, data in contents(folder).items():
            if name.endswith(".safetensors"):
                assert data == wanted[name]
                load(folder / name)
    code, said = train(folder).to_its_end()
    assert code == 0, said
    weights = [name for name in wanted if name.endswith(".safetensors")]
    again = contents(folder)
    assert again.keys() == wanted.keys() and all(again[name] == wanted[name] for name in weights)
