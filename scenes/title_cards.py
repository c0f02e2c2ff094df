"""The film's title cards: one for the whole, then one before each station. They carry no data.

A station's card ends with its title where the clip that follows has it, so that the title
travels from the one into the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import FadeIn, FadeOut, Line, ManimColor, Mobject, VGroup, config

from engine.lesson import Lesson
from engine.stations import STATIONS
from engine.words import LANGUAGES, words
from scenes.base import Beat
from scenes.channels import Channels
from scenes.clock import Clock
from scenes.freshness import fingerprint, use_fresh_caches
from scenes.grid import make_grid
from scenes.mobjects.marks import disc, discs
from scenes.mobjects.text import body, title
from scenes.reading import shown_languages, subtitle_seconds
from scenes.sources import lesson_from_environment
from scenes.theme import THEMES

OPENING = "opening"  # the name of the first card's beat; the others have their station's
LARGER = 2.0  # a title on its card against the same title in its band
APPEAR_SECONDS, STAY_SECONDS, TRAVEL_SECONDS = 0.6, 1.8, 0.8


def card_titles(lang: str) -> dict[str, str]:
    """What each card says in one language, in the order of the film."""
    table = words(lang)
    titles = {station: table(f"{station}.title") for station in STATIONS}
    return {OPENING: table("page.title"), **titles}


class TitleCards(Clock):
    """One beat for each card. Drawn once for a lesson; the film takes each from it."""

    poster = OPENING

    def __init__(
        self, *args: Any, trace: None = None, lesson: Lesson | None = None, **kwargs: Any
    ) -> None:
        self.lesson = lesson or lesson_from_environment()
        self.theme = THEMES[self.lesson.look.theme]
        self.languages = shown_languages(self.lesson.lang)
        config.background_color = self.theme.BACKGROUND
        shown = f"{self.lesson.lang} {self.theme.name} {card_titles('zh')} {card_titles('en')}"
        use_fresh_caches(fingerprint("title_cards", shown))
        super().__init__(*args, **kwargs)
        self.camera.background_color = ManimColor(self.theme.BACKGROUND)
        self.grid = make_grid(config.frame_width, config.frame_height, len(self.languages))
        self.beats: list[Beat] = []
        self.on_beat_end: list[Any] = []
        self.channels = Channels()  # none is ever bound

    def construct(self) -> None:
        self._card(OPENING, self._opening())
        for station in STATIONS:
            self._card(station, self._heading(station))

    def _card(self, name: str, text: Mobject) -> None:
        """One beat: the title, and how far along the way it stands."""
        self.next_section(name)
        self.clear()
        start, way = self.time, self._way(name)
        said = {lang: card_titles(lang)[name] for lang in LANGUAGES}
        others = self._other_languages(name, text)
        self.play(*map(FadeIn, (text, others, way)), run_time=APPEAR_SECONDS)
        spent = APPEAR_SECONDS + TRAVEL_SECONDS
        self.wait(max(STAY_SECONDS, *(subtitle_seconds(said[k], k) - spent for k in LANGUAGES)))
        if name == OPENING:
            self.wait(TRAVEL_SECONDS)
        else:
            self._travel(name, text, VGroup(others, way))
        self.beats.append(Beat(name, start, self.time, said))
        for callback in self.on_beat_end:
            callback(self, self.beats[-1])

    def _travel(self, station: str, text: Mobject, rest: Mobject) -> None:
        """The title goes to where the clip shows it."""
        there = self._heading(station, large=False)
        self.grid.title.place(there, 0, 0.5)
        move = text.animate.scale(there.width / text.width).move_to(there)
        self.play(move, FadeOut(rest), run_time=TRAVEL_SECONDS)

    def _opening(self) -> Mobject:
        return self._large(title(self.theme, card_titles(self.languages[0])[OPENING]))

    def _heading(self, station: str, large: bool = True) -> Mobject:
        """A station's title as its clip sets it, larger where it stands alone."""
        name = card_titles(self.languages[0])[station]
        text = title(self.theme, name, width=self.grid.title.width)
        return self._large(text) if large else text

    def _large(self, text: Mobject) -> Mobject:
        text.scale(min(LARGER, self.grid.stage.width / text.width))
        return text.move_to(self.grid.frame.at(0.5, 0.56))

    def _other_languages(self, name: str, under: Mobject) -> VGroup:
        """The same title in the second language, where the lesson shows two."""
        others = [
            body(self.theme, card_titles(lang)[name], "MUTED", self.grid.stage.width)
            for lang in self.languages[1:]
        ]
        return VGroup(*others).next_to(under, np.array([0.0, -1.0, 0.0]), self.grid.type.body)

    def _way(self, name: str) -> VGroup:
        """The line of thought: a dot for each station, those before it passed."""
        at = self._stops()
        here = STATIONS.index(name) if name in STATIONS else -1
        size, color = self.grid.type.smallest / 3, self.theme.color
        line = Line(at[0], at[-1], stroke_color=color("LINE"), stroke_width=2.0)
        passed = discs(at[: max(here, 0)], size, color("MUTED"))
        ahead = discs(at[here + 1 :], size * 0.7, color("LINE"))
        now = [disc(at[here], size * 1.8, color("SOURCE"))] if here >= 0 else []
        return VGroup(line, passed, ahead, *now)

    def _stops(self) -> list[np.ndarray]:
        """Where the stations stand on the way, from left to right."""
        frame = self.grid.frame
        shares = np.linspace(0.32, 0.68, len(STATIONS)) if len(STATIONS) > 1 else [0.5]
        return [frame.at(share, 0.3) for share in shares]
