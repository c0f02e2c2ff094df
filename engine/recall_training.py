"""Training a cell to remember a name, and measuring from how far away it still can."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import torch
from torch import Tensor, nn
from torch.nn import functional

from engine.cards import write_card
from engine.cells import Kind
from engine.checkpoints import WEIGHTS_DIR
from engine.progress import Progress
from engine.provenance import provenance
from engine.recall import (
    CELLS,
    QUESTIONS,
    Memory,
    Names,
    Recaller,
    load_memory,
    save_memory,
    untrained,
    weights_path,
)
from engine.traces import Model
from engine.vocabulary import UNKNOWN, Vocabulary

if TYPE_CHECKING:
    from engine.corpus import SentencePair

Report = Callable[[int, float], None]  # (step, loss)
Text = dict[str, list[tuple[str, ...]]]  # sentences by language

TRAINING_SEED, HELD_OUT_SEED = 21, 22  # of the corpus; a model's own seed is the recipe's
DISTANCES = (1, 10, 20, 60, 120)  # words between the name and the question, measured at
TRAINING_PAIRS, HELD_OUT_PAIRS = 15_000, 1000
WIDENING = 0.5  # share of the steps that teaching near distances first takes
MEASURED = 600  # held-out questions per distance


@dataclass(frozen=True)
class Recipe:
    """Adam with a short warm-up and a straight way down."""

    steps: int = 5000
    peak: float = 3e-3  # learning rate after the warm-up
    warm_up: int = 50  # steps
    floor: float = 0.05  # share of the peak left at the end
    clip: float = 1.0  # largest norm of the gradient (Pascanu et al. 2013)
    batch: int = 64  # questions, all of one distance
    farthest: int = 60  # words between name and question; nearer ones are equally likely
    widening: float = 0.0  # share of the steps in which the farthest distance grows from 1
    unknown_power: float = 3.0  # share of words read as <unk>: uniform^power, per question
    pile: float = 1e-2  # weight of the mean square of the last c (or h): see `_update`
    seed: int = 0

    def learning_rate(self, step: int) -> float:
        """The rate at a step from 1 to `steps`."""
        return self.peak * min(1, step / self.warm_up) * max(self.floor, 1 - step / self.steps)

    def reach(self, step: int) -> int:
        """The farthest distance asked for at a step: near ones first, as one would teach."""
        grown = step / (self.widening * self.steps) if self.widening else 1.0
        return max(1, round(self.farthest * min(1.0, grown)))


@dataclass(frozen=True)
class Material:
    """What is between the names and the questions: running text in both languages."""

    vocabulary: Vocabulary
    names: Names
    training: dict[str, Stream]  # by language
    held_out: dict[str, Stream]


@dataclass(frozen=True)
class Stream:
    """Sentences one after another, as word indices."""

    words: Tensor  # [word]
    starts: Tensor  # [sentence] where each begins

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]], vocabulary: Vocabulary) -> Stream:
        encoded = [vocabulary.encode(sentence) for sentence in sentences]
        lengths = torch.tensor([len(sentence) for sentence in encoded])
        return cls(
            torch.tensor([word for sentence in encoded for word in sentence]),
            lengths.cumsum(0) - lengths,
        )

    def passages(self, count: int, length: int, dice: torch.Generator) -> Tensor:
        """Passages that begin where a sentence begins. # [length, count]"""
        chosen = torch.randint(len(self.starts), (count,), generator=dice)
        positions = self.starts[chosen] + torch.arange(length)[:, None]  # [length, count]
        return self.words[positions % len(self.words)]


def make_material(training: int = TRAINING_PAIRS, held_out: int = HELD_OUT_PAIRS) -> Material:
    """Text from the corpus, which leaves out the articles' own sentences."""
    from engine.corpus import generate
    from engine.corpus.lexicon import load_lexicon
    from engine.corpus.rows import Name

    later = generate(held_out, HELD_OUT_SEED)
    earlier = generate(training, TRAINING_SEED, exclude=later)
    names = Names(tuple((row.zh, row.en) for row in load_lexicon().table("names", Name)))
    return material_of(names, _by_language(earlier), _by_language(later))


def _by_language(pairs: Sequence[SentencePair]) -> Text:
    return {"zh": [pair.zh for pair in pairs], "en": [pair.en for pair in pairs]}


def material_of(names: Names, training: Text, held_out: Text) -> Material:
    """Text in both languages made ready for asking; the words are those of the training part."""
    asked = [(*forms, *QUESTIONS.values()) for forms in names.forms]
    vocabulary = Vocabulary.of([*training["zh"], *training["en"], *asked])
    streams = [
        {lang: Stream.of(sentences, vocabulary) for lang, sentences in text.items()}
        for text in (training, held_out)
    ]
    return Material(vocabulary, names, *streams)


