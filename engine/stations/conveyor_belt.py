"""Station 3: a name is put on the belt, a sentence goes by, the name is asked for.

Three trained cells read the same words. The LSTM is shown gate by gate; all three are compared
by how strongly their loss reaches back to every word. Untrained LSTMs with other forget biases,
and the trained one, then read on for a thousand words, to see how far each belt carries.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from engine import checkpoints
from engine.arrays import as_array
from engine.cards import read_card
from engine.cells import CellRun, GRURun, LSTMRun, Weights, run_cell
from engine.device import choose_device
from engine.gradients import backpropagate, direct_path
from engine.jacobians import ScaledProducts, lagged_products, step_jacobians
from engine.lesson import Lesson
from engine.matching import match
from engine.provenance import provenance
from engine.recall import (
    CELLS,
    Memory,
    Question,
    ask,
    load_memory,
    set_forget_bias,
    untrained,
    weights_path,
)
from engine.traces import ConveyorBeltTrace, ForgetBias, Recall
from engine.traces.base import Array

BIASES = (0.0, 1.0, 3.0)
DENSE_LAGS, LAG_STRIDE = 100, 10  # every lag up to 100, then every tenth


def build(lesson: Lesson, device: str = "auto") -> ConveyorBeltTrace:
    """The numbers of the conveyor belt for the lesson's sentence and name.

    Raises InputError for a name that the cells were not trained on or an unknown device."""
    spec, place = lesson.conveyor_belt, choose_device(device)
    memories = [load_memory(weights_path(cell), place, torch.float64) for cell in CELLS]
    taught = load_memory(weights_path("rnn", near_first=True), place, torch.float64)
    lstm = memories[CELLS.index("lstm")]
    words = match(spec.sentence, lstm.vocabulary, "conveyor_belt.sentence").words
    question = ask(words, spec.name, lstm.names)
    runs = [read(memory, question.tokens) for memory in memories]
    belt, merged = runs[1:]
    assert isinstance(belt, LSTMRun) and isinstance(merged, GRURun)
    path = path_to_the_end(belt.forget_gate)  # [time, unit]
    units = path[0].argsort(descending=True, stable=True)[: spec.units]  # [shown]
    lags = chosen_lags(spec.steps)
    return ConveyorBeltTrace(
        provenance=provenance(tuple(m.card for m in (*memories, taught)), lesson.seed, place),
        tokens=question.tokens,
        name=question.tokens[0],
        name_added=question.name_added,
        unknown=as_array(torch.tensor(lstm.unknown(question.tokens))),
        forget_gate=as_array(belt.forget_gate),
        input_gate=as_array(belt.input_gate),
        output_gate=as_array(belt.output_gate),
        candidate=as_array(belt.candidate),
        cell_states=from_zero(belt.cell_states),
        hidden_states=from_zero(belt.hidden_states),
        units=as_array(units),
        log10_direct_path=as_array(path[:, units]),
        log10_direct_norms=as_array(path.amax(dim=-1)),
        log10_full_norms=as_array(cell_path_norms(belt)),
        update_error=update_error(belt),
        update_gate=as_array(merged.update_gate),
        gru_hidden_states=from_zero(merged.hidden_states),
        recalls=tuple(map(recalled, memories, runs, [question] * len(CELLS))),
        near_first_rnn=recalled(taught, read(taught, question.tokens), question),
        forget_biases=tuple(
            far_back(with_bias(lstm, bias, lesson.seed), question, lags) for bias in BIASES
        ),
        trained_forget_bias=far_back(lstm, question, lags),
    )


def read(memory: Memory, tokens: tuple[str, ...]) -> CellRun:
    """One cell over the whole question."""
    words = memory.model.embedding(memory.encode(tokens)).detach()  # [time, embedding]
    return run_cell(memory.cell, Weights.of(memory.model.cell), words)


def from_zero(states: Tensor) -> Array:
    """States with the zero state before the first word in front. # [time + 1, unit]"""
    return as_array(torch.cat((torch.zeros_like(states[:1]), states)))


def path_to_the_end(forget_gates: Tensor) -> Tensor:
    """log₁₀ Π_{s>t} f_s: how much of the cell after word t is left at the end. # [time, unit]"""
    arrived = torch.zeros_like(forget_gates[:1])  # [1, unit]; nothing comes after the last word
    return torch.cat((direct_path(forget_gates[1:]).flip(0), arrived))


