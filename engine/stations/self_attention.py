"""Station 7: a sentence looks at itself; the pronoun finds whom it means.

Three seeds of one small model read the lesson's sentences. Controls: the same architecture
untrained, each word hidden in turn, two names swapped, positions left out, held-out sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from engine.arrays import as_array
from engine.coreference import (
    SEEDS,
    Reader,
    load_reader,
    untrained_twin,
    weights_path,
)
from engine.coreference_figures import Found, find, held_out
from engine.coreference_trust import Judged, trust
from engine.coreference_words import words_of
from engine.device import choose_device
from engine.errors import InputError
from engine.lesson import Lesson
from engine.pronouns import Meant, people, who_is_meant
from engine.provenance import provenance
from engine.tokens import is_chinese
from engine.traces import HeldOutLooks, Reordered, SelfAttentionTrace, SelfLook

BINS = 20  # of α, from 0 to 1


@dataclass(frozen=True)
class Readers:
    """The shipped seeds and their untrained twins."""

    trained: tuple[Reader, ...]
    untrained: tuple[Reader, ...]

    @classmethod
    def shipped(cls, device: torch.device, seed: int = 0) -> Readers:
        trained = tuple(load_reader(weights_path(one), device) for one in SEEDS)
        twins = enumerate(trained)
        return cls(trained, tuple(untrained_twin(reader, seed + i) for i, reader in twins))

    @property
    def first(self) -> Reader:
        return self.trained[0]


def build(lesson: Lesson, device: str = "auto") -> SelfAttentionTrace:
    """All sentences of the station. Raises InputError where a pronoun cannot be decided."""
    place, part = choose_device(device), lesson.self_attention
    readers = Readers.shipped(place, lesson.seed)
    where = "self_attention.sentence"
    told = words_of(part.sentence, where)
    lang = "zh" if is_chinese(part.sentence) else "en"
    meant = who_is_meant(told, readers.first.kinds, where)
    names, order = _two_names(told, meant, getattr(part.names, lang), readers.first,
                              f"self_attention.names.{lang}")
    swapped = tuple(names[i] for i in order)
    thing_where = f"self_attention.thing.{lang}"
    thing = words_of(getattr(part.thing, lang), thing_where)
    models = [r.card for r in (*readers.trained, readers.untrained[0])]
    return SelfAttentionTrace(
        provenance=provenance(tuple(models), lesson.seed, place),
        told=look(readers, told, where),
        names=look(readers, names, f"self_attention.names.{lang}"),
        swapped=look(readers, swapped, f"self_attention.names.{lang}"),
        thing=look(readers, thing, thing_where),
        reordered=reorder(readers.first, names, order),
        held_out=_held_out(readers),
        seeds=SEEDS,
        units=readers.first.model.units,
    )


@torch.no_grad()
def look(readers: Readers, tokens: Sequence[str], where: str) -> SelfLook:
    """All numbers of one sentence. `where` names its place in the lesson."""
    first = readers.first
    meant = who_is_meant(tokens, first.kinds, where)
    seen = first.model.look(_inputs(first, tokens))
    before = readers.untrained[0]
    untrained = before.model.look(_inputs(before, tokens)).weights[0]  # [query, key]
    answer = int(_guess(first, tokens, meant.pronoun).argmax())
    judged = [_judged(reader, tokens, meant, answer) for reader in readers.trained]
    unknown = first.unknown(tokens)
    right = answer == first.vocabulary.entry(tokens[meant.antecedent])
    return SelfLook(
        tokens=tuple(tokens),
        unknown=np.array(unknown),
        pronoun=meant.pronoun,
        antecedent=meant.antecedent,
        scores=as_array(seen.scores[0]),
        weights=as_array(seen.weights[0]),
        untrained_weights=as_array(untrained),
        answer=first.said(answer, tokens),
        probability=judged[0].probability,
        right=right,
        leave_one_out=as_array(_left_out(first, tokens, meant.pronoun, answer)),
        seed_weights=np.array([one.weight for one in judged]),
        seed_probabilities=np.array([one.probability for one in judged]),
        agreeing=sum(one.agrees for one in judged),
        trust=trust(judged, right, sum(unknown), len(tokens)),
    )


def _inputs(reader: Reader, tokens: Sequence[str], ordered: bool = True) -> Tensor:
    return reader.model.read(reader.encode(tokens).unsqueeze(0), ordered)  # [1, time, unit]


def _guess(reader: Reader, tokens: Sequence[str], pronoun: int) -> Tensor:
    """log p of every word that the pronoun may mean. [word]"""
    context = reader.model.look(_inputs(reader, tokens)).context[0, pronoun]  # [unit]
    return reader.model.answer(context).log_softmax(dim=-1)


def _judged(reader: Reader, tokens: Sequence[str], meant: Meant, answer: int) -> Judged:
    """What one seed makes of the first one's answer."""
    weights = reader.model.look(_inputs(reader, tokens)).weights[0, meant.pronoun]  # [key]
    log_p = _guess(reader, tokens, meant.pronoun)
    looked = reader.vocabulary.entry(tokens[int(weights.argmax())])
    same = looked == answer == int(log_p.argmax())
    return Judged(float(log_p[answer].exp()), float(weights[meant.antecedent]), same)


