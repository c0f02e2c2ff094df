"""A file writer that cuts a scene into segments and may hand each to a forked child."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from manim import __version__, config
from manim.scene.scene_file_writer import SceneFileWriter
from PIL import Image

from studio.fast.fingerprint import Fingerprint
from studio.fast.joining import appearing_whole, join_segments
from studio.fast.options import FastOptions, can_fork
from studio.fast.segment import Segment, picture_for
from studio.fast.tiles import Box
from studio.fast.workers import Workers


class SegmentStore(Protocol):
    """Segments that were drawn before, by their fingerprints."""

    def find(self, key: str) -> Path | None:
        """The file of a segment that looks like that."""

    def keep(self, key: str, segment: Path) -> None:
        """Remember a segment; its file will go away."""


class FastWriter(SceneFileWriter):
    """Writes segments of a few seconds instead of one file per animation.

    With workers, this process writes nothing: at the first animation of a segment it forks;
    the child draws and encodes that segment and ends with it, while the parent runs on to
    the next. Both follow the same rule, so neither has to tell the other where to stop.

    With a store, a child waits until the parent has seen its segment to the end: what was
    drawn before is taken from the store, and the child is not needed.
    """

    def __init__(
        self,
        settings: Any,
        options: FastOptions,
        on_frames: Callable[[int], None] = lambda frames: None,
        store: SegmentStore | None = None,
    ) -> None:
        self._options = options
        self._on_frames = on_frames
        self._segment: Segment | None = None
        self._frames = 0  # of the whole scene, wherever they are drawn
        self._frames_left = 0  # of the segment being filled; 0: the next animation starts one
        self._segments: list[Path] = []
        self.fingerprint: Fingerprint | None = None  # of the segment that a child waits to draw
        self._segment_began = 0  # at this frame of the scene
        self._new: list[tuple[str, Path]] = []  # segments drawn now, by their keys
        self.drawn_sections: dict[str, int] = {}  # names, and how many frames were drawn
        super().__init__(settings)
        spec = self.video_encoder
        self._picture = picture_for(spec) if spec else None
        self._store = store if can_fork() else None
        forks = (options.worker_count > 1 or self._store is not None) and spec is not None
        self._workers = Workers(options.worker_count, on_frames) if forks else None

    @property
    def in_child(self) -> bool:
        """Whether this process draws just one segment."""
        return self._workers is not None and self._workers.in_child

    @property
    def draws(self) -> bool:
        """Whether frames made in this process go anywhere."""
        return self._workers is None or self._workers.in_child

    def begin_animation(
        self,
        allow_write: bool = False,
        *,
        animation_index: int,
        file_path: Any = None,
    ) -> None:
        """Start a segment, if none is being filled; this may fork."""
        starts = allow_write and self.video_encoder is not None and not self._frames_left
        self._note_segment(self._next_segment_path() if starts else None)
        if starts:
            self._frames_left = self._segment_frames()
            self._start_segment(self._segments[-1])

    def end_animation(self, allow_write: bool = False, *, frames: int = 0) -> None:
        """Count the animation's frames; close the segment when it is long enough."""
        self._frames += frames
        self._frames_left = max(0, self._frames_left - frames)
        if allow_write and not self._frames_left:
            self._end_segment()

    def next_section(self, name: str, type_: str, skip_animations: bool) -> None:
        """A section never shares a segment with another."""
        self._end_segment()
        super().next_section(name, type_, skip_animations)

    def write_picture(self, pixels: np.ndarray, changes: Iterable[Box], repeat: int) -> None:
        """Show ``pixels`` [row, column, RGBA], changed where ``changes`` says, for some frames."""
        if self._segment is not None:
            if self._workers is not None and self._workers.orphaned:
                self.leave(RuntimeError("the parent process is gone"))
            self._segment.write(pixels, changes, repeat)
            if not self.in_child:  # the parent tells of a child's frames when it has ended
                self._on_frames(repeat)
        else:
            self.write_frame(pixels, repeat=repeat)

    def leave(self, error: BaseException | None = None) -> None:
        """In a child: finish the segment, or report the error, and end the process."""
        assert self._workers is not None and self._segment is not None
        frames = self._segment.frames
        try:
            self._close_file() if error is None else self._segment.abort()
        except Exception as fault:
            error = fault
        self._workers.leave(frames, error)

    def save_image(self, pixels: np.ndarray) -> None:
        """Write the still, whole or not at all."""
        if self.output_spec.enabled:
            with appearing_whole(self.image_file_path) as path:
                Image.fromarray(pixels).save(path)
            self.print_file_ready_message(self.image_file_path)

    def finish(self) -> None:
        """Wait for all segments and assemble what was asked for."""
        try:
            self._end_segment()
            if self._workers is not None:
                self._workers.join()
            super().finish()
            for key, path in self._new:
                assert self._store is not None
                self._store.keep(key, path)
        finally:
            self._clear()

    def abort_encode_jobs(self, reraise_encoder_failures: bool = False) -> None:
        """The scene failed: end children, leave no file. A child ends here for good."""
        if self.in_child:
            self.leave(sys.exception() or RuntimeError("the scene was given up"))
        self._clear()
        super().abort_encode_jobs(reraise_encoder_failures)

    def combine_files(
        self,
        input_files: list[str],
        output_file: Path,
        create_gif: bool = False,
        includes_sound: bool = False,
    ) -> None:
        """Join segments by packet copy; manim turns them into a GIF."""
        if create_gif:
            with appearing_whole(output_file) as path:
                super().combine_files(input_files, path, True, includes_sound)
            return
        assert self.video_encoder is not None
        frames = join_segments(
            [Path(file) for file in input_files],
            output_file,
            self.video_encoder.frame_rate,
            comment=f"Rendered with Manim Community v{__version__}",
        )
        if output_file == self.movie_file_path and frames != self._frames:
            output_file.unlink()
            raise RuntimeError(f"the scene has {self._frames} frames, its film {frames}")

    def _segment_frames(self) -> int:
        assert self.video_encoder is not None
        return max(1, round(self._options.segment_seconds * self.video_encoder.frame_rate))

    def _next_segment_path(self) -> Path:
        path = self.output_plan.segment_path(f"fast_{os.getpid()}_{len(self._segments):05}")
        self._segments.append(path)
        return path

    def _note_segment(self, path: Path | None) -> None:
        """Keep manim's lists: one entry per animation, None where no file begins."""
        if self.output_spec.is_video:
            entry = None if path is None else str(path)
            self.partial_movie_files.append(entry)
            self.sections[-1].partial_movie_files.append(entry)

    def _start_segment(self, path: Path) -> None:
        if self._workers is not None:
            self._segment_began = self._frames
            self._workers.fork(gated=self._store is not None)
            if not self._workers.in_child:
                self.fingerprint = Fingerprint() if self._store is not None else None
                return
            _keep_text_files_in(_text_folder(path))
        assert self.video_encoder is not None and self._picture is not None
        threads = 0 if self._workers is None else 1  # then the cores are the other children's
        self._segment = Segment(path, self.video_encoder, self._options, self._picture, threads)

    def _end_segment(self) -> None:
        self._frames_left = 0
        if self.fingerprint is not None:
            self._settle(self.fingerprint)
            self.fingerprint = None
        if self._segment is not None:
            if self.in_child:
                self.leave()
            self._close_file()

    def _settle(self, fingerprint: Fingerprint) -> None:
        """Decide about the waiting child, now that its segment has been seen to the end."""
        assert self._workers is not None and self._store is not None
        key, path = fingerprint.key, self._segments[-1]
        frames = self._frames - self._segment_began
        if key and self._take(key, path):
            self._workers.dismiss()
            self._on_frames(frames)
            return
        self._workers.release()
        section = self.sections[-1].name
        self.drawn_sections[section] = self.drawn_sections.get(section, 0) + frames
        if key:
            self._new.append((key, path))

    def _take(self, key: str, path: Path) -> bool:
        """Whether the store had the segment; it lies at ``path`` then."""
        assert self._store is not None
        kept = self._store.find(key)
        if kept is None:
            return False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(kept, path)
        except OSError:
            return False
        return True

    def _close_file(self) -> None:
        if self._segment is not None:
            self._segment.close()
            self._segment = None

    def _clear(self) -> None:
        """End what still runs and remove the segments: the film holds their packets."""
        if self._workers is not None:
            self._workers.kill()
        if self._segment is not None:
            self._segment.abort()
            self._segment = None
        for path in self._segments:
            path.unlink(missing_ok=True)
            path.with_name(path.name + ".part").unlink(missing_ok=True)
            shutil.rmtree(_text_folder(path), ignore_errors=True)


def _text_folder(segment: Path) -> Path:
    return segment.with_suffix(".texts")


def _keep_text_files_in(folder: Path) -> None:
    """manim rewrites the SVG of a text whenever it reads it, so processes must not share them."""
    folder.mkdir(parents=True, exist_ok=True)
    config.text_dir = config.tex_dir = folder
