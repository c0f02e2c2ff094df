"""Valid traces with made-up numbers, for tests of pictures and files: shapes without torch.

The numbers only have to be plausible; that real ones come from the engine is tested elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.tokens import tokenize
from engine.traces import (
    Clipping,
    ClosedEyesRecitalTrace,
    ConveyorBeltTrace,
    Evidence,
    ForgetBias,
    LengthCurve,
    Lookback,
    LookingBackTrace,
    Model,
    Provenance,
    Recall,
    Recital,
    RelayGameTrace,
)
from tests.attending_factories import query_key_value as query_key_value
from tests.attending_factories import self_attention as self_attention
from tests.measured_factories import finale as finale
from tests.measured_factories import serial_parallel as serial_parallel
from tests.opening_factories import unrolled as unrolled
from tests.opening_factories import word_order as word_order

SENTENCES = {
    "two": "你好 世界",
    "short": "我爱你",
    "zh": "我上个月在旧书店淘到的那本讲量子力学的书，它很有趣",
    "fourteen": "我|昨天|在|旧|书店|买|了|一|本|讲|历史|的|书|。",
    "en": "The teacher who found the old book yesterday reads it in the library",
    "mixed": "我用PyTorch训练RNN，it works。",
}
PAIRS = {
    "two": ("你好|世界", "hello world"),
    "short": ("我爱你", "I love you"),
    "zh": ("我昨天在杭州买了一本书", "I bought a book in Hangzhou yesterday"),
    "fourteen": (
        "我|昨天|在|旧|书店|买|了|一|本|讲|历史|的|书|。",
        "I bought a book about history in the old bookstore yesterday morning with him .",
    ),
    "en": ("the old teacher reads a book", "那|个|老|老师|在|读|一|本|书"),
    "mixed": ("我用PyTorch训练RNN", "I train an RNN with PyTorch"),
}


def provenance(name: str = "synthetic") -> Provenance:
    return Provenance((Model(name, "0" * 64, True),), 0, "float64", "cpu", ("numpy 0", "torch 0"))


def rows(rng: np.random.Generator, target: int, source: int) -> np.ndarray:
    """Attention-like weights with one clear peak per row. # [target, source]"""
    scores = rng.normal(size=(target, source))
    scores[np.arange(target), rng.integers(0, source, target)] += 4.0
    weights = np.exp(scores)
    return weights / weights.sum(axis=-1, keepdims=True)


def relay_game(sentence: str = SENTENCES["zh"], seed: int = 0, steps: int = 100) -> RelayGameTrace:
    rng = np.random.default_rng(seed)
    tokens = tokenize(sentence)
    time, unit = len(tokens), 32
    factors = rng.uniform(0.4, 0.8, time - 1)
    relative = np.concatenate([np.cumprod(factors[::-1])[::-1], [1.0]])
    lag = np.arange(steps + 1)
    return RelayGameTrace(
        provenance=provenance(),
        sentence=sentence,
        tokens=tokens,
        hidden_size=unit,
        gain=0.9,
        spectral_radius=0.9,
        spectral_norm=0.9,
        log10_linear_norms=lag * np.log10(0.9),
        log10_linear_reference=lag * np.log10(0.9),
        log10_linear_far=1000 * np.log10(0.9),
        hidden_states=np.tanh(rng.normal(size=(time, unit))),
        log10_gradient_norms=np.log10(relative),
        relative_gradients=relative,
        step_factors=factors,
        log10_input_gradient_norms=np.log10(relative) - 0.2,
        weight_parts=relative * rng.uniform(0.5, 1.5, time),
        weight_gradient_norm=1.3,
        log10_band=np.log10(relative) + rng.normal(scale=0.2, size=(8, time)),
        autograd_error=3e-15,
        exploding_gain=2.0,
        exploding_input_scale=0.1,
        log10_exploding_norms=lag * 0.07,
        clipping=Clipping(
            log10_norm=1.57,
            limit=1.0,
            norm_clipped=1.0,
            cosine_by_norm=1.0,
            norm_by_value=4.1,
            cosine_by_value=0.83,
        ),
    )


def conveyor_belt(sentence: str = SENTENCES["zh"], seed: int = 0) -> ConveyorBeltTrace:
    rng = np.random.default_rng(seed)
    tokens = ("小明", *tokenize(sentence), "谁")
    time, unit, shown = len(tokens), 64, 6

    def gate() -> np.ndarray:
        return rng.uniform(0.02, 0.999, (time, unit))

    cells = np.zeros((time + 1, unit))
    f, i, g = gate(), gate(), rng.uniform(-1, 1, (time, unit))
    for step in range(time):
        cells[step + 1] = f[step] * cells[step] + i[step] * g[step]
    lag = np.array([*range(101), *range(110, 1001, 10)])
    slopes = {"rnn": 0.48, "lstm": 0.02, "gru": 0.01}
    distances = np.array([1, 10, 20, 60, 120])

    def recall(cell: str, slope: float) -> Recall:
        return Recall(
            cell=cell,
            answer="小明" if slope < 0.1 else "小红",
            probability=0.99 if slope < 0.1 else 0.08,
            names_right=26 if slope < 0.1 else 1,
            names=26,
            log10_input_gradients=-slope * np.arange(time)[::-1],
            log10_state_jacobians=-slope * np.arange(time)[::-1],
            accuracy_by_distance=np.clip(1 - slope * distances / 5, 0.1, 1),
            distances=distances,
        )

    return ConveyorBeltTrace(
        provenance=provenance(),
        tokens=tokens,
        name=tokens[0],
        name_added=True,
        unknown=rng.random(time) < 0.1,
        forget_gate=f,
        input_gate=i,
        output_gate=gate(),
        candidate=g,
        cell_states=cells,
        hidden_states=np.tanh(cells),
        units=np.arange(shown),
        log10_direct_path=np.cumsum(np.log10(f[::-1, :shown]), axis=0)[::-1],
        log10_direct_norms=-0.01 * np.arange(time)[::-1],
        log10_full_norms=-0.005 * np.arange(time)[::-1],
        update_error=1e-16,
        update_gate=gate(),
        gru_hidden_states=np.tanh(rng.normal(size=(time + 1, unit))),
        recalls=tuple(recall(cell, slope) for cell, slope in slopes.items()),
        near_first_rnn=recall("rnn", -0.01),
        forget_biases=tuple(
            ForgetBias(bias, lag, -lag * slope * 1.2, -lag * slope)
            for bias, slope in ((0.0, 0.21), (1.0, 0.08), (3.0, 0.003))
        ),
        trained_forget_bias=ForgetBias(1.1, lag, -lag * 0.004, -lag * 0.002),
    )


