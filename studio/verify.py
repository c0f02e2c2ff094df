"""Computing every number of a folder again: `render.py --verify OUT`.

A sidecar says what it was computed from. The same is computed anew, by a process that has torch,
and compared: on the same versions and device every number must be the same, to the last bit.
The numbers that a clip's pictures were drawn from must be those of its trace.

`python -m studio.verify` is the computing process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import from_json
from engine.asked import lesson_of
from engine.errors import FaultError, InputError, LookbackError
from engine.words import words
from studio.children import Children, Process, own_the_output
from studio.digests import ROOT
from studio.flag_checks import existing_folder
from studio.messages import from_message
from studio.progress import print_line
from studio.tracing import ONE_THREAD, answer

TOLERANCE = 1e-6  # relative to 1 or to the number, where versions or device are others
BEATS = ".beats.json"
WHERE = ("versions", "device")  # of the provenance: where it ran, not what was computed
#: What reading a file can end in that anybody may have written.
DAMAGE = (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError,
          RecursionError)


@dataclass(frozen=True)
class Difference:
    """One place where the file and what was computed anew are not the same."""

    field: str
    old: Any  # in the file
    new: Any
    amount: float | None = None  # of two numbers


@dataclass(frozen=True)
class Verdict:
    """What is to be said of one file; `key` is that of its line under `[studio]`."""

    key: str
    values: dict[str, Any]

    @property
    def good(self) -> bool:
        return self.key in ("verify_equal", "verify_close")


def verify(place: str | Path, lang: str) -> int:
    """Says of every sidecar under a folder whether it holds; 0 where all do, else 1."""
    folder = Path(existing_folder(place, "--verify"))
    files = list(sidecars(folder))
    children = Children()
    try:
        process = children.start(
            [sys.executable, "-m", "studio.verify"],
            cwd=ROOT,
            env=ONE_THREAD,
            stderr=subprocess.DEVNULL,
        )
        verdicts = [_tell(file, _checked(file, process), folder, lang) for file in files]
        children.finish(process)
    except BaseException:
        children.stop()
        raise
    good = sum(verdict.good for verdict in verdicts)
    said = words(lang)("studio.verify_done", count=good, total=len(files))
    print_line(sys.stdout, said)
    return 0 if good == len(files) else 1


def sidecars(folder: Path) -> Iterator[Path]:
    """The traces under a folder. Raises InputError where there are none."""
    found = [path for path in sorted(folder.rglob("*.json")) if _is_trace(path)]
    if not found:
        raise InputError("verify.nothing", folder=folder)
    yield from found


def _is_trace(path: Path) -> bool:
    with suppress(*DAMAGE):
        if not path.is_file():  # a pipe or a device would be read for ever
            return False
        table = json.loads(path.read_text(encoding="utf-8"))
        return isinstance(table, dict) and "station" in table and "provenance" in table
    return False


def _tell(file: Path, verdict: Verdict, folder: Path, lang: str) -> Verdict:
    name = file.relative_to(folder)
    said = {k: v.text(lang) if isinstance(v, LookbackError) else v for k, v in
            verdict.values.items()}
    print_line(sys.stdout, words(lang)(f"studio.{verdict.key}", file=name, **said))
    return verdict


def _checked(file: Path, process: Process) -> Verdict:
    """One sidecar against what is computed now, and the picture's numbers against it."""
    text = file.read_text(encoding="utf-8")
    table = json.loads(text)
    noted = table["provenance"].get("lesson") if isinstance(table["provenance"], dict) else None
    if not noted:
        return Verdict("verify_unnoted", {})
    try:
        lesson_of(noted)
        trace = from_json(text)
        _elsewhere(table)
    except DAMAGE as error:
        return Verdict("verify_damaged", {"reason": _short(error)})
    made = _computed(process, noted, table["station"], table["provenance"]["device"])
    if isinstance(made, LookbackError):
        return Verdict("verify_failed", {"reason": made})
    verdict = compared(table, json.loads(made))
    pictured = _picture(file, trace)
    return pictured if verdict.good and pictured else verdict


