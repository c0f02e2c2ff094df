"""Kit, film and a translator of one's own, killed at any moment: as in `test_kills`."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest

from engine.own_models import own_path
from tests.studio.conftest import Studio
from tests.trust.killing import Run, contents, moments
from tests.trust.test_kills import SENTENCES, command
from tests.trust.test_paths import mounted

PRODUCTS = ("film", "--kit", "--silent-track")
WRITTEN_ANEW = (".html", ".pptx")  # of all that lies in the folder; a deck holds its own date


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Studio, dict[str, bytes], float]:
    """A studio with film and kit of one sentence; the files, and how long that took."""
    studio = Studio(tmp_path_factory.mktemp("right"))
    started = time.monotonic()
    code, said = command(studio, SENTENCES[0], *PRODUCTS).to_its_end()
    assert code == 0, said
    files = contents(studio.out)
    assert {"default/film.mp4", "default/relay_game.webp"} <= files.keys()
    return studio, files, time.monotonic() - started


def same(found: dict[str, bytes], wanted: dict[str, bytes]) -> bool:
    """All files there, and all of them right but those that hold the time of their making."""
    return found.keys() == wanted.keys() and all(
        found[name] == data for name, data in wanted.items() if not name.endswith(WRITTEN_ANEW)
    )


def test_while_it_makes_film_and_kit(made, tmp_path):
    _, wanted, longest = made
    studio = Studio(tmp_path)
    for moment, ending in moments(5, longest, seed=4):
        code, said = command(studio, SENTENCES[0], *PRODUCTS).ended_after(moment, ending)
        assert code in (0, 130, -signal.SIGKILL, -ending) and "Traceback" not in said, said
        for name, data in contents(studio.out).items():
            assert name.endswith(WRITTEN_ANEW) or data == wanted.get(name), name
    code, said = command(studio, SENTENCES[0], *PRODUCTS).to_its_end()
    assert code == 0, said
    assert same(contents(studio.out), wanted)


@pytest.mark.parametrize("kind", ["films", "kit", "clips"])
def test_a_damaged_entry_is_made_again(made, kind):
    studio, wanted, _ = made
    for file in (studio.cache.root / kind).rglob("*.mp4"):
        file.write_bytes(file.read_bytes()[:-9])
    code, said = command(studio, SENTENCES[0], *PRODUCTS).to_its_end()
    assert code == 0, said
    assert same(contents(studio.out), wanted)


@pytest.mark.parametrize("full", ["out", "cache"])
def test_a_full_disk_is_one_line_for_film_and_kit(made, tmp_path, full):
    """Whichever of the two disks is full: whole files or none, and no traceback."""
    right, wanted, _ = made
    room = sum(map(len, wanted.values())) // 2 if full == "out" else 150_000
    with mounted(tmp_path / "small", f"size={room // 1024}k") as small:
        studio = Studio(tmp_path)
        if full == "out":
            studio.cache, studio.out = right.cache, small / "out"
        else:
            studio.cache.root = small / "cache"
        code, said = command(studio, SENTENCES[0], *PRODUCTS).to_its_end()
        assert code == 1 and "no room left on the disk" in said, said
        assert "Traceback" not in said and "something of ours failed" not in said, said
        for name, data in contents(studio.out).items():
            assert name.endswith(WRITTEN_ANEW) or data == wanted.get(name), name
        assert not list(small.rglob("*.part"))


def test_a_folder_that_cannot_be_written_to_is_one_line(made, tmp_path):
    right, *_ = made
    with mounted(tmp_path / "closed", "size=1m") as closed:
        subprocess.run(["mount", "-o", "remount,ro", str(closed)], check=True)
        studio = Studio(tmp_path)
        studio.cache, studio.out = right.cache, closed
        code, said = command(studio, SENTENCES[0], *PRODUCTS, "--lang", "en").to_its_end()
    assert code == 1 and said.count("\n") == 1, said
    assert "the disk is read-only" in said


def train(pairs: Path, folder: Path) -> Run:
    sizes = ("--steps", "3", "--hidden", "8", "--out", str(folder))
    return Run(("-m", "engine.training", "--corpus", str(pairs), *sizes))


def test_while_it_trains_on_a_corpus_of_ones_own(tmp_path):
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("".join(f"a{n} b c{n % 3}\td{n} e\n" for n in range(24)))
    started = time.monotonic()
    code, said = train(pairs, tmp_path / "right" / "model").to_its_end()
    longest = time.monotonic() - started
    assert code == 0, said
    wanted = contents(tmp_path / "right")
    place = tmp_path / "killed"
    for moment, ending in moments(4, longest, seed=5):
        train(pairs, place / "model").ended_after(moment, ending)
        found = contents(place)
        assert not found or found.keys() == wanted.keys(), "a folder appears whole"
    code, said = train(pairs, place / "model").to_its_end()
    assert code == 0, said
    weights = own_path(Path("model"), "conditional").as_posix()
    assert contents(place)[weights] == wanted[weights]
    assert [path.name for path in place.iterdir()] == ["model"], "no leftover of a killed run"
