"""The translator against torch.nn with the same weights, and the ways of writing a sentence."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
import torch
from torch import Tensor, nn

from engine.cells import Weights, run_gru
from engine.decoder import KINDS, AttentiveDecoder, Kind
from engine.decoding import beam, greedy, teacher_forced, word_log_probabilities
from engine.seq2seq import Sizes, Translator, untrained
from engine.vocabulary import BEGIN, END, PAD, Vocabulary

SOURCE = torch.tensor([[4, 5, 6, 7], [6, 4, PAD, PAD]])
PREVIOUS = torch.tensor([[BEGIN, 4, 8, 5, 6], [BEGIN, 7, 5, PAD, PAD]])


@pytest.fixture(autouse=True)
def _deterministic() -> Iterator[None]:
    torch.manual_seed(0)
    with torch.no_grad():
        yield


def tiny(kind: Kind, seed: int = 3) -> Translator:
    sizes = Sizes(9, 10, decoder=kind, embedding=5, hidden=8, attention=6, context=7)
    return untrained(sizes, seed).double().eval()


def cell(input_weights: list[Tensor], recurrent: nn.Linear, bias: Tensor | None) -> nn.GRUCell:
    """torch's own GRU cell with some of our weights."""
    weight = torch.cat(input_weights, dim=1)
    made = nn.GRUCell(weight.shape[1], recurrent.in_features).double()
    made.weight_ih.copy_(weight)
    made.weight_hh.copy_(recurrent.weight)
    made.bias_ih.copy_(torch.zeros_like(made.bias_ih) if bias is None else bias)
    made.bias_hh.copy_(recurrent.bias)
    return made


