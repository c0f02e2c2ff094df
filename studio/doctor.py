"""`render.py --doctor`: is everything here that a clip needs, and what to do where it is not.

Only the standard library is imported at the top: the doctor has to run where packages are
missing, `click` among them.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from engine.errors import LookbackError
from engine.words import ASSETS, LANGUAGES, words
from studio.progress import print_line

State = Literal["ok", "notice", "bad"]

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ASSETS / "weights"
PYTHONS = ((3, 11), (3, 14))  # from, and before
NATIVE = ("cairo", "manimpango", "uharfbuzz", "av", "typst")  # compiled, or useless without
ENCODER = "libx264"
MB = 1_000_000
_OFF_SCREEN = ("errors.", "studio.", "doctor.", "page.")
LEAST_DISK, AMPLE_DISK = 200 * MB, 1_000 * MB
LEAST_MEMORY, PER_WORKER = 1_000 * MB, 1_500 * MB


@dataclass(frozen=True)
class Finding:
    """What was found of one thing: `text` says it, and what to do if it is not well."""

    thing: str  # under `doctor.things`
    state: State
    key: str  # under `doctor`
    values: dict[str, object]

    def line(self, lang: str) -> str:
        table = words(lang)
        state, thing = table(f"doctor.states.{self.state}"), table(f"doctor.things.{self.thing}")
        return f"{state}  {thing}: {table(f'doctor.{self.key}', **self.values)}"


def examine(lang: str, out: Path | str = "out") -> int:
    """Prints a line for each thing; 0 where clips can be made, else 1."""
    found = [finding for check in _checks(Path(out)) for finding in _carefully(*check)]
    for finding in found:
        print_line(sys.stdout, " ".join(finding.line(lang).split()))
    bad = sum(finding.state == "bad" for finding in found)
    verdict = words(lang)("doctor.sick" if bad else "doctor.well", count=bad)
    print_line(sys.stdout, verdict)
    return 1 if bad else 0


Check = Callable[[], Iterator[Finding]]


def _checks(out: Path) -> Sequence[tuple[str, Check]]:
    return (
        ("python", python),
        ("packages", packages),
        ("libraries", libraries),
        ("font", font),
        ("encoder", encoder),
        ("weights", weights),
        ("disk", lambda: disk(out)),
        ("memory", memory),
        ("device", device),
    )


def _carefully(thing: str, check: Check) -> Iterator[Finding]:
    """A check that itself fails is a finding too."""
    try:
        yield from check()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        yield Finding(thing, "bad", "failed", {"reason": reason})


def python() -> Iterator[Finding]:
    here, (first, beyond) = tuple(sys.version_info[:2]), PYTHONS
    key = "python" if first <= here < beyond else "python_other"
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding("python", "ok" if key == "python" else "bad", key, {"version": version})


def packages() -> Iterator[Finding]:
    """Every package that is missing or of another version; else how many there are."""
    wanted = requirements()
    wrong = [finding for name, spec in wanted for finding in _package(name, spec)]
    yield from wrong or [Finding("packages", "ok", "packages", {"count": len(wanted)})]


def requirements() -> list[tuple[str, str]]:
    """(name, versions) of each package, as pyproject.toml or the installed project has them."""
    file = ROOT / "pyproject.toml"
    if file.is_file():
        lines = tomllib.loads(file.read_text(encoding="utf-8"))["project"]["dependencies"]
    else:
        lines = [line for line in metadata.requires("lookback") or [] if "extra ==" not in line]
    parts = (re.match(r"([\w.-]+)\s*\(?([^;)]*)", line) for line in lines)
    return [(part[1], part[2].strip()) for part in parts if part]


def _package(name: str, spec: str) -> Iterator[Finding]:
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        yield Finding("packages", "bad", "package_missing", {"name": name, "spec": spec})
        return
    if not fits(version, spec):
        values = {"name": name, "spec": spec, "version": version}
        yield Finding("packages", "bad", "package_other", values)


def fits(version: str, spec: str) -> bool:
    """Whether a version is within `>=a,<b`."""
    here = _numbers(version.split("+")[0])
    for condition in filter(None, spec.split(",")):
        sign, bound = re.match(r"\s*([<>=!~]+)\s*(\S+)", condition).groups()  # type: ignore[union-attr]
        limit = _numbers(bound)
        size = max(len(here), len(limit))
        ours, theirs = (n + (0,) * (size - len(n)) for n in (here, limit))
        if (sign == ">=" and ours < theirs) or (sign == "<" and ours >= theirs):
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version))


def libraries() -> Iterator[Finding]:
    """The compiled packages really load: they lean on libraries of the system."""
    broken = False
    for name in NATIVE:
        try:
            importlib.import_module(name)
        except ImportError as error:
            broken = True
            yield Finding("libraries", "bad", "library", {"name": name, "reason": error})
    if not broken:
        yield Finding("libraries", "ok", "libraries", {"names": ", ".join(NATIVE)})


def font() -> Iterator[Finding]:
    """The font is there and can draw every text of ours."""
    try:
        from scenes.fonts import FAMILY, missing_glyphs

        missing = "".join(missing_glyphs("".join(_texts_on_screen())))
    except (LookbackError, ImportError):
        yield Finding("font", "bad", "font_missing", {})
        return
    key = "font_glyphs" if missing else "font"
    values = {"family": FAMILY, "signs": missing}
    yield Finding("font", "bad" if missing else "ok", key, values)


def _texts_on_screen() -> Iterator[str]:
    for lang in LANGUAGES:
        table = words(lang)
        keys = sorted(table.keys())
        yield from (table(key) for key in keys if not key.startswith(_OFF_SCREEN))


def encoder() -> Iterator[Finding]:
    try:
        import av

        av.Codec(ENCODER, "w")
    except (ImportError, ValueError):
        yield Finding("encoder", "bad", "encoder_missing", {"name": ENCODER})
        return
    yield Finding("encoder", "ok", "encoder", {"name": ENCODER, "version": av.__version__})


def weights() -> Iterator[Finding]:
    """Each file of weights is the one that its card describes."""
    cards = sorted(WEIGHTS.glob("*.card.toml"))
    wrong = [finding for card in cards for finding in _weights_of(card)]
    if not cards:
        wrong = [Finding("weights", "bad", "weights_none", {"folder": WEIGHTS})]
    yield from wrong or [Finding("weights", "ok", "weights", {"count": len(cards)})]


def _weights_of(card: Path) -> Iterator[Finding]:
    file = card.with_name(card.name.replace(".card.toml", ".safetensors"))
    if not file.is_file():
        yield Finding("weights", "bad", "weights_missing", {"file": file})
        return
    wanted = tomllib.loads(card.read_text(encoding="utf-8")).get("sha256")
    if hashlib.sha256(file.read_bytes()).hexdigest() != wanted:
        yield Finding("weights", "bad", "weights_other", {"file": file})


def disk(out: Path) -> Iterator[Finding]:
    """Room and permission where clips go, and where they are kept."""
    from studio.cache import cache_home

    for kind, folder in (("out", out.absolute()), ("cache", cache_home())):
        there = next(part for part in (folder, *folder.parents) if part.exists())
        free = shutil.disk_usage(there).free
        values = {"folder": folder, "free": free // MB, "least": AMPLE_DISK // MB, "kind": kind}
        if not os.access(there, os.W_OK):
            yield Finding("disk", "bad", f"disk_closed_{kind}", values)
        elif free < AMPLE_DISK:
            yield Finding("disk", "bad" if free < LEAST_DISK else "notice", "disk_full", values)
        else:
            yield Finding("disk", "ok", "disk", values)


def memory() -> Iterator[Finding]:
    free = free_memory()
    if free is None:
        yield Finding("memory", "ok", "memory_unknown", {})
        return
    cores = len(os.sched_getaffinity(0))
    jobs = max(1, min(cores, free // PER_WORKER))
    values = {"free": free // MB, "cores": cores, "jobs": jobs, "least": LEAST_MEMORY // MB}
    if free < LEAST_MEMORY:
        yield Finding("memory", "bad", "memory_short", values)
    elif jobs < cores:
        yield Finding("memory", "notice", "memory_tight", values)
    else:
        yield Finding("memory", "ok", "memory", values)


def free_memory() -> int | None:
    """Bytes that a new process may take, by the machine and by its container."""
    found = []
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        found.append(int(re.findall(r"MemAvailable:\s+(\d+)", text)[0]) * 1024)
        group = Path("/sys/fs/cgroup")
        most = (group / "memory.max").read_text(encoding="ascii").strip()
        used = int((group / "memory.current").read_text(encoding="ascii"))
        if most != "max":
            found.append(int(most) - used)
    except (OSError, ValueError, IndexError):
        pass
    return min(found, default=None)


def device() -> Iterator[Finding]:
    """Where numbers would be computed. torch is not loaded for it: that takes seconds."""
    cores = len(os.sched_getaffinity(0))
    if not Path("/dev/nvidiactl").exists():
        yield Finding("device", "ok", "device_cpu", {"cores": cores})
    elif torch_has_cuda():
        yield Finding("device", "ok", "device_cuda", {"cores": cores})
    else:
        yield Finding("device", "notice", "device_unused", {})


def torch_has_cuda() -> bool:
    """Whether the installed torch was built for a GPU, from its own version file."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return False
    text = (Path(spec.origin).parent / "version.py").read_text(encoding="utf-8")
    return re.search(r"^cuda[^=]*=\s*['\"]", text, re.MULTILINE) is not None


def main() -> int:
    """For a machine where even the command line cannot be read: no packages at all."""
    asked = " ".join(sys.argv[1:]) + " " + (os.environ.get("LC_ALL") or os.environ.get("LANG", ""))
    return examine("zh" if re.search(r"--lang[= ]zh|\bzh", asked) else "en")


if __name__ == "__main__":
    sys.exit(main())
