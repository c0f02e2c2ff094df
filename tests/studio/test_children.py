"""No process stays behind, however the command ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

#: A run whose child starts a child of its own, tells both process ids, and never ends.
RUN = """
import subprocess, sys
from pathlib import Path
from studio.children import Children

children = Children()
GRANDCHILD = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
CHILD = f'''
import subprocess, sys, os, time
from studio.children import own_the_output
send = own_the_output()
grandchild = subprocess.Popen([sys.executable, "-c", {GRANDCHILD!r}], stdout=subprocess.PIPE)
send({{"pids": [os.getpid(), int(grandchild.stdout.readline())]}})
print("noise of a library")
time.sleep(60)
'''

process = children.start([sys.executable, "-c", CHILD], cwd=Path.cwd())
try:
    for line in process.stdout:
        print(line, end="", flush=True)
finally:
    children.stop()
"""


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "killed"])
def test_children_end_with_the_command(ending):
    run = subprocess.Popen(
        [sys.executable, "-c", RUN],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        # A shell that started the tests in the background may have had Ctrl-C ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    pids = json.loads(run.stdout.readline())["pids"]
    try:
        assert len(pids) == 2 and all(map(alive, pids))
        run.send_signal(ending)
        run.wait(timeout=5)
        run.stdout.close()
        until = time.monotonic() + 3
        while any(map(alive, pids)) and time.monotonic() < until:
            time.sleep(0.05)
        assert not any(map(alive, pids))
    finally:
        for pid in (*pids, run.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_a_stopped_run_starts_nothing_more():
    from studio.children import Children

    children = Children()
    children.stop()
    with pytest.raises(KeyboardInterrupt):
        children.start([sys.executable, "-c", ""], cwd=ROOT)
