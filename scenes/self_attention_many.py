"""The last act of self-attention: many sentences, several seeds, and what it is called."""

from __future__ import annotations

import numpy as np
from manim import DOWN, LEFT, FadeIn, LaggedStart, Line, Mobject, VGroup

from scenes.channels import Linear
from scenes.grid import Band
from scenes.mobjects.bar_row import Bar
from scenes.mobjects.formula import Formula
from scenes.mobjects.text import label
from scenes.self_attention_order import TwoOrders
from scenes.trust import at_least, percent_at_least

NARROW = 2.4  # manim units, of a panel: names take the smallest type
HEAD, FOOT = 0.42, 0.3  # manim units over and under a panel's axis
SUMMARY_SECONDS = 3.0  # to read the formulas, beside the caption


class ManySentences:
    """α over held-out sentences: one panel for every seed, on the same axes."""

    def __init__(self, orders: TwoOrders) -> None:
        self.scene, self.theme = orders.scene, orders.theme
        self.readout, self.held = orders.readout, orders.trace.held_out
        self.seeds, self.units = orders.trace.seeds, orders.trace.units
        self.orders = orders

    # Beats

    def many(self) -> None:
        """Not one sentence: where does the pronoun look in all of them?"""
        scene, held = self.scene, self.held
        panels = [self._panel(s, band) for s, band in enumerate(self._bands())]
        values = {"count": held.count, "seeds": len(self.seeds),
                  "weight": at_least(float(held.weights.min())),
                  "before": f"{float(held.untrained_weights.max()):.2f}"}
        with scene.beat("many", **values):
            scene.clear_stage()
            scene.play(LaggedStart(*map(FadeIn, panels), lag_ratio=0.4), run_time=2.0)
            self.readout.show(*self._checks())

    def name(self) -> None:
        """What this is called, and what it does not claim."""
        scene = self.scene
        with scene.beat("name", guess=SUMMARY_SECONDS):
            scene.clear_stage()
            scene.play(LaggedStart(*map(FadeIn, self._summary()), lag_ratio=0.3), run_time=1.6)
            self.readout.show(self.readout.note("not_claimed"))

    # Panels

    def _bands(self) -> list[Band]:
        stage = self.scene.grid.stage
        return list(stage.inset(0.02 * stage.width, 0.0).columns(*[1] * len(self.seeds), gap=0.5))

    def _panel(self, s: int, band: Band) -> VGroup:
        """Shares of the sentences by α, after training and before."""
        held, base = self.held, band.bottom + FOOT
        room = Band(band.left, band.right, base, band.top - HEAD)
        scale = Linear(0.0, 1.0, 0.0, room.height)
        panel = VGroup(self._head(s, band), *self._axis(room))
        for field, role, hollow in (("untrained_shares", "LINE", True), ("shares", "HIGH", False)):
            for k, share in enumerate(getattr(held, field)[s]):
                if share > 0:
                    panel.add(self._bar(room, k, float(share), scale, role, hollow, field, s))
        return panel

    def _bar(
        self, room: Band, k: int, share: float, scale: Linear, role: str, hollow: bool,
        field: str, s: int,
    ) -> Mobject:
        bins = len(self.held.edges) - 1
        x = room.left + (k + 0.5) * room.width / bins
        bar = Bar(0.86 * room.width / bins, self.theme.color(role),
                  np.array([x, room.bottom, 0.0]))
        if hollow:
            bar.set_fill(opacity=0.0).set_stroke(self.theme.color(role), width=2.0)
        return self.scene.bind(bar, "height", share, scale, field=f"held_out.{field}",
                               index=(s, k), label=field)

    def _head(self, s: int, band: Band) -> Mobject:
        size = "smallest" if band.width < NARROW else "label"
        head = label(self.theme, self.scene.say("labels.seed", seed=self.seeds[s]), "TEXT", size)
        return head.centre_on(np.array([band.center[0], band.top - 0.14, 0.0]))

    def _axis(self, room: Band) -> list[Mobject]:
        """The line of α from 0 to 1, and the height of all sentences."""
        color = self.theme.color("LINE")
        level = Line([room.left, room.bottom, 0], [room.right, room.bottom, 0], color=color,
                     stroke_width=1.5)
        upright = Line([room.left, room.bottom, 0], [room.left, room.top, 0], color=color,
                       stroke_width=1.5)
        marks: list[Mobject] = [level, upright]
        for share, text in ((0.0, "0"), (0.5, "α"), (1.0, "1")):
            mark = label(self.theme, text, "MUTED", "smallest")
            x = room.left + share * room.width
            x += (0.5 - share) * mark.width  # inside the panel
            marks.append(mark.centre_on(np.array([x, room.bottom - 0.17, 0.0])))
        return marks

    def _checks(self) -> list[Mobject]:
        """What is filled, what is hollow, and the least share of right answers."""
        right = float(self.held.right.min())
        return [
            self.readout.note("histogram_key"),
            self.readout.number("right", right, "min(held_out.right)", (), percent_at_least,
                                count=self.held.count),
        ]

    # The name

    def _summary(self) -> VGroup:
        """Three steps with their formulas, under the name that they have together."""
        stage = self.scene.grid.stage
        for size, formula_size in (("body", "title"), ("label", "body"), ("smallest", "number")):
            lines = self._lines(size, formula_size, stage.width)
            if lines.height <= stage.height and lines.width <= stage.width:
                break
        return lines.move_to(stage.center)  # type: ignore[no-any-return]

    def _lines(self, size: str, formula_size: str, width: float) -> VGroup:
        say = self.scene.say
        lines = VGroup(label(self.theme, say("labels.self_attention"), "HIGH", "title"))
        roles = {"weight": "HIGH", "asking": "QUERY", "asked": "SOURCE"}
        sources = {
            "step_positions": "x_t = e_(w_t) + p_t",
            "step_weights": "{{ alpha_(i j) : weight }} = op(\"softmax\")_j thin"
                            " a( {{ x_i : asking }} , {{ x_j : asked }} )",
            "step_sum": "z_i = inline(sum_j) {{ alpha_(i j) : weight }} W {{ x_j : asked }}",
        }
        for key, source in sources.items():
            used = {name: role for name, role in roles.items() if f": {name} " in source}
            words = label(self.theme, say(f"labels.{key}"), "TEXT", size, width)
            formula = Formula(self.theme, source, formula_size, used)
            if formula.width > width:
                formula.scale(width / formula.width)
            lines.add(VGroup(words, formula).arrange(DOWN, buff=0.14, aligned_edge=LEFT))
        return lines.arrange(DOWN, buff=0.26, aligned_edge=LEFT)
