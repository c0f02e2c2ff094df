"""The fast lane's renderer: draws what changed, or runs ahead while forked children draw."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from manim import config
from manim.camera.camera import Camera
from manim.mobject.mobject import Mobject
from manim.renderer.cairo_renderer import CairoRenderer
from manim.scene.scene import Scene
from manim.typing import PixelArray
from manim.utils.iterables import list_update

from studio.fast.camera import FastCamera
from studio.fast.display_list import Drawn
from studio.fast.fingerprint import Fingerprint
from studio.fast.options import FastOptions
from studio.fast.stepping import frame_count, must_step
from studio.fast.tiles import Box
from studio.fast.writer import FastWriter, SegmentStore

#: Where in an animation a segment's fingerprint looks at it; what moves has moved by then.
MOMENTS = (0.29, 0.61, 0.93)


class FastRenderer(CairoRenderer):
    """Pass as ``SceneClass(renderer=FastRenderer(options))``.

    ``construct()`` runs in full in the calling process, and whatever a scene notes down
    meanwhile is found there. With several workers that process does not draw: it leaps to
    the end of each animation, and forked children draw from the states it passes through.
    What ``construct()`` does between two animations is therefore done in a child too: code
    that writes files there asks ``in_child`` first. ``on_frames`` is told how many more
    frames are done. Segments that ``store`` holds are not drawn again.
    """

    def __init__(
        self,
        options: FastOptions | None = None,
        *,
        on_frames: Callable[[int], None] = lambda frames: None,
        store: SegmentStore | None = None,
        skip_animations: bool = False,
    ) -> None:
        self.options = options or FastOptions()
        writer = partial(FastWriter, options=self.options, on_frames=on_frames, store=store)
        super().__init__(
            writer,  # type: ignore[arg-type]
            partial(FastCamera, tiles=self.options.tiles),  # type: ignore[arg-type]
            skip_animations,
        )
        self._static: list[Drawn] = []  # under everything that moves in this animation
        self._static_mobjects: list[Mobject] = []
        self._frames = 0  # made in this animation
        self._unseen: Scene | None = None  # went on since the picture was drawn

    def init_scene(self, scene: Scene, session_spec: Any, file_writer_settings: Any) -> None:
        """As stock; a scene that asks for a special camera keeps it, and stock drawing."""
        if scene.camera_class is not Camera:
            self.camera = scene.camera_class()
        super().init_scene(scene, session_spec, file_writer_settings)

    @property
    def in_child(self) -> bool:
        """Whether this is a forked copy of the scene that draws one segment and ends."""
        return self.file_writer.in_child

    def play(self, scene: Scene, *args: Any, **kwargs: Any) -> None:
        """Draw one animation, or reach its end without drawing and count its frames."""
        self.skip_animations = self._original_skipping_status
        self.update_skipping_status()
        scene.compile_animation_data(*args, **kwargs)
        self.animations_hashes.append(None)
        writes = not self.skip_animations
        self.file_writer.begin_animation(writes, animation_index=self.num_plays)
        try:
            self._play(scene)
            self.file_writer.end_animation(writes, frames=self._frames)
        except BaseException as error:
            if self.in_child:
                self.file_writer.leave(error)
            raise
        self.num_plays += 1

    def _play(self, scene: Scene) -> None:
        start, self._frames = self.time, 0
        if self.in_child:
            self._settle_in_child(scene)
        if self.skip_animations:
            self.time += scene.duration
            scene.begin_animations()
            self._leap(scene)
            return
        scene.begin_animations()
        if self.file_writer.draws:
            self._draw(scene)
        else:
            self._run_ahead(scene)
        self.time = start + self._frames / self.camera.frame_rate

    def _settle_in_child(self, scene: Scene) -> None:
        """A child says nothing, and its work ends where the scene ends, if not before."""
        config.progress_bar = "none"
        scene.tear_down = self.file_writer.leave  # type: ignore[method-assign]

    def _draw(self, scene: Scene) -> None:
        self.save_static_frame_data(scene, scene.static_mobjects)
        if scene.is_current_animation_frozen_frame():
            self.update_frame(scene, scene.moving_mobjects)
            self.freeze_current_frame(scene.duration)
        else:
            scene.play_internal()
        self._static, self._static_mobjects = [], []

    def _run_ahead(self, scene: Scene) -> None:
        """Reach the end state without drawing; count the frames that somebody else draws."""
        fingerprint = self.file_writer.fingerprint
        if must_step(scene):
            if fingerprint:
                fingerprint.lose()
            scene.play_internal()
            return
        self.skip_animations = True
        if fingerprint:
            self._look_ahead(scene, fingerprint)
        self._leap(scene)
        self.skip_animations = False
        scene.update_mobjects(0)
        self._frames = frame_count(scene)

    def _look_ahead(self, scene: Scene, fingerprint: Fingerprint) -> None:
        """Note how the animation that was just begun looks at a few of its moments."""
        fingerprint.count(frame_count(scene))
        fingerprint.see(self._listed(list_update(scene.mobjects, scene.foreground_mobjects)))
        if not scene.is_current_animation_frozen_frame():
            for moment in MOMENTS:
                scene.update_to_time(moment * scene.duration)
                fingerprint.see(self._listed(scene.moving_mobjects))

    def _leap(self, scene: Scene) -> None:
        """With ``skip_animations`` set, manim looks at the last moment of an animation only."""
        self._unseen = scene
        if not scene.is_current_animation_frozen_frame():
            scene.play_internal()

    def render(
        self, scene: Scene, time: float, moving_mobjects: Iterable[Mobject] | None = None
    ) -> None:
        """Make one frame, where this process makes frames at all."""
        self._unseen = scene
        if self.skip_animations:
            return
        if self.file_writer.draws:
            self.update_frame(scene, moving_mobjects)
        self._emit(1)

    def freeze_current_frame(self, duration: float) -> None:
        """Show the present picture for ``duration`` seconds, counted as stock counts them."""
        self._emit(int(duration / (1 / self.camera.frame_rate)))

    def _emit(self, repeat: int) -> None:
        self._frames += repeat
        self.time += repeat / self.camera.frame_rate
        if self.file_writer.draws:
            self.file_writer.write_picture(self.camera.pixel_array, self._changes(), repeat)

    def _changes(self) -> list[Box]:
        if self._fast_camera:
            return self._fast_camera.take_changes()
        height, width = self.camera.pixel_array.shape[:2]
        return [Box(0, height, 0, width)]

    @property
    def _fast_camera(self) -> FastCamera | None:
        return self.camera if isinstance(self.camera, FastCamera) else None

    def save_static_frame_data(
        self, scene: Scene, static_mobjects: Iterable[Mobject]
    ) -> PixelArray | None:
        """Note what will not change in this animation; a picture of it only stock needs."""
        self.static_image = None
        self._static, self._static_mobjects = [], list(static_mobjects)
        static = self._listed(self._static_mobjects)
        if static is None:
            return self._draw_static(scene)
        self._static = static
        return None

    def update_frame(
        self,
        scene: Scene,
        mobjects: Iterable[Mobject] | None = None,
        include_submobjects: bool = True,
        ignore_skipping: bool = True,
        **kwargs: Any,
    ) -> None:
        """Bring the picture up to date; stock's drawing where there is more than shapes."""
        if self.skip_animations and not ignore_skipping:
            return
        self._unseen = None
        chosen = list(mobjects or ()) or list_update(scene.mobjects, scene.foreground_mobjects)
        shown = self._listed(chosen) if self.static_image is None and not kwargs else None
        if shown is not None and include_submobjects:
            assert self._fast_camera is not None
            self._fast_camera.show(self._static + shown)
            return
        if self._static:
            self._draw_static(scene)
        super().update_frame(scene, chosen, include_submobjects, ignore_skipping, **kwargs)
        if self._fast_camera:
            self._fast_camera.forget()

    def get_frame(self) -> PixelArray:
        """The picture as it would be now, had every animation been drawn."""
        if self._unseen is not None:
            self.update_frame(self._unseen)
        return super().get_frame()

    def _listed(self, mobjects: list[Mobject]) -> list[Drawn] | None:
        return self._fast_camera.display_list(mobjects) if self._fast_camera else None

    def _draw_static(self, scene: Scene) -> PixelArray | None:
        """Stock's way: a picture of all that stands still, to paint the rest upon."""
        static, self._static = self._static_mobjects, []
        return super().save_static_frame_data(scene, static)
