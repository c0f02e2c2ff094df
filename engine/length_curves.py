"""The bottleneck, measured by source length: `python -m engine.training lengths`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import torch

from engine.cards import command_line
from engine.checkpoints import WEIGHTS_DIR
from engine.material import Sides, make_material, more_held_out
from engine.measuring import measure
from engine.tables import LENGTHS, LengthRow, write_table
from engine.translator_training import PAIRS
from engine.translators import Interpreter, load_interpreter

BUCKETS = ((3, 5), (6, 10), (11, 15), (16, 20), (21, 30), (31, 40), (41, 60))
MOST = 300  # sentences per bucket
CANDIDATES = 12_000


def by_length(
    sides: Sequence[Sides], buckets: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, list[Sides]]]:
    """(shortest, longest, at most MOST sentences) for each range of source lengths."""
    for low, high in buckets:
        yield low, high, [side for side in sides if low <= len(side.source) <= high][:MOST]


def quality_by_length(interpreter: Interpreter, sides: Sequence[Sides]) -> list[LengthRow]:
    """Exact match, BLEU and token recall for each range of lengths."""
    sizes = interpreter.model.sizes
    fixed = sizes.decoder == "fixed"
    rows = []
    for low, high, chosen in by_length(sides, BUCKETS):
        figures = measure(interpreter, chosen)
        rows.append(
            LengthRow(
                model="fixed" if fixed else "attention",
                context=sizes.context if fixed else 0,
                parameters=interpreter.model.parameter_count(),
                shortest=low,
                longest=high,
                count=len(chosen),
                exact_match=figures["exact_match"],
                bleu=round(figures["bleu"], 2),
                token_recall=figures["token_recall"],
            )
        )
    return rows


@click.command()
@click.option("--weights", type=click.Path(exists=True, path_type=Path), default=WEIGHTS_DIR)
@click.option("--pairs", default=PAIRS, help="As the translators were trained with.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=LENGTHS)
def lengths(weights: Path, pairs: int, out: Path) -> None:
    """Measure the zh-en translators of seed 1 in a folder by source length; write the table."""
    sides = more_held_out(make_material("zh-en", pairs), CANDIDATES)
    rows: list[LengthRow] = []
    for path in sorted(weights.glob("translator_zh-en_*_seed1.safetensors")):
        rows += quality_by_length(load_interpreter(path, torch.device("cpu"), torch.float32), sides)
    rows.sort(key=lambda row: (row.model, row.context))
    write_table(out, command_line(), rows)
    click.echo(f"{out.name}: {len(rows)} rows")
