"""Equations whose terms light up one by one, the others at a quarter.

    update = Formula(theme, "c_t = {f dot.o c_(t-1) : forget} + {i dot.o g : write}", ...)

Set by Typst (no LaTeX): only formulas of ours go in, never a user's text.
"""

from __future__ import annotations

from collections.abc import Mapping

from manim import Animation, MathTypst, MoveToTarget, VMobject

from scenes.fonts import font_path
from scenes.mobjects.text import sizes
from scenes.theme import Theme

QUIET = 0.25  # opacity of the terms that are not being computed
EM_PER_POINT = 1 / 96  # manim units of the em at MathTypst's font_size 1


class Formula(MathTypst):
    """A formula with named terms: write `{{ body : name }}` in the source."""

    def __init__(
        self,
        theme: Theme,
        source: str,
        size: str = "body",
        roles: Mapping[str, str] | None = None,
        role: str = "TEXT",
    ) -> None:
        """`roles` gives named terms their colour: {"forget": "FORGET"}."""
        em = sizes()[size]
        super().__init__(
            source, font_size=em / EM_PER_POINT, color=theme.color(role),
            font_paths=[str(font_path().parent)],
        )
        self.text = source
        self._em_per_height = em / self.height
        for name, term_role in (roles or {}).items():
            self.term(name).set_color(theme.color(term_role))
        for glyph in self.family_members_with_points():
            glyph.path_obj = None  # parsed path: never read again, and costly to copy and hash

    @property
    def em(self) -> float:
        """Size of the type now, in manim units."""
        return float(self.height * self._em_per_height)

    def term(self, name: str) -> VMobject:
        """The glyphs of a named term."""
        return self.select(name)

    def light(self, *names: str, run_time: float = 0.5) -> Animation:
        """These terms full, the rest at a quarter. Without names all is full again."""
        lit = {id(part) for name in names for part in self.term(name).get_family()}
        self.generate_target()
        pairs = zip(self.get_family(), self.target.get_family(), strict=True)
        for glyph, goal in pairs:
            if len(glyph.points):
                goal.set_opacity(1.0 if not names or id(glyph) in lit else QUIET)
        return MoveToTarget(self, run_time=run_time)


