"""The corpus: one translation per sentence, the same for the same seed, nothing held out."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict

import pytest

from engine.corpus import (
    SentencePair,
    corpus_tokens,
    generate,
    held_out_sentences,
    known_words,
    template_names,
)
from engine.errors import InputError


@pytest.fixture(scope="module")
def corpus() -> list[SentencePair]:
    return generate(20_000, seed=1)


def _ambiguous(pairs: list[tuple[tuple[str, ...], tuple[str, ...]]]) -> list[tuple[str, ...]]:
    targets: dict[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)
    for source, target in pairs:
        targets[source].add(target)
    return [source for source, found in targets.items() if len(found) > 1]


def test_each_sentence_has_one_translation_either_way(corpus: list[SentencePair]) -> None:
    assert _ambiguous([(pair.zh, pair.en) for pair in corpus]) == []
    assert len({pair.en for pair in corpus}) == len(corpus)


@pytest.mark.parametrize("side", ["zh", "en"])
def test_second_wordings_keep_one_translation(side: str) -> None:
    pairs = generate(6000, seed=2, variants=(side,))
    varied = [pair for pair in pairs if f"{side}_variant" in pair.templates]
    assert 500 < len(varied) < 5500
    sided = [(pair.zh, pair.en) if side == "zh" else (pair.en, pair.zh) for pair in pairs]
    assert _ambiguous(sided) == []


def test_no_source_twice_and_no_sentence_too_long(corpus: list[SentencePair]) -> None:
    assert len({pair.zh for pair in corpus}) == len(corpus)
    longest = max(max(len(pair.zh), len(pair.en)) for pair in corpus)
    assert 40 < longest <= 64
    assert min(len(pair.zh) for pair in corpus) <= 3


def test_held_out_sentences_are_never_made(corpus: list[SentencePair]) -> None:
    held_out = {pair.zh for pair in held_out_sentences()}
    short = generate(3000, seed=5, templates=("welcome", "event", "adjective"), clauses=1)
    assert held_out.isdisjoint(pair.zh for pair in [*corpus, *short])


def test_excluded_sentences_are_never_made(corpus: list[SentencePair]) -> None:
    again = generate(300, seed=1, exclude=corpus[:300])
    assert {pair.zh for pair in again}.isdisjoint(pair.zh for pair in corpus[:300])


def test_same_seed_same_corpus(corpus: list[SentencePair]) -> None:
    assert generate(500, seed=1) == corpus[:500]
    assert generate(500, seed=2) != corpus[:500]


def test_every_token_is_a_known_word(corpus: list[SentencePair]) -> None:
    assert {token for pair in corpus for token in pair.zh} <= known_words("zh")
    assert {token for pair in corpus for token in pair.en} <= known_words("en")


def test_most_known_chinese_words_are_used(corpus: list[SentencePair]) -> None:
    used = {token for pair in corpus for token in pair.zh}
    varied = generate(6000, seed=3, variants=("zh",))
    used |= {token for pair in varied for token in pair.zh}
    unused = known_words("zh") - used
    assert len(unused) < 0.03 * len(known_words("zh")), sorted(unused)


def test_links_stay_inside_the_sentence_and_possible_holds_sure(
    corpus: list[SentencePair],
) -> None:
    for pair in corpus:
        assert pair.sure <= pair.possible
        for en, zh in pair.possible:
            assert 0 <= en < len(pair.en)
            assert 0 <= zh < len(pair.zh)


def test_every_english_word_is_linked(corpus: list[SentencePair]) -> None:
    for pair in corpus[:4000]:
        linked = {en for en, _ in pair.possible}
        assert linked == set(range(len(pair.en))), (pair.zh, pair.en)


def test_templates_can_be_chosen_and_excluded() -> None:
    chosen = generate(200, seed=1, templates=("comparison", "equality"), clauses=1)
    assert all({"comparison", "equality"} & set(pair.templates) for pair in chosen)
    excluded = ("passive", "relative_clause", "possessive", "comparison")
    without = generate(2000, seed=1, exclude_templates=excluded)
    assert {name for pair in without for name in pair.templates}.isdisjoint(excluded)
    assert not any({"被", "比"} & set(pair.zh) for pair in without)


def test_every_template_is_used(corpus: list[SentencePair]) -> None:
    used = {name for pair in corpus for name in pair.templates}
    assert used == set(template_names()) - {"zh_variant", "en_variant"}


def test_number_of_clauses() -> None:
    mean = [sum(len(pair.zh) for pair in generate(200, seed=1, clauses=n)) / 200 for n in (1, 3, 6)]
    assert mean[0] < mean[1] < mean[2]
    assert mean[2] > 30


def test_words_asked_for_are_in_every_sentence() -> None:
    pairs = generate(200, seed=1, containing=("火锅", "量子力学"))
    assert all({"火锅", "量子力学"} & set(pair.zh) for pair in pairs)


def test_unknown_template_is_named() -> None:
    with pytest.raises(InputError, match="unknown structure 'sonnet'"):
        generate(1, seed=1, templates=("sonnet",))


def test_more_sentences_than_there_are() -> None:
    with pytest.raises(InputError, match="different sentences can be made"):
        generate(100_000, seed=1, templates=("welcome",), clauses=1)


def test_importing_the_corpus_loads_no_torch() -> None:
    code = "import sys, engine.corpus; sys.exit('torch' in sys.modules or 'manim' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Welcome to Hangzhou", "welcome to Hangzhou"),
        ("Apple released a new phone", "Apple released a new phone"),
        ("I bought Mary's book", "I bought Mary 's book"),
        ("It’s raining", "it's raining"),
        ("Don't cry", "don't cry"),
    ],
)
def test_text_is_brought_into_the_writing_of_the_corpus(text: str, expected: str) -> None:
    assert corpus_tokens(tuple(text.split())) == tuple(expected.split())
