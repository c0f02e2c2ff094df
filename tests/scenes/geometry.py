"""Runs a station without drawing it, and looks at the picture at the end of every beat.

    states = run_station(LookingBack, trace, lesson)
    assert not problems(states)

What is asked of every beat: all of it in the safe area; no text on text; no text on marks,
unless they belong together (a word and its chip) or the scene said `let_overlap`; no type under
1/40 of the frame height; every channel on screen reads back as the trace says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from manim import CairoRenderer, Mobject, VMobject, config, tempconfig

from engine.lesson import Lesson
from engine.traces import Trace
from scenes.base import Beat, Station
from scenes.fonts import missing_glyphs
from scenes.grid import SMALLEST
from scenes.mobjects.formula import Formula
from scenes.mobjects.number_label import NumberLabel
from scenes.mobjects.text import Label

VISIBLE = 0.02  # least opacity that counts as seen
TOUCH = 0.02  # manim units by which boxes may run into each other
TEXTS = (Label, NumberLabel, Formula)
FRAMES = {"16:9": (960, 540), "4:3": (800, 600), "9:16": (540, 960)}


class Undrawn(CairoRenderer):
    """Plays every animation to its end at once and draws nothing."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(skip_animations=True, **kwargs)

    def update_frame(self, *args: Any, **kwargs: Any) -> None:
        pass

    def save_static_frame_data(self, scene: Any, static_mobjects: Any) -> None:
        self.static_image = None


@dataclass(frozen=True)
class Item:
    """Something to be seen: a text (with its words) or a mark."""

    mobject: Mobject
    text: str | None
    box: np.ndarray  # [[left, bottom], [right, top]]
    ancestors: tuple[Mobject, ...]

    @property
    def name(self) -> str:
        return repr(self.text[:24]) if self.text is not None else type(self.mobject).__name__


@dataclass
class BeatState:
    """What one beat ended with."""

    beat: Beat
    texts: list[str]
    problems: list[str] = field(default_factory=list)


def run_station(
    kind: type[Station], trace: Trace, lesson: Lesson, aspect: str = "16:9"
) -> list[BeatState]:
    """The state at the end of every beat. No video, no pictures."""
    width, height = FRAMES[aspect]
    states: list[BeatState] = []
    with tempconfig(_settings(width, height)):
        scene = kind(renderer=Undrawn(), trace=trace, lesson=lesson)
        scene.on_beat_end.append(lambda s, beat: states.append(_state(s, beat)))
        scene.render()
    return states


def problems(states: list[BeatState]) -> list[str]:
    """Every problem of every beat, as "beat: what"."""
    return [f"{state.beat.name}: {problem}" for state in states for problem in state.problems]


def _settings(width: int, height: int) -> dict[str, Any]:
    return {
        "pixel_width": width, "pixel_height": height, "frame_height": 8.0,
        "frame_width": 8.0 * width / height, "dry_run": True, "verbosity": "ERROR",
        "progress_bar": "none", "frame_rate": 15,
    }


def _state(scene: Station, beat: Beat) -> BeatState:
    items = list(visible_items(scene.mobjects))
    found = [
        *outside(items, scene.grid.safe),
        *too_small(items),
        *undrawable(items),
        *texts_on_texts(items, scene.overlaps),
        *texts_on_marks(items, scene.overlaps),
        *wrong_channels(scene),
    ]
    return BeatState(beat, [item.text for item in items if item.text is not None], found)


def visible_items(mobjects: list[Mobject], above: tuple[Mobject, ...] = ()) -> Iterator[Item]:
    """Texts as wholes and all other leaves that can be seen."""
    for mobject in mobjects:
        if isinstance(mobject, TEXTS):
            if _seen(mobject):
                yield Item(mobject, mobject.text, _box(mobject), above)
            continue
        if len(mobject.points) and _seen(mobject, family=False):
            yield Item(mobject, None, _points_box(mobject.points), above)
        yield from visible_items(mobject.submobjects, (*above, mobject))


def _seen(mobject: Mobject, family: bool = True) -> bool:
    parts = mobject.family_members_with_points() if family else [mobject]
    return any(_opacity(part) > VISIBLE for part in parts if isinstance(part, VMobject))


def _opacity(part: VMobject) -> float:
    stroke = part.get_stroke_opacity() if part.get_stroke_width() > 0 else 0.0
    return float(max(part.get_fill_opacity(), stroke))


def _points_box(points: np.ndarray) -> np.ndarray:
    return np.array([points[:, :2].min(axis=0), points[:, :2].max(axis=0)])


def _box(mobject: Mobject) -> np.ndarray:
    return _points_box(mobject.get_all_points())


