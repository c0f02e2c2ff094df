"""More words for a trained translator: new rows in its embeddings, all else as it was.

A new row starts at the mean of the words that stand in the same place of the lexicon (other
foods, other past forms), so that the model treats the word as one of its kind from the start;
training then tells it apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace

import torch
from torch import Tensor

from engine.corpus.english import superlative, third_person
from engine.corpus.lexicon import EN_COLUMNS, ZH_COLUMNS, Lexicon
from engine.corpus.new_words import Entry
from engine.corpus.rows import Adjective, Row
from engine.seq2seq import untrained
from engine.translators import SIDES, Interpreter
from engine.vocabulary import SPECIAL, Vocabulary

SCATTER = 0.1  # of the spread of all rows: two new words of a kind must not be one

Peers = Mapping[str, list[str]]  # new word → known words of its kind


def widen(
    interpreter: Interpreter, words: Mapping[str, Sequence[str]], peers: Peers, seed: int
) -> Interpreter:
    """The interpreter with more words on either side ("source", "target"), untrained yet.

    Words that it has already are left out. `peers` names known words for the new ones.
    """
    old = interpreter.model
    kept = {"source": interpreter.source, "target": interpreter.target}
    wide = {side: _longer(kept[side], words[side]) for side in SIDES}
    sizes = replace(old.sizes, source_words=len(wide["source"]), target_words=len(wide["target"]))
    model = untrained(sizes, seed=0).to(old.bias)
    tensors = dict(old.state_dict())
    generator = torch.Generator().manual_seed(seed)
    for name, side in (
        ("encoder.embedding.weight", "source"),
        ("embedding.weight", "target"),
        ("bias", "target"),
    ):
        more = wide[side].words[len(kept[side]) :]
        known = [kept[side].encode(peers.get(word, ())) for word in more]
        tensors[name] = _grown(tensors[name], known, generator)
    model.load_state_dict(tensors)
    return replace(interpreter, model=model.eval(), source=wide["source"], target=wide["target"])


def peers_of(entries: Iterable[Entry], lexicon: Lexicon) -> dict[str, list[str]]:
    """For every form of every entry the words of the same column in rows of its kind."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        kind = _kind(entry.row)
        rows = [row for row in lexicon.tables[entry.table] if _kind(row) == kind]
        peers = [_forms(row) for row in rows]
        for name, text in _forms(entry.row).items():
            words = [word for forms in peers for word in forms[name].split()]
            for token in text.split():
                found.setdefault(token, words)
    return found


def _kind(row: Row) -> tuple[type, str]:
    return type(row), getattr(row, "noun_class", "")


def _forms(row: Row) -> dict[str, str]:
    """The words of a row by the column, or the rule, that they come from."""
    forms = {field.name: getattr(row, field.name) for field in fields(row)}
    forms = {name: text for name, text in forms.items() if name in (*ZH_COLUMNS, *EN_COLUMNS)}
    if hasattr(row, "past"):
        forms["third"] = third_person(forms["en"])
    if isinstance(row, Adjective):
        forms["superlative"] = superlative(row.comparative)
    return forms


def _longer(vocabulary: Vocabulary, words: Iterable[str]) -> Vocabulary:
    new = [word for word in dict.fromkeys(words) if word not in vocabulary.words]
    return Vocabulary((*vocabulary.words, *new))


def _grown(table: Tensor, peers: Sequence[Sequence[int]], generator: torch.Generator) -> Tensor:
    """A table with a row for each group of peers, near their mean. table [word, *unit]."""
    usual = list(range(len(SPECIAL), len(table)))
    spread = SCATTER * table[usual].std(dim=0)  # [*unit]
    rows = [table]
    for group in peers:
        known = [index for index in group if index >= len(SPECIAL)] or usual
        noise = torch.randn(spread.shape, generator=generator).to(table)
        rows.append((table[known].mean(dim=0) + spread * noise).unsqueeze(0))
    return torch.cat(rows)
