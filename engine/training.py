"""`python -m engine.training`: every checkpoint and table of the project, made again from its seed.

Each command lives beside what it trains and is loaded only when it is named.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import ClassVar

import click
import torch

from engine.errors import LookbackError


class _Commands(click.Group):
    """A group whose commands are found by name in the modules that hold them."""

    PLACES: ClassVar[dict[str, str]] = {
        "translator": "engine.translator_training",
        "remeasure": "engine.translator_training",
        "probe": "engine.probe_training",
        "lengths": "engine.length_curves",
        "learning": "engine.learning_check",
        "templates": "engine.template_training",
        "detector": "engine.detector",
        "neighbours": "engine.neighbours",
        "recall": "engine.recall_training",
        "corpus": "engine.own_command",
        "timings": "engine.timing",
        "coreference": "engine.coreference_training",
        "order": "engine.order_training",
    }

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`--corpus pairs.tsv`, wherever it stands, is the command `corpus pairs.tsv`."""
        return super().parse_args(ctx, _named_by_flag(args))

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.PLACES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.PLACES:
            return None
        command: click.Command = getattr(import_module(self.PLACES[cmd_name]), cmd_name)
        return command


def _named_by_flag(args: list[str]) -> list[str]:
    flag = "--corpus="
    args = [part for arg in args for part in (arg.split("=", 1) if flag in arg[:9] else [arg])]
    if "--corpus" not in args:
        return args
    at = args.index("--corpus")
    file, rest = args[at + 1 : at + 2], args[:at] + args[at + 2 :]
    own = rest.index("--threads") if "--threads" in rest else len(rest)
    return [*rest[own : own + 2], "corpus", *file, *rest[:own], *rest[own + 2 :]]


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
@click.option(
    "--threads", default=1, type=click.IntRange(1, 1024),
    help="CPU threads; results repeat only for one number.",
)
def main(threads: int) -> None:
    """Train the project's models. Nothing here runs unless it is asked for."""
    torch.set_num_threads(threads)


if __name__ == "__main__":
    try:
        main()
    except LookbackError as error:
        click.echo(str(error), err=True)
        sys.exit(error.exit_code)
