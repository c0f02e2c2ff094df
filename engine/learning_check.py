"""What learning new words gives and costs: `python -m engine.training learning`."""

from __future__ import annotations

import time
from pathlib import Path

import click
import torch

from engine.corpus.lexicon import load_lexicon
from engine.corpus.new_words import entries_of
from engine.learned import new_in
from engine.learning import learn
from engine.measuring import measure
from engine.new_words_table import read_new_words
from engine.practice import Amount
from engine.translators import (
    DIRECTIONS,
    FIXED_CONTEXT,
    SIDES,
    Direction,
    load_interpreter,
    weights_path,
)
from engine.words import ASSETS

TEN = ASSETS / "lessons" / "new_words.tsv"
FIGURES = ("exact_match", "bleu", "aer")


@click.command()
@click.option("--words", type=click.Path(path_type=Path), default=TEN, help="Table of new words.")
@click.option("--direction", type=click.Choice(DIRECTIONS), default="zh-en")
@click.option("--decoder", type=click.Choice(["conditional", "fixed"]), default="conditional")
@click.option("--seed", default=1, help="Of the shipped translator's training.")
@click.option("--new", default=400, help="Unseen sentences with new words to measure on.")
@click.option("--old", default=1000, help="Held-out sentences without them.")
def learning(
    words: Path, direction: Direction, decoder: str, seed: int, new: int, old: int
) -> None:
    """Teach a shipped translator some words; say what it then knows, and still knows."""
    path = weights_path(direction, decoder, seed, FIXED_CONTEXT)  # type: ignore[arg-type]
    base = load_interpreter(path, torch.device("cpu"), torch.float32)
    entries = new_in(direction, entries_of(*read_new_words(words), load_lexicon()))
    started = time.process_time()
    taught, practice = learn(base, entries, Amount(new=new, old=old))
    seconds = time.process_time() - started
    more = [len(getattr(taught, side)) - len(getattr(base, side)) for side in SIDES]
    click.echo(f"{path.stem}: {len(entries)} words, {more[0]} + {more[1]} new rows")
    click.echo(f"{len(practice.training)} sentences practised, {seconds:.1f} s of CPU")
    for name, interpreter, pairs in (
        ("new words, after", taught, practice.new),
        ("held out, before", base, practice.old),
        ("held out, after", taught, practice.old),
    ):
        found = measure(interpreter, pairs)
        shown = ", ".join(f"{key} {found[key]}" for key in FIGURES if key in found)
        click.echo(f"{name}: {shown} ({len(pairs)} sentences)")
