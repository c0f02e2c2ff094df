"""Processes of ours: none is left behind, whatever happens to the command that started them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

Process = subprocess.Popen[str]
PARENT = "LOOKBACK_PARENT"  # the process id that a child belongs to


class Children:
    """The processes that one run has started, each with its own group."""

    def __init__(self) -> None:
        self._running: list[Process] = []
        self._lock = threading.Lock()
        self.stopped = False

    def start(
        self,
        command: list[str],
        *,
        cwd: Path,
        env: Mapping[str, str] | None = None,
        stderr: IO[Any] | int | None = None,
    ) -> Process:
        """A child that reads and writes lines of text. It ends when this process does."""
        with self._lock:
            if self.stopped:
                raise KeyboardInterrupt
            process = subprocess.Popen(
                command,
                cwd=cwd,
                env={**os.environ, "PYTHONUTF8": "1", PARENT: str(os.getpid()), **(env or {})},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                encoding="utf-8",
                start_new_session=True,
            )
            self._running.append(process)
        return process

    def finish(self, process: Process) -> int:
        """Waits for a child that has said all it has to say; its exit code."""
        with suppress(BrokenPipeError):
            if process.stdin is not None:
                process.stdin.close()
        code = process.wait()
        if process.stdout is not None:
            process.stdout.close()
        with self._lock:
            if process in self._running:
                self._running.remove(process)
        return code

    def stop(self) -> None:
        """Ends every child and its own children at once."""
        with self._lock:
            self.stopped = True
            for process in self._running:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)


def own_the_output() -> Callable[[Mapping[str, Any]], None]:
    """In a child: the way to send one JSON line to the parent.

    Whatever libraries print goes to standard error instead, and the child ends as soon as its
    parent is gone.
    """
    channel = os.dup(1)
    os.dup2(2, 1)
    os.set_inheritable(channel, False)
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def send(message: Mapping[str, Any]) -> None:
        data = (json.dumps(message, ensure_ascii=True) + "\n").encode()
        while data:
            data = data[os.write(channel, data) :]

    return send


def _end_with_parent() -> None:
    parent = os.environ.get(PARENT, str(os.getppid()))
    while str(os.getppid()) == parent:
        time.sleep(0.5)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(os.getpgid(0), signal.SIGKILL)
    sys.exit(1)
