"""The translator: encoder, decoder and a readout tied to the target embedding."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from engine.decoder import (
    BahdanauDecoder,
    ConditionalDecoder,
    Decoder,
    FixedDecoder,
    Kind,
    Memory,
    Step,
)
from engine.encoder import Encoder, Reading
from engine.vocabulary import BEGIN, PAD


@dataclass(frozen=True)
class Sizes:
    """Everything that decides the shapes of a translator."""

    source_words: int
    target_words: int
    decoder: Kind = "conditional"
    embedding: int = 64
    hidden: int = 128  # of the decoder; each direction of the encoder has half of it
    attention: int = 64
    context: int = 128  # of the fixed vector; without meaning where there is attention

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Translator(nn.Module):
    """Word indices of one language in, log-probabilities of the next word of another out."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        context = sizes.context if sizes.decoder == "fixed" else sizes.hidden
        self.encoder = Encoder(sizes.source_words, sizes.embedding, sizes.hidden)
        self.embedding = nn.Embedding(sizes.target_words, sizes.embedding, padding_idx=PAD)
        self.decoder = _decoder(sizes)
        self.readout = nn.Linear(sizes.hidden + context + sizes.embedding, sizes.embedding)
        self.bias = nn.Parameter(torch.zeros(sizes.target_words))
        self.reset()

    def reset(self) -> None:
        """Glorot-uniform matrices; target embeddings small enough to serve as output weights."""
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
        for table, scale in ((self.encoder.embedding, 0.3), (self.embedding, None)):
            nn.init.normal_(table.weight, 0.0, scale or self.sizes.embedding**-0.5)
            nn.init.zeros_(table.weight[PAD])

    def forward(self, source: Tensor, previous: Tensor) -> Tensor:
        """Scores of the next words when the previous ones are given.

        source [batch, source]; previous [batch, target], the target shifted right by BEGIN;
        returns logits [batch, target, word].
        """
        memory, state = self.prepare(self.read(source))
        steps = self.unroll(previous, memory, state)
        return self.logits(
            torch.stack([step.state for step in steps], dim=1),  # [batch, target, hidden]
            torch.stack([step.context for step in steps], dim=1),  # [batch, target, context]
            self.embedding(previous),
        )

    def read(self, source: Tensor) -> Reading:
        """The encoder's half. source [batch, source]."""
        reading: Reading = self.encoder(source)
        return reading

    def prepare(self, reading: Reading) -> tuple[Memory, Tensor]:
        """What the decoder may see, and s_0 [batch, hidden]."""
        return self.decoder.prepare(reading)

    def unroll(self, previous: Tensor, memory: Memory, state: Tensor) -> list[Step]:
        """Teacher forcing: one Step per given word. previous [batch, target]."""
        words: Iterable[Tensor] = self.decoder.word_gates(self.embedding(previous)).unbind(dim=1)
        steps = []
        for word_gates in words:
            step = self.decoder.step(word_gates, state, memory)
            state = step.state
            steps.append(step)
        return steps

    def advance(self, previous: Tensor, memory: Memory, state: Tensor) -> tuple[Step, Tensor]:
        """One step, and the logits [batch, word] of the word it leads to. previous [batch]."""
        embedded = self.embedding(previous)  # [batch, embedding]
        step = self.decoder.step(self.decoder.word_gates(embedded), state, memory)
        return step, self.logits(step.state, step.context, embedded)

    def logits(self, state: Tensor, context: Tensor, previous: Tensor) -> Tensor:
        """Output scores from s_i, c_i and the last word's embedding, each [*batch, size]."""
        seen = torch.cat([state, context, previous], dim=-1)
        hidden = torch.tanh(self.readout(seen))  # [*batch, embedding]
        return functional.linear(hidden, self.embedding.weight, self.bias)  # [*batch, word]

    def begin(self, count: int) -> Tensor:
        """BEGIN for every sentence of a batch."""
        return torch.full((count,), BEGIN, device=self.bias.device)  # [batch]

    def parameter_count(self) -> int:
        return sum(parameter.numel() for parameter in self.parameters())


def untrained(sizes: Sizes, seed: int) -> Translator:
    """A translator as it is before its first training step."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Translator(sizes)


def _decoder(sizes: Sizes) -> Decoder:
    if sizes.decoder == "fixed":
        return FixedDecoder(sizes.embedding, sizes.hidden, sizes.hidden, sizes.context)
    kind = {"bahdanau": BahdanauDecoder, "conditional": ConditionalDecoder}[sizes.decoder]
    return kind(sizes.embedding, sizes.hidden, sizes.attention)