def evidence(target: Sequence[str], probabilities: np.ndarray) -> Evidence:
    """Three seeds that agree on every word but the last one's source."""
    least, words = float(probabilities.min()), len(target)
    return Evidence(
        seeds=tuple(f"synthetic_seed{seed}" for seed in (1, 2, 3)),
        translations=(" ".join(target),) * 3,
        agreeing=3,
        seed_probabilities=np.array([least, least * 0.99, least * 0.98]),
        content=np.arange(words) % 3 != 2,
        aligned_alike=np.array([3] * (words - 1) + [2]),
        aligned_costs=np.linspace(0.2, 9.0, words),
    )


def recital(source: str, target: str, right: float, seed: int = 0) -> Recital:
    rng = np.random.default_rng(seed)
    tokens, reference = tokenize(source), tokenize(target)
    correct = rng.random(len(reference)) < right
    correct[0] = True
    output = tuple(w if ok else "something" for w, ok in zip(reference, correct, strict=True))
    return Recital(
        source=tokens,
        reference=reference,
        reference_given=True,
        output=output,
        probabilities=rng.uniform(0.2, 1.0, len(output)),
        correct=correct,
        context=np.tanh(rng.normal(size=64)),
        kept=rng.uniform(0.05, 1.0, len(tokens)),
        attended_output=reference,
        attended_probabilities=rng.uniform(0.9, 1.0, len(reference)),
        attended_correct=np.ones(len(reference), dtype=bool),
        trust="known",
        evidence=evidence(reference, rng.uniform(0.9, 1.0, len(reference))),
    )


def closed_eyes_recital(
    short: Sequence[str] = ("欢迎来杭州", "Welcome to Hangzhou"),
    long: Sequence[str] = (
        SENTENCES["zh"],
        "The book about quantum mechanics that I found in the old bookstore last month,"
        " it is very interesting",
    ),
) -> ClosedEyesRecitalTrace:
    lengths = np.array([4, 8, 15, 25, 35, 45, 55])
    counts = np.array([210, 340, 200, 110, 70, 40, 30])
    fixed = np.array([77, 51, 38, 29, 22, 17, 15.0])
    attention = np.array([99, 99, 98, 98, 98, 98, 98.0])
    share = np.linspace(0.9, 0.6, 15).reshape(3, 5)
    return ClosedEyesRecitalTrace(
        provenance=provenance(),
        short=recital(*short, right=1.0),
        long=recital(*long, right=0.3, seed=1),
        curves=(
            LengthCurve("fixed", 64, 344_000, lengths, fixed, fixed / 100, counts),
            LengthCurve("attention", 0, 360_000, lengths, attention, attention / 100, counts),
        ),
        probe_accuracy=share,
        probe_chance=np.full((3, 5), 0.5),
        probe_counts=np.full((3, 5), 200),
        probe_lengths=("3-10", "11-20", "21-40"),
    )


def lookback(source: str, target: str, seed: int = 0) -> Lookback:
    rng = np.random.default_rng(seed)
    source_tokens, target_tokens = tokenize(source), tokenize(target)
    j, i, unit = len(source_tokens), len(target_tokens), 128
    weights, annotations = rows(rng, i, j), np.tanh(rng.normal(size=(j, unit)))
    probabilities = rng.uniform(0.7, 1.0, i)
    return Lookback(
        source=source_tokens,
        target=target_tokens,
        target_given=True,
        unknown=np.zeros(j, dtype=bool),
        annotations=annotations,
        queries=np.tanh(rng.normal(size=(i, unit))),
        scores=np.log(weights) + 3.0,
        weights=weights,
        contexts=weights @ annotations,
        context_error=2e-16,
        probabilities=probabilities,
        said=target_tokens,
        said_probabilities=probabilities,
        untrained_weights=np.full((i, j), 1 / j),
        untrained_probabilities=np.full(i, 1 / 2000),
        uniform_probabilities=probabilities * 0.2,
        leave_one_out=weights * 8,
        crossings=int(rng.integers(0, 6)),
        trust="known",
        min_probability=float(probabilities.min()),
        evidence=evidence(target_tokens, probabilities),
    )


def looking_back(
    pairs: Sequence[Sequence[str]] = (
        ("欢迎来杭州", "Welcome to Hangzhou"),
        PAIRS["short"],
        PAIRS["zh"],
    ),
) -> LookingBackTrace:
    return LookingBackTrace(
        provenance=provenance(),
        pairs=tuple(lookback(*pair, seed=index) for index, pair in enumerate(pairs)),
        decoder="conditional",
        attention_size=64,
    )
