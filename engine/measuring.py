"""A translator's figures on held-out sentences."""

from __future__ import annotations

from collections.abc import Sequence
from operator import and_

import torch

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
from engine.vocabulary import END

CHUNK = 100  # sentences of similar length at a time
SURE = 0.8  # least p of any word, END included, of a sentence that one model is sure of


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
    """Exact match, BLEU and token recall; the share of sentences that the model is sure of, and
    how many of those are right; with attention also AER and content accuracy."""
    outputs = translate_all(interpreter, [pair.source for pair in held_out])
    references = [pair.target for pair in held_out]
    figures = {
        "exact_match": exact_match(outputs, references),
        "bleu": bleu(outputs, references),
        "token_recall": token_recall(outputs, references),
    }
    sure = [p >= SURE for p in least_probabilities(interpreter, held_out, outputs)]
    right = [o == list(r) for o, r in zip(outputs, references, strict=True)]
    figures["known_share"] = sum(sure) / len(sure)
    figures["known_exact_match"] = sum(map(and_, sure, right)) / max(1, sum(sure))
    if interpreter.model.sizes.decoder != "fixed":
        counts = total(count_links(interpreter, pair) for pair in held_out)
        figures["aer"] = counts.error_rate
        figures["content_accuracy"] = counts.content_accuracy
    return {name: round(value, 4) for name, value in figures.items()}


def least_probabilities(
    interpreter: Interpreter, pairs: Sequence[Sides], outputs: Sequence[Sequence[str]]
) -> list[float]:
    """For each output the p of its least likely word, END included: how sure the model is."""
    found = []
    for pair, output in zip(pairs, outputs, strict=True):
        source, said = interpreter.source.encode(pair.source), interpreter.target.encode(output)
        log_p = teacher_forced(interpreter.model, source, said).log_probabilities
        words = torch.tensor([*said, END], device=log_p.device).unsqueeze(-1)
        found.append(float(log_p.gather(-1, words).min().exp()))
    return found


def count_links(interpreter: Interpreter, pair: Sides) -> AlignmentCounts:
    """The attention's argmax while writing the reference, against the gold links."""
    source = interpreter.source.encode(pair.source)
    target = interpreter.target.encode(pair.target)
    weights = teacher_forced(interpreter.model, source, target).weights[:-1]  # [target, source]
    return count_alignment(weights.argmax(dim=-1).tolist(), pair.sure, pair.possible)