def _left_out(reader: Reader, tokens: Sequence[str], pronoun: int, answer: int) -> Tensor:
    """log p(answer) minus the same when one word cannot be looked at. [key]"""
    time = len(tokens)
    inputs = _inputs(reader, tokens).expand(time, -1, -1)  # [key, time, unit]
    hidden = torch.eye(time, dtype=torch.bool, device=inputs.device).unsqueeze(1)  # [key, 1, key]
    context = reader.model.look(inputs, hidden).context[:, pronoun]  # [key, unit]
    without = reader.model.answer(context).log_softmax(dim=-1)[:, answer]  # [key]
    return _guess(reader, tokens, pronoun)[answer] - without


def _two_names(
    told: tuple[str, ...], meant: Meant, other: str, reader: Reader, where: str
) -> tuple[tuple[str, ...], list[int]]:
    """A sentence with two names before its pronoun, and the order that swaps them."""
    order = _swap(told, meant, reader)
    if order is not None:
        return told, order
    tokens = words_of(other, where)
    order = _swap(tokens, who_is_meant(tokens, reader.kinds, where), reader)
    if order is None:
        raise InputError("coreference.two_names", where=where, sentence=other)
    return tokens, order


def _swap(tokens: Sequence[str], meant: Meant, reader: Reader) -> list[int] | None:
    """Positions with the two names changed; None where there are not two before the pronoun."""
    found = people(tokens, reader.kinds)
    if len(found) != 2 or found[1] > meant.pronoun or tokens[found[0]] == tokens[found[1]]:
        return None
    order = list(range(len(tokens)))
    one, other = found
    order[one], order[other] = other, one
    return order


@torch.no_grad()
def reorder(reader: Reader, tokens: Sequence[str], order: Sequence[int]) -> Reordered:
    """What comes back to every word in both orders, with positions and without."""
    swapped = [tokens[i] for i in order]
    outputs = {
        (ordered, which): reader.model.look(_inputs(reader, words, ordered)).context[0]
        for ordered in (True, False)
        for which, words in (("before", tokens), ("after", swapped))
    }  # [time, unit] each
    moved = torch.tensor(list(order), device=outputs[True, "before"].device)
    apart = [
        float((outputs[ordered, "after"] - outputs[ordered, "before"][moved]).abs().max())
        for ordered in (True, False)
    ]
    return Reordered(
        order=np.array(order),
        outputs=as_array(outputs[True, "before"]),
        swapped_outputs=as_array(outputs[True, "after"]),
        unordered_outputs=as_array(outputs[False, "before"]),
        unordered_swapped_outputs=as_array(outputs[False, "after"]),
        difference=apart[0],
        unordered_difference=apart[1],
    )


def _held_out(readers: Readers) -> HeldOutLooks:
    """The same question asked of sentences that training never had, by every seed."""
    sentences = held_out()
    after = [find(reader, sentences) for reader in readers.trained]
    before = [find(reader, sentences) for reader in readers.untrained]
    unordered = [find(reader, sentences, ordered=False) for reader in readers.trained]
    return HeldOutLooks(
        count=len(sentences),
        edges=np.linspace(0.0, 1.0, BINS + 1),
        shares=_shares(after),
        untrained_shares=_shares(before),
        weights=_means([one.weights for one in after]),
        untrained_weights=_means([one.weights for one in before]),
        right=_means([one.right for one in after]),
        looked=_means([one.looked for one in after]),
        unordered_right=_means([one.right for one in unordered]),
    )


def _shares(found: Sequence[Found]) -> np.ndarray:
    """Share of the sentences in every bin of α. # [seed, bin]"""
    counts = [np.histogram(as_array(one.weights), BINS, (0.0, 1.0))[0] for one in found]
    return np.array(counts) / len(found[0].weights)


def _means(values: Sequence[Tensor]) -> np.ndarray:
    return np.array([float(one.double().mean()) for one in values])  # [seed]
