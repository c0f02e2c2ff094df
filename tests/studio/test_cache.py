"""The cache: whole entries only, checked when read, bounded, never mixed."""

from __future__ import annotations

import os
import threading

import pytest

from studio.cache import MANIFEST, Cache, cache_home


@pytest.fixture
def cache(tmp_path) -> Cache:
    return Cache(tmp_path)


def keep(cache: Cache, key: str = "k", text: str = "one", kind: str = "clips"):
    made = cache.workspace()
    (made / "a.txt").write_text(text)
    (made / "inner").mkdir()
    (made / "inner" / "b.txt").write_text("two")
    return cache.put(kind, key, made)


def test_what_was_put_is_got(cache):
    assert cache.get("clips", "k") is None
    keep(cache)
    entry = cache.get("clips", "k")
    assert entry.files.keys() == {"a.txt", "inner/b.txt"}
    assert entry.text("a.txt") == "one" and entry.text("inner/b.txt") == "two"
    assert cache.get("traces", "k") is None and cache.get("clips", "other") is None
    assert entry.without("a.txt").files.keys() == {"inner/b.txt"}


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / "a.txt").write_text("on"),
        lambda folder: (folder / "a.txt").unlink(),
        lambda folder: (folder / MANIFEST).unlink(),
        lambda folder: (folder / MANIFEST).write_text('{"a.txt": "'),
        lambda folder: (folder / MANIFEST).write_text("[]"),
        lambda folder: (folder / MANIFEST).write_text("{}"),
    ],
    ids=["cut", "lost", "no manifest", "half a manifest", "no table", "empty table"],
)
def test_damage_is_noticed_and_mended(cache, damage):
    damage(keep(cache).folder)
    assert cache.get("clips", "k") is None
    assert keep(cache, text="new").text("a.txt") == "new"
    assert cache.get("clips", "k").text("a.txt") == "new"


def test_two_runs_at_once(cache):
    made = []
    threads = [threading.Thread(target=lambda: made.append(keep(cache))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 8 and cache.get("clips", "k").text("a.txt") == "one"
    assert list((cache.root / "work").iterdir()) == []


def test_the_oldest_entries_go_first(cache):
    for age, key in enumerate(["new", "old", "older"]):
        folder = keep(cache, key, "x" * 1000).folder
        os.utime(folder, (1e9 - age, 1e9 - age))
    cache.prune(most_bytes=2500)
    assert cache.get("clips", "new") and cache.get("clips", "old")
    assert cache.get("clips", "older") is None


def test_using_an_entry_makes_it_young(cache):
    for key in ("used", "unused"):
        os.utime(keep(cache, key, "x" * 1000).folder, (1e9, 1e9))
    cache.get("clips", "used")
    cache.prune(most_bytes=1500)
    assert cache.get("clips", "used") and cache.get("clips", "unused") is None


def test_abandoned_work_is_cleared_and_work_in_hand_is_not(cache):
    abandoned, in_hand = cache.workspace(), cache.workspace()
    os.utime(abandoned, (1e9, 1e9))
    cache.prune()
    assert in_hand.exists() and not abandoned.exists()


def test_where_the_cache_is(tmp_path, monkeypatch):
    monkeypatch.setenv("LOOKBACK_CACHE", str(tmp_path / "mine"))
    assert cache_home() == tmp_path / "mine"
    monkeypatch.delenv("LOOKBACK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_home() == tmp_path / "xdg" / "lookback"
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nothing")
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert cache_home() == tmp_path / f"lookback-{os.getuid()}"
