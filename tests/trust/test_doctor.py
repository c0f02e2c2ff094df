"""The doctor on a machine where one thing is missing: each thing taken away once."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
from collections import namedtuple
from importlib import metadata
from pathlib import Path

import pytest

from engine.words import LANGUAGES
from scenes import fonts
from studio import doctor

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 5.0


@pytest.fixture(autouse=True)
def sound(monkeypatch):
    """A machine with everything, whatever the one at hand lacks."""
    monkeypatch.setattr(doctor, "free_memory", lambda: 64_000 * doctor.MB)
    set_disk(monkeypatch, 64_000)
    monkeypatch.setattr(doctor, "requirements", lambda: [("click", ">=8"), ("numpy", ">=2")])


def set_disk(monkeypatch, free: int) -> None:
    usage = namedtuple("usage", "free")(free * doctor.MB)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)


def told(capsys, lang: str = "en") -> tuple[int, list[str]]:
    """The exit code, and every line that asks for something."""
    code = doctor.examine(lang)
    lines = capsys.readouterr().out.splitlines()
    assert all(line.isprintable() for line in lines)
    *lines, verdict = lines
    assert ("everything" in verdict or "都齐了" in verdict) == (code == 0)
    return code, [line for line in lines if not line.startswith(("ok ", "正常 "))]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_sound_machine(capsys, lang):
    assert told(capsys, lang) == (0, [])


def complaint(capsys, start: str, *parts: str, lang: str = "en") -> None:
    """There is exactly one thing to do, and the line says what."""
    code, (line,) = told(capsys, lang)
    assert code == 1 and line.startswith(start)
    assert all(part in line for part in parts), line


@pytest.mark.parametrize("version", [(3, 10, 9), (3, 14, 0), (2, 7, 18)])
def test_another_python(monkeypatch, capsys, version):
    monkeypatch.setattr(sys, "version_info", version)
    number = ".".join(map(str, version))
    complaint(capsys, f"TO DO Python: {number} is not 3.11, 3.12 or 3.13", "PYTHON=python3.11")


@pytest.mark.parametrize("name", sorted(name for name, _ in doctor.requirements()))
def test_each_package_taken_away(monkeypatch, capsys, name):
    real = metadata.version

    def version(asked: str) -> str:
        if asked == name:
            raise metadata.PackageNotFoundError(asked)
        return real(asked)

    monkeypatch.setattr(doctor, "requirements", lambda: [("click", ">=8"), (name, ">=0.1,<999")])
    monkeypatch.setattr(metadata, "version", version)
    if name == "click":
        monkeypatch.setattr(doctor, "requirements", lambda: [(name, ">=0.1,<999")])
    complaint(capsys, f"TO DO packages: {name} is not installed", f'install "{name}>=0.1,<999"')
    complaint(capsys, f"待办 软件包: 没有安装 {name}", f'"{name}>=0.1,<999"', lang="zh")


def test_a_package_of_another_version(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "requirements", lambda: [("click", ">=99")])
    complaint(capsys, "TO DO packages: click ", "is installed, >=99 is needed", '"click>=99"')


@pytest.mark.parametrize(
    ("version", "spec", "good"),
    [("0.22.0", ">=0.22,<0.23", True), ("0.23", ">=0.22,<0.23", False), ("12.3", "<13", True),
     ("13.0.0", "<13", False), ("2.13.0+cpu", ">=2.6,<2.14", True), ("2.5.9", ">=2.6", False),
     ("8.1", ">=8.1.0", True), ("10", ">=9", True), ("1.0", "", True)],
)  # fmt: skip
def test_versions_fit_or_do_not(version, spec, good):
    assert doctor.fits(version, spec) is good


def test_the_requirements_are_the_projects(monkeypatch):
    monkeypatch.undo()
    names = dict(doctor.requirements())
    assert names["manim"] == ">=0.22,<0.23" and "torch" in names and "pytest" not in names


@pytest.mark.parametrize("name", doctor.NATIVE)
def test_a_compiled_package_that_does_not_load(monkeypatch, capsys, name):
    monkeypatch.setitem(sys.modules, name, None)
    code, lines = told(capsys)
    assert code == 1
    assert any(line.startswith(f"TO DO compiled packages: {name} does not load") for line in lines)
    assert "`make setup`" in " ".join(lines)


def test_no_font(monkeypatch, capsys):
    monkeypatch.setattr(fonts, "PACKAGE", "no_such_font_package")
    fonts._face.cache_clear()
    fonts._font.cache_clear()
    complaint(capsys, "TO DO font: the font is not there", "pip install manimgx-fonts-cjk")


def test_a_font_that_lacks_letters(monkeypatch, capsys):
    monkeypatch.setattr(fonts, "missing_glyphs", lambda text: ["骨"])
    complaint(capsys, "TO DO font: Noto Sans CJK SC lacks 骨", "pip install --upgrade")


def test_no_encoder(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "ENCODER", "libnothing")
    complaint(capsys, "TO DO encoder: PyAV has no libnothing", "pip install --force-reinstall av")


@pytest.fixture
def weights(monkeypatch, tmp_path) -> Path:
    for file in doctor.WEIGHTS.glob("recall_rnn.*"):
        shutil.copy(file, tmp_path)
    monkeypatch.setattr(doctor, "WEIGHTS", tmp_path)
    return tmp_path / "recall_rnn.safetensors"


def test_weights_that_are_missing(weights, capsys):
    weights.unlink()
    complaint(capsys, f"TO DO trained weights: {weights} is not there", "git checkout")


def test_weights_that_are_damaged(weights, capsys):
    weights.write_bytes(weights.read_bytes()[:-1] + b"?")
    complaint(capsys, f"TO DO trained weights: {weights} is not the file that its card", "git")


def test_a_card_that_is_damaged(weights, capsys):
    weights.with_suffix(".card.toml").write_text("sha256 =")
    complaint(capsys, "TO DO trained weights: the check itself failed")


def test_no_weights_at_all(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(doctor, "WEIGHTS", tmp_path)
    complaint(capsys, "TO DO trained weights: there are no cards in", "fetch the project again")


def test_a_full_disk(monkeypatch, capsys):
    set_disk(monkeypatch, 50)
    code, lines = told(capsys)
    assert code == 1 and len(lines) == 2, "where clips go and where they are kept"
    assert all("TO DO disk: only 50 MB free" in line and "--out" in line for line in lines)
    set_disk(monkeypatch, 500)
    code, lines = told(capsys)
    assert code == 0 and all(line.startswith("NOTICE disk: only 500 MB") for line in lines)


def test_folders_that_cannot_be_written_to(monkeypatch, capsys):
    monkeypatch.setattr(os, "access", lambda folder, mode: False)
    code, lines = told(capsys)
    assert code == 1
    assert "choose another folder with --out" in lines[0] and "LOOKBACK_CACHE" in lines[1]


def test_little_memory(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "free_memory", lambda: 400 * doctor.MB)
    complaint(capsys, "TO DO memory: only 400 MB free; close other programs", "1000 MB")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)))
    monkeypatch.setattr(doctor, "free_memory", lambda: 4_000 * doctor.MB)
    code, (line,) = told(capsys)
    assert code == 0 and "--jobs 2 it does not run out" in line
    monkeypatch.setattr(doctor, "free_memory", lambda: None)
    assert told(capsys) == (0, [])


@pytest.mark.parametrize(("cuda", "said"), [("None", "built for the CPU only"), ("'12.8'", None)])
def test_a_gpu_that_torch_cannot_use(monkeypatch, tmp_path, capsys, cuda, said):
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("raise RuntimeError('not for the doctor')")
    (tmp_path / "torch" / "version.py").write_text(f"cuda: Optional[str] = {cuda}\n")
    loaded = sys.modules.pop("torch", None)
    monkeypatch.syspath_prepend(str(tmp_path))
    real = Path.exists
    monkeypatch.setattr(Path, "exists", lambda p: str(p) == "/dev/nvidiactl" or real(p))
    code, lines = told(capsys)
    monkeypatch.undo()
    if loaded is not None:
        sys.modules["torch"] = loaded
    assert code == 0 and [said in line for line in lines] == ([True] if said else [])


def without(*names: str, arguments: str = "--doctor") -> subprocess.CompletedProcess[str]:
    """The real command where these packages cannot be imported."""
    gone = "; ".join(f"sys.modules[{name!r}] = None" for name in names) or "pass"
    code = (f"import sys, runpy; {gone}; sys.argv = ['render.py', *{arguments.split()!r}];"
            "runpy.run_path('render.py', run_name='__main__')")
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True,
                          env=os.environ | {"LC_ALL": "C.UTF-8"})


@pytest.mark.parametrize(
    "names", [("click",), ("pydantic", "jieba"), ("torch",), ("manim",), ("rich", "av", "numpy")]
)
def test_the_command_runs_where_packages_are_missing(names):
    ran = without(*names)
    assert "Traceback" not in ran.stderr and ran.returncode in (0, 1)
    assert re.search(r"^ok Python: 3\.1", ran.stdout, re.MULTILINE)


def test_without_click_any_command_says_what_is_missing():
    ran = without("click", arguments="relay_game --lang zh")
    assert ran.returncode in (0, 1) and ran.stdout.startswith("正常 Python")


def test_a_run_without_a_package_points_to_the_doctor(tmp_path):
    ran = without("pydantic", arguments=f"relay_game --lang en --out {tmp_path}")
    assert ran.returncode == 1
    assert ran.stderr == (
        "the package pydantic is not there; run render.py --doctor to see what is missing\n"
    )


def test_it_is_quick_and_loads_neither_torch_nor_manim():
    code = ("import sys; from studio.doctor import examine; examine('en');"
            "assert not {'torch', 'manim'} & set(sys.modules)")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < SECONDS
