"""Who draws: our fast lane, or manim's own renderer. The one place that decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from manim.renderer.cairo_renderer import CairoRenderer

    from studio.fast.writer import SegmentStore
    from studio.request import Request

Lane = Literal["fast", "stock"]


def choose_lane(request: Request) -> Lane:
    """The fast lane, unless plain manim was asked for or alone can draw what was asked for."""
    return "stock" if request.stock or request.drawing.slow_flag else "fast"


def make_renderer(
    lane: Lane,
    workers: int,
    on_frames: Callable[[int], None],
    store: SegmentStore | None = None,
) -> CairoRenderer | None:
    """A renderer that tells how many more frames are done; None lets manim choose."""
    from manim import RendererType, config

    if config.renderer == RendererType.OPENGL:
        return None
    if lane == "fast":
        from studio.fast import FastOptions, FastRenderer

        return FastRenderer(FastOptions(workers=workers), on_frames=on_frames, store=store)
    return _counting_renderer(on_frames)


def _counting_renderer(on_frames: Callable[[int], None]) -> CairoRenderer:
    from manim.renderer.cairo_renderer import CairoRenderer

    class CountingRenderer(CairoRenderer):
        """Manim's own, which also counts."""

        def add_frame(self, frame: Any, num_frames: int = 1) -> None:
            super().add_frame(frame, num_frames)
            on_frames(num_frames)

    return CountingRenderer()