def outside(items: list[Item], safe: Any) -> list[str]:
    low, high = (safe.left - TOUCH, safe.bottom - TOUCH), (safe.right + TOUCH, safe.top + TOUCH)
    return [
        f"{item.name} leaves the safe area: {item.box.round(2).tolist()}"
        for item in items
        if (item.box[0] < low).any() or (item.box[1] > high).any()
    ]


def too_small(items: list[Item]) -> list[str]:
    least = config.frame_height * SMALLEST * 0.995
    return [
        f"{item.name} is set at {item.mobject.em:.3f}, the least is {least:.3f}"
        for item in items
        if item.text is not None and item.mobject.em < least  # type: ignore[attr-defined]
    ]


def undrawable(items: list[Item]) -> list[str]:
    missing = {sign for item in items if isinstance(item.mobject, Label | NumberLabel)
               for sign in missing_glyphs(item.text or "")}
    return [f"no glyph for {sign}" for sign in sorted(missing)]


def texts_on_texts(items: list[Item], allowed: list[tuple[Mobject, Mobject]]) -> list[str]:
    texts = [item for item in items if item.text is not None]
    return [
        f"{one.name} lies on {other.name}"
        for one, other in combinations(texts, 2)
        if _boxes_meet(one.box, other.box) and not _declared(one, other, allowed)
    ]


def texts_on_marks(items: list[Item], allowed: list[tuple[Mobject, Mobject]]) -> list[str]:
    texts = [item for item in items if item.text is not None]
    marks = [item for item in items if item.text is None and not _is_ground(item)]
    return [
        f"{text.name} lies on {mark.name} of {type((*mark.ancestors, mark.mobject)[0]).__name__}"
        for text in texts
        for mark in marks
        if _boxes_meet(text.box, mark.box)
        and _mark_in_box(mark.mobject, text.box)
        and not _together(text, mark)
        and not _declared(text, mark, allowed)
    ]


def wrong_channels(scene: Station) -> list[str]:
    return [
        f"{b.channel.field}{list(b.channel.index)} should show as {b.channel.attribute} "
        f"{b.channel.expected}, reads {b.reading()}"
        for b in scene.channels.current(scene.on_screen())
        if not b.matches()
    ]


def _boxes_meet(one: np.ndarray, other: np.ndarray) -> bool:
    return bool((one[0] < other[1] - TOUCH).all() and (other[0] < one[1] - TOUCH).all())


def _is_ground(item: Item) -> bool:
    return any(getattr(m, "is_ground", False) for m in (*item.ancestors, item.mobject))


def _together(text: Item, mark: Item) -> bool:
    """Part of one mobject that says its texts stand on its own marks."""
    marks = {id(m) for m in mark.ancestors if getattr(m, "holds_text", False)}
    return any(id(m) in marks for m in text.ancestors)


def _declared(one: Item, other: Item, allowed: list[tuple[Mobject, Mobject]]) -> bool:
    ones = {id(m) for m in (*one.ancestors, one.mobject)}
    others = {id(m) for m in (*other.ancestors, other.mobject)}
    return any(
        (id(a) in ones and id(b) in others) or (id(b) in ones and id(a) in others)
        for a, b in allowed
    )


def _mark_in_box(mark: Mobject, box: np.ndarray) -> bool:
    """Whether the drawn line crosses the box, or a filled shape covers its middle."""
    outline = _outline(mark)
    low, high = box[0] + TOUCH, box[1] - TOUCH
    if ((outline > low) & (outline < high)).all(axis=1).any():
        return True
    return isinstance(mark, VMobject) and mark.get_fill_opacity() > VISIBLE and _covers(
        outline, box.mean(axis=0)
    )


def _outline(mark: Mobject, samples: int = 24) -> np.ndarray:
    """Points along every curve of a mark, [samples * curve, xy]."""
    curves = mark.points[: len(mark.points) // 4 * 4, :2].reshape(-1, 4, 1, 2)
    if not len(curves):
        return mark.points[:, :2]
    t = np.linspace(0, 1, samples)[None, :, None]
    a, b, c, d = (curves[:, i] for i in range(4))  # [curve, 1, xy]
    line = (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
    return line.reshape(-1, 2)


def _covers(polygon: np.ndarray, point: np.ndarray) -> bool:
    """Even–odd rule."""
    (x, y), (x1, y1) = point, polygon.T
    x2, y2 = np.roll(polygon, -1, axis=0).T
    crossing = (y1 > y) != (y2 > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = x1 + (y - y1) * (x2 - x1) / (y2 - y1)
    return bool(np.count_nonzero(crossing & (x < at)) % 2)
