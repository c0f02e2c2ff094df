"""Teaching new words: the plumbing with a small model; figures are `engine.training learning`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest
import torch

from engine import checkpoints, learned, learning
from engine.corpus import generate
from engine.corpus.lexicon import load_lexicon
from engine.corpus.new_words import Entry, entries_of, with_new_words
from engine.errors import InputError
from engine.learned import new_in, taught
from engine.learning import learn, recipe_for
from engine.new_word import NewWord
from engine.optimisation import Recipe
from engine.practice import Amount, Practice, make_practice
from engine.probes import ContentProbe, load_probe, probe_path, save_probe
from engine.seq2seq import Sizes, untrained
from engine.telling import listening
from engine.traces import Model
from engine.translators import Interpreter, load_interpreter, save_interpreter
from engine.vocabulary import UNKNOWN, Vocabulary
from engine.widening import peers_of, widen

WORDS = (
    NewWord(word="山竹", translation="mangosteen", kind="food"),
    NewWord(word="打 太极", translation="practise tai chi", kind="action"),
)
FEW, SHORT = Amount(each=6, least=6, new=6, old=6), Recipe(steps=6, batch_tokens=100, warm_up=2)


def entries(words: tuple[NewWord, ...] = WORDS) -> tuple[Entry, ...]:
    return entries_of(words, ["here"] * len(words), load_lexicon())


def small(path: Path, decoder: str = "conditional", direction: str = "zh-en") -> Interpreter:
    """An untrained translator of the grammar's commonest words, read back from its file."""
    pairs = generate(150, seed=3)
    sides = [[getattr(pair, side) for pair in pairs] for side in direction.split("-")]
    source, target = map(Vocabulary.of, sides)
    sizes = Sizes(len(source), len(target), decoder, 8, 16, 8, 8)  # type: ignore[arg-type]
    save_interpreter(
        path, Interpreter(untrained(sizes, 1), source, target, direction, Model("", "", True))
    )
    return load_interpreter(path, torch.device("cpu"), torch.float64)


@pytest.fixture
def base(tmp_path: Path) -> Interpreter:
    return small(tmp_path / "translator_small.safetensors")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Learning in a moment, kept in a folder of the test's own."""
    monkeypatch.setattr(learned, "learn", partial(learn, amount=FEW, recipe=SHORT))
    monkeypatch.setattr(learning, "make_practice", practised)
    monkeypatch.setenv("LOOKBACK_CACHE", str(tmp_path / "cache"))
    yield tmp_path / "cache" / learned.KIND


@cache
def _practised(direction: str, words: tuple[tuple[str, ...], ...]) -> Practice:
    chosen = [entry for entry in entries() if entry.zh in words]
    return make_practice(direction, chosen, with_new_words(load_lexicon(), chosen), FEW)


def practised(direction: str, found: Sequence[Entry], *_: object) -> Practice:
    """Sentences made once for all tests."""
    return _practised(direction, tuple(entry.zh for entry in found))


def no_learning(*_: object, **__: object) -> None:
    raise AssertionError("it was learnt again")


def test_every_sentence_to_practise_holds_a_new_word_or_is_an_old_one() -> None:
    lexicon = with_new_words(load_lexicon(), entries())
    practice = make_practice("zh-en", entries(), lexicon, FEW)
    new = [pair for pair in practice.training if {"山竹", "太极"} & set(pair.source)]
    assert len(new) == pytest.approx(0.6 * len(practice.training), abs=2)
    assert all({"mangosteen", "mangosteens", "tai"} & set(pair.target) for pair in new)
    assert {word for pair in practice.new for word in pair.source} >= {"山竹", "太极"}


def test_what_is_measured_is_not_practised() -> None:
    lexicon = with_new_words(load_lexicon(), entries())
    practice = make_practice("en-zh", entries(), lexicon, replace(FEW, new=30, old=30))
    practised = {pair.source for pair in practice.training}
    assert practised.isdisjoint(pair.source for pair in (*practice.new, *practice.old))
    assert any("山竹" in pair.target for pair in practice.training)


def test_a_wider_model_says_of_old_words_what_it_said(base: Interpreter) -> None:
    wide = widen(base, {"source": ["山竹"], "target": ["mangosteen"]}, {}, seed=1)
    assert wide.source.words == (*base.source.words, "山竹")
    source = torch.randint(4, len(base.source), (3, 7))
    target = torch.randint(4, len(base.target), (3, 5))
    with torch.no_grad():
        old, new = (each.model(source, target) for each in (base, wide))
    assert new.shape[-1] == old.shape[-1] + 1
    torch.testing.assert_close(new[..., :-1], old, rtol=0, atol=0)


def test_a_new_row_starts_among_its_peers(base: Interpreter) -> None:
    peers = peers_of(entries(), load_lexicon())
    assert {"苹果", "香蕉"} <= set(peers["山竹"])
    assert "ran" in peers["practised"] and "running" in peers["practising"]
    wide = widen(base, {"source": ["山竹"], "target": []}, {"山竹": ["我", "你"]}, seed=1)
    rows = wide.model.encoder.embedding.weight.detach()
    mean = rows[base.source.encode(["我", "你"])].mean(dim=0)
    others = rows[4:-1].std(dim=0).norm()
    assert float((rows[-1] - mean).norm()) < 0.3 * float(others)


