"""A translator of one's own: German to French, from sentences made here, to looking back."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

import engine
from engine import own_command
from engine.batching import Example
from engine.chosen import chosen, measured
from engine.cuts import cut
from engine.errors import InputError
from engine.lesson import Lesson, load_lesson
from engine.own_corpus import find_links, make_own_material
from engine.own_folder import read_folder_card
from engine.own_models import own_interpreter, own_path
from engine.pairs_file import FEWEST_PAIRS, MOST_LINE, MOST_WORDS, read_pairs
from engine.training import main
from engine.translators import load_interpreter
from engine.vocabulary import SPECIAL, UNKNOWN, Vocabulary

CPU = torch.device("cpu")
WHO = (
    ("Ich habe", "j' ai"),
    ("Du hast", "tu as"),
    ("Der Lehrer hat", "le professeur a"),
    ("Das Kind hat", "l' enfant a"),
    ("Wir haben", "nous avons"),
    ("Der Nachbar hat", "le voisin a"),
)
WHEN = (("gestern", "hier"), ("heute", "aujourd'hui"), ("am Montag", "lundi"), ("nie", "jadis"))
WHAT = (
    ("das Buch", "le livre"),
    ("den Brief", "la lettre"),
    ("die Zeitung", "le journal"),
    ("das Bild", "l' image"),
    ("den Apfel", "la pomme"),
    ("die Karte", "la carte"),
    ("das Brot", "le pain"),
    ("den Hut", "le chapeau"),
)
DONE = (("gesehen", "vu"), ("gekauft", "acheté"), ("gesucht", "cherché"), ("gefunden", "trouvé"))
SENTENCE = "Der Lehrer hat gestern das Buch gekauft"
TRANSLATION = "le professeur a acheté le livre hier"


def lines() -> list[str]:
    """The verb goes to the end in German, and the time in French: every sentence crosses."""
    made = [
        f"{who[0]} {when[0]} {what[0]} {done[0]}\t{who[1]} {done[1]} {what[1]} {when[1]}"
        for who, when, what, done in itertools.product(WHO, WHEN, WHAT, DONE)
    ]
    random.Random(0).shuffle(made)
    return [line for line in made if not line.startswith(SENTENCE)]


def write(path: Path, rows: list[str]) -> Path:
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def run(*arguments: object) -> str:
    result = CliRunner().invoke(main, [*map(str, arguments)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trained once for all tests here, in some seconds."""
    place = tmp_path_factory.mktemp("own")
    file = write(place / "pairs.tsv", [f"{line}\tCC0 (nobody)" for line in lines()])
    run("--corpus", file, "--out", place / "de-fr", "--languages", "de-fr", "--steps", 280)
    return place / "de-fr"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hardly trained, but with everything that a folder can have."""
    place = tmp_path_factory.mktemp("tiny")
    rows = [
        f"{a} {line.split(chr(9))[0]} {b}\t{line.split(chr(9))[1]}"
        for line, (a, b) in zip(lines(), itertools.cycle(itertools.permutations("uvwxyz", 2)))
    ]
    run(
        "corpus",
        write(place / "p.tsv", rows),
        "--out",
        place / "m",
        "--fixed",
        "--seeds",
        2,
        "--steps",
        3,
        "--hidden",
        16,
        "--seed",
        7,
    )
    return place / "m"


def lesson(folder: Path, **changes: object) -> Lesson:
    pair = {"source": SENTENCE}
    return load_lesson(
        overrides={
            "translation.model": str(folder),
            "looking_back.pairs": [pair],
            "closed_eyes_recital.short": pair,
            "closed_eyes_recital.long": pair,
            **changes,
        }
    )


# Learning


def test_it_learns_what_it_was_not_shown(folder: Path) -> None:
    card = read_folder_card(folder)
    assert card["languages"] == "de-fr"
    assert card["data"]["training_pairs"] + card["data"]["held_out_pairs"] == len(lines())
    figures = card["models"]["conditional"]["figures"]
    assert figures["exact_match"] >= 0.8
    assert figures["known_exact_match"] >= figures["exact_match"]
    assert "aer" not in figures


def test_looking_back_shows_the_pair_with_its_own_name(folder: Path) -> None:
    trace = engine.trace(lesson(folder), "looking_back", "cpu")
    (pair,) = trace.pairs
    assert " ".join(pair.target) == TRANSLATION
    links = {pair.target[i]: pair.source[j] for i, j in enumerate(pair.alignment)}
    assert links["acheté"] == "gekauft" and links["hier"] == "gestern" and links["livre"] == "Buch"
    assert pair.crossings > 0
    assert pair.leave_one_out.max() > 1
    names = [model.name for model in trace.provenance.models]
    assert names == ["own_de-fr_conditional", "untrained twin"]
    assert (
        trace.provenance.models[0].sha256 == own_interpreter(folder, "conditional", CPU).card.sha256
    )


def test_an_unknown_word_is_named(folder: Path) -> None:
    changed = lesson(
        folder, **{"looking_back.pairs": [{"source": "Ich habe heute Kuchen gesehen"}]}
    )
    with pytest.raises(InputError, match="does not know Kuchen"):
        engine.trace(changed, "looking_back", "cpu")


def test_the_same_command_makes_the_same_weights(tiny: Path, tmp_path: Path) -> None:
    run(
        "corpus",
        tiny.parent / "p.tsv",
        "--out",
        tmp_path / "m",
        "--steps",
        3,
        "--hidden",
        16,
        "--seed",
        7,
    )
    again, first = (own_path(place, "conditional").read_bytes() for place in (tmp_path / "m", tiny))
    assert again == first


# The recital, with curves of its own


def test_the_recital_has_the_folders_own_curves(tiny: Path) -> None:
    pair = {"source": "u " + SENTENCE + " v"}
    trace = engine.trace(
        lesson(tiny, **{"closed_eyes_recital.short": pair, "closed_eyes_recital.long": pair}),
        "closed_eyes_recital",
        "cpu",
    )
    assert {curve.model for curve in trace.curves} == {"fixed", "attention"}
    assert trace.curves[0].counts.sum() <= read_folder_card(tiny)["data"]["held_out_pairs"]
    assert [m.name for m in trace.provenance.models][:3] == [
        "own_source-target_fixed",
        "own_source-target_conditional",
        "probe",
    ]


def test_without_a_fixed_one_the_recital_is_refused(folder: Path) -> None:
    for lang in ("en", "zh"):
        with pytest.raises(InputError) as refused:
            engine.trace(lesson(folder), "closed_eyes_recital", "cpu")
        assert "--fixed" in refused.value.text(lang)


def test_the_shipped_tables_are_not_taken_for_the_folders(folder: Path) -> None:
    with pytest.raises(InputError, match="belong to other models"):
        measured(lesson(folder), SENTENCE)


def test_further_seeds_are_asked_too(tiny: Path) -> None:
    pair = {"source": "u " + SENTENCE + " v", "target": TRANSLATION}
    trace = engine.trace(lesson(tiny, **{"looking_back.pairs": [pair]}), "looking_back", "cpu")
    assert len(trace.pairs[0].evidence.seeds) == 2


# Folders that cannot be used


def refused(place: Path, *parts: str) -> None:
    for lang in ("en", "zh"):
        with pytest.raises(InputError) as error:
            chosen(lesson(place), SENTENCE, "conditional", CPU)
        text = error.value.text(lang)
        assert "\n" not in text
        assert all(part in text for part in parts), text


def test_bad_folders_are_named_in_one_line(folder: Path, tmp_path: Path) -> None:
    refused(tmp_path / "none", "none")
    refused(tmp_path, "conditional.safetensors", "--corpus")
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80\x04")
    refused(tmp_path, "pickle", "safetensors")


def test_a_damaged_file_is_refused(folder: Path, tmp_path: Path) -> None:
    whole = own_path(folder, "conditional").read_bytes()
    own_path(tmp_path, "conditional").write_bytes(whole[: len(whole) // 2])
    refused(tmp_path, "conditional.safetensors")
    own_path(tmp_path, "conditional").write_bytes(b"\x80\x04}q\x00.")
    refused(tmp_path, "conditional.safetensors")


def test_numbers_that_are_none_are_refused(folder: Path, tmp_path: Path) -> None:
    from engine import checkpoints

    tensors, metadata = checkpoints.load(own_path(folder, "conditional"))
    tensors["bias"][3] = float("nan")
    checkpoints.save(own_path(tmp_path, "conditional"), tensors, metadata)
    refused(tmp_path, "bias")
    tensors["bias"] = torch.zeros(5)
    checkpoints.save(own_path(tmp_path, "conditional"), tensors, metadata)
    refused(tmp_path, "bias", "(5,)")


# The file of pairs


def test_two_or_three_columns_bom_and_crlf(tmp_path: Path) -> None:
    rows = lines()[:FEWEST_PAIRS]
    data = "".join(
        f"{row}\tsomebody #1\r\n" if k % 2 else f"{row}\r\n" for k, row in enumerate(rows)
    )
    file = tmp_path / "p.tsv"
    file.write_bytes(b"\xef\xbb\xbf" + (data + "\r\n" + rows[0] + "\r\n").encode())
    found = read_pairs(file)
    assert len(found.pairs) == FEWEST_PAIRS
    assert found.pairs[0][1][-1] == rows[0].split()[-1]
    assert found.faults.counts["blank"] == found.faults.counts["duplicate"] == 1


def test_bad_lines_are_left_out_and_named(tmp_path: Path) -> None:
    bad = [
        "no tab here",
        "\tonly a target",
        "a\0b\tc",
        "x " * (MOST_WORDS + 1) + "\ty",
        "z" * (2 * MOST_LINE) + "\ty",
    ]
    found = read_pairs(write(tmp_path / "p.tsv", [*bad, *lines()[:30]]))
    assert len(found.pairs) == 30
    assert found.faults.lines == {"columns": (1, 2), "unprintable": (3,), "long": (4, 5)}


def test_no_more_pairs_than_asked_for(tmp_path: Path) -> None:
    found = read_pairs(write(tmp_path / "p.tsv", lines()[:30]), most=25)
    assert len(found.pairs) == 25 and found.faults.counts["beyond"] == 5


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        (b"", ("0",)),
        (b"one\tline\n", ("1", str(FEWEST_PAIRS))),
        (b"no tabs\n" * 40, ("1, 2, 3, 4, 5",)),
        ("a\tb\n".encode("utf-16"), ("1", "UTF-8")),
        ("a\tb\n".encode("utf-16-le") * 30, ("1", "UTF-8")),
        (b"a\tb\nc\t\xed\xa0\x80\n", ("2", "UTF-8")),
        (b"a\tb\nc\t\xff\n", ("2", "UTF-8")),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, data: bytes, parts: tuple[str, ...]) -> None:
    file = tmp_path / "p.tsv"
    file.write_bytes(data)
    with pytest.raises(InputError) as error:
        read_pairs(file)
    for lang in ("en", "zh"):
        text = error.value.text(lang)
        assert "\n" not in text and all(part in text for part in ("p.tsv", *parts)), text


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.tsv", Path("/dev/zero")):
        with pytest.raises(InputError, match="cannot be read"):
            read_pairs(path)


# Words


def test_words_of_other_scripts() -> None:
    assert cut("L'amie n'est pas là.") == ("L'amie", "n'est", "pas", "là", ".")
    assert cut("わたしはねこ") == tuple("わたしはねこ")
    assert cut("ไปไหน") == tuple("ไปไหน")
    assert cut("わたし|は|ねこ") == ("わたし", "は", "ねこ")


def test_a_vocabulary_is_capped_by_frequency() -> None:
    words = Vocabulary.commonest([("a", "b", "a"), ("a", "c", "c")], most=2, least=1)
    assert words.words == (*SPECIAL, "a", "c")
    assert words.encode(["b"]) == [UNKNOWN]
    assert len(Vocabulary.commonest([("a", "b", "a")], most=9, least=2)) == len(SPECIAL) + 1


def test_held_out_sources_are_in_no_training() -> None:
    pairs = [((str(k % 40),), (str(k),)) for k in range(80)]
    for seed in (1, 2):
        material = make_own_material(pairs, seed)
        kept = {source for source, _ in material.held_out}
        assert kept and not kept & {source for source, _ in material.training}
        assert len(material.training) + len(material.held_out) == 80
    assert make_own_material(pairs, 1).held_out != material.held_out


def test_links_are_words_that_come_together() -> None:
    pairs = [
        (("der", "Hund", "."), ("le", "chien", ".")),
        (("der", "Wal", "."), ("la", "baleine", ".")),
        (("ein", "Hund", "."), ("un", "chien", ".")),
        (("der", "Hut", "."), ("le", "chapeau", ".")),
    ]
    links = find_links(pairs)
    assert links["Hund"] == "chien" and "." not in links and "Wal" not in links
    material = make_own_material(pairs * 10, 1)
    assert isinstance(material.encode(pairs[0]), Example)


# The command


def test_a_place_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    result = CliRunner().invoke(main, ["corpus", "none.tsv", "--out", str(tmp_path)])
    assert isinstance(result.exception, InputError)
    assert all("--out" in result.exception.text(lang) for lang in ("en", "zh"))
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(own_command, "own_figures", stop)
    yield


def test_ctrl_c_leaves_nothing_half_written(tmp_path: Path, stopped: None) -> None:
    file = write(tmp_path / "p.tsv", lines()[:40])
    arguments = ["corpus", str(file), "--out", str(tmp_path / "m"), "--steps", "1", "--hidden", "8"]
    assert CliRunner().invoke(main, arguments).exit_code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["p.tsv"]


def test_languages_are_a_short_text(tmp_path: Path) -> None:
    file = write(tmp_path / "p.tsv", lines()[:40])
    for label in ("", "x" * 41):
        result = CliRunner().invoke(main, ["corpus", str(file), "--languages", label])
        assert isinstance(result.exception, InputError)
        assert "--languages" in result.exception.text("zh")


def test_a_translator_that_cannot_be_opened_twice_alike(folder: Path) -> None:
    stored = load_interpreter(own_path(folder, "conditional"), CPU, torch.float32)
    assert not stored.source.lexical and stored.direction == "de-fr"
