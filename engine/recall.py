"""The recall task: the first word is a name, a sentence follows, then comes "who?".

Answering needs the first word and nothing else, however long ago it was read: what a cell
keeps over a distance shows in whether it can answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from engine import checkpoints
from engine.cells import Kind
from engine.errors import InputError
from engine.tokens import is_chinese
from engine.traces import Model
from engine.vocabulary import UNKNOWN, Vocabulary

QUESTIONS = {"zh": "谁？", "en": "who?"}
CELLS: tuple[Kind, ...] = ("rnn", "lstm", "gru")
MODULES: dict[Kind, Callable[[int, int], nn.RNNBase]] = {
    "rnn": nn.RNN,
    "lstm": nn.LSTM,
    "gru": nn.GRU,
}


class Recaller(nn.Module):
    """Words in, one recurrent layer, and a guess at the name from its last hidden state."""

    def __init__(self, cell: Kind, words: int, names: int, embedding: int = 16, hidden: int = 64):
        super().__init__()
        self.embedding = nn.Embedding(words, embedding)
        self.cell = MODULES[cell](embedding, hidden)
        self.readout = nn.Linear(hidden, names)

    def forward(self, words: Tensor) -> Tensor:
        """Unnormalised log-probabilities of the names. words: [time, batch]"""
        return self.guess(words)[0]

    def guess(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """The same, and the last state that carried it: c for an LSTM, else h. [batch, hidden]"""
        states, last = self.cell(self.embedding(words))  # [time, batch, hidden]
        carried = last[1] if isinstance(last, tuple) else last  # [1, batch, hidden]
        return self.readout(states[-1]), carried[0]


def untrained(cell: Kind, words: int, names: int, seed: int, hidden: int = 64) -> Recaller:
    """A recaller before its first step: PyTorch's own draw, an LSTM's forget bias at 1."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Recaller(cell, words, names, hidden=hidden)
    if cell == "lstm":
        set_forget_bias(model.cell, 1.0)
    return model


@torch.no_grad()
def set_forget_bias(module: nn.RNNBase, bias: float) -> None:
    """The sum of an LSTM's two forget biases (Jozefowicz, Zaremba and Sutskever 2015)."""
    forget = slice(module.hidden_size, 2 * module.hidden_size)
    parameters = dict(module.named_parameters())
    parameters["bias_ih_l0"][forget] = bias
    parameters["bias_hh_l0"][forget] = 0.0


@dataclass(frozen=True)
class Names:
    """The names that can be asked for, each with its Chinese and its English form."""

    forms: tuple[tuple[str, str], ...]  # [name] (zh, en)

    def __len__(self) -> int:
        return len(self.forms)

    def index(self, word: str) -> int | None:
        """Which name a word is, in either language and any case; None for any other word."""
        wanted = word.casefold()
        for index, forms in enumerate(self.forms):
            if wanted in (form.casefold() for form in forms):
                return index
        return None

    def form(self, index: int, lang: str) -> str:
        return self.forms[index][0 if lang == "zh" else 1]


@dataclass(frozen=True)
class Question:
    """A sentence made into the task: name, words, question."""

    tokens: tuple[str, ...]  # [time]
    name: int
    name_added: bool  # whether the name was put in front
    lang: str  # of the question and of the answer


def ask(sentence: Sequence[str], name: str, names: Names) -> Question:
    """The recall task for a sentence; `name` goes in front unless it starts with a known one.

    Raises InputError if it is needed and is not one of the names."""
    lang = "zh" if is_chinese("".join(sentence)) else "en"
    own, given = names.index(sentence[0]), names.index(name)
    if own is not None:
        return Question((*sentence, QUESTIONS[lang]), own, False, lang)
    if given is None:
        known = ", ".join(f"{zh} {en}" for zh, en in names.forms)
        raise InputError("recall.name", name=name, known=known)
    return Question((names.form(given, lang), *sentence, QUESTIONS[lang]), given, True, lang)


@dataclass(frozen=True)
class Memory:
    """A trained recaller with the words and names that its indices stand for."""

    cell: Kind
    model: Recaller
    vocabulary: Vocabulary
    names: Names
    card: Model  # name, checksum, trained or not: what a trace says of it

    def encode(self, tokens: Sequence[str]) -> Tensor:
        """Indices of words as someone wrote them; UNKNOWN for those never trained on. # [time]"""
        indices = [self.vocabulary.entry(token) for token in tokens]
        return torch.tensor(indices, device=self.model.readout.bias.device)

    def unknown(self, tokens: Sequence[str]) -> list[bool]:
        """Which words are read as the unknown word."""
        return [self.vocabulary.entry(token) == UNKNOWN for token in tokens]


def weights_path(cell: Kind, near_first: bool = False) -> Path:
    """Where the weights of one recaller lie; `near_first` is one taught near distances first."""
    return checkpoints.WEIGHTS_DIR / f"recall_{cell}{'_near_first' * near_first}.safetensors"


def save_memory(path: Path, memory: Memory) -> str:
    """Write the weights with all that is needed to open them again; returns the sha256."""
    metadata = {
        "model": "recall",
        "cell": memory.cell,
        "hidden": memory.model.cell.hidden_size,
        "words": memory.vocabulary.words,
        "names": memory.names.forms,
    }
    return checkpoints.save(path, memory.model.state_dict(), metadata)


def load_memory(path: Path, device: torch.device, dtype: torch.dtype) -> Memory:
    """Open a recaller for computing. Raises InputError for a file that is none."""
    tensors, metadata = checkpoints.load(path)
    with checkpoints.describing(path):
        cell, hidden = metadata["cell"], metadata["hidden"]
        vocabulary = Vocabulary(checkpoints.texts(metadata["words"]))
        names = Names(tuple((zh, en) for zh, en in map(checkpoints.texts, metadata["names"])))
        model = untrained(cell, len(vocabulary), len(names), seed=0, hidden=hidden)
    checkpoints.fill(model, tensors, path)
    model.to(device, dtype).eval()
    return Memory(
        cell, model, vocabulary, names, Model(path.stem, checkpoints.checksum(path), True)
    )