def test_new_rows_go_further_than_old_ones(base: Interpreter) -> None:
    wide, _ = learn(base, entries(), FEW, SHORT)
    start = widen(base, *_words_of(wide, base), seed=SHORT.seed)
    moved = (wide.model.embedding.weight - start.model.embedding.weight).norm(dim=-1).detach()
    old = len(base.target)
    assert 0 < float(moved[4:old].max()) < float(moved[old:].max())


def _words_of(wide: Interpreter, base: Interpreter) -> tuple[dict[str, list[str]], dict]:
    more = {
        "source": list(wide.source.words[len(base.source) :]),
        "target": list(wide.target.words[len(base.target) :]),
    }
    return more, peers_of(entries(), load_lexicon())


def test_more_words_get_more_steps() -> None:
    assert recipe_for(1).steps < recipe_for(10).steps < recipe_for(40).steps <= 800


def test_a_taught_translator_knows_the_words_and_says_what_it_cost(
    base: Interpreter, quick: Path, tmp_path: Path
) -> None:
    told: list[dict[str, int]] = []
    with listening(told.append):
        found = taught(base, tmp_path / "translator_small.safetensors", WORDS)
    assert UNKNOWN not in found.source.encode(["山竹", "太极"])
    assert UNKNOWN not in found.target.encode(["mangosteen", "tai", "chi"])
    assert found.card.name == "translator_small + 2 words" and found.card.sha256
    record = found.learned
    assert record is not None and record.words == ("山竹", "打太极")
    assert record.new_aer is not None and 0 <= record.new_aer <= 1
    assert (record.new_sentences, record.old_sentences) == (6, 6)
    assert told[0] == {"words": 2, "step": 1, "steps": 6} and told[-1]["step"] == 6


def test_what_was_learnt_is_kept(
    base: Interpreter, quick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "translator_small.safetensors"
    first = taught(base, path, WORDS)
    monkeypatch.setattr(learned, "learn", no_learning)
    again = taught(base, path, WORDS)
    assert again.card == first.card and again.learned == first.learned
    with pytest.raises(AssertionError):
        taught(base, path, WORDS[:1])  # other words are another translator


@pytest.mark.parametrize("damage", ["cut", "numbers", "text"])
def test_a_damaged_file_is_made_again(
    base: Interpreter, quick: Path, tmp_path: Path, damage: str
) -> None:
    path = tmp_path / "translator_small.safetensors"
    first = taught(base, path, WORDS)
    (file,) = quick.rglob("*.safetensors")
    data = bytearray(file.read_bytes())
    if damage == "numbers":
        data[-4] ^= 1
    file.write_bytes({"cut": data[:-100], "text": b"{}"}.get(damage, bytes(data)))
    again = taught(base, path, WORDS)
    assert again.card.sha256 == first.card.sha256 == checkpoints.checksum(file)


def test_a_cache_that_cannot_be_written_to_is_done_without(
    base: Interpreter, quick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    monkeypatch.setattr(learned, "own_temporary_folder", lambda: tmp_path / "own")
    found = taught(base, tmp_path / "translator_small.safetensors", WORDS)
    assert found.learned is not None
    assert list((tmp_path / "own").rglob("translator.safetensors"))


def test_a_fixed_translator_comes_with_its_probe(quick: Path, tmp_path: Path) -> None:
    path = tmp_path / "translator_small.safetensors"
    fixed = small(path, "fixed")
    probe = ContentProbe(len(fixed.source), fixed.model.sizes.context)
    save_probe(probe_path(path), probe, fixed)
    found = taught(fixed, path, WORDS)
    assert found.learned is not None and found.learned.new_aer is None
    wider, _ = load_probe(learned.taught_probe(path, "zh-en", WORDS), found)
    assert len(wider.bias) == len(found.source)
    assert float(wider.bias.detach()[found.source.encode(["山竹"])].abs()) > 0


def test_only_translators_of_the_grammar_can_be_taught(base: Interpreter, tmp_path: Path) -> None:
    own = replace(base, direction="de-fr", card=Model("mine", "", True))
    with pytest.raises(InputError, match=r"^mine: only the shipped translators can learn"):
        taught(own, tmp_path / "none", WORDS)


def test_a_synonym_is_new_one_way_round_only() -> None:
    synonym = entries((NewWord(word="手提电脑", translation="computer", kind="device"),))
    assert [len(new_in(direction, synonym)) for direction in ("zh-en", "en-zh")] == [1, 0]
    word = NewWord(word="手提电脑", translation="computer", kind="device")
    shipped = Path("translator_shipped.safetensors")
    assert learned.taught_probe(shipped, "en-zh", [word]) == Path("probe_shipped.safetensors")


def test_a_word_without_sentences_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.practice.generate", _exhausted)
    with pytest.raises(InputError, match=r"^'山竹': the grammar makes no sentences with it"):
        make_practice("zh-en", entries()[:1], load_lexicon(), FEW)


def _exhausted(count: int, *args: object, **given: object) -> list[object]:
    if given.get("containing"):
        raise InputError("corpus.exhausted", count=0, wanted=count)
    return []


def test_nobody_hears_what_nobody_listens_to() -> None:
    learning.tell(step=1)
