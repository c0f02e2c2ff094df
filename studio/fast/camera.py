"""A camera that paints only what changed since the frame before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cairo
import numpy as np
from manim.camera.camera import Camera
from manim.mobject.mobject import Mobject
from manim.mobject.types.vectorized_mobject import VMobject

from studio.fast.display_list import DisplayLists, Drawn, changed_tiles
from studio.fast.tiles import Box, TileGrid

_NEARLY_ALL = 0.7  # above this share of tiles, clipping costs more than it saves


class FastCamera(Camera):
    """Stock's camera with a memory: the display list that is now on ``pixel_array``.

    With ``tiles`` off each changed frame is painted whole, with the very calls stock makes.
    """

    def __init__(self, *args: Any, tiles: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tiles = tiles
        self._grid = TileGrid(self.pixel_height, self.pixel_width)
        self._lists = DisplayLists(self, self._grid, reuse_shifted=tiles)
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
        mask = self._changed(shown)  # [tile row, tile column]
        self._shown, self._backdrop = shown, self.background
        if not mask.any():
            return
        if not self.tiles or mask.mean() > _NEARLY_ALL:
            self._paint_whole(shown)
        else:
            self._paint_tiles(shown, mask)

    def _changed(self, shown: list[Drawn]) -> np.ndarray:
        if self._shown is None or self._backdrop is not self.background:
            return ~self._grid.mask()
        return changed_tiles(self._grid, self._shown, shown)

    def _paint_whole(self, shown: list[Drawn]) -> None:
        np.copyto(self.pixel_array, self.background)
        context = self.get_cairo_context(self.pixel_array)
        for drawn in shown:
            self._draw(context, drawn)
        self._changes = [self._grid.whole]

    def _paint_tiles(self, shown: list[Drawn], mask: np.ndarray) -> None:
        rectangles = self._grid.rectangles(mask)
        for box in rectangles:
            self.pixel_array[box.window] = self.background[box.window]
        context = self.get_cairo_context(self.pixel_array)
        context.save()
        self._clip(context, rectangles)
        for drawn in shown:
            if mask[drawn.box.window].any():
                self._draw(context, drawn)
        context.restore()
        self._changes += rectangles

    def _clip(self, context: cairo.Context, rectangles: list[Box]) -> None:
        """Let only these pixels through; on whole pixels, so no edge is blended."""
        matrix = context.get_matrix()
        context.identity_matrix()
        context.new_path()
        for box in rectangles:
            context.rectangle(box.left, box.top, box.right - box.left, box.bottom - box.top)
        context.clip()
        context.set_matrix(matrix)

    def _draw(self, context: cairo.Context, drawn: Drawn) -> None:
        """Stroke behind, fill, stroke: stock's order, without the calls that leave no ink."""
        mobject = drawn.mobject
        self._set_path(context, drawn)
        if _inks(self.get_stroke_rgbas(mobject, background=True)):
            self.apply_stroke(context, mobject, background=True)
        if _inks(self.get_fill_rgbas(mobject)):
            self.apply_fill(context, mobject)
        if _inks(self.get_stroke_rgbas(mobject)):
            self.apply_stroke(context, mobject)

    def _set_path(self, context: cairo.Context, drawn: Drawn) -> None:
        outline = drawn.outline
        if outline.path is None:
            self._trace(context, drawn.mobject, outline.points)
            outline.path = context.copy_path()
            if drawn.shift == (0.0, 0.0):
                return
        context.new_path()
        if drawn.shift == (0.0, 0.0):
            context.append_path(outline.path)
            return
        matrix = context.get_matrix()
        context.translate(*drawn.shift)
        context.append_path(outline.path)
        context.set_matrix(matrix)

    def _trace(self, context: cairo.Context, mobject: VMobject, points: np.ndarray) -> None:
        """Stock's ``set_cairo_context_path`` on plain floats, which is twice as fast."""
        context.new_path()
        points = self.transform_points_pre_display(mobject, points)  # [point, xyz]
        spans = mobject.get_subpath_split_indices_from_points(points, n_dims=2)
        flat = points[:, :2].tolist()
        step = mobject.n_points_per_cubic_curve
        for start, end in spans.tolist():
            if end - start < step:
                continue
            context.new_sub_path()
            context.move_to(*flat[start])
            for i in range(start, end - step + 1, step):
                context.curve_to(*flat[i + 1], *flat[i + 2], *flat[i + 3])
            if mobject.consider_points_equals_2d(flat[start], flat[end - 1]):
                context.close_path()


def _inks(rgbas: np.ndarray) -> bool:
    """Whether a colour, or a gradient of several, leaves any ink."""
    return len(rgbas) > 1 or rgbas[0][3] > 0
