"""Training the two guessers of "who did it?", and measuring them on people never seen together."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import click
import torch
from torch import Tensor
from torch.nn import functional

from engine.cards import write_card
from engine.checkpoints import WEIGHTS_DIR
from engine.order import (
    KINDS,
    UNITS,
    Kind,
    Witness,
    load_witness,
    save_witness,
    untrained,
    weights_path,
)
from engine.progress import Progress
from engine.provenance import provenance
from engine.traces import Model
from engine.vocabulary import Vocabulary

PRONOUNS = ("我", "你", "他", "她")
SPLIT_SEED = 31  # which pairs of people are held out, the same for every model
HELD_OUT = 0.1  # share of the pairs of people
MEASURED = 1000  # held-out pairs with a deed, each asked in both orders


@dataclass(frozen=True)
class Recipe:
    """Adam, a straight way down."""

    steps: int = 2500
    peak: float = 1e-2  # learning rate at the start
    batch: int = 256  # sentences
    seed: int = 1

    def learning_rate(self, step: int) -> float:
        """The rate at a step from 1 to `steps`."""
        return self.peak * max(0.02, 1 - step / self.steps)


@dataclass(frozen=True)
class Language:
    """The people and the deeds of one language."""

    persons: tuple[str, ...]
    deeds: tuple[str, ...]


@dataclass(frozen=True)
class Material:
    """Sentences as indices. A pair is two people of one language, in no order."""

    vocabulary: Vocabulary
    persons: tuple[str, ...]
    training: Tensor  # [sentence, 3] (one, deed, other): every deed for every pair
    held_out: Tensor  # [sentence, 3] of pairs that training never sees together


def make_material() -> Material:
    """From the lexicon: pronouns, names and callings, and what one can do to a person."""
    from engine.corpus.lexicon import load_lexicon
    from engine.corpus.rows import Name, Person, Verb

    lexicon = load_lexicon()
    names, people = lexicon.table("names", Name), lexicon.table("people", Person)
    verbs = [verb for verb in lexicon.table("verbs", Verb) if "person" in verb.objects]
    chinese = (*PRONOUNS, *(name.zh for name in names), *(person.zh for person in people))
    languages = (
        Language(_once(chinese), _once([verb.zh for verb in verbs])),
        Language(
            _once([name.en for name in names]),
            _once([verb.past for verb in verbs if " " not in verb.past]),
        ),
    )
    return material_of(languages)


def _once(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def material_of(languages: Sequence[Language]) -> Material:
    """Every pair of people of one language with every deed, cut into two parts by pairs."""
    words = [(*language.persons, *language.deeds) for language in languages]
    vocabulary = Vocabulary.of(words)
    persons = tuple(person for language in languages for person in language.persons)
    parts = [_parts(language, vocabulary) for language in languages]
    training, held_out = (torch.cat(part) for part in zip(*parts, strict=True))
    return Material(vocabulary, persons, training, held_out)


def _parts(language: Language, vocabulary: Vocabulary) -> tuple[Tensor, Tensor]:
    persons = vocabulary.encode(language.persons)
    deeds = torch.tensor(vocabulary.encode(language.deeds))  # [deed]
    pairs = torch.tensor(list(combinations(persons, 2)))  # [pair, 2]
    dice = torch.Generator().manual_seed(SPLIT_SEED)
    shuffled = pairs[torch.randperm(len(pairs), generator=dice)]  # [pair, 2]
    held = max(1, round(HELD_OUT * len(pairs)))
    return _told(shuffled[held:], deeds), _told(shuffled[:held], deeds)


def _told(pairs: Tensor, deeds: Tensor) -> Tensor:
    """Each pair with each deed between. # [pair * deed, 3]"""
    people = pairs.repeat_interleave(len(deeds), dim=0)  # [pair * deed, 2]
    return torch.stack((people[:, 0], deeds.repeat(len(pairs)), people[:, 1]), dim=1)


def sentences(part: Tensor, count: int, dice: torch.Generator) -> Tensor:
    """Sentences of one part, either person doing it to the other. # [count, 3]"""
    chosen = part[torch.randint(len(part), (count,), generator=dice)]  # [count, 3]
    turned = torch.rand(count, 1, generator=dice) < 0.5  # [count, 1]
    return torch.where(turned, chosen.flip(1), chosen)


