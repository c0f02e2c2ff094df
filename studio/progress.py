"""What a run says: a bar with the time left on a terminal, else one quiet line per station."""

from __future__ import annotations

import os
import sys
import threading
import unicodedata
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from engine.errors import LookbackError
from engine.telling import SAID_EVERY, Message
from engine.words import words

if TYPE_CHECKING:
    from rich.progress import Progress, Task, TaskID

    from studio.production import Outcome
    from studio.request import Request

#: Frames that a station is taken to have until its own clock says more: about 75 s.
LIKELY_SECONDS = 75
LEARNING = "learning"  # the bar of new words, among those of stations


class Reporter:
    """Lines in the reader's language. Results go to `out`, all else to `err`."""

    def __init__(self, lang: str, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self.lang = lang
        self.out, self.err = out or sys.stdout, err or sys.stderr
        self._lock = threading.Lock()
        self._taught: set[str] = set()  # models whose figures were told

    def __enter__(self) -> Reporter:
        return self

    def __exit__(self, *exception: object) -> None: ...

    def say(self, key: str, **values: object) -> None:
        """A line of `[studio]`, for the person who waits."""
        self._line(self.err, words(self.lang)(f"studio.{key}", **values))

    def computing(self, stations: tuple[str, ...]) -> None:
        """These stations' numbers are being computed; nothing can be drawn before."""
        self.say("computing", stations=", ".join(stations))

    def learning(self, message: Message) -> None:
        """The translator is learning new words; said at the start and at each quarter."""
        step, steps = message["step"], message["steps"]
        if step == 1:
            self.say("learning", words=message["words"])
        elif step * 4 // steps > (step - SAID_EVERY) * 4 // steps:
            self.say("learning_step", step=step, steps=steps)

    def learned(self, trace: str) -> None:
        """What learning did to the models of a trace; of each model once."""
        from studio.new_words import learned  # what it needs may be what is missing

        for key, values in learned(trace):
            if values["model"] not in self._taught:
                self._taught.add(values["model"])
                self.say(key, **values)

    def start(self, station: str, slow_flag: str | None) -> None:
        """A station is being drawn; `slow_flag` names what keeps it from the fast lane."""
        if slow_flag:
            self.say("stock_lane", station=station, flag=slow_flag)
        else:
            self.say("drawing", station=station)

    def advance(self, station: str, frames: int, known: int, total: bool) -> None:
        """So many frames are drawn, of `known`: those are all of them once `total` is true."""

    def drop(self, station: str) -> None:
        """Nothing more will be said of how far this one is."""

    def finish(self, outcome: Outcome) -> None:
        """A station is in place."""
        path = outcome.main_file
        if path is None:
            key = "dry_run"
        elif outcome.status != "drawn":
            key = outcome.status
        else:
            key = "ready" if outcome.duration else "still"
        text = words(self.lang)(
            f"studio.{key}",
            station=outcome.station,
            path=path,
            seconds=outcome.seconds,
            duration=outcome.duration,
        )
        self._line(self.out, text)

    def fail(self, station: str, error: LookbackError) -> None:
        """A station cannot be had; why, in one line."""
        self._line(self.err, error.text(self.lang))

    def _line(self, stream: TextIO, text: str) -> None:
        with self._lock:
            print_line(stream, text)


class TerminalReporter(Reporter):
    """The same lines above bars that show how far each station is and how long it will take."""

    def __init__(
        self, lang: str, frame_rate: float, out: TextIO | None = None, err: TextIO | None = None
    ) -> None:
        super().__init__(lang, out, err)
        self._likely = LIKELY_SECONDS * frame_rate
        self._tasks: dict[str, TaskID] = {}
        self._bars: Progress

    def __enter__(self) -> Reporter:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeRemainingColumn(compact=True),
            TextColumn(words(self.lang)("studio.eta")),
            console=Console(file=self.err, highlight=False),
            transient=True,
        )
        self._bars.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._bars.stop()

    @property
    def tasks(self) -> list[Task]:
        """One per station that is being drawn."""
        return list(self._bars.tasks)

    def learning(self, message: Message) -> None:
        step, steps = message["step"], message["steps"]
        with self._lock:
            if step == 1:
                text = words(self.lang)("studio.learning", words=message["words"])
                self._tasks[LEARNING] = self._bars.add_task(text, total=steps)
            self._bars.update(self._tasks[LEARNING], completed=step)
        if step == steps:
            self._drop(LEARNING)

    def start(self, station: str, slow_flag: str | None) -> None:
        if slow_flag:
            self.say("stock_lane", station=station, flag=slow_flag)
        with self._lock:
            self._tasks[station] = self._bars.add_task(station, total=self._likely)

    def advance(self, station: str, frames: int, known: int, total: bool) -> None:
        expected = max(frames, known, 0 if total else self._likely)
        with self._lock:
            self._bars.update(self._tasks[station], completed=frames, total=expected)

    def finish(self, outcome: Outcome) -> None:
        self.drop(outcome.station)
        super().finish(outcome)

    def fail(self, station: str, error: LookbackError) -> None:
        self.drop(station)
        super().fail(station, error)

    def drop(self, station: str) -> None:
        with self._lock:
            if station in self._tasks:
                self._bars.remove_task(self._tasks.pop(station))

    def _line(self, stream: TextIO, text: str) -> None:
        with self._lock:
            if stream is not None and stream.isatty():
                self._bars.print(one_line(text), markup=False, soft_wrap=True)
            else:
                print_line(stream, text)


def one_line(text: str) -> str:
    """The text with everything spelled out that a terminal would obey: it may be from a file."""
    return "".join(ascii(sign)[1:-1] if _commands(sign) else sign for sign in text)


def _commands(sign: str) -> bool:
    return not sign.isprintable() and unicodedata.category(sign) != "Zs"


def print_line(stream: TextIO | None, text: str) -> None:
    """One line, on a stream that may be closed or may lack the letters."""
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    text = one_line(text).encode(encoding, "backslashreplace").decode(encoding)
    try:
        print(text, file=stream, flush=True)
    except BrokenPipeError:
        fall_silent(stream)
    except ValueError:  # it was closed here
        pass


def fall_silent(stream: TextIO) -> None:
    """Lets a stream that nobody reads lead nowhere: Python would complain at its own end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def make_reporter(lang: str, request: Request) -> Reporter:
    """For this terminal, or for a file that the output goes to."""
    if sys.stderr is not None and sys.stderr.isatty():
        return TerminalReporter(lang, request.drawing.frame_rate)
    return Reporter(lang)
