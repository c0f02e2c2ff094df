"""What is on screen as a list of snapshots, so that two frames can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

import cairo
import numpy as np
from manim.camera.camera import Camera
from manim.constants import LineJointType
from manim.mobject.mobject import Mobject
from manim.mobject.types.image_mobject import AbstractImageMobject
from manim.mobject.types.point_cloud_mobject import PMobject
from manim.mobject.types.vectorized_mobject import VMobject
from manim.utils.family import extract_mobject_family_members

from studio.fast.tiles import TileGrid, Tiles

_STILL = 1e-9  # scene units; below this a shape only moved, it did not bend
_MITER_LIMIT = 10.0  # cairo's default: how far a sharp corner may stick out, in half line widths

Looks = tuple[object, ...]


def looks_of(mobject: VMobject) -> Looks:
    """Everything that decides a mobject's pixels, comparable with ``==``."""
    fill, stroke = mobject.fill_rgbas, mobject.stroke_rgbas
    behind = mobject.background_stroke_rgbas
    graded = len(fill) > 1 or len(stroke) > 1 or len(behind) > 1
    return (
        mobject.points.tobytes(),
        fill.tobytes(),
        stroke.tobytes(),
        behind.tobytes(),
        mobject.stroke_width,
        mobject.background_stroke_width,
        mobject.joint_type,
        mobject.cap_style,
        mobject.get_sheen_direction().tobytes() if graded else None,
    )


def _same_shape(a: Looks, b: Looks) -> bool:
    """Whether only paint changed: the ink lies where it lay."""
    return a[0] == b[0] and a[4:8] == b[4:8]


class Layer(NamedTuple):
    """One coat of paint on an outline; a stroke has a width."""

    paint: cairo.Pattern
    width: float  # in manim's units of stroke width; 0: a fill


class Span(NamedTuple):
    """One subpath of an outline: its curves ``first:last``, and whether it closes."""

    first: int
    last: int
    closed: bool


class Outline:
    """The points of a shape, with what is worth keeping of the work to draw them."""

    __slots__ = ("path", "points", "spans")

    def __init__(self, points: np.ndarray, spans: list[Span] | None = None) -> None:
        self.points = points  # [point, xyz], scene units
        self.spans = spans  # found when first drawn, the same wherever the shape moves
        self.path: cairo.Path | None = None  # built when first drawn

    def moved_to(self, points: np.ndarray) -> Outline:
        """The outline of ``points``, which keeps the spans if the shape only moved."""
        if points.shape == self.points.shape:
            moved = points - self.points  # [point, xyz]
            if np.abs(moved - moved[0]).max() < _STILL:
                return Outline(points.copy(), self.spans)
        return Outline(points.copy())


class Drawn:
    """A mobject as it looked in one frame. Never changed; two equal looks are one object."""

    __slots__ = ("_digest", "layers", "looks", "mobject", "outline", "tiles")

    def __init__(self, mobject: VMobject, looks: Looks, outline: Outline, tiles: Tiles) -> None:
        self.mobject = mobject
        self.looks = looks
        self.outline = outline
        self.tiles = tiles  # which it may touch
        self.layers: list[Layer] | None = None  # mixed when first drawn
        self._digest: bytes | None = None

    @property
    def digest(self) -> bytes:
        """Sixteen bytes that tell these looks from all others, in any process."""
        if self._digest is None:
            parts = (x if isinstance(x, bytes) else repr(x).encode() for x in self.looks)
            whole = blake2b(digest_size=16)
            for part in parts:
                whole.update(len(part).to_bytes(8, "big") + part)
            self._digest = whole.digest()
        return self._digest


