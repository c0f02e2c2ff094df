"""Our table of manim's flags against the manim that is installed."""

from __future__ import annotations

import click
import pytest

from studio.native_options import NATIVE, native_arguments, native_name, native_options


def described(function) -> dict[str, tuple]:
    command = click.command()(function)
    return {p.name: _described(p) for p in command.params}


def _described(option: click.Option) -> tuple:
    choices = tuple(option.type.choices) if isinstance(option.type, click.Choice) else None
    names = (sorted(option.opts), sorted(option.secondary_opts))
    return (*names, option.is_flag, option.multiple, option.nargs, choices)


def test_the_table_is_manims():
    from manim.cli.render.ease_of_access_options import ease_of_access_options
    from manim.cli.render.global_options import global_options
    from manim.cli.render.output_options import output_options
    from manim.cli.render.render_options import render_options

    def theirs(**values): ...

    for group in (global_options, output_options, render_options, ease_of_access_options):
        theirs = group(theirs)
    wanted = described(theirs)
    wanted.pop("seed")  # ours has the same name and is handed on
    assert described(native_options(lambda **values: None)) == wanted


def parsed(*arguments: str) -> dict:
    command = click.command()(native_options(lambda **values: None))
    return command.make_context("render", list(arguments)).params


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--quality", "l"],
        ["--resolution", "1280,720", "--frame_rate", "12.0"],
        ["--save_last_frame", "--dry_run"],
        ["--encoder-option", "crf=20", "--encoder-option", "preset=slow"],
        ["--silent"],
        ["--from_animation_number", "2,5", "--zero_pad", "3"],
    ],
)
def test_what_is_read_is_handed_on(arguments):
    assert sorted(native_arguments(parsed(*arguments))) == sorted(arguments)


def test_short_forms_mean_the_same():
    short = parsed("-ql", "-r", "1280,720", "--fps", "12", "-s", "-n", "2,5", "-c", "x.cfg")
    assert native_arguments(short) == [
        *("--quality", "l", "--resolution", "1280,720", "--frame_rate", "12.0"),
        *("--save_last_frame", "--from_animation_number", "2,5", "--config_file", "x.cfg"),
    ]


@pytest.mark.parametrize(
    "arguments", [["-r", "1280"], ["-r", "a,b"], ["-n", "1,2,3"], ["--encoder-option", "crf"]]
)
def test_what_manim_would_only_log_is_an_error(arguments):
    with pytest.raises(click.BadParameter):
        parsed(*arguments)


def test_each_option_has_one_name():
    assert len({native.dest for native in NATIVE}) == len(NATIVE)
    assert native_name("live_preview") == "--live-preview"
