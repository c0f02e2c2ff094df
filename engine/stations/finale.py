"""Station 9: one line from the RNN to self-attention, on the numbers of the earlier clips.

The gradients are those of the relay game and the conveyor belt, computed by their own functions
for the same lesson. Beside the relay's RNN stands one layer of self-attention over the very same
word vectors, just as untrained. The ways are shortest paths through what waits for what.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from engine.arrays import as_array
from engine.attention import scaled_dot_product
from engine.cells import run_rnn
from engine.dependencies import attentive_way, hops, recurrent_way, translating_way
from engine.device import choose_device
from engine.gradients import backpropagate
from engine.lesson import Lesson
from engine.matching import match
from engine.provenance import provenance
from engine.recall import CELLS, Question, ask, load_memory, weights_path
from engine.stations import conveyor_belt, relay_game
from engine.tables import LENGTHS, LengthRow, read_table
from engine.tokens import tokenize
from engine.traces import FinaleTrace, Model, Recall
from engine.traces.base import Array
from engine.traces.finale import Way
from engine.translators import FIXED_CONTEXT


def build(lesson: Lesson, device: str = "auto") -> FinaleTrace:
    """The numbers of the finale. Raises InputError as the two stations that it draws on."""
    place, words = choose_device(device), lesson.finale.words
    tokens, relay = relay_gradients(lesson, place)
    question, recalls, cards = belt(lesson, place)
    attention = as_array(attention_gradients(lesson, tokens, place))
    cells = np.stack([recall.log10_input_gradients for recall in recalls])  # [cell, belt]
    rows = read_table(LENGTHS, LengthRow)
    fixed = [row for row in rows if row.model == "fixed" and row.context == FIXED_CONTEXT]
    attending = [row for row in rows if row.model == "attention"]
    drawn = tuple(Model(name, "", False) for name in ("tanh RNN", "self-attention"))
    return FinaleTrace(
        provenance=provenance((*drawn, *cards), lesson.seed, place),
        words=words,
        ways=ways(words),
        relay_tokens=tokens,
        log10_relay=relay,
        log10_relay_left=left(relay),
        log10_attention=attention,
        log10_attention_left=left(attention),
        attention_hops=hops(attentive_way(len(tokens)), ("source", 0),
                            ("attended", len(tokens) - 1)),
        belt_tokens=question.tokens,
        log10_cells=cells,
        log10_cells_left=np.array([left(curve) for curve in cells]),
        shortest=np.array([row.shortest for row in fixed]),
        longest=np.array([row.longest for row in fixed]),
        fixed_bleu=np.array([row.bleu for row in fixed]),
        attention_bleu=np.array([row.bleu for row in attending]),
        fixed_size=FIXED_CONTEXT,
    )


def relay_gradients(lesson: Lesson, device: torch.device) -> tuple[tuple[str, ...], Array]:
    """The relay game's words, and log₁₀ ‖∂L/∂x_t‖ of its act 2. # [relay]"""
    spec = lesson.relay_game
    tokens = tokenize(spec.sentence, "relay_game.sentence")
    network = relay_game.drawn(tokens, spec.hidden_size, lesson.seed, device).at_gain(spec.gain)
    run = run_rnn(network.weights, network.words)
    return tokens, as_array(backpropagate(run, network.readout).log10_inputs())


def belt(
    lesson: Lesson, device: torch.device
) -> tuple[Question, tuple[Recall, ...], tuple[Model, ...]]:
    """The conveyor belt's question, and what each trained cell makes of it."""
    spec = lesson.conveyor_belt
    memories = [load_memory(weights_path(cell), device, torch.float64) for cell in CELLS]
    lstm = memories[CELLS.index("lstm")]
    words = match(spec.sentence, lstm.vocabulary, "conveyor_belt.sentence").words
    question = ask(words, spec.name, lstm.names)
    recalls = tuple(
        conveyor_belt.recalled(memory, conveyor_belt.read(memory, question.tokens), question)
        for memory in memories
    )
    return question, recalls, tuple(memory.card for memory in memories)


def left(log10_norms: Array) -> float:
    """log₁₀ of the first word's gradient over the last word's; 0 where there is none at all."""
    first, last = float(log10_norms[0]), float(log10_norms[-1])
    return first - last if np.isfinite(last) else 0.0


def ways(words: int) -> tuple[Way, ...]:
    """From the first word to the last, within the sentence and across to its translation."""
    first, last, said = ("source", 0), ("source", words - 1), ("target", words - 1)
    chain, layer = recurrent_way(words), attentive_way(words)
    plain, looking = (translating_way(words, words, looks) for looks in (False, True))
    return (
        Way("recurrent", hops(chain, first, last), 0),
        Way("translating", hops(plain, first, last), hops(plain, first, said)),
        Way("attending", hops(looking, first, last), hops(looking, first, said)),
        Way("self_attending", hops(layer, first, ("attended", words - 1)), 0),
    )


def attention_gradients(lesson: Lesson, tokens: tuple[str, ...], device: torch.device) -> Tensor:
    """log₁₀ ‖∂L/∂x_t‖ for L = vᵀ c_T, where c_T is what the last word's query brings back from
    the relay game's word vectors; queries, keys and values by orthogonal matrices. # [time]"""
    size = lesson.relay_game.hidden_size
    network = relay_game.drawn(tokens, size, lesson.seed, device)
    words = network.words.clone().requires_grad_()  # [time, unit]
    query, key, value = projections(size, lesson.seed, device)  # [unit, unit] each
    asked = words[-1:] @ query.T  # [1, unit]
    context = scaled_dot_product(asked, words @ key.T, words @ value.T).context  # [1, unit]
    (gradient,) = torch.autograd.grad(context[0] @ network.readout, words)  # [time, unit]
    lengths: Tensor = gradient.norm(dim=-1)  # [time]
    return lengths.log10()


def projections(size: int, seed: int, device: torch.device) -> Tensor:
    """Three orthogonal matrices, drawn on the CPU from a seed. # [3, unit, unit]"""
    dice = torch.Generator().manual_seed(seed)
    drawn = torch.empty(3, size, size, dtype=torch.float64)
    for matrix in drawn:
        nn.init.orthogonal_(matrix, generator=dice)
    return drawn.to(device)
