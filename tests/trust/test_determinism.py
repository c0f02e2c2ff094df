"""The same lesson gives the same bytes, whoever asks and in whatever order Python hashes."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from engine.stations import STATIONS
from tests.studio.conftest import Studio

ROOT = Path(__file__).resolve().parent.parent.parent

COMPUTE = """
import hashlib, json
from engine import STATIONS, load_lesson, to_json, trace
lesson = load_lesson()
made = {s: to_json(trace(lesson, s, "cpu")) for s in STATIONS}
print(json.dumps({s: hashlib.sha256(text.encode()).hexdigest() for s, text in made.items()}))
"""


def computed(hash_seed: str) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", COMPUTE], cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True
    )


def test_every_trace_is_the_same_in_two_processes():
    answers = [process.communicate()[0] for process in (computed("1"), computed("2"))]
    first, second = (json.loads(answer) for answer in answers)
    assert first == second and tuple(first) == STATIONS


def test_a_clip_drawn_twice_is_the_same_clip(tmp_path):
    digests = []
    for name in ("one", "two"):
        studio = Studio(tmp_path / name)
        files = studio.draw().files
        digests.append({n: hashlib.sha256(p.read_bytes()).hexdigest() for n, p in files.items()})
    assert digests[0] == digests[1] and "clip.mp4" in digests[0]
