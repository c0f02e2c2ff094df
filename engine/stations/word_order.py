"""Station 0: the same words in another order, and the same word before another ending.

A bag adds the words' vectors up and cannot tell the orders apart; an RNN ends in another state.
But an RNN that stops at a word knows nothing of what follows: only a reader from the other side
does.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from engine.arrays import as_array
from engine.cards import read_card
from engine.cells import Weights, run_gru
from engine.device import choose_device
from engine.errors import InputError
from engine.gradients import cosine
from engine.lesson import Lesson
from engine.matching import Matched, match
from engine.order import Witness, drawn_witness, load_witness, weights_path
from engine.provenance import provenance
from engine.tokens import join, tokenize
from engine.traces import Answer, InContext, Model, Ordered, WordOrderTrace
from engine.traces.base import Array
from engine.translators import Interpreter, direction_of, shipped
from engine.vocabulary import UNKNOWN, Vocabulary

PAIR, AMBIGUOUS = "word_order.pair", "word_order.ambiguous"
UNTRAINED_UNITS = 64  # of each direction, and of the random word vectors


def build(lesson: Lesson, device: str = "auto") -> WordOrderTrace:
    """The numbers of word order for the lesson's two pairs of sentences.

    Raises InputError where the pair has not the same words in another order, where the word is
    missing from a sentence of the ambiguous pair, or for an unknown device.
    """
    spec, place = lesson.word_order, choose_device(device)
    rnn, bag = (load_witness(weights_path(kind), place, torch.float64) for kind in ("rnn", "bag"))
    pair = [match(text, rnn.vocabulary, f"{PAIR}.{i}").words for i, text in enumerate(spec.pair)]
    require_reordered(*pair)
    answers = asked(rnn, bag, pair)
    trained, guessers = rnn.knows(pair[0]), (rnn.card, bag.card)
    if not trained:
        rnn, bag = (drawn_witness(kind, pair[0], lesson.seed, place) for kind in ("rnn", "bag"))
    orders = [ordered(rnn, bag, tokens) for tokens in pair]
    reader = choose_reader(spec.ambiguous, place, lesson.seed)
    contexts = [reader.in_context(tokens, spec.word) for tokens in reader.sentences]
    one, other = orders
    left, right = contexts
    figures = [read_card(weights_path(kind))["figures"] for kind in ("rnn", "bag")]
    models = dict.fromkeys((*guessers, rnn.card, bag.card, reader.card))
    return WordOrderTrace(
        provenance=provenance(tuple(models), lesson.seed, place),
        orders=(one, other),
        states_trained=trained,
        bag_distance=distance(one.bag, other.bag),
        state_distance=distance(one.hidden_states[-1], other.hidden_states[-1]),
        state_cosine=angle(one.hidden_states[-1], other.hidden_states[-1]),
        candidates=(pair[0][0], pair[0][-1]) if answers else (),
        answers=answers,
        rnn_accuracies=torch.tensor(figures[0]["accuracy"], dtype=torch.float64).numpy(),
        bag_accuracies=torch.tensor(figures[1]["accuracy"], dtype=torch.float64).numpy(),
        questions=figures[0]["questions"],
        persons=figures[0]["persons"],
        word=left.tokens[left.position],
        contexts=(left, right),
        encoder_trained=reader.card.trained,
        forward_differences=right.forward - left.forward,
        backward_differences=right.backward - left.backward,
        forward_distance=distance(left.forward, right.forward),
        backward_distance=distance(left.backward, right.backward),
        backward_cosine=angle(left.backward, right.backward),
        same_before=left.tokens[: left.position] == right.tokens[: right.position],
    )


def require_reordered(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    """Raises InputError unless both have the same words, in two orders."""
    if one == other:
        raise InputError("word_order.same", where=PAIR, sentence=join(one))
    rest = [*one]
    alone = []
    for word in other:
        if word in rest:
            rest.remove(word)
        else:
            alone.append(word)
    if rest or alone:
        words = ", ".join([*rest, *alone])
        raise InputError("word_order.not_reordered", where=PAIR, words=words)


def ordered(rnn: Witness, bag: Witness, tokens: tuple[str, ...]) -> Ordered:
    """One order of the words in both models."""
    states = rnn.read(tokens).hidden_states  # [time, unit]
    return Ordered(tokens, as_array(bag.bag(tokens)), as_array(states))


def asked(rnn: Witness, bag: Witness, pair: list[tuple[str, ...]]) -> tuple[Answer, ...]:
    """Who did it in each order; nothing where the sentences are not of that kind."""
    if not all(rnn.asks_of(tokens) for tokens in pair):
        return ()
    candidates = [pair[0][0], pair[0][-1]]
    places = [rnn.persons.index(rnn.entry(name)) for name in candidates]
    return tuple(
        Answer(
            doer=candidates.index(tokens[0]),
            bag=as_array(bag.doers(tokens)[places]),
            rnn=as_array(rnn.doers(tokens)[places]),
        )
        for tokens in pair
    )


class Reader:
    """A GRU that reads two sentences from both sides, word by word."""

    def __init__(
        self, gru: nn.GRU, table: Tensor, sentences: list[Matched], card: Model
    ) -> None:
        """`table` holds the words' vectors. # [word, embedding]"""
        self.matched, self.table, self.card = sentences, table, card
        self.forward = direction(gru, "")
        self.backward = direction(gru, "_reverse")

    @property
    def sentences(self) -> list[tuple[str, ...]]:
        return [matched.words for matched in self.matched]

    def in_context(self, tokens: tuple[str, ...], word: str) -> InContext:
        """The word's two states. Raises InputError where it is not among the tokens."""
        folded = [token.casefold() for token in tokens]
        if word.casefold() not in folded:
            raise InputError(
                "word_order.no_word", where=AMBIGUOUS, word=word, words=" | ".join(tokens)
            )
        at = folded.index(word.casefold())
        indices = next(m.indices for m in self.matched if m.words == tokens)
        words = self.table[torch.tensor(indices, device=self.table.device)]  # [time, embedding]
        return InContext(
            tokens,
            at,
            forward=as_array(stepped(self.forward, words)[at]),
            backward=as_array(stepped(self.backward, words.flip(0)).flip(0)[at]),
        )


