"""Valid traces of the two stations in which a sentence looks at itself, with made-up numbers."""

from __future__ import annotations

import numpy as np

from engine.tokens import tokenize
from engine.traces import (
    HeldOutLooks,
    Model,
    Projected,
    Provenance,
    QueryKeyValueTrace,
    Relabelled,
    Reordered,
    SelfAttentionTrace,
    SelfLook,
    Spread,
)

PRONOUNS = {
    "two": "小明 他",
    "short": "小明|说|他|很|累",
    "zh": "我|上个月|在|旧|书店|淘到|的|那|本|讲|量子力学|的|书|，|它|很|有趣",
    "fourteen": "小明|昨天|在|旧|书店|买|了|一|本|书|，|它|很|有趣",
    "en": "Xiaoming said to Xiaohong that he was very tired",
    "mixed": "小明|用|PyTorch|训练|RNN|，|他|很|累",
}
NAMES = "小明|告诉|小红|他|很|累"
THING = "小明|买|了|一|本|书|，|虽然|有点|旧|，|但|它|很|有趣"
ASKING = {"他", "它", "he", "it"}
SEEDS, UNITS, BINS = (1, 2, 3), 48, 20


def _provenance() -> Provenance:
    models = (Model("synthetic", "0" * 64, True),)
    return Provenance(models, 0, "float64", "cpu", ("numpy 0", "torch 0"))


def _softmax(scores: np.ndarray) -> np.ndarray:
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def self_look(sentence: str, antecedent: int = 0, trust: str = "known") -> SelfLook:
    tokens = tokenize(sentence)
    time, rng = len(tokens), np.random.default_rng(len(tokens))
    pronoun = next(i for i, token in enumerate(tokens) if token in ASKING)
    scores = rng.normal(size=(time, time)) + 5 * np.eye(time)
    scores[pronoun] = rng.normal(size=time)
    scores[pronoun, antecedent] += 6
    weights = _softmax(scores)
    return SelfLook(
        tokens=tokens,
        unknown=np.array([token in ("PyTorch", "RNN") for token in tokens]),
        pronoun=pronoun,
        antecedent=antecedent,
        scores=scores,
        weights=weights,
        untrained_weights=_softmax(0.1 * rng.normal(size=(time, time))),
        answer=tokens[antecedent],
        probability=0.98,
        right=True,
        leave_one_out=9 * weights[pronoun],
        seed_weights=np.array([weights[pronoun, antecedent], 0.9, 0.8]),
        seed_probabilities=np.array([0.98, 0.97, 0.9912]),
        agreeing=3,
        trust=trust,
    )


def reordered(time: int) -> Reordered:
    rng = np.random.default_rng(time)
    order = np.arange(time)
    order[[0, 2]] = order[[2, 0]]
    outputs, bare = rng.normal(size=(2, time, UNITS))
    swapped = outputs[order] + 0.2 * rng.normal(size=(time, UNITS))
    return Reordered(
        order=order,
        outputs=outputs,
        swapped_outputs=swapped,
        unordered_outputs=bare,
        unordered_swapped_outputs=bare[order],
        difference=float(np.abs(swapped - outputs[order]).max()),
        unordered_difference=4e-16,
    )


def held_out_looks() -> HeldOutLooks:
    after, before = np.zeros((2, len(SEEDS), BINS))
    after[:, -1], after[:, 2] = 0.96, 0.04
    before[:, 1:4] = 1 / 3
    every = np.ones(len(SEEDS))
    return HeldOutLooks(
        count=500, edges=np.linspace(0, 1, BINS + 1), shares=after, untrained_shares=before,
        weights=0.95 * every, untrained_weights=0.09 * every, right=0.998 * every,
        looked=0.97 * every, unordered_right=0.991 * every,
    )


def self_attention(sentence: str = PRONOUNS["short"], trust: str = "known") -> SelfAttentionTrace:
    names = self_look(NAMES)
    tokens = tokenize(NAMES)
    swapped = self_look("|".join((tokens[2], tokens[1], tokens[0], *tokens[3:])), antecedent=2)
    return SelfAttentionTrace(
        provenance=_provenance(),
        told=self_look(sentence, 12 if sentence == PRONOUNS["zh"] else 0, trust),
        names=names,
        swapped=swapped,
        thing=self_look(THING, antecedent=5),
        reordered=reordered(len(tokens)),
        held_out=held_out_looks(),
        seeds=SEEDS,
        units=UNITS,
    )


def relabelled(source: str, target: str, units: int = 64) -> Relabelled:
    sources, targets = tokenize(source), tokenize(target)
    j, i, rng = len(sources), len(targets), np.random.default_rng(len(sources))
    queries, keys = rng.normal(size=(i, units)), rng.normal(size=(j, units))
    values = np.tanh(rng.normal(size=(j, 2 * units)))
    scores, dot = 2 * rng.normal(size=(i, j)), queries @ keys.T / 8
    weights = _softmax(scores)
    return Relabelled(
        source=sources, target=targets, unknown=np.zeros(j, dtype=bool), queries=queries,
        keys=keys, values=values, scores=scores, weights=weights, contexts=weights @ values,
        earlier_weights=weights.copy(), weight_difference=0.0, context_difference=1e-16,
        dot_scores=dot, dot_weights=_softmax(dot),
    )


def projected(sentence: str) -> Projected:
    tokens = tokenize(sentence)
    time, rng = len(tokens), np.random.default_rng(len(tokens))
    inputs, queries, keys, values = rng.normal(size=(4, time, UNITS))
    products = 8 * rng.normal(size=time)
    products[0] = 61.6
    scores = products / np.sqrt(UNITS)
    return Projected(
        tokens=tokens, unknown=np.zeros(time, dtype=bool),
        asking=next(i for i, token in enumerate(tokens) if token in ASKING),
        inputs=inputs, queries=queries, keys=keys, values=values, products=products,
        scores=scores, weights=_softmax(scores), undivided_weights=_softmax(products),
        sensitivity=6e-4, undivided_sensitivity=1e-26, product_error=2e-16,
    )


def query_key_value(
    pair: tuple[str, str] = ("欢迎|来|杭州", "Welcome to Hangzhou"),
    sentence: str = PRONOUNS["short"],
) -> QueryKeyValueTrace:
    sizes = np.array([4, 16, 64, 256, 1024])
    deviations = np.sqrt(sizes) * np.array([1.01, 0.99, 1.0, 1.0, 1.02])
    return QueryKeyValueTrace(
        provenance=_provenance(),
        pair=relabelled(*pair),
        sentence=projected(sentence),
        spread=Spread(sizes, deviations, deviations / np.sqrt(sizes), 4000),
        decoder="conditional",
        attention_size=64,
        units=UNITS,
    )
