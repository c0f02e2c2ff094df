"""The reading half: a bidirectional GRU, and what it hands to the decoder."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from engine.vocabulary import PAD


@dataclass(frozen=True)
class Reading:
    """What is left of a batch of source sentences after reading them."""

    annotations: Tensor  # [batch, source, hidden], h_j = (forward state, backward state) at word j
    padding: Tensor  # [batch, source], True where there is no word
    last_forward: Tensor  # [batch, hidden / 2], forward state after the last word
    last_backward: Tensor  # [batch, hidden / 2], backward state after the first word

    @property
    def summary(self) -> Tensor:
        """The last state of each direction: all that a fixed context is made from."""
        return torch.cat([self.last_forward, self.last_backward], dim=-1)  # [batch, hidden]

    def expand(self, count: int) -> Reading:
        """One sentence, `count` times over."""
        parts = (self.annotations, self.padding, self.last_forward, self.last_backward)
        return Reading(*(part.expand(count, *part.shape[1:]) for part in parts))


class Encoder(nn.Module):
    """Reads a sentence in both directions (Schuster and Paliwal 1997), GRU cells."""

    def __init__(self, words: int, embedding: int, hidden: int) -> None:
        super().__init__()
        if hidden % 2:
            raise ValueError(f"hidden must be even to be shared by two directions, got {hidden}")
        self.embedding = nn.Embedding(words, embedding, padding_idx=PAD)
        self.gru = nn.GRU(embedding, hidden // 2, batch_first=True, bidirectional=True)

    def forward(self, source: Tensor) -> Reading:
        """source [batch, source], word indices padded with PAD."""
        padding = source == PAD
        lengths = (~padding).sum(dim=1).cpu()  # [batch]; packing wants them on the CPU
        embedded = self.embedding(source)  # [batch, source, embedding]
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        states, last = self.gru(packed)
        annotations, _ = pad_packed_sequence(
            states, batch_first=True, total_length=source.shape[1]
        )  # [batch, source, hidden]
        return Reading(annotations, padding, last[0], last[1])
