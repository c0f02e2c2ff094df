"""Made-up traces of the first two stations; `tests.factories` has all of them."""

from __future__ import annotations

import numpy as np

from engine.tokens import tokenize
from engine.traces import (
    Answer,
    InContext,
    Model,
    Ordered,
    Provenance,
    UnrolledTrace,
    WordOrderTrace,
)

PROVENANCE = Provenance((Model("synthetic", "0" * 64, True),), 0, "float64", "cpu", ("numpy 0",))


def word_order(
    sentence: str = "我打你", context: str = "苹果|很|甜", seed: int = 0
) -> WordOrderTrace:
    """The sentence forwards and backwards; its words before and after one of the context's."""
    rng = np.random.default_rng(seed)
    tokens, unit, wide = tokenize(sentence), 24, 64
    turned = tokens[::-1] if tokens[::-1] != tokens else (*tokens[1:], tokens[0])
    bag = rng.normal(size=unit)
    asked = len(tokens) == 3
    states = [np.tanh(rng.normal(size=(len(tokens), unit))) for _ in range(2)]
    first = tokenize(context)
    contexts = (first, (first[0], "发布", "了", "新", "手机"))
    forward = np.tanh(rng.normal(size=wide))
    backward = [np.tanh(rng.normal(size=wide)) for _ in range(2)]
    return WordOrderTrace(
        provenance=PROVENANCE,
        orders=tuple(Ordered(t, bag, h) for t, h in zip((tokens, turned), states, strict=True)),
        states_trained=asked,
        bag_distance=0.0,
        state_distance=float(np.linalg.norm(states[0][-1] - states[1][-1])),
        state_cosine=0.34,
        candidates=(tokens[0], tokens[-1]) if asked else (),
        answers=(
            Answer(0, np.array([0.42, 0.57]), np.array([0.998, 0.001])),
            Answer(1, np.array([0.42, 0.57]), np.array([0.001, 0.998])),
        ) if asked else (),
        rnn_accuracies=np.array([1.0, 1.0, 0.99]),
        bag_accuracies=np.array([0.49, 0.48, 0.5]),
        questions=2000,
        persons=235,
        word=first[0],
        contexts=tuple(
            InContext(t, 0, forward, b) for t, b in zip(contexts, backward, strict=True)
        ),
        encoder_trained=True,
        forward_differences=np.zeros(wide),
        backward_differences=backward[1] - backward[0],
        forward_distance=0.0,
        backward_distance=float(np.linalg.norm(backward[1] - backward[0])),
        backward_cosine=0.1,
        same_before=True,
    )


def unrolled(sentence: str = "我|昨天|在|杭州|买|了|一|本|书", seed: int = 0) -> UnrolledTrace:
    rng = np.random.default_rng(seed)
    tokens, unit, embedding = tokenize(sentence), 8, 6
    time = len(tokens)
    parts = 0.5 ** np.arange(time)[::-1]
    parts[0] = 0.0
    differences = rng.uniform(0.1, 1.0, time)
    differences[0] = 0.0
    weight = rng.normal(scale=0.3, size=(unit, unit))
    steps = np.array([3, 10, 100])
    return UnrolledTrace(
        provenance=PROVENANCE,
        sentence=sentence,
        tokens=tokens,
        recurrent_weight=weight,
        input_weight=rng.normal(scale=0.4, size=(unit, embedding)),
        bias=rng.normal(scale=0.2, size=unit),
        hidden_states=np.tanh(rng.normal(size=(time, unit))),
        entry=(2, 3),
        entry_before=float(weight[2, 3]),
        entry_after=float(weight[2, 3]) + 0.5,
        changed_states=np.tanh(rng.normal(size=(time, unit))),
        state_differences=differences,
        states_changed=time - 1,
        parameters=120,
        steps=steps,
        shared=np.full(3, 120),
        separate=steps * 120,
        part_norms=parts,
        weight_gradient=rng.normal(scale=0.2, size=(unit, unit)),
        weight_gradient_norm=1.9,
        sum_error=2e-16,
    )
