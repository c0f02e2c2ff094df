"""A camera that paints only what changed since the frame before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import cairo
import numpy as np
from manim.camera.camera import CAP_STYLE_MAP, LINE_JOIN_MAP, Camera
from manim.mobject.mobject import Mobject
from manim.mobject.types.vectorized_mobject import VMobject

from studio.fast.display_list import DisplayLists, Drawn, Layer, Outline, Span, changed_tiles
from studio.fast.tiles import Box, TileGrid, Tiles

_NEARLY_ALL = 0.7  # above this share of tiles, choosing among them costs more than it saves
_PER_CURVE = 4  # points of a cubic Bézier curve: start, two handles, end


class FastCamera(Camera):
    """Stock's camera with a memory: the display list that is now on ``pixel_array``.

    With ``tiles`` off each changed frame is painted whole. Both give stock's pixels.
    """

    def __init__(self, *args: Any, tiles: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tiles = tiles
        self._grid = TileGrid(self.pixel_height, self.pixel_width)
        self._lists = DisplayLists(self, self._grid)
        self._scratch = np.empty_like(self.pixel_array)
        self._changes: list[Box] = []
        self._shown: list[Drawn] | None = None  # None: unknown, paint everything
        self._backdrop = self.background

    def display_list(self, mobjects: Iterable[Mobject]) -> list[Drawn] | None:
        """The mobjects as snapshots, or None where only stock can draw them."""
        return self._lists.of(mobjects)

    def forget(self) -> None:
        """Somebody else painted on ``pixel_array``: trust nothing of it."""
        self._shown = None
        self._changes = [self._grid.whole]

    def take_changes(self) -> list[Box]:
        """The rectangles, in pixels, painted since the last call."""
        changes, self._changes = self._changes, []
        return changes

    def show(self, shown: list[Drawn]) -> None:
        """Bring ``pixel_array`` up to date with a display list."""
        tiles = self._changed(shown)
        self._shown, self._backdrop = shown, self.background
        if not tiles:
            return
        if not self.tiles or self._grid.share(tiles) > _NEARLY_ALL:
            self._paint_whole(shown)
        else:
            self._paint_tiles(shown, tiles)

    def _changed(self, shown: list[Drawn]) -> Tiles:
        if self._shown is None or self._backdrop is not self.background:
            return self._grid.all
        return changed_tiles(self._grid, self._shown, shown)

    def _paint_whole(self, shown: list[Drawn]) -> None:
        np.copyto(self.pixel_array, self.background)
        context = self.get_cairo_context(self.pixel_array)
        for drawn in shown:
            self._draw(context, drawn)
        self._changes = [self._grid.whole]

    def _paint_tiles(self, shown: list[Drawn], tiles: Tiles) -> None:
        """Draw all that touches the tiles on a scratch picture; take only the tiles from it.

        Cairo's clipping would be the shorter way, but it cuts edges where it clips, and the
        pieces round differently.
        """
        rectangles = self._grid.rectangles(tiles)
        for box in rectangles:
            self._scratch[box.window] = self.background[box.window]
        context = self.get_cairo_context(self._scratch)
        for drawn in shown:
            if drawn.tiles & tiles:
                self._draw(context, drawn)
        for box in rectangles:
            self.pixel_array[box.window] = self._scratch[box.window]
        self._changes += rectangles

    def _draw(self, context: cairo.Context, drawn: Drawn) -> None:
        """Stock's order and calls, without those that leave no ink."""
        if drawn.layers is None:
            drawn.layers = list(self._layers(drawn.mobject))
        if not drawn.layers:
            return
        self._set_path(context, drawn)
        for paint, width in drawn.layers:
            context.set_source(paint)
            if not width:
                context.fill_preserve()
                continue
            context.set_line_width(width * self.cairo_line_width_multiple)
            context.set_line_join(LINE_JOIN_MAP[drawn.mobject.joint_type])
            context.set_line_cap(CAP_STYLE_MAP[drawn.mobject.cap_style])
            context.stroke_preserve()

    def _layers(self, mobject: VMobject) -> Iterator[Layer]:
        """Stroke behind, fill, stroke."""
        behind, width = mobject.background_stroke_rgbas, mobject.get_stroke_width(background=True)
        if width and _inks(behind):
            yield Layer(self._paint(behind, mobject), width)
        if _inks(mobject.fill_rgbas):
            yield Layer(self._paint(mobject.fill_rgbas, mobject), 0)
        width = mobject.get_stroke_width()
        if width and _inks(mobject.stroke_rgbas):
            yield Layer(self._paint(mobject.stroke_rgbas, mobject), width)

    def _paint(self, rgbas: np.ndarray, mobject: VMobject) -> cairo.Pattern:
        """A colour or a gradient; red and blue change places, as cairo's pixels are BGRA."""
        if len(rgbas) == 1:
            red, green, blue, alpha = rgbas[0]
            return cairo.SolidPattern(blue, green, red, alpha)
        ends = self.transform_points_pre_display(
            mobject, np.array(mobject.get_gradient_start_and_end_points())
        )
        gradient = cairo.LinearGradient(*ends[0][:2], *ends[1][:2])
        for offset, (red, green, blue, alpha) in zip(
            np.linspace(0, 1, len(rgbas)), rgbas, strict=True
        ):
            gradient.add_color_stop_rgba(offset, blue, green, red, alpha)
        return gradient

    def _set_path(self, context: cairo.Context, drawn: Drawn) -> None:
        outline = drawn.outline
        context.new_path()
        if outline.path is None:
            self._trace(context, drawn.mobject, outline)
            outline.path = context.copy_path()
        else:
            context.append_path(outline.path)

    def _trace(self, context: cairo.Context, mobject: VMobject, outline: Outline) -> None:
        """Stock's ``set_cairo_context_path`` on plain floats, which is far quicker."""
        points = self.transform_points_pre_display(mobject, outline.points)  # [point, xyz]
        if outline.spans is None:
            outline.spans = _spans(mobject, points)
        whole = len(points) // _PER_CURVE * _PER_CURVE
        curves = points[:whole, :2].reshape(-1, 2 * _PER_CURVE).tolist()  # [curve, x y x y …]
        for first, last, closed in outline.spans:
            context.new_sub_path()
            context.move_to(*curves[first][:2])
            for curve in curves[first:last]:
                context.curve_to(*curve[2:])
            if closed:
                context.close_path()


def _spans(mobject: VMobject, points: np.ndarray) -> list[Span]:
    """Where manim sees one subpath end and the next begin."""
    return [
        Span(
            start // _PER_CURVE,
            start // _PER_CURVE + (end - start) // _PER_CURVE,
            mobject.consider_points_equals_2d(points[start], points[end - 1]),
        )
        for start, end in mobject.get_subpath_split_indices_from_points(points, n_dims=2).tolist()
        if end - start >= _PER_CURVE
    ]


def _inks(rgbas: np.ndarray) -> bool:
    """Whether a colour, or a gradient of several, leaves any ink."""
    return len(rgbas) > 1 or rgbas[0][3] > 0
