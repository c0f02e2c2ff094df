"""How far an animation reaches in frames, and whether its end can be reached in one leap."""

from __future__ import annotations

import numpy as np
from manim import config
from manim.animation.movement import PhaseFlow
from manim.mobject.mobject import Mobject
from manim.scene.scene import Scene


def frame_count(scene: Scene) -> int:
    """The frames manim makes of the animation that was just begun, counted as it counts."""
    if scene.is_current_animation_frozen_frame():
        return int(scene.duration / (1 / config.frame_rate))
    return len(np.arange(0, scene.duration, 1 / config.frame_rate))


def must_step(scene: Scene) -> bool:
    """Whether the end state depends on each frame before it.

    So it is with anything that adds up time. An updater without ``dt`` is taken to be a
    function of the present state, as manim itself does when it skips animations.
    """
    return bool(
        scene.stop_condition is not None
        or scene.updaters
        or scene.always_update_mobjects
        or any(isinstance(animation, PhaseFlow) for animation in scene.animations or ())
        or any(mobject.has_time_based_updater() for mobject in _present(scene))
    )


def _present(scene: Scene) -> list[Mobject]:
    """Everything on screen, and what the animations will bring there."""
    brought = [member for a in scene.animations or () for member in a.mobject.get_family()]
    return [*scene.get_mobject_family_members(), *brought]
