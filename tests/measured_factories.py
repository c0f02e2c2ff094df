"""Made-up traces of the stations that measure and sum up: serial_parallel and finale."""

from __future__ import annotations

import numpy as np

from engine.tokens import tokenize
from engine.traces import FinaleTrace, Model, Provenance, SerialParallelTrace
from engine.traces.finale import WAYS, Way
from engine.traces.serial_parallel import Board, Measured

DEFAULT = "我上个月在旧书店淘到的那本讲量子力学的书，它很有趣"


def _provenance(*names: str, trained: tuple[str, ...] = ()) -> Provenance:
    models = (*[Model(name, "", False) for name in names],
              *[Model(name, "0" * 64, True) for name in trained])
    return Provenance(models, 0, "float64", "cpu", ("numpy 0", "torch 0"))


def serial_parallel(
    attention: float = 1.0, words: int = 32, device: str = "synthetic CPU"
) -> SerialParallelTrace:
    """`attention` times as slow as on the machine that this was written on."""
    lengths = 16 * 2 ** np.arange(8)
    recurrent = 0.1 + 0.0135 * lengths  # ms
    attending = attention * (0.15 + 0.006 * lengths + 1.3e-5 * lengths**2)
    ms = np.stack([recurrent, 0.97 * recurrent, attending])  # [task, length]
    crossed = np.flatnonzero(np.diff(np.sign(ms[2] - ms[1])) > 0)
    crossing = float(lengths[crossed[-1]] * 1.3) if len(crossed) else 0.0
    n = 1024
    operations = np.array([2.0 * n * 256**2] * 2 + [3.0 * n * 256**2 + 2.0 * n**2 * 256])
    return SerialParallelTrace(
        provenance=_provenance("RNN", "self-attention"),
        measured=Measured(device, 1, "float32", "2.13.0", "2026-01-01", 15),
        width=256,
        words=words,
        reading=Board(
            0.1 + 0.0135 * np.arange(words + 1),
            attention * np.array([0.2, 0.25, 0.26, 0.3]),
            np.arange(1, words + 2),
            np.arange(1, 5),
            words**2,
        ),
        fused_ms=0.51,
        writing=Board(
            0.075 + 0.026 * np.arange(words),
            attention * (0.12 + 0.06 * np.arange(words)),
            2 * np.arange(1, words + 1),
            4 * np.arange(1, words + 1),
            words * (words + 1) // 2,
        ),
        batch=64,
        sentence_ms=np.array([[0.55, 0.14], [0.53, 0.14], [0.29 * attention, 0.17 * attention]]),
        bill_words=n,
        bill_depths=np.array([n + 1, 4]),
        bill_cells=n**2,
        operations=operations,
        pair_operations=2.0 * n**2 * 256,
        bill_ms=ms[:, 6],
        gflops=2e-6 * operations / ms[:, 6],
        lengths=lengths,
        log10_ms=np.log10(ms),
        crossings=np.array([crossing, crossing]),
    )


def finale(
    relay: str = DEFAULT, belt: str = DEFAULT, words: int = 100, seed: int = 0
) -> FinaleTrace:
    """One and two words are sentences too."""
    rng = np.random.default_rng(seed)
    relay_tokens, belt_tokens = tokenize(relay), ("小明", *tokenize(belt), "谁？")
    back, far = (np.arange(len(tokens))[::-1] for tokens in (relay_tokens, belt_tokens))
    slopes = np.array([0.21, 0.0, -0.02])
    cells = -slopes[:, None] * far - np.array([[1.3], [2.6], [3.6]])  # [cell, belt]
    cells[1:] += rng.normal(scale=0.2, size=(2, len(far)))
    log10_relay, log10_attention = 0.58 - 0.27 * back, -1.17 - 0.01 * (back % 3)
    shortest, longest = (3, 6, 11, 16, 21, 31, 41), (5, 10, 15, 20, 30, 40, 60)
    return FinaleTrace(
        provenance=_provenance("tanh RNN", "self-attention",
                               trained=("recall_rnn", "recall_lstm", "recall_gru")),
        words=words,
        ways=tuple(map(Way, WAYS, (words - 1, words - 1, words - 1, 1),
                       (0, 2 * words - 1, 1, 0))),
        relay_tokens=relay_tokens,
        log10_relay=log10_relay,
        log10_relay_left=float(log10_relay[0] - log10_relay[-1]),
        log10_attention=log10_attention,
        log10_attention_left=float(log10_attention[0] - log10_attention[-1]),
        attention_hops=1,
        belt_tokens=belt_tokens,
        log10_cells=cells,
        log10_cells_left=cells[:, 0] - cells[:, -1],
        shortest=np.array(shortest),
        longest=np.array(longest),
        fixed_bleu=np.array([93.0, 74.6, 49.4, 33.7, 23.2, 19.6, 16.9]),
        attention_bleu=np.array([99.3, 99.7, 99.6, 99.5, 99.7, 99.7, 99.6]),
        fixed_size=64,
    )
