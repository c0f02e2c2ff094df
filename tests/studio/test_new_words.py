"""--learn and --allow-unknown: into lesson and cache key, and what a run says of them."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import InputError
from engine.lesson import load_lesson
from engine.traces import Learned, to_json
from studio.digests import trace_key
from studio.new_words import learned
from studio.progress import Reporter
from studio.request import make_request
from tests.factories import looking_back

RECORD = Learned("model + 2 words", ("山竹", "小敏"), 120, 0.965, 0.0512, 200, 0.983, 0.98, 300)


def table(folder: Path, text: str = "山竹\tmangosteen\tfood\n") -> Path:
    file = folder / "w.tsv"
    file.write_text(text, encoding="utf-8")
    return file


def test_flags_become_part_of_the_lesson(tmp_path: Path) -> None:
    request = make_request(["looking_back"], learn=table(tmp_path), allow_unknown=True)
    translation = request.lesson.translation
    assert [word.translation for word in translation.learn] == ["mangosteen"]
    assert translation.allow_unknown
    assert not make_request(["looking_back"]).lesson.translation.allow_unknown


def test_a_mistake_in_the_table_is_told_before_anything_is_computed(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        make_request(["looking_back"], learn=table(tmp_path, "山竹\tmangosteen\tfruit\n"))
    assert str(error.value).startswith("w.tsv, line 1, column kind: 'fruit' cannot be used; choose")


def test_a_mistake_in_a_lesson_is_told_with_its_key(tmp_path: Path) -> None:
    lesson = tmp_path / "l.toml"
    row = '{ word = "山竹", translation = "mangosteen", kind = "fruit" }'
    lesson.write_text(f"[translation]\nlearn = [{row}]\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"^translation\.learn\[0\], column kind: 'fruit'"):
        make_request(["looking_back"], lesson=lesson)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{ word = "山竹", kind = "food" }', "translation.learn.0.translation is missing"),
        (
            '{ word = "山竹", translation = "x", kind = "food", colour = "red" }',
            "unknown key 'translation.learn.0.colour'",
        ),
    ],
)
def test_a_row_of_a_lesson_has_the_columns_of_a_table(
    tmp_path: Path, row: str, message: str
) -> None:
    lesson = tmp_path / "l.toml"
    lesson.write_text(f"[translation]\nlearn = [{row}]\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        load_lesson(lesson)
    assert message in str(error.value)


def test_what_is_learnt_is_part_of_what_a_trace_is_made_from() -> None:
    row = {"word": "山竹", "translation": "mangosteen", "kind": "food"}
    lessons = [
        load_lesson(),
        load_lesson(overrides={"translation.learn": [row]}),
        load_lesson(overrides={"translation.allow_unknown": True}),
    ]
    assert len({trace_key(lesson, "looking_back", "cpu") for lesson in lessons}) == 3


def test_a_run_says_how_far_it_is_and_what_it_did() -> None:
    out, err = io.StringIO(), io.StringIO()
    reporter = Reporter("en", out, err)
    for step in (1, *range(5, 125, 5)):
        reporter.learning({"words": 2, "step": step, "steps": 120})
    trace = looking_back()
    provenance = replace(trace.provenance, learned=(RECORD, replace(RECORD, new_aer=None)))
    text = to_json(replace(trace, provenance=provenance))
    reporter.learned(text)
    reporter.learned(text)
    lines = err.getvalue().splitlines()
    assert lines[:2] == ["teaching the translator new words: 2", "step 30 of 120"]
    assert lines[4:] == [
        "step 120 of 120",
        "model + 2 words: of 200 unseen sentences with the new words 96% exact, AER 0.051; of 300 "
        "others 98.0%, before 98.3%",
    ]


def test_a_model_that_looks_at_nothing_has_no_alignment_to_measure() -> None:
    trace = looking_back()
    provenance = replace(trace.provenance, learned=(replace(RECORD, new_aer=None),))
    ((key, values),) = learned(to_json(replace(trace, provenance=provenance)))
    assert (key, values["words"]) == ("learned_fixed", 2)
