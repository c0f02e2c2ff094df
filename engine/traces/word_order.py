"""The numbers of station 0: what a bag of words forgets, and what order a state keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.traces.base import Array, Trace, check_length, check_shape


@dataclass(frozen=True)
class Ordered:
    """One of two sentences with the same words in another order."""

    tokens: tuple[str, ...]  # [time]
    bag: Array  # [unit] sum of the bag model's word vectors, added in one fixed order
    hidden_states: Array  # [time, unit] h_t of the RNN, in (-1, 1)


@dataclass(frozen=True)
class Answer:
    """Who did it, in one of the two sentences."""

    doer: int  # which of the candidates it was: right
    bag: Array  # [candidate] p(doer) under the bag model
    rnn: Array  # [candidate] p(doer) under the RNN


@dataclass(frozen=True)
class InContext:
    """A word in its sentence, as a reader from each side has it."""

    tokens: tuple[str, ...]  # [time]
    position: int  # of the word
    forward: Array  # [unit] state after the word, read from the left
    backward: Array  # [unit] state after the word, read from the right


@dataclass(frozen=True)
class WordOrderTrace(Trace):
    """Bag: Σ_t x_t. RNN: h_t = tanh(U x_t + W h_{t-1} + b). A bidirectional GRU reads twice."""

    station: ClassVar[str] = "word_order"

    # The same words in two orders.
    orders: tuple[Ordered, ...]  # two
    states_trained: bool  # whether both models were trained on all of these words
    bag_distance: float  # ‖bag − bag′‖
    state_distance: float  # ‖h_T − h_T′‖
    state_cosine: float
    candidates: tuple[str, ...]  # the two who may have done it; none where nobody can be asked
    answers: tuple[Answer, ...]  # one for each order, or none

    # Held-out sentences, each asked in both orders.
    rnn_accuracies: Array  # [seed]
    bag_accuracies: Array  # [seed]
    questions: int
    persons: int  # among whom a blind guess would choose

    # One word before two continuations.
    word: str
    contexts: tuple[InContext, ...]  # two
    encoder_trained: bool
    forward_differences: Array  # [unit] of the two forward states
    backward_differences: Array  # [unit]
    forward_distance: float
    backward_distance: float
    backward_cosine: float
    same_before: bool  # whether the same words stand before the word in both

    def validate(self) -> None:
        check_length("orders", self.orders, 2)
        check_length("contexts", self.contexts, 2)
        time, unit = self.orders[0].hidden_states.shape
        for order in self.orders:
            check_length("tokens", order.tokens, time)
            check_shape("hidden_states", order.hidden_states, time, unit)
        for answer in self.answers:
            check_shape("bag", answer.bag, len(self.candidates))
            check_shape("rnn", answer.rnn, len(self.candidates))
        for context in self.contexts:
            check_shape("forward", context.forward, *self.forward_differences.shape)
            check_shape("backward", context.backward, *self.backward_differences.shape)
            if context.tokens[context.position].casefold() != self.word.casefold():
                raise ValueError(f"{self.word} does not stand at {context.position}")
