"""Structures that training never had: `python -m engine.training templates`.

A translator may learn a grammar, or only the sentences it was shown. A tenth of the structures,
drawn by a seed, is left out of every training pair; what it makes of them is the figure.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import click

from engine.cards import command_line
from engine.corpus import SentencePair, generate, template_names
from engine.material import HELD_OUT_SEED, LISTED, Material, Sides, make_material, variants_of
from engine.measuring import measure
from engine.optimisation import Recipe
from engine.progress import Progress
from engine.tables import TEMPLATES, TemplateRow, write_table
from engine.translator_training import choose_sizes, train_interpreter
from engine.translators import DIRECTIONS, Direction, Interpreter
from engine.vocabulary import UNKNOWN

SHARE = 0.1  # of the structures
STEPS, PAIRS = 4_000, 60_000
CANDIDATES = 12_000  # sentences, those with a structure left out are kept
MOST = 400  # sentences measured together

#: What every sentence may have is no structure of its own.
ALWAYS = (*LISTED, "zh_variant", "en_variant", "full_stop")


def left_out_templates(seed: int) -> tuple[str, ...]:
    """A tenth of the structures, the same for the same seed, in alphabetical order."""
    names = sorted(set(template_names()) - set(ALWAYS))
    return tuple(sorted(random.Random(seed).sample(names, round(SHARE * len(names)))))


def needing(direction: Direction, templates: Sequence[str]) -> dict[str, list[Sides]]:
    """Held-out sentences for each structure left out, for all of them, and for none."""
    pairs = generate(
        CANDIDATES, HELD_OUT_SEED + 2, exclude_templates=LISTED, variants=variants_of(direction)
    )
    found = {name: [pair for pair in pairs if name in pair.templates] for name in templates}
    out = frozenset(templates)
    found["all left out"] = [pair for pair in pairs if not out.isdisjoint(pair.templates)]
    found["control"] = [pair for pair in pairs if out.isdisjoint(pair.templates)]
    return {name: _sides(direction, those) for name, those in found.items() if those}


def _sides(direction: Direction, pairs: Sequence[SentencePair]) -> list[Sides]:
    return [Sides.of(pair, direction) for pair in pairs[:MOST]]


def template_row(interpreter: Interpreter, structure: str, sides: Sequence[Sides]) -> TemplateRow:
    """The figures of one structure."""
    known = [side for side in sides if _all_known(interpreter, side)]
    figures = measure(interpreter, sides)
    return TemplateRow(
        structure=structure,
        count=len(sides),
        known=len(known),
        exact_match=figures["exact_match"],
        bleu=round(figures["bleu"], 2),
        aer=figures["aer"],
        known_exact_match=measure(interpreter, known)["exact_match"] if known else 0.0,
    )


def _all_known(interpreter: Interpreter, side: Sides) -> bool:
    sides = (interpreter.source, side.source), (interpreter.target, side.target)
    return not any(UNKNOWN in vocabulary.encode(words) for vocabulary, words in sides)


def _trained(material: Material, steps: int, seed: int) -> Interpreter:
    sizes = choose_sizes(material, "conditional", 128, 64, 64)
    progress = Progress(f"{material.direction} without some structures", steps)
    return train_interpreter(material, sizes, Recipe(steps=steps, seed=seed), progress)


@click.command()
@click.option("--direction", type=click.Choice(DIRECTIONS), default="zh-en")
@click.option("--steps", default=STEPS, help="Updates of the optimiser, fewer than are shipped.")
@click.option("--pairs", default=PAIRS, help="Training pairs made by the grammar.")
@click.option("--seed", default=1, help="Of the structures left out and of the training.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=TEMPLATES)
def templates(direction: Direction, steps: int, pairs: int, seed: int, out: Path) -> None:
    """Train without a tenth of the structures and measure sentences that need them."""
    names = left_out_templates(seed)
    click.echo("left out: " + ", ".join(names), err=True)
    interpreter = _trained(make_material(direction, pairs, names), steps, seed)
    groups = needing(direction, names)
    rows = [template_row(interpreter, name, sides) for name, sides in groups.items()]
    write_table(out, command_line(), rows)
    for row in rows:
        click.echo(str(row))
