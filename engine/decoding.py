"""Writing a translation: the words given, the best word at each step, or a beam of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.decoder import Memory
from engine.seq2seq import Translator
from engine.vocabulary import BEGIN, END, PAD

LIMIT = 80  # words: longer than any sentence of the corpus


@dataclass(frozen=True)
class Written:
    """Every number behind one written sentence, END included as the last step."""

    log_probabilities: Tensor  # [target + 1, word]
    queries: Tensor  # [target + 1, hidden]
    scores: Tensor  # [target + 1, source]
    weights: Tensor  # [target + 1, source]
    contexts: Tensor  # [target + 1, context]
    states: Tensor  # [target + 1, hidden]


@torch.no_grad()
def teacher_forced(model: Translator, source: Sequence[int], target: Sequence[int]) -> Written:
    """The model writes exactly `target`, and says how likely it found each word."""
    memory, state = model.prepare(model.read(_row(model, source)))
    previous = _row(model, [BEGIN, *target])  # [1, target + 1]
    steps = model.unroll(previous, memory, state)
    stacked = {
        name: torch.cat([getattr(step, name) for step in steps])
        for name in ("query", "scores", "weights", "context", "state")
    }
    logits = model.logits(stacked["state"], stacked["context"], model.embedding(previous[0]))
    return Written(logits.log_softmax(dim=-1), *stacked.values())


@torch.no_grad()
def word_log_probabilities(
    model: Translator, memory: Memory, state: Tensor, target: Sequence[int]
) -> Tensor:
    """log p(y_i) of a given target for a batch of memories: [batch, target]."""
    previous = _row(model, [BEGIN, *target[:-1]]).expand(len(state), -1)  # [batch, target]
    steps = model.unroll(previous, memory, state)
    states = torch.stack([step.state for step in steps], dim=1)  # [batch, target, hidden]
    contexts = torch.stack([step.context for step in steps], dim=1)  # [batch, target, context]
    logits = model.logits(states, contexts, model.embedding(previous))
    words = torch.tensor(target, device=logits.device).expand(len(state), -1).unsqueeze(-1)
    return logits.log_softmax(dim=-1).gather(-1, words).squeeze(-1)


@torch.no_grad()
def greedy(model: Translator, source: Tensor, limit: int = LIMIT) -> list[list[int]]:
    """The most likely word at each step, for a batch. source [batch, source]."""
    memory, state = model.prepare(model.read(source))
    word = model.begin(len(source))
    done = torch.zeros_like(word, dtype=torch.bool)
    columns = []
    for _ in range(limit):
        step, logits = model.advance(word, memory, state)
        word, state = _choices(logits).argmax(dim=-1), step.state
        columns.append(word)
        done |= word == END
        if bool(done.all()):
            break
    return [_until_end(row) for row in torch.stack(columns, dim=1).tolist()]


@torch.no_grad()
def beam(model: Translator, source: Sequence[int], width: int = 4, limit: int = LIMIT) -> list[int]:
    """The most likely sentence among the `width` best beginnings kept at every step."""
    memory, state = model.prepare(model.read(_row(model, source).expand(width, -1)))
    totals = torch.full((width,), -torch.inf, dtype=state.dtype, device=state.device)
    totals[0] = 0.0  # all rows begin alike: only one may count
    sentences: list[list[int]] = [[] for _ in range(width)]
    word = model.begin(width)
    best: tuple[float, list[int]] = (-torch.inf, [])
    for _ in range(limit):
        step, logits = model.advance(word, memory, state)
        joint = totals.unsqueeze(1) + _choices(logits).log_softmax(dim=-1)  # [beam, word]
        ended = max(range(width), key=lambda row: float(joint[row, END]))
        best = max(best, (float(joint[ended, END]), sentences[ended]))
        joint[:, END] = -torch.inf
        totals, flat = joint.flatten().topk(width)  # [beam]
        rows, word = flat // joint.shape[1], flat % joint.shape[1]
        state = step.state[rows]
        sentences = [[*sentences[r], int(w)] for r, w in zip(rows, word, strict=True)]
        if best[0] >= float(totals[0]):  # every further word only lowers a total
            break
    return best[1]


def _choices(logits: Tensor) -> Tensor:
    """Logits without the two words that cannot be said. [batch, word]"""
    return logits.index_fill(-1, torch.tensor([PAD, BEGIN], device=logits.device), -torch.inf)


def _until_end(words: list[int]) -> list[int]:
    return words[: words.index(END)] if END in words else words


def _row(model: Translator, words: Sequence[int]) -> Tensor:
    return torch.tensor([list(words)], device=model.bias.device)  # [1, time]
