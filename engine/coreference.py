"""Self-attention that learned whom a pronoun means, from the answers alone.

One layer, one head, sinusoidal positions (Vaswani et al. 2017, sections 3.2.1 and 3.5). Every
word is asked which word it means: a pronoun means its antecedent, any other word itself. What
comes back to a word is the only thing that its answer is read from: there is no way round
attention. Where to look is never told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import torch
from torch import Tensor, nn

from engine import checkpoints
from engine.attention import Attended, scaled_dot_product
from engine.coreference_corpus import Referent
from engine.traces import Model
from engine.vocabulary import PAD, UNKNOWN, Vocabulary

UNITS = 48
SPREAD = 0.1  # of the first embeddings: small, so that training starts with even weights
#: Shipped. With seed 2 the same recipe had not settled after its 1500 steps (.90 right, α .50).
SEEDS = (1, 3, 4)


class Resolver(nn.Module):
    """Words in; for every word, unnormalised log-probabilities of which word it means."""

    def __init__(self, words: int, units: int = UNITS) -> None:
        super().__init__()
        self.units = units
        self.embedding = nn.Embedding(words, units)
        nn.init.normal_(self.embedding.weight, std=SPREAD)
        self.query = nn.Linear(units, units, bias=False)  # W_Q
        self.key = nn.Linear(units, units, bias=False)  # W_K
        self.value = nn.Linear(units, units, bias=False)  # W_V
        self.output = nn.Linear(units, units, bias=False)  # W_O
        self.bias = nn.Parameter(torch.zeros(words))

    def read(self, words: Tensor, ordered: bool = True) -> Tensor:
        """x_t: a word and, if `ordered`, its place. words: [batch, time]"""
        embedded: Tensor = self.embedding(words)  # [batch, time, unit]
        if not ordered:
            return embedded
        return embedded + positions(words.shape[-1], self.units).to(embedded)

    def look(self, inputs: Tensor, hidden: Tensor | None = None) -> Attended:
        """Every word asks every word. inputs [batch, time, unit]; `hidden` is True for words
        that cannot be looked at, broadcastable to [batch, query, key]."""
        return scaled_dot_product(
            self.query(inputs), self.key(inputs), self.value(inputs), hidden
        )

    def answer(self, context: Tensor) -> Tensor:
        """What is said with a context in hand; the embedding is the table of answers.
        context [*batch, unit]"""
        said: Tensor = self.output(context) @ self.embedding.weight.T + self.bias
        return said  # [*batch, word]

    def forward(self, words: Tensor) -> Tensor:
        """words [batch, time], padded. # [batch, time, word]"""
        return self.answer(self.look(self.read(words), (words == PAD).unsqueeze(1)).context)


def positions(time: int, units: int) -> Tensor:
    """sin and cos of t / 10000^(2i/d) (Vaswani et al. 2017, section 3.5). # [time, unit]"""
    rates = 10_000 ** (-torch.arange(0, units, 2, dtype=torch.float64) / units)  # [unit / 2]
    angles = torch.arange(time, dtype=torch.float64).unsqueeze(1) * rates  # [time, unit / 2]
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)  # [time, unit]


def untrained(words: int, seed: int, units: int = UNITS) -> Resolver:
    """A resolver before its first step."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Resolver(words, units)


@dataclass(frozen=True)
class Reader:
    """A resolver with the words that its indices stand for, and who can be meant."""

    model: Resolver
    vocabulary: Vocabulary
    referents: tuple[Referent, ...]
    card: Model

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Every word that can be meant, folded, with what it agrees with."""
        return {form.casefold(): r.kind for r in self.referents for form in (r.zh, r.en)}

    @property
    def device(self) -> torch.device:
        return self.model.bias.device

    def encode(self, tokens: Sequence[str]) -> Tensor:
        """# [time]"""
        return torch.tensor([self.vocabulary.entry(token) for token in tokens], device=self.device)

    def unknown(self, tokens: Sequence[str]) -> list[bool]:
        """Which words are read as the unknown word."""
        return [self.vocabulary.entry(token) == UNKNOWN for token in tokens]

    def said(self, word: int, tokens: Sequence[str]) -> str:
        """A word of the vocabulary as the sentence writes it, else as it stands there."""
        here = [token for token in tokens if self.vocabulary.entry(token) == word]
        return here[0] if here else self.vocabulary.words[word]


def untrained_twin(reader: Reader, seed: int) -> Reader:
    """The same architecture before training."""
    model = untrained(len(reader.vocabulary), seed, reader.model.units)
    model.to(reader.device, reader.model.bias.dtype).eval()
    return Reader(model, reader.vocabulary, reader.referents, Model("coreference", "", False))


def weights_path(seed: int) -> Path:
    """Where the weights of one seed lie."""
    return checkpoints.WEIGHTS_DIR / f"coreference_seed{seed}.safetensors"


def save_reader(path: Path, reader: Reader) -> str:
    """Write the weights with all that is needed to open them again; returns the sha256."""
    metadata = {
        "model": "coreference",
        "units": reader.model.units,
        "words": reader.vocabulary.words,
        "referents": [(r.zh, r.en, r.kind) for r in reader.referents],
    }
    return checkpoints.save(path, reader.model.state_dict(), metadata)


def load_reader(path: Path, device: torch.device, dtype: torch.dtype = torch.float64) -> Reader:
    """Open a resolver for computing. Raises InputError for a file that is none."""
    tensors, metadata = checkpoints.load(path)
    with checkpoints.describing(path):
        vocabulary = Vocabulary(checkpoints.texts(metadata["words"]))
        rows = tuple(checkpoints.texts(row) for row in metadata["referents"])
        referents = tuple(Referent(zh, en, kind) for zh, en, kind in rows)
        model = Resolver(len(vocabulary), metadata["units"])
    checkpoints.fill(model, tensors, path)
    model.to(device, dtype).eval()
    card = Model(path.stem, checkpoints.checksum(path), True)
    return Reader(model, vocabulary, referents, card)
