"""Station 8: what station 5 computed, called query, key and value; then two projections of h.

The pair's queries, keys and values are read out of the very translator of station 5 and its
weights are computed from them anew: equal, whatever they are called. The sentence of station 7
shows where key and value part company, and what dividing by the root of d is for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from engine.arrays import as_array
from engine.attention import AdditiveAttention, scaled_dot_product
from engine.chosen import chosen
from engine.coreference import SEEDS, Reader, load_reader, weights_path
from engine.coreference_words import words_of
from engine.decoder import AttentiveDecoder
from engine.decoding import teacher_forced
from engine.device import choose_device
from engine.errors import InputError
from engine.lesson import Lesson, Pair
from engine.matching import match_pair
from engine.pronouns import who_is_meant
from engine.provenance import provenance
from engine.traces import Projected, QueryKeyValueTrace, Relabelled, Spread
from engine.translators import Interpreter, own_words
from engine.vocabulary import UNKNOWN

SIZES = (4, 16, 64, 256, 1024)  # d of the random vectors
PAIRS = 4000  # of them per size


@dataclass(frozen=True)
class Asked:
    """The lesson's pair and sentence, and where they stand in it."""

    pair: Pair
    pair_where: str
    sentence: str
    sentence_where: str

    @classmethod
    def of(cls, lesson: Lesson) -> Asked:
        own = lesson.query_key_value
        pair = own.pair or lesson.looking_back.pairs[0]
        pair_where = "query_key_value.pair" if own.pair else "looking_back.pairs[0]"
        sentence = own.sentence or lesson.self_attention.sentence
        part = "query_key_value" if own.sentence else "self_attention"
        return cls(pair, pair_where, sentence, f"{part}.sentence")


def build(lesson: Lesson, device: str = "auto") -> QueryKeyValueTrace:
    """The pair and the sentence. Raises InputError for words or pronouns that no model knows."""
    place, asked = choose_device(device), Asked.of(lesson)
    translator = chosen(lesson, asked.pair.source, "conditional", place)
    reader = load_reader(weights_path(SEEDS[0]), place)
    allowed = lesson.translation.allow_unknown
    sizes = translator.model.sizes
    return QueryKeyValueTrace(
        provenance=provenance(
            (translator.card, reader.card),
            lesson.seed,
            place,
            (translator.learned,) if translator.learned else (),
        ),
        pair=relabel(translator, asked.pair, asked.pair_where, allowed),
        sentence=project(reader, asked.sentence, asked.sentence_where),
        spread=spread(lesson.seed),
        decoder=sizes.decoder,
        attention_size=sizes.attention,
        units=reader.model.units,
    )


@torch.no_grad()
def relabel(translator: Interpreter, pair: Pair, where: str, allow_unknown: bool) -> Relabelled:
    """Station 5's numbers for a pair, taken apart into q, k and v and put together again."""
    source, given = match_pair(pair, translator.source, translator.target, where, allow_unknown)
    target = given or own_words(translator, source, where)
    steps = len(target.indices)
    earlier = teacher_forced(translator.model, source.indices, target.indices)
    attention = _attention(translator)
    row = torch.tensor([source.indices], device=translator.device)  # [1, source]
    values = translator.model.read(row).annotations[0]  # [source, value]
    queries = attention.query(earlier.queries[:steps])  # [target, unit]
    keys = attention.key(values)  # [source, unit]
    scores = additive(queries, keys, attention.energy.weight[0])  # [target, source]
    weights = scores.softmax(dim=-1)  # [target, source]
    contexts = weights @ values  # [target, value]
    dot = scaled_dot_product(queries, keys, values)
    return Relabelled(
        source=source.words,
        target=target.words,
        unknown=np.array([index == UNKNOWN for index in source.indices]),
        queries=as_array(queries),
        keys=as_array(keys),
        values=as_array(values),
        scores=as_array(scores),
        weights=as_array(weights),
        contexts=as_array(contexts),
        earlier_weights=as_array(earlier.weights[:steps]),
        weight_difference=float((weights - earlier.weights[:steps]).abs().max()),
        context_difference=float((contexts - earlier.contexts[:steps]).abs().max()),
        dot_scores=as_array(dot.scores),
        dot_weights=as_array(dot.weights),
    )


def additive(queries: Tensor, keys: Tensor, energy: Tensor) -> Tensor:
    """e_ij = vᵀ tanh(q_i + k_j) (Bahdanau et al. 2015, A.1.2).

    queries [target, unit], keys [source, unit], energy [unit]."""
    return torch.tanh(queries.unsqueeze(1) + keys) @ energy  # [target, source]


def _attention(translator: Interpreter) -> AdditiveAttention:
    decoder = translator.model.decoder
    if not isinstance(decoder, AttentiveDecoder):
        raise InputError("model.only_looking_back", folder=translator.card.name)
    return decoder.attention


@torch.no_grad()
def project(reader: Reader, sentence: str, where: str) -> Projected:
    """The pronoun of a sentence asks: three projections of every word, with and without √d."""
    tokens, model = words_of(sentence, where), reader.model
    asking = who_is_meant(tokens, reader.kinds, where).pronoun
    inputs = model.read(reader.encode(tokens).unsqueeze(0))[0]  # [time, unit]
    queries, keys, values = (part(inputs) for part in (model.query, model.key, model.value))
    products = keys @ queries[asking]  # [time]
    scores = products / math.sqrt(model.units)  # [time]
    weights, undivided = scores.softmax(dim=-1), products.softmax(dim=-1)  # [time]
    theirs = functional.scaled_dot_product_attention(queries[None], keys[None], values[None])
    return Projected(
        tokens=tokens,
        unknown=np.array(reader.unknown(tokens)),
        asking=asking,
        inputs=as_array(inputs),
        queries=as_array(queries),
        keys=as_array(keys),
        values=as_array(values),
        products=as_array(products),
        scores=as_array(scores),
        weights=as_array(weights),
        undivided_weights=as_array(undivided),
        sensitivity=sensitivity(weights),
        undivided_sensitivity=sensitivity(undivided),
        product_error=float((weights @ values - theirs[0, asking]).abs().max()),
    )


def sensitivity(weights: Tensor) -> float:
    """‖diag(α) - α αᵀ‖, the Jacobian of softmax at these weights (Frobenius). weights [time]"""
    return float((torch.diag(weights) - torch.outer(weights, weights)).norm())


def spread(seed: int) -> Spread:
    """How far q·k scatters for random vectors of growing size (Vaswani et al. 2017, footnote 4)."""
    dice = torch.Generator().manual_seed(seed)
    deviations = []
    for size in SIZES:
        queries, keys = (
            torch.randn(PAIRS, size, generator=dice, dtype=torch.float64) for _ in range(2)
        )  # [pair, unit]
        deviations.append(float((queries * keys).sum(dim=-1).std()))
    sizes = np.array(SIZES)
    return Spread(sizes, np.array(deviations), np.array(deviations) / np.sqrt(sizes), PAIRS)
