"""Beats that look as they did in an earlier clip are not drawn again."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from studio.kept_segments import KeptSegments
from tests.studio.conftest import OTHER, Studio

STORY = Path(__file__).parent / "story_scenes"
BEATS = ["question", "number", "name"]


def frames(film: Path) -> list[np.ndarray]:
    with av.open(str(film)) as container:
        return [frame.to_ndarray() for frame in container.decode(video=0)]


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A studio with one clip of the story, and what was drawn for it."""
    studio = Studio(tmp_path_factory.mktemp("told"))
    return studio, studio.draw(scenes=STORY)


def test_all_beats_of_a_first_clip_are_drawn(told):
    _, outcome = told
    assert list(outcome.drawn) == BEATS
    assert sum(outcome.drawn.values()) == len(frames(outcome.main_file))


def test_another_sentence_draws_only_the_beat_that_shows_it(told, tmp_path):
    studio, _ = told
    changed = studio.draw(OTHER, scenes=STORY)
    assert list(changed.drawn) == ["number"]
    alone = Studio(tmp_path).draw(OTHER, scenes=STORY)
    assert list(alone.drawn) == BEATS
    assert changed.main_file.read_bytes() == alone.main_file.read_bytes()


def test_force_draws_every_beat(told):
    studio, first = told
    again = studio.draw(scenes=STORY, force=True)
    assert again.drawn == first.drawn


def test_another_size_draws_every_beat(told):
    studio, _ = told
    larger = studio.draw(scenes=STORY, native={"resolution": "192,108"})
    assert list(larger.drawn) == BEATS


def test_the_number_of_cores_makes_no_other_film(tmp_path):
    one = Studio(tmp_path).draw(OTHER, scenes=STORY, jobs=1)
    two = Studio(tmp_path / "two").draw(OTHER, scenes=STORY, jobs=2)
    assert one.main_file.read_bytes() == two.main_file.read_bytes()


def test_other_code_draws_every_beat(told, tmp_path):
    studio, _ = told
    scenes = tmp_path / "scenes"
    scenes.mkdir()
    code = (STORY / "relay_game.py").read_text("utf-8")
    (scenes / "relay_game.py").write_text(f"{code}\n# another comment\n", "utf-8")
    assert list(studio.draw(scenes=scenes).drawn) == BEATS


def test_a_damaged_segment_is_drawn_again(told):
    studio, _ = told
    studio.draw("一|二|三|四", scenes=STORY)
    for file in (studio.cache.root / "segments").rglob("segment"):
        file.write_bytes(file.read_bytes()[:-1])
    assert list(studio.draw("五|六|七|八", scenes=STORY).drawn) == BEATS


def test_a_cache_that_cannot_be_written_to_only_costs_time(tmp_path, monkeypatch):
    from studio.cache import Cache

    def refuse(self) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Cache, "workspace", refuse)
    KeptSegments(Cache(tmp_path), "base").keep("key", tmp_path)
    assert not list(tmp_path.iterdir())
