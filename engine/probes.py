"""Which source words does the context vector still hold? Asked by a linear probe.

The content test of Adi et al. (2017): given the vector of a sentence and a word, was the word in
the sentence? One weight vector and one bias per word read the answer off the context. It is
trained half on words that were there and half on words of other sentences, so that p = 0.5 says
"no idea".
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from engine import checkpoints
from engine.batching import pad
from engine.errors import InputError
from engine.tables import ProbeRow
from engine.traces import Model
from engine.translators import Interpreter
from engine.vocabulary import PAD

CHUNK = 200
FIFTHS = 5

Sentences = Sequence[Sequence[int]]


class ContentProbe(nn.Module):
    """p(word was in the sentence | context vector), a logistic regression per word."""

    def __init__(self, words: int, context: int) -> None:
        super().__init__()
        self.reader = nn.Parameter(torch.zeros(words, context))
        self.bias = nn.Parameter(torch.zeros(words))

    def forward(self, context: Tensor, words: Tensor) -> Tensor:
        """Log-odds. context [batch, context], words [batch, word]; returns [batch, word]."""
        readers = self.reader[words]  # [batch, word, context]
        return torch.einsum("bwc,bc->bw", readers, context) + self.bias[words]

    @torch.no_grad()
    def begin_as(self, other: ContentProbe) -> None:
        """Takes over what a probe of fewer words has learnt."""
        self.reader[: len(other.reader)] = other.reader.to(self.reader)
        self.bias[: len(other.bias)] = other.bias.to(self.bias)

    @torch.no_grad()
    def kept(self, context: Tensor, words: Sequence[int]) -> Tensor:
        """p for each word of one sentence. context [context]; returns [word]."""
        asked = torch.tensor([list(words)], device=context.device)  # [1, word]
        return self(context.unsqueeze(0), asked)[0].sigmoid()  # type: ignore[no-any-return]


@torch.no_grad()
def contexts(interpreter: Interpreter, sentences: Sentences) -> Tensor:
    """The fixed context vector of each sentence. [sentence, context]"""
    model, found = interpreter.model, []
    for start in range(0, len(sentences), CHUNK):
        source = pad(sentences[start : start + CHUNK]).to(interpreter.device)
        memory, _ = model.prepare(model.read(source))
        found.append(memory.context)
    return torch.cat(found)


def train_probe(
    interpreter: Interpreter,
    sentences: Sentences,
    epochs: int = 12,
    seed: int = 1,
    begin: ContentProbe | None = None,
) -> ContentProbe:
    """A probe for one translator, from source sentences in word indices.

    begin: a probe of fewer words to go on from.
    """
    rng = random.Random(seed)
    vectors = contexts(interpreter, sentences)
    probe = ContentProbe(len(interpreter.source), vectors.shape[1]).to(vectors)
    if begin is not None:
        probe.begin_as(begin)
    optimizer = torch.optim.Adam(probe.parameters(), lr=0.02, weight_decay=1e-6)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    order = list(range(len(sentences)))
    for _ in range(epochs):
        rng.shuffle(order)
        for start in range(0, len(order), CHUNK):
            chosen = order[start : start + CHUNK]
            loss = _loss(probe, vectors[chosen], [sentences[i] for i in chosen], rng)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        schedule.step()
    return probe.eval()


def _loss(probe: ContentProbe, vectors: Tensor, batch: Sentences, rng: random.Random) -> Tensor:
    """Cross-entropy over the words that were there and as many that were not."""
    there = [sorted(set(words)) for words in batch]
    absent = [_strangers(words, rng.choice(batch)) for words in there]
    total = vectors.new_zeros(())
    for rows, truth in ((there, 1.0), (absent, 0.0)):
        words = pad([row or [PAD] for row in rows]).to(vectors.device)  # [batch, word]
        log_odds = probe(vectors, words)
        wanted = torch.full_like(log_odds, truth)
        losses = functional.binary_cross_entropy_with_logits(log_odds, wanted, reduction="none")
        total = total + losses[words != PAD].mean()
    return total / 2


def _strangers(words: Sequence[int], other: Sequence[int]) -> list[int]:
    """Words of another sentence that are not in this one."""
    return sorted(set(other) - set(words))


def accuracy_by_position(
    interpreter: Interpreter, probe: ContentProbe, sentences: Sentences, seed: int = 2
) -> list[ProbeRow]:
    """Held-out accuracy for each fifth of some sentences of about one length.

    Every word is set against one from the same fifth of another sentence, so that how common
    words are at a place gives nothing away: guessing is right half the time.
    """
    rng = random.Random(seed)
    vectors = contexts(interpreter, sentences)
    others = torch.roll(vectors, 1, dims=0)
    right, guessed, counts = ([0] * FIFTHS for _ in range(3))
    for index, words in enumerate(sentences):
        pairs = _pairs(words, rng, sentences)
        asked = [word for _, *pair in pairs for word in pair]
        own, foreign = (
            probe.kept(side[index], asked).view(-1, 2) for side in (vectors, others)
        )  # [pair, 2]
        for row, (fifth, _, _) in enumerate(pairs):
            counts[fifth] += 1
            right[fifth] += bool(own[row, 0] > own[row, 1])
            guessed[fifth] += bool(foreign[row, 0] > foreign[row, 1])
    shortest, longest = min(map(len, sentences)), max(map(len, sentences))
    return [
        ProbeRow(shortest, longest, k + 1, n, round(right[k] / n, 4), round(guessed[k] / n, 4))
        for k, n in enumerate(counts)
    ]


def _pairs(
    words: Sequence[int], rng: random.Random, sentences: Sentences
) -> list[tuple[int, int, int]]:
    """(fifth, word, stranger) for the words of one sentence.

    Neither may be in the other's sentence: else common words, which are in both, would be asked
    for but never serve as strangers, and a guess by frequency would do better than half.
    """
    pairs = []
    for position, word in enumerate(words):
        other = rng.choice(sentences)
        stranger = other[position * len(other) // len(words)]
        if stranger not in words and word not in other:
            pairs.append((position * FIFTHS // len(words), word, stranger))
    return pairs


def probe_path(translator: Path) -> Path:
    """The probe's file lies beside that of the translator whose context it reads."""
    return translator.with_name(translator.name.replace("translator", "probe", 1))


def save_probe(path: Path, probe: ContentProbe, interpreter: Interpreter) -> str:
    """Write the probe, naming the translator that it reads."""
    metadata = {"model": "content probe", "reads": interpreter.card.sha256}
    return checkpoints.save(path, probe.state_dict(), metadata)


def load_probe(path: Path, interpreter: Interpreter) -> tuple[ContentProbe, Model]:
    """Open the probe of a translator. Raises InputError if it was made for another one."""
    tensors, metadata = checkpoints.load(path)
    if metadata.get("reads") != interpreter.card.sha256:
        raise InputError("weights.other_model", path=path, model=interpreter.card.name)
    sizes = interpreter.model.sizes
    probe = ContentProbe(sizes.source_words, sizes.context)
    checkpoints.fill(probe, tensors, path)
    probe.to(interpreter.device, interpreter.model.bias.dtype)
    return probe.eval(), Model(path.stem, checkpoints.checksum(path), trained=True)
