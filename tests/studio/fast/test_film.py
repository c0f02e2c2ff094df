"""Films made in pieces: the same frames, in the same places, as made in one go."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import chain, pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from manim import Dot, Scene

from studio.fast import FastOptions, FastRenderer
from studio.fast.joining import join_segments
from studio.fast.options import can_fork
from tests.studio.fast.rendering import LOSSLESS, decoded, different, film, rgba_frames, small
from tests.studio.fast.scenes import GATE, Chapters, Shapes

forks = pytest.mark.skipif(not can_fork(), reason="no os.fork here")
IN_ONE = FastOptions(workers=1, segment_seconds=99, **LOSSLESS)
IN_PIECES = FastOptions(workers=3, segment_seconds=0.5, **LOSSLESS)


@forks
@pytest.mark.parametrize("scene_class", GATE, ids=lambda scene: scene.__name__)
def test_forked_pieces_are_the_film_drawn_in_one(scene_class: type[Scene], tmp_path: Path) -> None:
    whole = film(scene_class, tmp_path / "whole", IN_ONE)
    pieces = film(scene_class, tmp_path / "pieces", IN_PIECES)
    a, b = (decoded(s.renderer.file_writer.movie_file_path) for s in (whole, pieces))
    assert different(a, b) == []
    assert pieces.time == pytest.approx(whole.time, abs=1e-9)


@forks
def test_what_a_scene_notes_down_is_found_after_rendering(tmp_path: Path) -> None:
    scene = film(Chapters, tmp_path, IN_PIECES)
    assert scene.times == pytest.approx([1.3, 2.3, 2.4, 3.8])  # 0.75 s are 7 frames
    frames = decoded(scene.renderer.file_writer.movie_file_path)
    assert len(frames) == 13 + 1 + 7 + 7  # b is skipped


@pytest.mark.parametrize("options", [IN_ONE, pytest.param(IN_PIECES, marks=forks)])
def test_each_section_has_its_clip(tmp_path: Path, options: FastOptions) -> None:
    scene = film(Chapters, tmp_path, options, save_sections=True)
    writer = scene.renderer.file_writer
    index = json.loads(writer.output_plan.section_index.read_text())
    clips = [decoded(writer.sections_output_dir / entry["video"]) for entry in index]
    assert [entry["name"] for entry in index] == ["a", "c", "d"]
    assert [len(clip) for clip in clips] == [13, 1, 14]
    assert different(list(chain(*clips)), decoded(writer.movie_file_path)) == []


def test_a_film_starts_at_once_and_leaves_only_itself(tmp_path: Path) -> None:
    scene = film(Shapes, tmp_path, IN_PIECES)
    path = scene.renderer.file_writer.movie_file_path
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")
    assert [p.name for p in tmp_path.rglob("*.mp4")] == ["Shapes.mp4"]
    assert not list(tmp_path.rglob("*.part*"))


@pytest.mark.parametrize("settings", [{"transparent": True, "format": "mov"}, {"format": "gif"}])
def test_other_formats_are_made_too(tmp_path: Path, settings: dict[str, object]) -> None:
    scene = film(Chapters, tmp_path, IN_PIECES, **settings)
    with av.open(str(scene.renderer.file_writer.movie_file_path)) as container:
        frames = [f.to_ndarray(format="rgba") for f in container.decode(video=0)]
    assert len(frames) == 28
    assert any((a != b).any() for a, b in pairwise(frames))


def test_a_still_is_stocks_still(tmp_path: Path) -> None:
    stills = []
    for name, options in (("stock", None), ("fast", FastOptions())):
        with small(tmp_path / name, format="png"):
            scene = Shapes(**({"renderer": FastRenderer(options)} if options else {}))
            scene.render()
            stills.append(scene.renderer.file_writer.image_file_path.read_bytes())
    assert stills[0] == stills[1]


class Peeks(Scene):
    """Looks at the picture after an animation that may not have been drawn."""

    def construct(self) -> None:
        dot = Dot(radius=0.5)
        self.play(dot.animate.shift([2, 0, 0]), run_time=0.3)
        self.seen = self.renderer.get_frame()
        self.renderer.update_frame(self)
        self.drawn = self.renderer.get_frame()


@forks
def test_a_picture_asked_for_in_mid_scene_is_up_to_date(tmp_path: Path) -> None:
    _, stock = rgba_frames(Peeks, tmp_path, None)
    pieces = film(Peeks, tmp_path, IN_PIECES)
    assert (pieces.drawn == stock.drawn).all()
    assert (pieces.seen == stock.drawn).all()


def test_segments_of_any_length_join_without_a_gap(tmp_path: Path) -> None:
    """Even one-frame segments, which reorder no frames, between ones that do."""
    rng = np.random.default_rng(0)
    lengths = [1, 9, 1, 1, 2, 12, 3]
    random.Random(0).shuffle(lengths)
    segments = [_noise(tmp_path / f"{i}.mp4", n, rng) for i, n in enumerate(lengths)]
    joined = join_segments(segments, tmp_path / "film.mp4", Fraction(25))
    frames = decoded(tmp_path / "film.mp4")
    assert joined == len(frames) == sum(lengths)
    parts = [frame for segment in segments for frame in decoded(segment)]
    assert different(frames, parts) == []


def _noise(path: Path, frames: int, rng: np.random.Generator) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25, options={"bf": "3", "preset": "medium"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for _ in range(frames):
            picture = rng.integers(0, 255, (48, 64, 3), dtype=np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture)))
        container.mux(stream.encode())
    return path
