"""A translator's figures on held-out sentences."""

from __future__ import annotations

from collections.abc import Sequence

from engine.batching import pad
from engine.decoding import greedy, teacher_forced
from engine.material import Sides
from engine.quality import (
    AlignmentCounts,
    bleu,
    count_alignment,
    exact_match,
    token_recall,
    total,
)
from engine.translators import Interpreter

CHUNK = 100  # sentences of similar length at a time


def translate_all(interpreter: Interpreter, sources: Sequence[Sequence[str]]) -> list[list[str]]:
    """Greedy translations of many sentences, in their order."""
    rows = [interpreter.source.encode(words) for words in sources]
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    outputs: list[list[str]] = [[] for _ in rows]
    for start in range(0, len(order), CHUNK):
        chunk = order[start : start + CHUNK]
        batch = pad([rows[i] for i in chunk]).to(interpreter.device)  # [batch, source]
        for i, words in zip(chunk, greedy(interpreter.model, batch), strict=True):
            outputs[i] = interpreter.target.decode(words)
    return outputs


def measure(interpreter: Interpreter, held_out: Sequence[Sides]) -> dict[str, float]:
    """Exact match, BLEU and token recall; with attention also AER and content accuracy."""
    outputs = translate_all(interpreter, [pair.source for pair in held_out])
    references = [pair.target for pair in held_out]
    figures = {
        "exact_match": exact_match(outputs, references),
        "bleu": bleu(outputs, references),
        "token_recall": token_recall(outputs, references),
    }
    if interpreter.model.sizes.decoder != "fixed":
        counts = total(count_links(interpreter, pair) for pair in held_out)
        figures["aer"] = counts.error_rate
        figures["content_accuracy"] = counts.content_accuracy
    return {name: round(value, 4) for name, value in figures.items()}


def count_links(interpreter: Interpreter, pair: Sides) -> AlignmentCounts:
    """The attention's argmax while writing the reference, against the gold links."""
    source = interpreter.source.encode(pair.source)
    target = interpreter.target.encode(pair.target)
    weights = teacher_forced(interpreter.model, source, target).weights[:-1]  # [target, source]
    return count_alignment(weights.argmax(dim=-1).tolist(), pair.sure, pair.possible)
