"""Who did it? Two small models that read three words: one in order, one out of a bag.

Both embed the words of "A hit B" and name the doer. The RNN reads them one after another; the
bag adds their vectors up, and so is given the same sum for "B hit A": it can be right for at
most one of the two, however long it is trained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import torch
from torch import Tensor, nn

from engine import checkpoints
from engine.cells import RNNRun, Weights, run_rnn
from engine.traces import Model
from engine.vocabulary import UNKNOWN, Vocabulary

Kind = Literal["rnn", "bag"]
KINDS: tuple[Kind, ...] = ("rnn", "bag")
UNITS = 24  # of an embedding, and of a state
BAG_UNITS = 64  # of the hidden layer behind the bag: it gets more of everything but order


class Guesser(nn.Module):
    """Words in, a guess at the doer out, through one hidden layer."""

    def __init__(self, kind: Kind, words: int, persons: int, units: int = UNITS) -> None:
        super().__init__()
        self.kind = kind
        self.embedding = nn.Embedding(words, units)
        hidden = units if kind == "rnn" else BAG_UNITS
        self.cell = nn.RNN(units, units) if kind == "rnn" else nn.Linear(units, hidden)
        self.readout = nn.Linear(hidden, persons)

    def forward(self, words: Tensor) -> Tensor:
        """Unnormalised log-probabilities of the doers. words: [time, batch]"""
        if self.kind == "rnn":
            hidden = self.cell(self.embedding(words))[0][-1]  # [batch, unit]
        else:
            hidden = torch.tanh(self.cell(self.bag(words)))  # [batch, unit]
        guess: Tensor = self.readout(hidden)  # [batch, person]
        return guess

    def bag(self, words: Tensor) -> Tensor:
        """The sum of the words' vectors, in the order of their indices. # [*batch, unit]

        Floating-point sums depend on that order; a bag must not. words: [time, *batch]
        """
        total: Tensor = self.embedding(words.sort(dim=0).values).sum(dim=0)
        return total


def untrained(kind: Kind, words: int, persons: int, seed: int) -> Guesser:
    """A guesser before its first step: PyTorch's own draw."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Guesser(kind, words, persons)


@dataclass(frozen=True)
class Witness:
    """A guesser with the words and the persons that its indices stand for."""

    model: Guesser
    vocabulary: Vocabulary
    persons: tuple[str, ...]
    card: Model  # name, checksum, trained or not: what a trace says of it

    def knows(self, tokens: Sequence[str]) -> bool:
        """Whether it was trained on every one of these words."""
        return all(self.vocabulary.entry(token) != UNKNOWN for token in tokens)

    def entry(self, token: str) -> str:
        """A word as the vocabulary has it, whatever its case as written."""
        return self.vocabulary.words[self.vocabulary.entry(token)]

    def asks_of(self, tokens: Sequence[str]) -> bool:
        """Whether these are a doer, a deed and somebody else: the sentences it was trained on."""
        if len(tokens) != 3 or not self.knows(tokens):
            return False
        doer, deed, other = map(self.entry, tokens)
        named = doer in self.persons and other in self.persons and doer != other
        return named and deed not in self.persons

    def encode(self, tokens: Sequence[str]) -> Tensor:
        """Indices of words as someone wrote them. # [time]"""
        indices = [self.vocabulary.entry(token) for token in tokens]
        return torch.tensor(indices, device=self.model.readout.bias.device)

    @torch.no_grad()
    def bag(self, tokens: Sequence[str]) -> Tensor:
        """All that a bag keeps of the words: their sum. # [unit]"""
        return self.model.bag(self.encode(tokens))

    def read(self, tokens: Sequence[str]) -> RNNRun:
        """The RNN over the words in their order."""
        cell = self.model.cell
        if not isinstance(cell, nn.RNN):
            raise TypeError("a bag does not read in order")
        words = self.model.embedding(self.encode(tokens)).detach()  # [time, unit]
        return run_rnn(Weights.of(cell), words)

    @torch.no_grad()
    def doers(self, tokens: Sequence[str]) -> Tensor:
        """p(doer) of every person. # [person]"""
        guess: Tensor = self.model(self.encode(tokens)[:, None])[0]  # [person]
        return guess.softmax(dim=-1)


def weights_path(kind: Kind) -> Path:
    """Where the shipped weights of one kind lie."""
    return checkpoints.WEIGHTS_DIR / f"order_{kind}.safetensors"


def save_witness(path: Path, witness: Witness) -> str:
    """Write the weights with all that is needed to open them again; returns the sha256."""
    metadata = {
        "model": "order",
        "kind": witness.model.kind,
        "words": witness.vocabulary.words,
        "persons": witness.persons,
    }
    return checkpoints.save(path, witness.model.state_dict(), metadata)


def load_witness(path: Path, device: torch.device, dtype: torch.dtype) -> Witness:
    """Open a guesser for computing. Raises InputError for a file that is none."""
    tensors, metadata = checkpoints.load(path)
    with checkpoints.describing(path):
        kind = KINDS[KINDS.index(metadata["kind"])]
        vocabulary = Vocabulary(checkpoints.texts(metadata["words"]))
        persons = checkpoints.texts(metadata["persons"])
        model = untrained(kind, len(vocabulary), len(persons), seed=0)
    checkpoints.fill(model, tensors, path)
    model.to(device, dtype).eval()
    card = Model(path.stem, checkpoints.checksum(path), trained=True)
    return Witness(model, vocabulary, persons, card)


def drawn_witness(kind: Kind, tokens: Sequence[str], seed: int, device: torch.device) -> Witness:
    """An untrained one, drawn from a seed, for words that the shipped ones do not know."""
    vocabulary = Vocabulary.of([tokens])
    model = untrained(kind, len(vocabulary), 2, seed).to(device, torch.float64).eval()
    card = Model("tanh RNN" if kind == "rnn" else "bag", "", trained=False)
    return Witness(model, vocabulary, (), card)
