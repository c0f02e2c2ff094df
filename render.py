#!/usr/bin/env python3
"""The command: choose a lesson and stations, hand the files over. In a notebook:

from render import show
show("我爱你", "I love you")
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":  # until the command runs there is nothing that Ctrl-C could interrupt
    signal.signal(signal.SIGINT, signal.SIG_DFL)

try:
    import click
except ModuleNotFoundError:
    if __name__ != "__main__":
        raise
    from studio.doctor import main as examine  # without click there is no command to read

    sys.exit(examine())

from engine.stations import STATIONS
from studio.command import Command, language, run_command
from studio.native_options import native_options

if TYPE_CHECKING:
    from studio.notebook import Shown


@click.command(cls=Command, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("stations", nargs=-1, metavar="[STATION]...")
@click.option("--lesson", metavar="FILE", help="A lesson in TOML; the default one without it.")
@click.option("--source", metavar="TEXT", help="Your sentence to translate and look back at.")
@click.option("--target", metavar="TEXT", help="Its translation; the model's own without it.")
@click.option("--sentence", metavar="TEXT", help="Your sentence for loop, relay and belt.")
@click.option("--model", metavar="DIR", help="A translator of your own: trained here, or MarianMT.")
@click.option("--layer", type=click.IntRange(1, 64), help="MarianMT: of the decoder.")
@click.option("--head", metavar="N", help="MarianMT: one attention head; default: the mean of all.")
@click.option("--learn", metavar="FILE", help="New words: word, translation, kind, with tabs.")
@click.option("--allow-unknown", is_flag=True, help="Carry unknown words over as they are.")
@click.option("--lang", type=click.Choice(["zh", "en", "both"]), help="Words on screen.")
@click.option("--device", type=click.Choice(["auto", "cpu", "cuda"]), default="auto")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), help="Of everything that is drawn.")
@click.option("--out", metavar="DIR", default="out", help="Where the files go; default: out.")
@click.option("--kit", is_flag=True, help="Slides and moving pictures for course material too.")
@click.option("--budget", type=float, default=8.0, help="MB of a moving picture.")
@click.option("--silent-track", is_flag=True, help="An empty sound track in every MP4.")
@click.option("--doctor", is_flag=True, help="Is everything here? What to do, if not.")
@click.option("--verify", metavar="DIR", help="Compute every number under a folder again.")
@click.option("--list", "list_stations", is_flag=True, help="Name the stations and end.")
@click.option("--stock", is_flag=True, help="Draw with manim's own renderer, slowly.")
@click.option("--jobs", type=click.IntRange(1), help="Cores to use; default: all.")
@click.option("--force", is_flag=True, help="Draw again, even if nothing has changed.")
@click.option("--debug", is_flag=True, help="Show where an error comes from.")
@native_options
def main(list_stations: bool, doctor: bool, verify: str | None, **given: Any) -> int:
    """Draw the STATIONs (all without names) of a lesson as clips with captions."""
    if doctor:
        from studio.doctor import examine

        return examine(language(given["lang"]), given["out"])
    if verify is not None:
        from studio.verify import verify as compare

        return compare(verify, language(given["lang"]))
    if list_stations:
        return _list(language(given["lang"]))
    return run_command(given)


def _list(lang: str) -> int:
    from engine.words import words

    for station in STATIONS:
        click.echo(f"{station:<22} {words(lang)(f'{station}.title')}")
    for film in ("film", "trailer"):
        click.echo(f"{film:<22} {words(lang)(f'studio.films.{film}')}")
    return 0


def render(stations: list[str] | tuple[str, ...] = (), **options: Any) -> dict[str, list[Path]]:
    """The files of each station, drawn where they are not there yet.

    `options` are the command's flags: source, target, sentence, lesson, model, learn, lang, device,
    seed, out, stock, jobs, force; manim's own by name, such as quality="l". Raises InputError.
    """
    from studio.notebook import render

    return render(stations, **options)


def show(
    source: str, target: str | None = None, station: str = "looking_back", **options: Any
) -> Shown:
    """Draws one station for a sentence and plays it where a notebook is running.

    The result has `.video`, `.files` and `.trace` (for plots of one's own).
    """
    from studio.notebook import show

    return show(source, target, station, **options)


if __name__ == "__main__":
    sys.exit(main(standalone_mode=False))