class DisplayLists:
    """Turns mobjects into snapshots, reusing those of the frame before."""

    def __init__(self, camera: Camera, grid: TileGrid) -> None:
        self._camera = camera
        self._grid = grid
        self._last: dict[int, Drawn] = {}
        self._family = FamilyCache(camera.use_z_index)

    def of(self, mobjects: Iterable[Mobject]) -> list[Drawn] | None:
        """The snapshots of all mobjects with points, in the order in which stock draws them.

        None when something is no plain vector shape: an image, a point cloud, a texture.
        """
        shown = []
        for mobject in self._family.of(list(mobjects)):
            if not isinstance(mobject, VMobject):
                if isinstance(mobject, PMobject | AbstractImageMobject):
                    return None
            elif len(mobject.points):
                if mobject.background_image is not None:
                    return None
                shown.append(self._snapshot(mobject))
        return shown

    def _snapshot(self, mobject: VMobject) -> Drawn:
        last = self._last.get(id(mobject))
        looks = looks_of(mobject)
        if last is None or last.mobject is not mobject:
            last = None
        elif last.looks == looks:
            return last
        drawn = self._last[id(mobject)] = self._changed(mobject, looks, last)
        return drawn

    def _changed(self, mobject: VMobject, looks: Looks, last: Drawn | None) -> Drawn:
        if last is None:
            return Drawn(mobject, looks, Outline(mobject.points.copy()), self._tiles(mobject))
        if _same_shape(last.looks, looks):
            return Drawn(mobject, looks, last.outline, last.tiles)
        return Drawn(mobject, looks, last.outline.moved_to(mobject.points), self._tiles(mobject))

    def _tiles(self, mobject: VMobject) -> Tiles:
        camera = self._camera
        points = mobject.points
        scale = camera.pixel_width / camera.frame_width  # pixels per scene unit
        pad = 2 + scale * self._reach(mobject)
        low, high = points.min(axis=0), points.max(axis=0)
        if not np.isfinite(low + high).all():
            return self._grid.all
        centre = camera.frame_center
        return self._grid.around(
            (low[0] - centre[0]) * scale + camera.pixel_width / 2 - pad,
            (high[0] - centre[0]) * scale + camera.pixel_width / 2 + pad,
            camera.pixel_height / 2 - (high[1] - centre[1]) * scale - pad,
            camera.pixel_height / 2 - (low[1] - centre[1]) * scale + pad,
        )

    def _reach(self, mobject: VMobject) -> float:
        """How far ink may lie outside the points, in scene units."""
        width = max(mobject.get_stroke_width(), mobject.get_stroke_width(background=True))
        sharp = mobject.joint_type in (LineJointType.AUTO, LineJointType.MITER)
        corners = len(mobject.points) > mobject.n_points_per_cubic_curve
        spread = _MITER_LIMIT if sharp and corners else 1.5
        return width * self._camera.cairo_line_width_multiple / 2 * spread


class FamilyCache:
    """The flat, z-sorted family of a list of mobjects, rebuilt only when it changed."""

    def __init__(self, use_z_index: bool) -> None:
        self._use_z_index = use_z_index
        self._roots: list[Mobject] | None = None
        self._shape: list[tuple[Mobject, list[Mobject], float]] = []
        self._members: list[Mobject] = []

    def of(self, roots: list[Mobject]) -> list[Mobject]:
        """All members, parents before children, in drawing order."""
        if self._roots != roots or not self._same_shape():
            members = extract_mobject_family_members(roots, use_z_index=self._use_z_index)
            self._roots, self._members = roots, members
            self._shape = [(m, list(m.submobjects), m.z_index) for m in members]
        return self._members

    def _same_shape(self) -> bool:
        return all(m.submobjects == subs and m.z_index == z for m, subs, z in self._shape)


def changed_tiles(grid: TileGrid, old: Sequence[Drawn], new: Sequence[Drawn]) -> Tiles:
    """The tiles where the picture of ``new`` may differ from that of ``old``."""
    if len(old) == len(new) and all(a.mobject is b.mobject for a, b in zip(old, new, strict=True)):
        pairs: Iterable[tuple[Drawn | None, Drawn | None]] = zip(old, new, strict=True)
    else:
        before = {id(d.mobject): d for d in old}
        after = {id(d.mobject): d for d in new}
        if [key for key in before if key in after] != [key for key in after if key in before]:
            return grid.all  # somebody went behind somebody else
        pairs = [(before.get(key), after.get(key)) for key in before | after]
    tiles = 0
    for a, b in pairs:
        if a is not b:
            tiles |= (a.tiles if a else 0) | (b.tiles if b else 0)
    return tiles
