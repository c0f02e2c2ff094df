"""Station 5 with a MarianMT folder: one cross-attention of a Transformer, word by word.

A word's column is the sum over its source pieces. A word's row is the look before its first
piece: then it is decided what to say. The column of `</s>`, where heads park what they do not
need, is kept beside the rows (`end_weights`) and the rows are brought back to 1 without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from engine.arrays import as_array
from engine.errors import InputError
from engine.lesson import Lesson, Pair
from engine.marian import (
    Marian,
    Passed,
    encode,
    greedy,
    next_piece,
    open_marian,
    passed,
    uniform_twin,
    untrained_twin,
)
from engine.marian_pieces import SPACE, Pieced
from engine.own_models import folder_of
from engine.provenance import provenance
from engine.quality import crossings
from engine.tokens import join
from engine.traces import Evidence, Lookback, LookingBackTrace
from engine.trust import trust

STOP = "∎"  # said where the model would say no more
MOST_SAID = 8  # pieces of a word that it would rather say
SMALLEST = 1e-300  # of a weight whose logarithm is taken


def build_marian(lesson: Lesson, place: torch.device) -> LookingBackTrace:
    """Every pair of the lesson through the lesson's MarianMT folder."""
    marian = open_marian(folder_of(lesson), lesson.translation, place)
    twins = untrained_twin(marian, lesson.seed), uniform_twin(marian)
    pairs = tuple(
        look_back(marian, *twins, pair, f"looking_back.pairs[{index}]")
        for index, pair in enumerate(lesson.looking_back.pairs)
    )
    return LookingBackTrace(
        provenance=provenance((marian.card, twins[0].card), lesson.seed, place),
        pairs=pairs,
        decoder="marian",
        attention_size=marian.model.config.d_model // marian.heads,
        layer=marian.layer,
        head=marian.head,
        heads=marian.heads,
    )


@dataclass(frozen=True)
class Looked:
    """One pass, put together word by word."""

    scores: Tensor  # [target, source]
    weights: Tensor  # [target, source]
    end: Tensor  # [target], what </s> had before the rows were brought back to 1
    queries: Tensor  # [target, unit]
    log_p: Tensor  # [target + 1], of words; the last is that of stopping


def look_back(
    marian: Marian, untrained: Marian, uniform: Marian, pair: Pair, where: str
) -> Lookback:
    """All numbers of one sentence pair. `where` names its place in the lesson."""
    source = _known(marian.source.pieced(pair.source, f"{where}.source"), f"{where}.source")
    _check_length(marian, source, f"{where}.source")
    states = encode(marian, source.pieces)
    own = marian.target.said(greedy(marian, states))
    given = pair.target and _known(marian.target.pieced(pair.target, where), f"{where}.target")
    target = given or own
    if not own.pieces and not given:
        raise InputError("translation.silent", where=where)
    _check_length(marian, target, f"{where}.target")
    looked, before, frozen = (look(each, source, target) for each in (marian, untrained, uniform))
    annotations = word_means(states[0, :-1], source)  # [source, unit]
    contexts = looked.weights @ annotations  # [target, unit]
    costs = left_out(marian, states, source, target, looked.log_p[:-1])  # [target, source]
    said, said_p = best_words(marian, states, target, looked.log_p)
    evidence = _evidence(marian, own, target, looked, costs)
    return Lookback(
        source=source.words,
        target=target.words,
        target_given=bool(given),
        unknown=np.zeros(len(source.words), dtype=bool),
        annotations=as_array(annotations),
        queries=as_array(looked.queries),
        scores=as_array(looked.scores),
        weights=as_array(looked.weights),
        contexts=as_array(contexts),
        context_error=_context_error(contexts, looked.weights, states[0, :-1], source),
        probabilities=as_array(looked.log_p[:-1].exp()),
        said=said,
        said_probabilities=np.array(said_p),
        untrained_weights=as_array(before.weights),
        untrained_probabilities=as_array(before.log_p[:-1].exp()),
        uniform_probabilities=as_array(frozen.log_p[:-1].exp()),
        leave_one_out=as_array(costs),
        crossings=crossings(looked.weights.argmax(dim=-1).tolist()),
        trust=trust(evidence, 0, len(source.words)),
        min_probability=float(looked.log_p.min().exp()),
        evidence=evidence,
        end_weights=as_array(looked.end),
    )


def look(marian: Marian, source: Pieced, target: Pieced) -> Looked:
    """What one model does with a pair."""
    states = encode(marian, source.pieces)
    found = passed(marian, states, target.pieces, states.new_ones(states.shape[:2]))
    firsts = [target.of(i)[0] for i in range(len(target.words))]
    rows = _rows(marian, found, states)[firsts]  # [target, source + 1], log of weights or scores
    scores = torch.stack(
        [rows[:, source.of(j)].logsumexp(dim=-1) for j in range(len(source.words))], dim=-1
    )  # [target, source]
    end = rows.softmax(dim=-1)[:, -1]  # [target]
    return Looked(scores, scores.softmax(dim=-1), end, found.asking[0, firsts], _word_log_p(
        marian, found, target
    )[0])


def _rows(marian: Marian, found: Passed, states: Tensor) -> Tensor:
    """One head's scores q·k/√d, or the logarithm of the mean weight of all heads: a softmax makes
    the weights of either. [target + 1, source + 1]"""
    if not marian.head:
        return found.attention[0].mean(dim=0).clamp_min(SMALLEST).log()
    attention = marian.model.model.decoder.layers[marian.layer - 1].encoder_attn
    size, at = attention.head_dim, marian.head - 1
    with torch.no_grad():
        queries, keys = attention.q_proj(found.asking[0]), attention.k_proj(states[0])
    part = slice(at * size, (at + 1) * size)
    scores: Tensor = queries[:, part] @ keys[:, part].T * attention.scaling
    return scores


