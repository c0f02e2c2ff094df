"""Self-attention that learned who a pronoun means, from the answers alone.

One layer, one head, sinusoidal positions (Vaswani et al. 2017, sections 3.2.1 and 3.5). What
comes back to the pronoun is the only thing that the answer is read from: there is no way round
attention. Where to look is never told; only who is meant.
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
SEEDS = (1, 2, 3)  # shipped


class Resolver(nn.Module):
    """Words in; for a pronoun, unnormalised log-probabilities of who is meant."""

    def __init__(self, words: int, referents: int, units: int = UNITS) -> None:
        super().__init__()
        self.units = units
        self.embedding = nn.Embedding(words, units)
        nn.init.normal_(self.embedding.weight, std=SPREAD)
        self.query = nn.Linear(units, units, bias=False)  # W_Q
        self.key = nn.Linear(units, units, bias=False)  # W_K
        self.value = nn.Linear(units, units, bias=False)  # W_V
        self.readout = nn.Linear(units, referents)

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

    def forward(self, words: Tensor, pronoun: Tensor) -> Tensor:
        """words [batch, time], padded; pronoun [batch], its position. # [batch, referent]"""
        return self.guess(words, pronoun)[0]

    def guess(self, words: Tensor, pronoun: Tensor) -> tuple[Tensor, Tensor]:
        """The same, and the scores of the pronoun's row. [batch, referent], [batch, time]"""
        seen = self.look(self.read(words), (words == PAD).unsqueeze(1))
        rows = torch.arange(len(words), device=words.device)
        return self.readout(seen.context[rows, pronoun]), seen.scores[rows, pronoun]


def positions(time: int, units: int) -> Tensor:
    """sin and cos of t / 10000^(2i/d) (Vaswani et al. 2017, section 3.5). # [time, unit]"""
    rates = 10_000 ** (-torch.arange(0, units, 2, dtype=torch.float64) / units)  # [unit / 2]
    angles = torch.arange(time, dtype=torch.float64).unsqueeze(1) * rates  # [time, unit / 2]
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)  # [time, unit]


def untrained(words: int, referents: int, seed: int, units: int = UNITS) -> Resolver:
    """A resolver before its first step."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Resolver(words, referents, units)


@dataclass(frozen=True)
class Reader:
    """A resolver with the words and referents that its indices stand for."""

    model: Resolver
    vocabulary: Vocabulary
    referents: tuple[Referent, ...]
    card: Model

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Every word that can be meant, folded, with what it agrees with."""
        return {form.casefold(): r.kind for r in self.referents for form in (r.zh, r.en)}

    def encode(self, tokens: Sequence[str]) -> Tensor:
        """# [time]"""
        indices = [self.vocabulary.entry(token) for token in tokens]
        return torch.tensor(indices, device=self.model.readout.bias.device)

    def unknown(self, tokens: Sequence[str]) -> list[bool]:
        """Which words are read as the unknown word."""
        return [self.vocabulary.entry(token) == UNKNOWN for token in tokens]

    def referent(self, word: str) -> int:
        """The index of a word that can be meant."""
        folded = word.casefold()
        return next(i for i, r in enumerate(self.referents) if folded in _forms(r))

    def form(self, referent: int, tokens: Sequence[str]) -> str:
        """A referent as the sentence writes it, else in the sentence's script."""
        here = [token for token in tokens if token.casefold() in _forms(self.referents[referent])]
        latin = all(token.isascii() for token in tokens)
        one = self.referents[referent]
        return here[0] if here else one.en if latin else one.zh


def _forms(referent: Referent) -> tuple[str, str]:
    return referent.zh.casefold(), referent.en.casefold()


def untrained_twin(reader: Reader, seed: int) -> Reader:
    """The same architecture before training."""
    bias = reader.model.readout.bias
    model = untrained(len(reader.vocabulary), len(reader.referents), seed, reader.model.units)
    model.to(bias.device, bias.dtype).eval()
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
        model = Resolver(len(vocabulary), len(referents), metadata["units"])
    checkpoints.fill(model, tensors, path)
    model.to(device, dtype).eval()
    card = Model(path.stem, checkpoints.checksum(path), True)
    return Reader(model, vocabulary, referents, card)