def questions(
    material: Material, text: dict[str, Stream], count: int, distance: int, dice: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Name, passage, question, half of them in each language: [time, count]; the names: [count]."""
    halves = [
        _questions_in(lang, material, stream, share, distance, dice)
        for (lang, stream), share in zip(
            text.items(), (count // 2, count - count // 2), strict=True
        )
    ]
    words, answers = zip(*halves, strict=True)
    return torch.cat(words, dim=1), torch.cat(answers)


def _questions_in(
    lang: str,
    material: Material,
    stream: Stream,
    count: int,
    distance: int,
    dice: torch.Generator,
) -> tuple[Tensor, Tensor]:
    forms = [material.names.form(index, lang) for index in range(len(material.names))]
    table = torch.tensor(material.vocabulary.encode(forms))  # [name]
    answers = torch.randint(len(forms), (count,), generator=dice)  # [count]
    asked = torch.tensor(material.vocabulary.encode([QUESTIONS[lang]])).expand(1, count)
    passage = stream.passages(count, distance, dice)  # [distance, count]
    return torch.cat((table[answers][None], passage, asked)), answers


def train_recall(
    cell: Kind,
    material: Material,
    recipe: Recipe,
    report: Report | None = None,
    hidden: int = 64,
) -> tuple[Memory, list[float]]:
    """A recaller trained from its seed, and the loss of every step in nats."""
    model = untrained(cell, len(material.vocabulary), len(material.names), recipe.seed, hidden)
    dice, rng = torch.Generator().manual_seed(recipe.seed), random.Random(recipe.seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=recipe.peak)
    losses = []
    for step in range(1, recipe.steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = recipe.learning_rate(step)
        distance = rng.randint(1, recipe.reach(step))
        words, answers = questions(material, material.training, recipe.batch, distance, dice)
        losses.append(_update(model, _forgotten(words, recipe, dice), answers, optimizer, recipe))
        if report:
            report(step, losses[-1])
    card = Model(f"recall {cell}", "", trained=True)
    return Memory(cell, model.eval(), material.vocabulary, material.names, card), losses


def _forgotten(words: Tensor, recipe: Recipe, dice: torch.Generator) -> Tensor:
    """The passage with some of its words unknown; never the name, never the question.

    Most questions lose few words and some nearly all, so that any text can stand between."""
    share = torch.rand(words.shape[1], generator=dice) ** recipe.unknown_power  # [batch]
    lost = torch.rand(words.shape, generator=dice) < share  # [time, batch]
    lost[0] = lost[-1] = False
    return words.masked_fill(lost, UNKNOWN)


def _update(
    model: Recaller,
    words: Tensor,
    answers: Tensor,
    optimizer: torch.optim.Optimizer,
    recipe: Recipe,
) -> float:
    """One step of the optimiser; returns the cross entropy.

    Without the second term an LSTM keeps a name by adding to it at every word, until its cells
    stand at ±15; with it the name lies still on the belt."""
    optimizer.zero_grad(set_to_none=True)
    guess, carried = model.guess(words)
    loss = functional.cross_entropy(guess, answers)
    (loss + recipe.pile * carried.square().mean()).backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
    optimizer.step()
    return float(loss.detach())


@torch.no_grad()
def accuracy(model: Recaller, material: Material, distance: int, count: int = MEASURED) -> float:
    """Share of held-out questions answered right at one distance."""
    dice = torch.Generator().manual_seed(distance)
    words, answers = questions(material, material.held_out, count, distance, dice)
    right: Tensor = model(words).argmax(dim=-1) == answers  # [count]
    return float(right.double().mean())


@click.command()
@click.option("--cell", type=click.Choice([*CELLS, "all"]), default="all")
@click.option("--near-first", is_flag=True, help="Teach near distances before far ones.")
@click.option("--steps", default=Recipe.steps, help="Updates of the optimiser.")
@click.option("--seed", default=Recipe.seed, help="Of the first weights and of the batches.")
@click.option("--hidden", default=64, help="Units of the cell.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=WEIGHTS_DIR)
def recall(cell: str, near_first: bool, steps: int, seed: int, hidden: int, out: Path) -> None:
    """Train cells to remember a name and write their weights and cards."""
    material = make_material()
    recipe = Recipe(steps=steps, seed=seed, widening=WIDENING if near_first else 0.0)
    for kind in [kind for kind in CELLS if cell in (kind, "all")]:
        started, path = time.process_time(), out / weights_path(kind, near_first).name
        memory, _ = train_recall(kind, material, recipe, Progress(path.stem, steps), hidden)
        seconds = time.process_time() - started
        digest = save_memory(path, memory)
        figures = measure_file(path, material)
        write_card(path, _card(memory, path, digest, recipe, seconds, figures))
        click.echo(f"{path.name}: accuracy {figures['accuracy']} at {figures['distance']} words")


def measure_file(path: Path, material: Material) -> dict[str, Any]:
    """Held-out figures of the weights as they lie on disk, rounded to half precision."""
    model = load_memory(path, torch.device("cpu"), torch.float32).model
    found = [round(accuracy(model, material, distance), 4) for distance in DISTANCES]
    return {
        "distance": list(DISTANCES),
        "accuracy": found,
        "questions": MEASURED,
        "chance": round(1 / len(material.names), 4),
    }


def command(memory: Memory, recipe: Recipe) -> str:
    """What to type to train the same weights again."""
    near_first = " --near-first" if recipe.widening else ""
    hidden = memory.model.cell.hidden_size
    size = f"--steps {recipe.steps} --seed {recipe.seed} --hidden {hidden}"
    return f"python -m engine.training recall --cell {memory.cell}{near_first} {size}"


def _card(
    memory: Memory,
    path: Path,
    digest: str,
    recipe: Recipe,
    seconds: float,
    figures: dict[str, Any],
) -> dict[str, Any]:
    """What the card says."""
    return {
        "name": path.stem,
        "sha256": digest,
        "command": command(memory, recipe),
        "data": {"source": "engine/corpus", "training_pairs": TRAINING_PAIRS},
        "recipe": asdict(recipe),
        "figures": figures,
        "cost": {"cpu_seconds": round(seconds), "threads": torch.get_num_threads()},
        "versions": list(provenance((), recipe.seed, torch.device("cpu")).versions),
    }
