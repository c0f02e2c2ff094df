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
        self._parent = os.getpid()

    @property
    def in_child(self) -> bool:
        """Whether this process is one of the children."""
        return self._report is not None

    def fork(self) -> None:
        """Start a child that goes on from here, as soon as there is room for one.

        Raises WorkerError when an earlier child has failed.
        """
        while len(self._children) >= self.limit:
            self._reap()
        sys.stdout.flush()
        sys.stderr.flush()
        reader, writer = os.pipe()
        child = os.fork()
        if child:
            os.close(writer)
            self._children[Connection(reader, writable=False)] = child
        else:
            self._become_child(writer)

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

    def _become_child(self, writer: int) -> None:
        self._children = {}
        self._report = writer
        gc.freeze()  # so that collecting does not copy the parent's pages
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears Ctrl-C and kills it
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the parent prints the same

    def _reap(self) -> None:
        """Wait until some child ends. Raises WorkerError, ending the others, if it failed."""
        for reader in wait(list(self._children)):
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