def both_orders(part: Tensor, count: int, dice: torch.Generator) -> Tensor:
    """Different sentences of one part, and then each of them the other way round.

    # [2 * count, 3]
    """
    chosen = part[torch.randperm(len(part), generator=dice)[:count]]  # [count, 3]
    return torch.cat((chosen, chosen.flip(1)))


def train_order(
    kind: Kind, material: Material, recipe: Recipe, report: Progress | None = None
) -> Witness:
    """A guesser trained from its seed."""
    model = untrained(kind, len(material.vocabulary), len(material.persons), recipe.seed)
    answers = answer_table(material)
    dice = torch.Generator().manual_seed(recipe.seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=recipe.peak)
    for step in range(1, recipe.steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = recipe.learning_rate(step)
        words = sentences(material.training, recipe.batch, dice).T  # [3, batch]
        optimizer.zero_grad(set_to_none=True)
        loss = functional.cross_entropy(model(words), answers[words[0]])
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        if report:
            report(step, float(loss.detach()))
    card = Model(f"order {kind}", "", trained=True)
    return Witness(model.eval(), material.vocabulary, material.persons, card)


def answer_table(material: Material) -> Tensor:
    """Which person a word is; 0 for words that are none, which are never asked. # [word]"""
    table = torch.zeros(len(material.vocabulary), dtype=torch.long)
    table[material.vocabulary.encode(material.persons)] = torch.arange(len(material.persons))
    return table


@torch.no_grad()
def accuracy(witness: Witness, material: Material, count: int = MEASURED) -> float:
    """Share of held-out sentences whose doer is named, each asked in both orders."""
    dice = torch.Generator().manual_seed(SPLIT_SEED)
    words = both_orders(material.held_out, count, dice).T  # [3, 2 * count]
    right: Tensor = witness.model(words).argmax(dim=-1) == answer_table(material)[words[0]]
    return float(right.double().mean())


@click.command()
@click.option("--seeds", default=5, help="Models of each kind; the first one's weights are kept.")
@click.option("--steps", default=Recipe.steps, help="Updates of the optimiser.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=WEIGHTS_DIR)
def order(seeds: int, steps: int, out: Path) -> None:
    """Train "who did it?" with an RNN and with a bag of words; write weights and cards."""
    material = make_material()
    for kind in KINDS:
        started, path = time.process_time(), out / weights_path(kind).name
        found: list[float] = []
        digest = ""
        for seed in range(1, seeds + 1):
            recipe = Recipe(steps=steps, seed=seed)
            name = f"{path.stem} seed {seed}"
            witness = train_order(kind, material, recipe, Progress(name, steps))
            if seed == 1:  # measured as it lies on disk, in half precision
                digest = save_witness(path, witness)
                witness = load_witness(path, torch.device("cpu"), torch.float32)
            found.append(round(accuracy(witness, material), 4))
        seconds = round(time.process_time() - started)
        write_card(path, _card(path, digest, Recipe(steps=steps), found, material, seconds))
        click.echo(f"{path.name}: accuracy {found} by seed")


def _card(
    path: Path, digest: str, recipe: Recipe, found: list[float], material: Material, seconds: int
) -> dict[str, Any]:
    """What the card says."""
    return {
        "name": path.stem,
        "sha256": digest,
        "command": f"python -m engine.training order --seeds {len(found)} --steps {recipe.steps}",
        "data": {
            "source": "assets/lexicon",
            "task": "A did it to B: name A, from all persons",
            "held_out": "pairs of persons never seen together in training, in both orders",
            "training_sentences": 2 * len(material.training),
            "held_out_sentences": 2 * len(material.held_out),
        },
        "recipe": asdict(recipe) | {"units": UNITS},
        "figures": {
            "seeds": list(range(1, len(found) + 1)),
            "accuracy": found,
            "questions": 2 * min(MEASURED, len(material.held_out)),
            "persons": len(material.persons),
            "most_without_order": 0.5,
        },
        "cost": {"cpu_seconds": seconds, "threads": torch.get_num_threads()},
        "versions": list(provenance((), recipe.seed, torch.device("cpu")).versions),
    }
