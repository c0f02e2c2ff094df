"""The writing half, step by step, in three kinds that differ in what they see of the source.

`bahdanau`     the state before this step asks, then reads the last word and what it found
               (Bahdanau, Cho and Bengio 2015): e = a(s_{i-1}, h); c; s_i = f(s_{i-1}, y_{i-1}, c)
`conditional`  half a step reads the last word first, and that half state asks (the conditional
               GRU of Sennrich et al. 2017, "Nematus"): s' = f1(s_{i-1}, y_{i-1});
               e = a(s', h); c; s_i = f2(s', c)
`fixed`        no attention: one vector of fixed size, the same at every step (Cho et al. 2014)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor, nn

from engine.attention import AdditiveAttention
from engine.cells import gru_gates
from engine.deferred import StepLinear
from engine.encoder import Reading

Kind = Literal["bahdanau", "conditional", "fixed"]
KINDS: tuple[Kind, ...] = ("bahdanau", "conditional", "fixed")


@dataclass(frozen=True)
class Memory:
    """What a decoder may see of the source while it writes."""

    values: Tensor  # [batch, source, hidden], the annotations; nothing at all for `fixed`
    keys: Tensor  # [batch, source, attention], made once from the annotations
    padding: Tensor  # [batch, source]
    context: Tensor  # [batch, context], the fixed vector; empty where there is attention

    def without(self, hidden: Tensor) -> Memory:
        """The same with some source positions taken away. hidden [batch, source], True there."""
        return replace(self, padding=self.padding | hidden)


@dataclass(frozen=True)
class Step:
    """All that one decoder step computed."""

    query: Tensor  # [batch, hidden], the state that asks
    scores: Tensor  # [batch, source], before the softmax; [batch, 0] without attention
    weights: Tensor  # [batch, source], after it
    context: Tensor  # [batch, context]
    state: Tensor  # [batch, hidden], s_i


class Decoder(nn.Module):
    """Common to the three kinds: the first state, and the words' part of the gates."""

    def __init__(self, embedding: int, hidden: int, context: int, start: int) -> None:
        super().__init__()
        self.word_gates = nn.Linear(embedding, 3 * hidden)
        self.state_gates = StepLinear(hidden, 3 * hidden)
        self.context_gates = StepLinear(context, 3 * hidden, bias=False)
        self.start = nn.Linear(start, hidden)

    def prepare(self, reading: Reading) -> tuple[Memory, Tensor]:
        """What the decoder may see, and its first state s_0 [batch, hidden]."""
        raise NotImplementedError

    def step(self, word_gates: Tensor, state: Tensor, memory: Memory) -> Step:
        """One step. word_gates [batch, 3 * hidden] is `self.word_gates` of the last word."""
        raise NotImplementedError


class AttentiveDecoder(Decoder):
    """A decoder that looks back at the annotations before every word."""

    def __init__(self, embedding: int, hidden: int, attention: int) -> None:
        super().__init__(embedding, hidden, context=hidden, start=hidden // 2)
        self.attention = AdditiveAttention(hidden, hidden, attention)

    def prepare(self, reading: Reading) -> tuple[Memory, Tensor]:
        """s_0 = tanh(W h_1 backward) (Bahdanau et al. 2015, A.2.2)."""
        values = reading.annotations
        nothing = values.new_zeros(values.shape[0], 0)
        memory = Memory(values, self.attention.keys(values), reading.padding, nothing)
        return memory, torch.tanh(self.start(reading.last_backward))


class BahdanauDecoder(AttentiveDecoder):
    """The query has not read the last word yet."""

    def step(self, word_gates: Tensor, state: Tensor, memory: Memory) -> Step:
        scores, weights, context = self.attention(state, memory.keys, memory.values, memory.padding)
        inputs = word_gates + self.context_gates(context)  # [batch, 3 * hidden]
        return Step(state, scores, weights, context, gru(inputs, self.state_gates(state), state))


class ConditionalDecoder(AttentiveDecoder):
    """The query is half a step ahead: it has read the last word."""

    def __init__(self, embedding: int, hidden: int, attention: int) -> None:
        super().__init__(embedding, hidden, attention)
        self.half_state_gates = StepLinear(hidden, 3 * hidden)

    def step(self, word_gates: Tensor, state: Tensor, memory: Memory) -> Step:
        half = gru(word_gates, self.state_gates(state), state)  # [batch, hidden]
        scores, weights, context = self.attention(half, memory.keys, memory.values, memory.padding)
        after = gru(self.context_gates(context), self.half_state_gates(half), half)
        return Step(half, scores, weights, context, after)


class FixedDecoder(Decoder):
    """Eyes closed: everything about the source passes through one vector of fixed size."""

    def __init__(self, embedding: int, hidden: int, summary: int, context: int) -> None:
        super().__init__(embedding, hidden, context, start=context)
        self.compress = nn.Linear(summary, context)

    def prepare(self, reading: Reading) -> tuple[Memory, Tensor]:
        """c = tanh(W (last states)), s_0 = tanh(V c)."""
        context = torch.tanh(self.compress(reading.summary))  # [batch, context]
        nothing = reading.annotations[:, :0]  # [batch, 0, hidden]: the source is not on the table
        memory = Memory(nothing, nothing, reading.padding[:, :0], context)
        return memory, torch.tanh(self.start(context))

    def step(self, word_gates: Tensor, state: Tensor, memory: Memory) -> Step:
        inputs = word_gates + self.context_gates(memory.context)  # [batch, 3 * hidden]
        none = memory.values[:, :, 0]  # [batch, 0]
        after = gru(inputs, self.state_gates(state), state)
        return Step(state, none, none, memory.context, after)


def gru(inputs: Tensor, recurrent: Tensor, state: Tensor) -> Tensor:
    """The next state of a GRU from the two halves of its gates, [batch, 3 * hidden] each."""
    _, keep, candidate, _ = gru_gates(inputs, recurrent)
    return torch.lerp(candidate, state, keep)  # [batch, hidden]