def _computed(process: Process, lesson: str, station: str, device: str) -> str | LookbackError:
    assert process.stdin is not None and process.stdout is not None
    asked = {"lesson": lesson, "station": station, "device": device}
    with suppress(BrokenPipeError):
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise FaultError("studio.tracing_died", code=process.wait())
    told = json.loads(line)
    return from_message(told["error"]) if "error" in told else str(told["trace"])


def compared(old: dict[str, Any], new: dict[str, Any]) -> Verdict:
    """The file's numbers against those computed now."""
    before, now = (_elsewhere(table) for table in (old, new))
    found = list(differences(_here(old), _here(new)))
    if not found:
        return Verdict("verify_equal", {})
    far = [d for d in found if d.amount is None or not d.amount <= _allowed(d)]
    if before != now and not far:
        return Verdict("verify_close", {"tolerance": TOLERANCE, "old": before, "new": now})
    worst = (far if before != now else found)[0]
    amount = "" if worst.amount is None else f"{worst.amount:.3g}"
    values = {"count": len(found), "field": worst.field, "old": worst.old, "new": worst.new}
    return Verdict("verify_differs" if amount else "verify_other", {**values, "amount": amount})


def _allowed(difference: Difference) -> float:
    return TOLERANCE * max(1.0, abs(float(difference.new)))


def _here(table: dict[str, Any]) -> dict[str, Any]:
    """A trace without where it was computed."""
    noted = {k: v for k, v in table["provenance"].items() if k not in WHERE}
    return {**table, "provenance": noted}


def _elsewhere(table: dict[str, Any]) -> str:
    noted = table["provenance"]
    return ", ".join([*noted["versions"], noted["device"]])


def differences(old: Any, new: Any, field: str = "") -> Iterator[Difference]:
    """Every place where two tables differ, in their order."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            yield from differences(old.get(key), new.get(key), f"{field}.{key}".lstrip("."))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for at, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(one, other, f"{field}[{at}]")
    elif old != new:
        yield Difference(field, _short(old), _short(new), _distance(old, new))


def _distance(old: Any, new: Any) -> float | None:
    """Between two numbers; None where one of them is none, or is larger than any of ours."""
    with suppress(OverflowError):
        if all(type(each) in (int, float) for each in (old, new)):
            return abs(float(old) - float(new))
    return None


def _short(value: Any) -> Any:
    """A number as it is, anything else as the beginning of its text."""
    return value if type(value) in (int, float) else str(value)[:60]


def _picture(file: Path, trace: Any) -> Verdict | None:
    """The first number of a picture that is not the trace's own, if there is one."""
    from scenes.fields import read_field

    beats = file.with_name(file.name.removesuffix(".json") + BEATS)
    if not beats.is_file():
        return None
    try:
        for channel in json.loads(beats.read_text(encoding="utf-8"))["channels"]:
            field, index = channel["field"], tuple(channel["index"])
            real = read_field(trace, field, index)
            if not abs(real - channel["value"]) <= TOLERANCE * max(1.0, abs(real)):
                named = f"{field}{list(index)}" if index else field
                drawn = {"field": named, "old": channel["value"], "new": real}
                return Verdict("verify_picture", {"beats": beats.name, **drawn})
    except DAMAGE as error:
        return Verdict("verify_damaged", {"reason": f"{beats.name}: {_short(error)}"})
    return None


def main() -> None:
    """Answers every line on standard input with a trace."""
    send = own_the_output()
    for line in sys.stdin:
        asked = json.loads(line)
        device = asked["device"] if asked["device"] == "cpu" else "auto"
        send(answer(lesson_of(asked["lesson"]), asked["station"], device, False))


if __name__ == "__main__":
    main()