def stepped(weights: Weights, words: Tensor) -> Tensor:
    """States of a GRU that is given one word at a time. # [time, unit]

    Given all at once, a longer sentence is another product of matrices, and the last bits of a
    word's projection depend on what follows it; one at a time they cannot.
    """
    states: list[Tensor] = []
    hidden = None
    for word in words:
        hidden = run_gru(weights, word[None], hidden).hidden_states[-1]  # [unit]
        states.append(hidden)
    return torch.stack(states)


def direction(gru: nn.GRU, suffix: str) -> Weights:
    """The weights of one direction of a one-layer bidirectional GRU."""
    names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    return Weights(*(getattr(gru, name + suffix).detach() for name in names))


def choose_reader(sentences: tuple[str, ...], device: torch.device, seed: int) -> Reader:
    """The shipped translator's encoder where it knows all the words, else an untrained one."""
    places = [f"{AMBIGUOUS}.{i}" for i in range(len(sentences))]
    for interpreter in translators(sentences[0], device):
        matched = [
            match(text, interpreter.source, where)
            for text, where in zip(sentences, places, strict=True)
        ]
        if not any(UNKNOWN in m.indices for m in matched):
            encoder = interpreter.model.encoder
            return Reader(
                encoder.gru, encoder.embedding.weight.detach(), matched, interpreter.card
            )
    return drawn_reader(sentences, places, device, seed)


def translators(sentence: str, device: torch.device) -> list[Interpreter]:
    """The shipped translator out of the sentence's language, if there is one."""
    try:
        return [shipped(direction_of(sentence), "conditional", device)]
    except InputError:
        return []


def drawn_reader(
    sentences: tuple[str, ...], places: list[str], device: torch.device, seed: int
) -> Reader:
    """An untrained bidirectional GRU with random word vectors, drawn from the seed."""
    tokens = [tokenize(text, where) for text, where in zip(sentences, places, strict=True)]
    vocabulary = Vocabulary.of(tokens)
    matched = [Matched(words, tuple(vocabulary.encode(words))) for words in tokens]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        table = torch.randn(len(vocabulary), UNTRAINED_UNITS, dtype=torch.float64)
        gru = nn.GRU(UNTRAINED_UNITS, UNTRAINED_UNITS, bidirectional=True).double()
    card = Model("bidirectional GRU", "", trained=False)
    return Reader(gru.to(device), table.to(device), matched, card)


def distance(one: Array, other: Array) -> float:
    """‖one − other‖."""
    return float(torch.linalg.vector_norm(torch.tensor(one) - torch.tensor(other)))


def angle(one: Array, other: Array) -> float:
    """The cosine between two states."""
    return cosine(torch.tensor(one), torch.tensor(other))
