"""Act 3 of looking back: two rows of words with links between them, straight and crossing."""

from __future__ import annotations

from collections.abc import Sequence

from manim import DOWN, Animation, Create, FadeIn, FadeOut, LaggedStart, Mobject

from scenes.grid import Band
from scenes.looking_back_panel import LinkPanel, natural_width
from scenes.looking_back_readout import note
from scenes.looking_back_rows import OtherWords
from scenes.mobjects.link import unfold
from scenes.trust import trust_badge

GAP = 0.3  # manim units, between panels


class WordOrder:
    """The pairs as links: the first ones, then the last. `panel` is the last one drawn."""

    def __init__(self, rows: OtherWords) -> None:
        self.rows, self.first = rows, rows.first
        self.scene, self.theme = rows.scene, rows.theme
        self.pairs = self.scene.trace.pairs
        self.last = len(self.pairs) - 1
        self.panels: list[LinkPanel] = []

    def monotone(self) -> None:
        """The first pair's words form two rows; the links between them are counted."""
        if self.last == 0:
            return
        shown = self._companions()
        bands = self._bands(shown, self.scene.grid.type.body)
        crossed = any(self.pairs[k].crossings for k in shown)
        with self.scene.beat("monotone", variant="crossed" if crossed else ""):
            self._from_rows(bands[0])
            for k, band in zip(shown[1:], bands[1:], strict=True):
                self._new_panel(k, band)
            self.first.readout.show(note(self.scene, self.scene.say("labels.link_key")))

    def crossing(self) -> None:
        """The last pair, whose words come in another order."""
        pair = self.pairs[self.last]
        variant = "_".join(
            word for word, said in (("only", self.last == 0), ("none", not pair.crossings)) if said
        )
        with self.scene.beat("crossing", variant=variant, count=pair.crossings):
            if self.last == 0:
                self._from_rows(self.scene.grid.stage)
                self.first.readout.show(note(self.scene, self.scene.say("labels.link_key")))
            else:
                self._badge()
                self._new_panel(self.last, self._make_room())
        self.panel = self.panels[-1]

    # Which panels, and where

    def _companions(self) -> list[int]:
        """The first pair, and the one after it if both fit and it is not the last."""
        body = self.scene.grid.type.body
        if self.last > 1 and self._width([0, 1], body) <= self.scene.grid.stage.width:
            return [0, 1]
        return [0]

    def _width(self, shown: Sequence[int], em: float) -> float:
        widths = [natural_width(self.pairs[k], em) for k in shown]
        return sum(widths) + GAP * (len(widths) - 1)

    def _bands(self, shown: Sequence[int], em: float) -> list[Band]:
        """The stage in columns as wide as the pairs' words; a lone pair has all of it."""
        stage = self.scene.grid.stage
        widths = [natural_width(self.pairs[k], em) for k in shown]
        return list(stage.columns(*widths, gap=GAP))

    def _make_room(self) -> Band:
        """Leaves the first pair beside the last as its contrast, where both fit."""
        scene, stage = self.scene, self.scene.grid.stage
        keep = self._width([0, self.last], scene.grid.type.smallest * 1.15) <= stage.width
        leaving = self.panels[1:] if keep else self.panels
        self.panels = self.panels[:1] if keep else []
        moves: list[Animation] = [FadeOut(m) for panel in leaving for m in panel.everything]
        scene.release(*[m for panel in leaving for m in panel.everything])
        band = stage
        if keep:
            left, band = self._bands([0, self.last], scene.grid.type.body)
            moves += self.panels[0].move_to_band(left)
        scene.play(*moves, run_time=1.0)
        return band

    def _badge(self) -> None:
        """How far the model can be trusted on this pair, where that differs from the first."""
        old, new = self.first.badge, trust_badge(self.scene, self.pairs[self.last].trust)
        if new.text != old.text:
            self.scene.play(FadeOut(old), FadeIn(new), run_time=0.4)

    # Drawing a panel

    def _from_rows(self, band: Band) -> None:
        """The words round the first pair's grid go into two rows; dots become links."""
        rows, scene = self.rows, self.scene
        panel = LinkPanel(scene, 0, band, self.first.picture.cards, rows.targets)
        leaving: list[Mobject] = [*rows.chances, *self._beams(), rows.grid.lines,
                                  self.first.picture.panel]
        scene.release(*leaving, *rows.grid.marks.values())
        moves = [*self.first.readout.change(), *[FadeOut(m) for m in leaving]]
        moves += [FadeOut(mark, scale=0.2) for mark in rows.grid.marks.values()]
        moves += [unfold(link, rows.grid.point(*entry)) for entry, link in panel.links.items()]
        scene.play(*moves, *panel.seats(), FadeIn(panel.ground), run_time=1.6)
        self._count(panel)

    def _beams(self) -> list[Mobject]:
        if self.rows.risen:
            return []
        first = self.first
        return [first.query, first.query_sign, first.picture.fan]

    def _new_panel(self, index: int, band: Band) -> None:
        """A pair that was not on screen: its source, then word after word with its link."""
        panel = LinkPanel(self.scene, index, band)
        laid = [FadeIn(card, shift=0.2 * DOWN) for card in panel.cards]
        self.scene.play(FadeIn(panel.ground), LaggedStart(*laid, lag_ratio=0.15), run_time=1.0)
        said: list[Animation] = []
        for i, word in enumerate(panel.targets):
            links = [link for (row, _), link in panel.links.items() if row == i]
            said.append(LaggedStart(*map(Create, links), FadeIn(word), lag_ratio=0.4))
        seconds = min(4.0, 0.5 * len(said) + 0.8)
        self.scene.play(LaggedStart(*said, lag_ratio=0.6), run_time=seconds)
        self._count(panel)

    def _count(self, panel: LinkPanel) -> None:
        """Rings round the crossings, and how many there are."""
        self.panels.append(panel)
        self.scene.play(FadeIn(panel.number), run_time=0.3)
        circles = panel.rings
        moves: list[Animation] = [panel.count()]
        if len(circles):
            moves.append(LaggedStart(*[FadeIn(c, scale=2.0) for c in circles], lag_ratio=0.3))
        self.scene.play(*moves, run_time=min(3.0, 0.4 + 0.2 * len(circles)))

