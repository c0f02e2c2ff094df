"""What every station shares: its numbers, its words, its bands, its beats.

    class LookingBack(Station):
        def construct(self):
            with self.beat("question"):
                self.play(FadeIn(self.source_row))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from manim import FadeIn, FadeOut, ManimColor, Mobject, config

from engine.lesson import Lesson
from engine.traces import Learned, Trace, to_json
from engine.words import LANGUAGES, Words, words
from scenes.binding import Binding
from scenes.captions import caption
from scenes.clock import Clock
from scenes.freshness import fingerprint, use_fresh_caches
from scenes.grid import Grid, make_grid
from scenes.mobjects.text import Label, label, title
from scenes.naming import together
from scenes.reading import reading_seconds, shown_languages, subtitle_seconds
from scenes.sources import lesson_from_environment, trace_from_environment
from scenes.theme import THEMES, Theme

CAPTION_SECONDS = 0.4  # for one caption to give way to the next
SETTLE_SECONDS = 0.8  # stillness at the end of every beat, at least
GUESS_SECONDS = 2.0  # for the viewer to answer a question before the number comes


@dataclass(frozen=True)
class Beat:
    """One beat: the unit of time for sections, captions, chapters, stills and pages."""

    name: str
    start: float  # seconds from the start of the clip
    end: float
    captions: dict[str, str]  # language → text, every language

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Station(Binding, Clock):
    """A scene that draws one trace. Takes no arguments of its own, so plain manim can run it.

    The trace comes from LOOKBACK_TRACE (a JSON file, or a folder of them by station), else it
    is computed for the lesson in LOOKBACK_LESSON, else for the default lesson.
    """

    def __init__(
        self,
        *args: Any,
        trace: Trace | None = None,
        lesson: Lesson | None = None,
        **kwargs: Any,
    ) -> None:
        self.lesson = lesson or lesson_from_environment()
        self.trace: Any = trace or trace_from_environment(self.lesson, self.station)
        self.theme: Theme = THEMES[self.lesson.look.theme]
        self.languages = shown_languages(self.lesson.lang)
        self.words: Words = self.table(self.languages[0])
        config.background_color = self.theme.BACKGROUND
        use_fresh_caches(fingerprint(to_json(self.trace), self._drawn_from_lesson()))
        super().__init__(*args, **kwargs)
        self.prepare_binding()
        self.camera.background_color = ManimColor(self.theme.BACKGROUND)
        self.grid: Grid = make_grid(
            config.frame_width, config.frame_height, len(self.languages)
        )
        self.beats: list[Beat] = []
        self.on_beat_end: list[Callable[[Station, Beat], None]] = []
        self._caption: Mobject | None = None
        self.overlaps: list[tuple[Mobject, Mobject]] = []

    @property
    def station(self) -> str:
        """The station's name, from the class: LookingBack is looking_back."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()

    def _drawn_from_lesson(self) -> str:
        lesson, own = self.lesson, getattr(self.lesson, self.station, None)
        size = f"{config.pixel_width}x{config.pixel_height}"
        return f"{lesson.lang} {lesson.look.theme} {size} {config.frame_rate} {own!r}"

    # Words

    def table(self, lang: str) -> Words:
        """The words of one language."""
        return words(lang)

    def say(self, key: str, **values: object) -> str:
        """A text of this station in the lesson's first language; `common` has the shared ones."""
        return self._word(self.words, key, values)

    def _word(self, table: Words, key: str, values: dict[str, object]) -> str:
        own, shared = f"{self.station}.{key}", f"common.{key}"
        return table(shared if shared in table and own not in table else own, **values)

    # The standing parts of the picture

    def setup(self) -> None:
        """Puts title and footer in their bands."""
        name = self.say("title")
        self.title_label = self.grid.title.place(
            title(self.theme, name, width=self.grid.title.width), 0, 0.5
        )
        self.footer_label = self._footer()
        self.add(self.title_label, self.footer_label)

    def _footer(self) -> Label:
        """Models, seed and quantity, small and quiet."""
        provenance = self.trace.provenance
        groups: dict[bool, list[str]] = {}
        for model in provenance.models:
            groups.setdefault(model.trained, []).append(model.name)
        names = [
            self.say("model_trained" if trained else "model_untrained", name=together(group))
            for trained, group in groups.items()
        ]
        taught = [self.say("learned", **_told(record)) for record in provenance.learned]
        parts = [*names, *taught, self.say("seed", seed=provenance.seed)]
        told = [self.say("quantity")] if f"{self.station}.quantity" in self.words else []
        width = self.grid.footer.width
        text = label(self.theme, " · ".join(parts + told), "MUTED", "smallest", width)
        if told and len(text.lines) > 1:  # a second line would lie on the caption
            text = label(self.theme, " · ".join(parts), "MUTED", "smallest", width)
        return self.grid.footer.place(text, 0, 0)  # type: ignore[return-value]

    # Beats

    @contextmanager
    def beat(
        self, name: str, /, guess: float = 0.0, variant: str = "", **values: object
    ) -> Iterator[None]:
        """One beat: a section, its caption, what is played inside, and time to read it.

        The caption is `<station>.captions.<name>` with `values` filled in, or `<name>_<variant>`
        where the numbers tell another story. `guess` adds seconds of stillness for the viewer
        to answer a question (GUESS_SECONDS is a good pause).
        """
        self.next_section(name)
        self.beat_name = name
        key = f"captions.{name}_{variant}" if variant else f"captions.{name}"
        captions = {lang: self._word(self.table(lang), key, values) for lang in LANGUAGES}
        start = self.time
        self._show_caption([captions[lang] for lang in self.languages])
        yield
        reading = max(reading_seconds(captions[lang]) for lang in self.languages) + guess
        showing = max(subtitle_seconds(captions[lang], lang) for lang in LANGUAGES)
        self.wait(max(max(reading, showing) - (self.time - start), SETTLE_SECONDS, guess))
        beat = Beat(name, start, self.time, captions)
        self.beats.append(beat)
        for callback in self.on_beat_end:
            callback(self, beat)

    def _show_caption(self, texts: list[str]) -> None:
        new = caption(self.theme, self.grid, texts)
        leaving = [FadeOut(self._caption)] if self._caption is not None else []
        self.play(*leaving, FadeIn(new), run_time=CAPTION_SECONDS)
        self._caption = new

    def let_overlap(self, one: Mobject, other: Mobject) -> None:
        """Says that these two are meant to lie over each other (a word on a beam, say)."""
        self.overlaps.append((one, other))

    # Time

    def play(self, *args: Any, **kwargs: Any) -> None:
        """As manim's, each animation once."""
        self.targets.clear()
        super().play(*dict.fromkeys(args), **kwargs)

    def on_screen(self) -> set[int]:
        """ids of every mobject shown now, with all its parts."""
        return {id(part) for mobject in self.mobjects for part in mobject.get_family()}

    def clear_stage(self, *keep: Mobject, run_time: float = 0.6) -> None:
        """Fades out all but title, footer, caption and what is to be kept."""
        standing = {id(m) for m in (self.title_label, self.footer_label, self._caption, *keep)}
        leaving = [m for m in self.mobjects if id(m) not in standing]
        if leaving:
            self.release(*leaving)
            self.play(*map(FadeOut, leaving), run_time=run_time)


def _told(record: Learned) -> dict[str, object]:
    """What the footer says of new words that a model was taught."""
    return {
        "count": len(record.words),
        "new": record.new_exact_match,
        "before": record.old_exact_match_before,
        "after": record.old_exact_match,
    }
