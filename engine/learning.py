"""Teaching a trained translator new words on the spot, and measuring what that did.

Its vocabulary is widened, and it practises on sentences that the grammar makes with the new
words, mixed with old ones so that it keeps what it knew. The new rows of its embeddings learn at
a much higher rate than all else: they have everything to learn, the rest nearly nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor

from engine.batching import batches, swap_unknown
from engine.corpus.lexicon import load_lexicon
from engine.corpus.new_words import Entry, with_new_words
from engine.material import Sides, encode
from engine.measuring import count_links, translate_all
from engine.optimisation import Recipe, update
from engine.practice import Amount, Practice, make_practice
from engine.quality import exact_match, total
from engine.seq2seq import Translator
from engine.telling import SAID_EVERY, tell
from engine.traces import Learned
from engine.translators import SIDES, Interpreter
from engine.widening import peers_of, widen

HURRY = 40  # times the rate of the rest, for new rows
FIRST_STEPS, STEPS_EACH, MOST_STEPS = 100, 10, 800  # for any words at all, for each, in all

#: Tables with a row per word, and whose words those are.
ROWS = {"encoder.embedding.weight": "source", "embedding.weight": "target", "bias": "target"}


def learn(
    interpreter: Interpreter,
    entries: Sequence[Entry],
    amount: Amount | None = None,
    recipe: Recipe | None = None,
) -> tuple[Interpreter, Practice]:
    """A translator in float32 that knows the entries too, and what it practised on.

    Raises InputError for a word that the grammar makes no sentences with.
    """
    recipe = recipe or recipe_for(len(entries))
    lexicon = with_new_words(load_lexicon(), entries)
    practice = make_practice(interpreter.direction, entries, lexicon, amount or Amount())
    words = {side: [w for pair in practice.training for w in getattr(pair, side)] for side in SIDES}
    with _one_thread():
        wide = widen(interpreter, words, peers_of(entries, load_lexicon()), recipe.seed)
        wide.model.to("cpu", torch.float32)
        _train(wide, interpreter, practice.training, len(entries), recipe)
    return wide, practice


def recipe_for(words: int) -> Recipe:
    """Small batches at a low rate: what was known is kept, and the new rows see many updates."""
    steps = min(FIRST_STEPS + STEPS_EACH * words, MOST_STEPS)
    return Recipe(steps=steps, peak=4e-4, warm_up=20, batch_tokens=350)


def measured(
    before: Interpreter, after: Interpreter, practice: Practice, name: str, words: Sequence[str]
) -> Learned:
    """The record of what learning did; both interpreters as they compute afterwards."""
    aer = None
    if after.model.sizes.decoder != "fixed":
        aer = round(total(count_links(after, pair) for pair in practice.new).error_rate, 4)
    return Learned(
        model=name,
        words=tuple(words),
        steps=recipe_for(len(words)).steps,
        new_exact_match=_exact(after, practice.new),
        new_aer=aer,
        new_sentences=len(practice.new),
        old_exact_match_before=_exact(before, practice.old),
        old_exact_match=_exact(after, practice.old),
        old_sentences=len(practice.old),
    )


def _exact(interpreter: Interpreter, pairs: Sequence[Sides]) -> float:
    outputs = translate_all(interpreter, [pair.source for pair in pairs])
    return round(exact_match(outputs, [pair.target for pair in pairs]), 4)


def _train(
    wide: Interpreter, narrow: Interpreter, pairs: Sequence[Sides], words: int, recipe: Recipe
) -> None:
    """The loop of `engine.optimisation`, with new rows in a hurry."""
    rng = random.Random(recipe.seed)
    examples = encode(pairs, wide.source, wide.target)
    supply = batches(examples, recipe.batch_tokens, rng)
    optimizer = torch.optim.Adam(wide.model.parameters(), lr=recipe.peak, betas=(0.9, 0.98))
    rows = _new_rows(wide.model, narrow)
    wide.model.train()
    for step in range(1, recipe.steps + 1):
        optimizer.param_groups[0]["lr"] = recipe.learning_rate(step)
        batch = next(supply)
        batch = [swap_unknown(e, rng) if rng.random() < recipe.unknown_share else e for e in batch]
        with _in_a_hurry(rows):
            update(wide.model, batch, optimizer, recipe.clip)
        if step % SAID_EVERY == 0 or step in (1, recipe.steps):
            tell(words=words, step=step, steps=recipe.steps)
    wide.model.eval()


def _new_rows(model: Translator, narrow: Interpreter) -> list[Tensor]:
    """Views of the rows that the narrow model does not have. [new word, *unit] each"""
    tables = dict(model.named_parameters())
    old = {"source": len(narrow.source), "target": len(narrow.target)}
    return [tables[name].detach()[old[side] :] for name, side in ROWS.items()]


@contextmanager
def _in_a_hurry(rows: Sequence[Tensor]) -> Iterator[None]:
    """Around one update, whose step is in proportion to its rate: HURRY times as far for rows."""
    before = [row.clone() for row in rows]
    yield
    for row, start in zip(rows, before, strict=True):
        row += (HURRY - 1) * (row - start)


@contextmanager
def _one_thread() -> Iterator[None]:
    """More threads only wait for each other here, and add in another order."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
