"""Forked children that each draw one segment, and a parent that misses none of them."""

from __future__ import annotations

import gc
import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import NoReturn

_MESSAGE_BYTES = 32_000  # fits into a pipe, so that a dying child never waits for its reader


class WorkerError(RuntimeError):
    """A child failed; the message ends in its traceback."""


class Workers:
    """At most ``limit`` children at a time; ``on_frames`` hears how many each has made."""

    def __init__(self, limit: int, on_frames: Callable[[int], None]) -> None:
        self.limit = limit
        self._on_frames = on_frames
        self._children: dict[Connection, int] = {}  # what it reports on → its process id
        self._report: int | None = None  # in a child: where to write what went wrong
        self._waiting: Connection | None = None  # the child that has not been let go yet
        self._gate: int | None = None  # writing here lets it go
        self._parent = os.getpid()

    @property
    def in_child(self) -> bool:
        """Whether this process is one of the children."""
        return self._report is not None

    def fork(self, gated: bool = False) -> None:
        """Start a child that goes on from here, as soon as there is room for one.

        A gated one starts at once, but waits until `release` or `dismiss` decides about it.
        Raises WorkerError when an earlier child has failed.
        """
        if not gated:
            self._make_room()
        sys.stdout.flush()
        sys.stderr.flush()
        reader, writer = os.pipe()
        gate, opener = os.pipe() if gated else (None, None)
        child = os.fork()
        if not child:
            self._become_child(writer)
            if gate is not None and opener is not None:
                os.close(opener)
                self._wait_at(gate)
            return
        os.close(writer)
        connection = Connection(reader, writable=False)
        self._children[connection] = child
        if gate is not None:
            os.close(gate)
            self._waiting, self._gate = connection, opener

    def release(self) -> None:
        """Let the waiting child draw, as soon as there is room for it."""
        self._make_room()
        assert self._gate is not None
        os.write(self._gate, b"!")
        self._close_gate()

    def dismiss(self) -> None:
        """What the waiting child would draw is there already."""
        assert self._waiting is not None
        child = self._children.pop(self._waiting)
        self._waiting.close()
        self._close_gate()
        os.waitpid(child, 0)

    def join(self) -> None:
        """Wait for all children. Raises WorkerError when one has failed."""
        while self._children:
            self._reap()

    def kill(self) -> None:
        """End all children now."""
        for child in self._children.values():
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        self._children.clear()
        self._close_gate()

    @property
    def orphaned(self) -> bool:
        """In a child: the parent is gone, so nobody waits for the segment any more."""
        return self.in_child and os.getppid() != self._parent

    def leave(self, frames: int, error: BaseException | None = None) -> NoReturn:
        """In a child: report and end, running none of the parent's clean-up code."""
        assert self._report is not None
        text = str(frames) if error is None else "".join(traceback.format_exception(error))
        os.write(self._report, text.encode()[-_MESSAGE_BYTES:])
        os._exit(0 if error is None else 1)

    def _make_room(self) -> None:
        while len(self._children) - (self._waiting is not None) >= self.limit:
            self._reap()

    def _close_gate(self) -> None:
        if self._gate is not None:
            os.close(self._gate)
        self._waiting = self._gate = None

    def _wait_at(self, gate: int) -> None:
        """In a child: until it is let go. Without a word from the parent it ends."""
        if not os.read(gate, 1):
            os._exit(0)
        os.close(gate)

    def _become_child(self, writer: int) -> None:
        self._children = {}
        self._waiting = self._gate = None
        self._report = writer
        gc.freeze()  # so that collecting does not copy the parent's pages
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears Ctrl-C and kills it
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the parent prints the same

    def _reap(self) -> None:
        """Wait until some child ends. Raises WorkerError, ending the others, if it failed."""
        for reader in wait([one for one in self._children if one is not self._waiting]):
            assert isinstance(reader, Connection)
            report = _read_all(reader)
            child = self._children.pop(reader)
            reader.close()
            _, status = os.waitpid(child, 0)
            if status:
                self.kill()
                reason = report or f"it ended with status {os.waitstatus_to_exitcode(status)}"
                raise WorkerError(f"a drawing process failed: {reason}")
            self._on_frames(int(report))


def _read_all(reader: Connection) -> str:
    """Everything a child wrote until it ended."""
    chunks = []
    while chunk := os.read(reader.fileno(), _MESSAGE_BYTES):
        chunks.append(chunk)
    return b"".join(chunks).decode(errors="replace")
