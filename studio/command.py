"""The command's manners: one line for an error, in the reader's language, and an exit code."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import click

from engine.errors import FaultError, InputError, LookbackError, Phrase
from studio.native_options import NATIVE, Numbers

INTERRUPTED = 130


class Command(click.Command):
    """A click command whose mistakes are ours: a line that names the flag and what is right."""

    def main(self, args: Any = None, *rest: Any, **options: Any) -> int:  # type: ignore[override]
        """Runs and returns the exit code; only --debug ever shows a traceback."""
        _hold_standard_streams()
        args = list(sys.argv[1:] if args is None else args)
        options["standalone_mode"] = False
        try:
            return int(super().main(args, *rest, **options) or 0)
        except click.exceptions.Exit as end:
            return end.exit_code
        except (LookbackError, click.ClickException) as error:
            return _explain(error, args)
        except (KeyboardInterrupt, click.Abort):
            return _interrupted(_typed_language(args))
        except (BrokenPipeError, SystemExit):  # click ends so where nobody reads what it says
            return _fall_silent()
        except Exception as error:
            return _explain(error, args)


def _hold_standard_streams() -> None:
    """Takes the places of closed streams, so that no file of ours is ever written to as one."""
    with suppress(OSError):
        while (taken := os.open(os.devnull, os.O_RDWR)) <= 2:
            os.set_inheritable(taken, True)
        os.close(taken)


def _fall_silent() -> int:
    from studio.progress import fall_silent

    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            fall_silent(stream)
    return 0


def run_command(given: Mapping[str, Any]) -> int:
    """Draws what the flags ask for; 0 when every station is ready."""
    from studio.production import produce
    from studio.progress import make_reporter
    from studio.request import make_request

    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.default_int_handler)
    own = {name: value for name, value in given.items() if name not in _NATIVE}
    native = {name: value for name, value in given.items() if name in _NATIVE}
    native["seed"] = given["seed"]
    request = make_request(**own, native=native)
    with make_reporter(language(given["lang"]), request) as reporter:
        outcomes = produce(request, reporter)
    ready = [outcome for outcome in outcomes if outcome.error is None]
    reporter.say("done", count=len(ready), total=len(outcomes), folder=request.folder)
    for outcome in ready:
        _open(outcome.main_file, given)
    return max((o.error.exit_code for o in outcomes if o.error), default=0)


_NATIVE = {native.dest for native in NATIVE}


def _open(path: Any, given: Mapping[str, Any]) -> None:
    """What -p and --show_in_file_browser ask for."""
    if path is None:
        return
    if given["preview"] and given["preview_command"]:
        import shlex
        import subprocess

        subprocess.run([*shlex.split(given["preview_command"]), str(path)], check=False)
    elif given["preview"]:
        click.launch(str(path))
    if given["show_in_file_browser"]:
        click.launch(str(path), locate=True)


def language(lang: str | None) -> str:
    """The language of messages: the one asked for, else the one of this machine."""
    if lang in ("zh", "en"):
        return lang
    settings = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next((setting for setting in settings if setting), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def _typed_language(args: list[str]) -> str:
    """What --lang says on a command line that may be wrong elsewhere."""
    for word, following in zip(args, [*args[1:], ""], strict=True):
        if word == "--lang":
            return language(following)
        if word.startswith("--lang="):
            return language(word.removeprefix("--lang="))
    return language(None)


def _explain(error: Exception, args: list[str]) -> int:
    from studio.progress import print_line

    if "--debug" in args:
        traceback.print_exception(error)
    ours = error if isinstance(error, LookbackError) else _as_ours(error)
    print_line(sys.stderr, ours.text(_typed_language(args)))
    return ours.exit_code


def _interrupted(lang: str) -> int:
    from engine.words import words
    from studio.progress import print_line

    print_line(sys.stderr, words(lang)("studio.interrupted"))
    return INTERRUPTED


def _as_ours(error: Exception) -> LookbackError:
    """Whatever it was, as one line."""
    if isinstance(error, click.ClickException):
        return _as_input_error(error)
    if isinstance(error, ModuleNotFoundError):
        return FaultError("studio.package", name=error.name)
    return FaultError("studio.unexpected", reason=f"{type(error).__name__}: {error}")


def _as_input_error(error: click.ClickException) -> InputError:
    """One of click's complaints, said with our words."""
    if isinstance(error, click.NoSuchOption):
        return InputError("flags.unknown", flag=error.option_name)
    if isinstance(error, click.BadParameter) and error.param is not None:
        flag = max(error.param.opts, key=len)
        return InputError(
            "flags.bad_value", flag=flag, value=_value(error), expected=_expected(error)
        )
    if isinstance(error, click.BadOptionUsage) and "requires an argument" in error.message:
        return InputError("flags.no_value", flag=error.option_name)
    if isinstance(error, click.BadOptionUsage) and "does not take a value" in error.message:
        return InputError("flags.takes_none", flag=error.option_name)
    return InputError("flags.other", reason=error.format_message().rstrip("."))


def _value(error: click.BadParameter) -> str:
    """What was typed: click keeps it only in its sentence, in quotation marks."""
    parts = error.message.split("'")
    return repr(parts[1]) if len(parts) > 2 else error.message.split(" ")[0]


def _expected(error: click.BadParameter) -> Phrase:
    kind = error.param.type if error.param is not None else None
    if isinstance(kind, click.Choice):
        return Phrase("flags.expected.choice", choices=", ".join(map(str, kind.choices)))
    if isinstance(kind, click.IntRange) and kind.max is not None:
        return Phrase("flags.expected.whole_number_between", least=kind.min, most=kind.max)
    if isinstance(kind, click.IntRange):
        return Phrase("flags.expected.whole_number_from", least=kind.min)
    if isinstance(kind, type(click.INT)):
        return Phrase("flags.expected.whole_number")
    if isinstance(kind, type(click.FLOAT)):
        return Phrase("flags.expected.number")
    example = kind.example if isinstance(kind, Numbers) else "KEY=VALUE"
    return Phrase("flags.expected.form", example=example)
