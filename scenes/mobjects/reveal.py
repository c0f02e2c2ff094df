"""An animation that lets many small things appear one after another, at an even pace."""

from __future__ import annotations

from manim import Animation, VGroup, linear


class Reveal(Animation):
    """Each member rises to the opacity it was built with; `overlap` rise at the same time.

    One animation for a hundred marks: a hundred FadeIns would cost a copy and a call each.
    """

    def __init__(self, marks: VGroup, overlap: float = 3.0, **kwargs) -> None:  # type: ignore[no-untyped-def]
        self.overlap = overlap
        self.full = [float(mark.get_fill_opacity()) for mark in marks]
        kwargs.setdefault("rate_func", linear)
        super().__init__(marks, introducer=True, **kwargs)

    def create_starting_mobject(self) -> VGroup:
        """Nothing is interpolated between two states, so none is copied."""
        return self.mobject  # type: ignore[no-any-return]

    def interpolate_mobject(self, alpha: float) -> None:
        front = self.rate_func(alpha) * (len(self.full) + self.overlap)
        for place, (mark, full) in enumerate(zip(self.mobject, self.full, strict=True)):
            share = min(max((front - place) / self.overlap, 0.0), 1.0)
            mark.set_fill(opacity=full * share)