def _word_log_p(marian: Marian, found: Passed, target: Pieced) -> Tensor:
    """log p of each word, the sum over its pieces, and of stopping. [batch, target + 1]"""
    row = torch.tensor([*target.pieces, marian.target.end], device=marian.device)
    log_p = found.log_probabilities  # [batch, piece + 1, piece of the vocabulary]
    each = log_p.gather(-1, row.expand(len(log_p), -1).unsqueeze(-1)).squeeze(-1)
    words = [each[:, target.of(i)].sum(dim=-1) for i in range(len(target.words))]
    return torch.stack([*words, each[:, -1]], dim=-1)


def word_means(states: Tensor, words: Pieced) -> Tensor:
    """A word's annotation: the mean of those of its pieces. [word, unit]"""
    return torch.stack([states[words.of(j)].mean(dim=0) for j in range(len(words.words))])


def _context_error(contexts: Tensor, weights: Tensor, states: Tensor, source: Pieced) -> float:
    """The context summed up piece by piece must be the one summed up word by word."""
    counts = torch.tensor([len(source.of(j)) for j in source.owners], device=states.device)
    each = weights[:, list(source.owners)] / counts  # [target, piece]
    return float((contexts - each @ states).norm(dim=-1).max())


def left_out(
    marian: Marian, states: Tensor, source: Pieced, target: Pieced, log_p: Tensor
) -> Tensor:
    """log p(y_i) - log p(y_i) when no cross-attention of any layer may look at word j.
    [target, source]"""
    count = len(source.words)
    seen = torch.ones(count, states.shape[1], device=marian.device)
    for j in range(count):
        seen[j, source.of(j)] = 0
    found = passed(marian, states.expand(count, -1, -1), target.pieces, seen)
    return log_p.unsqueeze(1) - _word_log_p(marian, found, target)[:, :-1].T


def best_words(
    marian: Marian, states: Tensor, target: Pieced, log_p: Tensor
) -> tuple[tuple[str, ...], list[float]]:
    """The word that the model finds most likely at each place, and its p."""
    seen = states.new_ones(states.shape[:2])
    best = passed(marian, states, target.pieces, seen).log_probabilities[0].argmax(dim=-1).tolist()
    words: list[str] = []
    chances: list[float] = []
    for i, word in enumerate(target.words):
        pieces = target.of(i)
        if all(best[k] == target.pieces[k] for k in pieces):
            words.append(word)
            chances.append(float(log_p[i].exp()))
        else:
            begun = target.pieces[: pieces[0]]
            said, chance = _next_word(marian, states, begun)
            words.append(said)
            chances.append(chance)
    return tuple(words), chances


def _next_word(marian: Marian, states: Tensor, begun: tuple[int, ...]) -> tuple[str, float]:
    """The model's own word after a beginning, as far as the next space or sign."""
    names = {index: piece for piece, index in marian.target.indices.items()}
    said = [next_piece(marian, states, begun)]
    if said[0] == marian.target.end:
        return STOP, _chance(marian, states, begun, tuple(said))
    while len(begun) + len(said) < marian.most_pieces and len(said) < MOST_SAID:
        piece = next_piece(marian, states, (*begun, *said))
        if piece == marian.target.end or _breaks(names[piece]):
            break
        said.append(piece)
    text = join(marian.target.said(said).words) or names[said[0]]
    return text, _chance(marian, states, begun, tuple(said))


def _breaks(piece: str) -> bool:
    return piece.startswith(SPACE) or not piece[0].isalnum()


def _chance(
    marian: Marian, states: Tensor, begun: tuple[int, ...], said: tuple[int, ...]
) -> float:
    seen = states.new_ones(states.shape[:2])
    log_p = passed(marian, states, (*begun, *said), seen).log_probabilities[0, len(begun) : -1]
    words = torch.tensor(said, device=marian.device).unsqueeze(-1)
    return float(log_p.gather(-1, words).sum().exp())


def _evidence(
    marian: Marian, own: Pieced, target: Pieced, looked: Looked, costs: Tensor
) -> Evidence:
    """One model has no other seeds to ask."""
    most = looked.weights.argmax(dim=-1, keepdim=True)  # [target, 1]
    return Evidence(
        seeds=(marian.card.name,),
        translations=(join(own.words),),
        agreeing=1,
        seed_probabilities=np.array([float(looked.log_p.min().exp())]),
        content=np.ones(len(target.words), dtype=bool),  # of a language we know nothing of
        aligned_alike=np.ones(len(target.words), dtype=np.int64),
        aligned_costs=as_array(costs.gather(-1, most).squeeze(-1)),
    )


def _known(sentence: Pieced, where: str) -> Pieced:
    """Raises InputError that names the words which the model has no pieces for."""
    pairs = zip(sentence.words, sentence.unknown, strict=True)
    missing: Sequence[str] = [word for word, unknown in pairs if unknown]
    if missing:
        raise InputError("model.no_piece", where=where, words=", ".join(dict.fromkeys(missing)))
    return sentence


def _check_length(marian: Marian, sentence: Pieced, where: str) -> None:
    count, most = len(sentence.pieces), marian.most_pieces
    if count > most:
        raise InputError("model.too_long", where=where, count=count, most=most)
