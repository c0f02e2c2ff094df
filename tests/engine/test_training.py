"""The recipe, the batches and the command: a tiny translator learns in seconds."""

from __future__ import annotations

import io
import itertools
import math
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from engine import material
from engine.batching import Example, as_tensors, batches, bunch, swap_unknown
from engine.cards import read_card
from engine.checkpoints import checksum
from engine.decoder import KINDS, Kind
from engine.decoding import greedy
from engine.material import Material, Sides
from engine.optimisation import Recipe, cross_entropy, train
from engine.progress import Progress
from engine.seq2seq import Sizes, untrained
from engine.training import main
from engine.translator_training import choose_sizes
from engine.translators import load_interpreter, weights_path
from engine.vocabulary import BEGIN, END, PAD, UNKNOWN, Vocabulary

WORDS = 12  # indices 4 … 11 are words


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # results repeat for one number of threads only
    yield
    torch.set_num_threads(threads)


def reversals(count: int, seed: int = 0) -> list[Example]:
    """A language whose translation is its sentence backwards: nothing but crossing links."""
    rng = random.Random(seed)
    examples = []
    for _ in range(count):
        words = [rng.randrange(4, WORDS) for _ in range(rng.randint(2, 5))]
        last = len(words) - 1
        links = tuple((i, last - i) for i in range(len(words)))
        examples.append(Example(tuple(words), tuple(reversed(words)), links))
    return examples


def sizes(kind: Kind) -> Sizes:
    return Sizes(WORDS, WORDS, kind, embedding=16, hidden=32, attention=16, context=32)


@pytest.mark.parametrize("kind", KINDS)
def test_a_tiny_translator_learns_in_seconds(kind: Kind) -> None:
    model = untrained(sizes(kind), 1)
    losses = train(
        model, reversals(2000), Recipe(steps=100, warm_up=20, batch_tokens=200, peak=1e-2)
    )
    assert losses[0] == pytest.approx(math.log(WORDS), abs=0.5)
    # Without looking at the source nothing below about 1.8 nats a token could be reached.
    assert sum(losses[-10:]) / 10 < 1.4


def test_attention_finds_the_crossing_links_by_itself() -> None:
    model = untrained(sizes("conditional"), 1)
    train(
        model,
        reversals(4000),
        Recipe(steps=300, warm_up=20, batch_tokens=200, peak=1e-2, unknown_share=0.0),
    )
    held_out = reversals(50, seed=1)
    right = 0
    for example in held_out:
        right += greedy(model, torch.tensor([example.source]))[0] == list(example.target)
    assert right >= 45


def test_the_same_seed_trains_the_same_weights() -> None:
    runs = []
    for _ in range(2):
        model = untrained(sizes("conditional"), 5)
        losses = train(model, reversals(100), Recipe(steps=5, warm_up=2, seed=5))
        runs.append((losses, model.readout.weight.detach().clone()))
    assert runs[0][0] == runs[1][0]
    assert torch.equal(runs[0][1], runs[1][1])


def test_learning_rate_warms_up_and_ends_at_two_percent() -> None:
    recipe = Recipe(steps=1000)
    rates = [recipe.learning_rate(step) for step in range(1, 1001)]
    assert rates[0] == pytest.approx(recipe.peak / 100, rel=0.01)
    assert max(rates) == pytest.approx(recipe.peak, rel=0.03)
    assert rates.index(max(rates)) == 99
    assert rates[-1] == pytest.approx(0.02 * recipe.peak)
    assert all(a > b for a, b in itertools.pairwise(rates[100:]))


def test_loss_ignores_padding() -> None:
    model = untrained(sizes("conditional"), 1).double()
    short, long = Example((4, 5), (5, 4)), Example((4, 5, 6, 7), (7, 6, 5, 4))
    with torch.no_grad():
        alone = [float(cross_entropy(model, [example])) for example in (short, long)]
        together = float(cross_entropy(model, [short, long]))
    assert together == pytest.approx((3 * alone[0] + 5 * alone[1]) / 8, abs=1e-12)