def test_annotations_are_a_forward_and_a_backward_gru_side_by_side() -> None:
    model = tiny("conditional")
    reading = model.read(SOURCE)
    gru = model.encoder.gru
    for row, length in ((0, 4), (1, 2)):
        embedded = model.encoder.embedding(SOURCE[row, :length])
        for reverse in (False, True):
            end = "_reverse" if reverse else ""
            names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
            weights = Weights(*(getattr(gru, name + end) for name in names))
            inputs = embedded.flip(0) if reverse else embedded
            states = run_gru(weights, inputs).hidden_states
            last = reading.last_backward if reverse else reading.last_forward
            assert torch.allclose(last[row], states[-1], rtol=0, atol=1e-12)
            states = states.flip(0) if reverse else states
            half = slice(4, 8) if reverse else slice(0, 4)
            part = reading.annotations[row, :length, half]
            assert torch.allclose(part, states, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_decoder_states_equal_torch_cells(kind: Kind) -> None:
    model = tiny(kind)
    decoder = model.decoder
    memory, state = model.prepare(model.read(SOURCE))
    words = [decoder.word_gates.weight]
    context = [decoder.context_gates.weight]
    if kind == "conditional":
        first = cell(words, decoder.state_gates, decoder.word_gates.bias)
        second = cell(context, decoder.half_state_gates, None)
    else:
        first = cell(words + context, decoder.state_gates, decoder.word_gates.bias)
    for step, word in zip(
        model.unroll(PREVIOUS, memory, state), PREVIOUS.unbind(dim=1), strict=True
    ):
        embedded = model.embedding(word)
        if kind == "conditional":
            query = first(embedded, state)
            expected = second(step.context, query)
        else:
            query = state
            expected = first(torch.cat([embedded, step.context], dim=-1), state)
        assert torch.allclose(step.query, query, rtol=0, atol=1e-12)
        assert torch.allclose(step.state, expected, rtol=0, atol=1e-12)
        state = step.state


@pytest.mark.parametrize("kind", ["bahdanau", "conditional"])
def test_weights_are_distributions_and_the_context_is_their_sum(kind: Kind) -> None:
    model = tiny(kind)
    reading = model.read(SOURCE)
    for step in model.unroll(PREVIOUS, *model.prepare(reading)):
        assert float((step.weights.sum(-1) - 1).abs().max()) < 1e-12
        assert bool((step.weights[reading.padding] == 0).all())
        summed = (step.weights.unsqueeze(-1) * reading.annotations).sum(dim=1)
        assert float((step.context - summed).norm(dim=-1).max()) < 1e-12


def test_only_the_conditional_query_has_read_the_last_word() -> None:
    other = PREVIOUS.clone()
    other[0, 2] = 9
    for kind, reads in (("bahdanau", False), ("conditional", True)):
        model = tiny(kind)
        weights = [
            model.unroll(words, *model.prepare(model.read(SOURCE)))[2].weights[0]
            for words in (PREVIOUS, other)
        ]
        assert torch.equal(*weights) is not reads


def test_a_fixed_decoder_sees_the_source_through_one_vector_only() -> None:
    model = tiny("fixed")
    memory, state = model.prepare(model.read(SOURCE))
    assert memory.context.shape == (2, 7)
    assert memory.values.numel() == memory.keys.numel() == 0
    assert torch.equal(state, torch.tanh(model.decoder.start(memory.context)))
    longer = model.prepare(model.read(torch.tensor([[4, 5, 6, 7, 8, 8, 4]])))[0]
    assert longer.context.shape == (1, 7)
    contexts = {step.context.data_ptr() for step in model.unroll(PREVIOUS, memory, state)}
    assert contexts == {memory.context.data_ptr()}


@pytest.mark.parametrize("kind", KINDS)
def test_padding_and_company_change_no_number(kind: Kind) -> None:
    model = tiny(kind)
    together = model(SOURCE, PREVIOUS)[1, :3]
    alone = model(SOURCE[1:, :2], PREVIOUS[1:, :3])[0]
    assert torch.allclose(together, alone, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_every_way_of_writing_gives_the_same_probabilities(kind: Kind) -> None:
    model = tiny(kind)
    target = [4, 8, 5, 6]
    log_p = model(SOURCE[:1], PREVIOUS[:1]).log_softmax(dim=-1)[0]
    written = teacher_forced(model, SOURCE[0].tolist(), target)
    assert torch.allclose(written.log_probabilities, log_p, rtol=0, atol=1e-12)
    memory, state = model.prepare(model.read(SOURCE[:1]))
    words = word_log_probabilities(model, memory, state, target)[0]
    expected = log_p[torch.arange(4), torch.tensor(target)]
    assert torch.allclose(words, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_greedy_says_the_most_likely_word_at_each_step(kind: Kind) -> None:
    model = tiny(kind)
    for row, said in enumerate(greedy(model, SOURCE, limit=6)):
        source = [word for word in SOURCE[row].tolist() if word != PAD]
        log_p = teacher_forced(model, source, said).log_probabilities
        log_p[:, [PAD, BEGIN]] = -torch.inf
        best = log_p.argmax(dim=-1).tolist()
        assert said == best[: len(said)]
        assert len(said) == 6 or best[len(said)] == END


@pytest.mark.parametrize("seed", range(4))
def test_a_beam_of_one_is_greedy(seed: int) -> None:
    model = tiny("conditional", seed)
    model.bias[END] += 1.0  # sentences end before the limit
    said = greedy(model, SOURCE[:1], limit=30)[0]
    assert len(said) < 30
    assert beam(model, SOURCE[0].tolist(), width=1, limit=30) == said


def test_a_beam_wide_enough_finds_the_best_of_all_sentences() -> None:
    model = tiny("conditional", seed=1)
    words = [w for w in range(10) if w not in (PAD, BEGIN, END)]
    sentences = [list(s) for n in range(3) for s in itertools.product(words, repeat=n)]

    def log_p(sentence: list[int]) -> float:
        written = teacher_forced(model, [4, 5, 6], sentence).log_probabilities
        written[:, [PAD, BEGIN]] = -torch.inf
        written = written.log_softmax(dim=-1)
        return float(sum(written[i, word] for i, word in enumerate([*sentence, END])))

    best = max(sentences, key=log_p)
    assert beam(model, [4, 5, 6], width=60, limit=3) == best
    assert beam(model, [4, 5, 6], width=60, limit=3) != greedy(model, torch.tensor([[4, 5, 6]]))[0]


def test_leaving_a_position_out_is_like_never_having_seen_it_in_the_sum() -> None:
    model = tiny("conditional")
    memory, state = model.prepare(model.read(SOURCE[:1]))
    hidden = torch.tensor([[False, True, False, False]])
    step = model.unroll(PREVIOUS[:1], memory.without(hidden), state)[0]
    full = model.unroll(PREVIOUS[:1], memory, state)[0]
    assert float(step.weights[0, 1]) == 0
    renormalised = full.weights[0] * ~hidden[0] / (1 - full.weights[0, 1])
    assert torch.allclose(step.weights[0], renormalised, rtol=0, atol=1e-12)


def test_the_same_seed_gives_the_same_untrained_weights_and_leaves_the_dice_alone() -> None:
    before = torch.random.get_rng_state()
    a, b, c = tiny("fixed", 1), tiny("fixed", 1), tiny("fixed", 2)
    assert torch.equal(torch.random.get_rng_state(), before)
    assert torch.equal(a.readout.weight, b.readout.weight)
    assert not torch.equal(a.readout.weight, c.readout.weight)
    assert bool((a.embedding.weight[PAD] == 0).all())
    assert isinstance(tiny("bahdanau").decoder, AttentiveDecoder)


def test_words_are_found_in_another_case_or_width() -> None:
    vocabulary = Vocabulary.of([["welcome", "to", "Hangzhou", ","], ["Apple", "apple", "，"]])
    words = ["Welcome", "TO", "hangzhou", "Apple", "apple", "APPLE", "，", "Wuhan", "<s>"]
    found = [vocabulary.words[vocabulary.entry(word)] for word in words]
    assert found == [
        "welcome", "to", "Hangzhou", "Apple", "apple", "apple", "，", "<unk>", "<unk>"
    ]  # fmt: skip


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("kind", KINDS)
def test_cpu_and_gpu_agree(kind: Kind) -> None:
    model = tiny(kind)
    here = model(SOURCE, PREVIOUS)
    there = model.cuda()(SOURCE.cuda(), PREVIOUS.cuda()).cpu()
    assert torch.allclose(here, there, rtol=0, atol=1e-10)
