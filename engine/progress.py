"""How far a long computation is: one line that renews itself, or a few quiet ones."""

from __future__ import annotations

import sys
import time
from typing import TextIO


class Progress:
    """Says step, loss and time left; on a terminal in place, elsewhere about ten times in all."""

    def __init__(self, label: str, steps: int, stream: TextIO | None = None) -> None:
        self.label = label
        self.steps = steps
        self.stream = stream or sys.stderr
        self.started = time.monotonic()
        self.shown = self.started
        self.loss: float | None = None

    def __call__(self, step: int, loss: float) -> None:
        """Note one step; shown at most twice a second."""
        self.loss = loss if self.loss is None else 0.98 * self.loss + 0.02 * loss
        if self._due(step):
            end = "\n" if step == self.steps or not self.stream.isatty() else ""
            start = "\r" if self.stream.isatty() else ""
            self.stream.write(f"{start}{self._line(step)}{end}")
            self.stream.flush()
            self.shown = time.monotonic()

    def _due(self, step: int) -> bool:
        if step == self.steps:
            return True
        if self.stream.isatty():
            return time.monotonic() - self.shown > 0.5
        return step % max(1, self.steps // 10) == 0

    def _line(self, step: int) -> str:
        left = (time.monotonic() - self.started) / step * (self.steps - step)
        minutes, seconds = divmod(round(left), 60)
        return (
            f"{self.label}  {step}/{self.steps}  loss {self.loss:.3f}  {minutes}:{seconds:02d} left"
        )