def test_batches_hold_every_example_once_per_epoch_within_the_budget() -> None:
    examples = reversals(300)
    supply, seen = batches(examples, 60, random.Random(0)), []
    while len(seen) < len(examples):
        batch = next(supply)
        assert max(len(example.target) + 1 for example in batch) * len(batch) <= 60
        seen += batch
    assert sorted(seen, key=repr) == sorted(examples, key=repr)


def test_an_example_larger_than_the_budget_still_gets_its_batch() -> None:
    long = Example((4,) * 9, (4,) * 9)
    assert list(bunch([long, long], 5)) == [[long], [long]]


def test_previous_words_are_the_next_ones_shifted() -> None:
    source, previous, following = as_tensors([Example((4, 5), (6, 7, 8)), Example((9,), (4,))])
    assert source.tolist() == [[4, 5], [9, PAD]]
    assert previous.tolist() == [[BEGIN, 6, 7, 8], [BEGIN, 4, END, PAD]]
    assert following.tolist() == [[6, 7, 8, END], [4, END, PAD, PAD]]


@pytest.mark.parametrize("seed", range(20))
def test_unknown_swap_touches_linked_words_only_and_on_both_sides(seed: int) -> None:
    example = Example((4, 5, 6, 7), (8, 9, 10), links=((0, 1), (1, 0), (2, 2), (2, 3)))
    swapped = swap_unknown(example, random.Random(seed))
    targets = {i for i, word in enumerate(swapped.target) if word == UNKNOWN}
    sources = {j for j, word in enumerate(swapped.source) if word == UNKNOWN}
    assert 1 <= len(targets) == len(sources) <= 2
    assert sources == {dict(example.links[:2])[i] for i in targets}  # word 2 has two links


def test_a_pair_without_single_links_is_left_alone() -> None:
    example = Example((4,), (8, 9), links=((0, 0), (1, 0)))
    assert swap_unknown(example, random.Random(0)) is example
    assert swap_unknown(Example((4,), (8,)), random.Random(0)) == Example((4,), (8,))


def fake_material() -> Material:
    sides = [Sides(("甲", "乙"), ("a", "b"), frozenset({(0, 0)}), frozenset({(0, 0)}))] * 3
    many = Vocabulary(tuple(str(i) for i in range(900)))
    return Material("zh-en", sides, sides, many, many)


@pytest.mark.parametrize("context", [16, 64, 256])
def test_fixed_context_gets_as_many_parameters_as_attention(context: int) -> None:
    found = fake_material()
    attention = choose_sizes(found, "conditional", 128, 64, context)
    fixed = choose_sizes(found, "fixed", 128, 64, context)
    assert fixed.context == context
    counts = [untrained(each, 0).parameter_count() for each in (attention, fixed)]
    assert abs(counts[1] / counts[0] - 1) < 0.01


def test_the_command_writes_weights_and_a_card_that_belong_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(material, "HELD_OUT", 10)
    arguments = "translator --steps 2 --pairs 40 --hidden 16 --embedding 8 --seed 7 --out"
    result = CliRunner().invoke(main, [*arguments.split(), str(tmp_path)])
    assert result.exit_code == 0, result.output
    path = weights_path("zh-en", "conditional", 7, 0, tmp_path)
    interpreter = load_interpreter(path, torch.device("cpu"), torch.float64)
    card = read_card(path)
    assert card["sha256"] == checksum(path) == interpreter.card.sha256
    assert card["recipe"]["seed"] == 7
    assert card["recipe"]["steps"] == 2
    assert card["parameters"] == interpreter.model.parameter_count()
    assert card["data"]["training_pairs"] == 40
    assert card["data"]["held_out_pairs"] == 10
    assert {"exact_match", "bleu", "aer", "content_accuracy"} <= card["figures"].keys()
    assert interpreter.source.entry("我") != UNKNOWN
    assert len(list(tmp_path.iterdir())) == 2


def test_an_unknown_command_is_refused() -> None:
    assert CliRunner().invoke(main, ["nonsense"]).exit_code == 2


def test_progress_is_quiet_where_there_is_no_terminal() -> None:
    stream = io.StringIO()
    progress = Progress("zh-en", 1000, stream)
    for step in range(1, 1001):
        progress(step, 1.0)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 10
    assert lines[-1] == "zh-en  1000/1000  loss 1.000  0:00 left"
