"""The numbers of station 9: how far a message goes, and what is left of it, model by model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.traces.base import Array, Trace, check_length, check_shape

WAYS = ("recurrent", "translating", "attending", "self_attending")
CELLS = ("rnn", "lstm", "gru")


@dataclass(frozen=True)
class Way:
    """The shortest ways through one kind of model, in hops from one word's vector to another's."""

    model: str  # one of WAYS
    within: int  # from word 1 to word n of the sentence
    across: int  # from word 1 to word n of its translation; 0 where there is none


@dataclass(frozen=True)
class FinaleTrace(Trace):
    """Numbers of the earlier stations, brought together; each is computed as it was there."""

    station: ClassVar[str] = "finale"

    words: int  # n
    ways: tuple[Way, ...]  # in the order of WAYS

    # ‖∂L/∂x_t‖ over the words of the relay game's sentence; both networks are untrained.
    relay_tokens: tuple[str, ...]  # [relay]
    # `left` is the first word's over the last word's: free of how large the loss is.
    log10_relay: Array  # [relay] the tanh RNN of the relay game
    log10_relay_left: float
    log10_attention: Array  # [relay] one layer of self-attention over the same word vectors
    log10_attention_left: float
    attention_hops: int  # from the first word to the loss's word in that layer

    # The same over the words of the conveyor belt's; all three are trained.
    belt_tokens: tuple[str, ...]  # [belt]
    log10_cells: Array  # [cell, belt] in the order of CELLS
    log10_cells_left: Array  # [cell]

    # BLEU by source length.
    shortest: Array  # [range] int: source words
    longest: Array  # [range] int
    fixed_bleu: Array  # [range] one vector of fixed size
    attention_bleu: Array  # [range] looking back
    fixed_size: int  # units of that vector

    def validate(self) -> None:
        check_length("ways", self.ways, len(WAYS))
        for name in ("log10_relay", "log10_attention"):
            check_shape(name, getattr(self, name), len(self.relay_tokens))
        check_shape("log10_cells", self.log10_cells, len(CELLS), len(self.belt_tokens))
        check_shape("log10_cells_left", self.log10_cells_left, len(CELLS))
        for name in ("longest", "fixed_bleu", "attention_bleu"):
            check_shape(name, getattr(self, name), len(self.shortest))