def cell_path_norms(belt: LSTMRun) -> Tensor:
    """log₁₀ ‖∂c_T/∂c_t‖₂, with all that also went through h and the gates. # [time]"""
    size = belt.weights.hidden_size
    return products_to_the_end(belt).block(size, 2 * size).log10_norms()


def products_to_the_end(run: CellRun) -> ScaledProducts:
    """∂s_T/∂s_t for the state after each word: lag T − 1 first, then down to 0."""
    return lagged_products(step_jacobians(run), list(range(len(run.inputs)))[::-1])


def update_error(belt: LSTMRun) -> float:
    """Largest |c_t − (f c_{t−1} + i g)| of all steps and units."""
    sums = belt.forget_gate * belt.previous_cell + belt.input_gate * belt.candidate
    return float((belt.cell_states - sums).abs().max())


def recalled(memory: Memory, run: CellRun, question: Question) -> Recall:
    """The answer of one cell, and its loss carried back to every word."""
    readout, last = memory.model.readout, run.hidden_states[-1]  # last: [unit]
    probabilities = readout(last).detach().softmax(dim=-1)  # [name]
    surprise = probabilities.clone()  # [name]; ∂L/∂logits, L = −log p(right name)
    surprise[question.name] -= 1
    by_state = surprise @ readout.weight.detach()  # [unit]
    if memory.cell == "lstm":  # the readout sees h, not c
        by_state = torch.cat((by_state, torch.zeros_like(by_state)))  # [2 * unit]
    figures = read_card(checkpoints.WEIGHTS_DIR / f"{memory.card.name}.safetensors")["figures"]
    return Recall(
        cell=memory.cell,
        answer=memory.names.form(int(probabilities.argmax()), question.lang),
        probability=float(probabilities[question.name]),
        names_right=names_right(memory, question),
        names=len(memory.names),
        log10_input_gradients=as_array(backpropagate(run, by_state).log10_inputs()),
        log10_state_jacobians=as_array(products_to_the_end(run).log10_norms()),
        accuracy_by_distance=np.array(figures["accuracy"], dtype=np.float64),
        distances=np.array(figures["distance"], dtype=np.int64),
    )


@torch.no_grad()
def names_right(memory: Memory, question: Question) -> int:
    """How many of all names are answered right, each in front of the same words."""
    forms = [memory.names.form(index, question.lang) for index in range(len(memory.names))]
    rest = memory.encode(question.tokens[1:])[:, None].expand(-1, len(forms))  # [time - 1, name]
    words = torch.cat((memory.encode(forms)[None], rest))  # [time, name]
    answers: Tensor = memory.model(words).argmax(dim=-1)  # [name]
    return int((answers == torch.arange(len(forms), device=answers.device)).sum())


def with_bias(memory: Memory, bias: float, seed: int) -> Memory:
    """The same LSTM before any training, its forget bias set."""
    size = memory.model.cell.hidden_size
    model = untrained("lstm", len(memory.vocabulary), len(memory.names), seed, size)
    set_forget_bias(model.cell, bias)
    return replace(memory, model=model.to(memory.model.readout.bias))


def chosen_lags(steps: int) -> list[int]:
    """Every lag up to 100, then every tenth, and the last."""
    near = range(min(steps, DENSE_LAGS) + 1)
    return sorted({*near, *range(DENSE_LAGS, steps + 1, LAG_STRIDE), steps})


def far_back(memory: Memory, question: Question, lags: list[int]) -> ForgetBias:
    """One LSTM reading the question's words again and again, as many as the largest lag."""
    words = [question.tokens[i % len(question.tokens)] for i in range(max(lags))]
    run = read(memory, tuple(words))
    assert isinstance(run, LSTMRun)
    best = direct_path(run.forget_gate).amax(dim=-1)  # [time]
    path = torch.cat((torch.zeros_like(best[:1]), best))  # [lag]; 0 … steps
    return ForgetBias(
        bias=float(run.weights.bias_of_gate(1).mean()),
        lags=np.array(lags),
        log10_direct_path=as_array(path[lags]),
        log10_full_gradient=as_array(lagged_products(step_jacobians(run), lags).log10_norms()),
    )
