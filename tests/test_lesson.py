"""Lessons: what a lecturer writes is a lesson, or one line that says what to change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FaultError, InputError, LookbackError, Phrase
from engine.lesson import MAX_FILE_BYTES, Lesson, load_lesson, with_pair
from engine.stations import STATIONS


def written(tmp_path, text: str | bytes, name: str = "mine.toml"):
    file = tmp_path / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def complaint(lang: str, path=None, **overrides) -> str:
    with pytest.raises(InputError) as error:
        load_lesson(path, {key.replace("__", "."): value for key, value in overrides.items()})
    assert error.value.exit_code == 2
    return error.value.text(lang)


def test_the_default_lesson_has_the_articles_sentences():
    lesson = load_lesson()
    assert lesson.name == "default" and lesson.lang == "zh"
    assert lesson.relay_game.sentence == "我上个月在旧书店淘到的那本讲量子力学的书，它很有趣"
    assert [pair.source for pair in lesson.looking_back.pairs] == [
        "欢迎来杭州",
        "我爱你",
        "我昨天在杭州买了一本书",
    ]
    assert all(hasattr(lesson, station) for station in STATIONS)


def test_a_file_names_only_what_differs(tmp_path):
    file = written(tmp_path, 'lang = "en"\n[relay_game]\ngain = 0.8\n', "第一课.toml")
    lesson = load_lesson(file)
    assert (lesson.name, lesson.lang, lesson.relay_game.gain) == ("第一课", "en", 0.8)
    assert lesson.relay_game.hidden_size == load_lesson().relay_game.hidden_size


def test_flags_override_the_file(tmp_path):
    file = written(tmp_path, 'seed = 3\nlang = "en"\n')
    lesson = load_lesson(file, {"seed": 4, "look.theme": "light"})
    assert (lesson.seed, lesson.lang, lesson.look.theme) == (4, "en", "light")
    assert lesson.look.aspect == "16:9"


def test_a_new_source_does_not_keep_the_old_target(tmp_path):
    lesson = load_lesson(written(tmp_path, '[closed_eyes_recital]\nshort = { source = "你好" }\n'))
    assert lesson.closed_eyes_recital.short.target is None
    assert lesson.closed_eyes_recital.long == load_lesson().closed_eyes_recital.long


@pytest.mark.parametrize("data", [b"\xef\xbb\xbfseed = 7\r\n", b"seed = 7\r\n# \xe8\xaf\xbe\r\n"])
def test_what_editors_on_windows_write(tmp_path, data):
    assert load_lesson(written(tmp_path, data)).seed == 7


def test_a_pair_of_ones_own_stands_first_with_a_crossing_one_beside_it():
    lesson = load_lesson()
    mine = load_lesson(overrides=with_pair(lesson, "苹果很甜", "Apples are sweet"))
    assert [pair.source for pair in mine.looking_back.pairs] == [
        "苹果很甜",
        "我昨天在杭州买了一本书",
    ]
    assert mine.closed_eyes_recital.short.source == "苹果很甜"
    last = lesson.looking_back.pairs[-1]
    assert len(with_pair(lesson, last.source, last.target)["looking_back.pairs"]) == 1


def test_lessons_do_not_change_and_survive_json():
    lesson = load_lesson()
    with pytest.raises(ValueError):
        lesson.seed = 1
    assert Lesson.model_validate_json(lesson.model_dump_json()) == lesson


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("seed =", "not valid TOML"),
        ("seed = 1\nseed = 2", "not valid TOML"),
        (
            '[relay_game]\nsentense = "x"',
            "unknown key 'relay_game.sentense'; known here: sentence,",
        ),
        ("colour = 1", "unknown key 'colour'; known here: name, lang, seed"),
        ("seed = -1", "seed = -1 cannot be used: a number of at least 0"),
        ("seed = 2.5", "seed = 2.5 cannot be used: a whole number"),
        ('seed = "2"', "seed = '2' cannot be used: a whole number"),
        ("[relay_game]\ngain = nan", "relay_game.gain = nan cannot be used: a finite number"),
        ("[relay_game]\ngain = inf", "relay_game.gain = inf cannot be used: a"),
        ("[relay_game]\nclip_norm = 0", "clip_norm = 0 cannot be used: a number of at least 1e-06"),
        ("[relay_game]\nsteps = 1001", "steps = 1001 cannot be used: a number of at most 1000"),
        ('[relay_game]\nsentence = ""', "sentence = '' cannot be used: write at least one word"),
        ("[relay_game]\nsentence = 3", "sentence = 3 cannot be used: a text in quotation marks"),
        ('lang = "fr"', "lang = 'fr' cannot be used: choose 'zh', 'en' or 'both'"),
        ('[look]\ntheme = "pink"', "look.theme = 'pink' cannot be used: choose 'dark' or 'light'"),
        ("[looking_back]\npairs = []", "pairs = [] cannot be used: at least 1 are needed"),
        ("[looking_back]\npairs = [{}]", "looking_back.pairs.0.source is missing"),
        ("looking_back = 3", "looking_back = 3 cannot be used: a table"),
        ("look = 3", "look = 3 cannot be used: a table"),
    ],
)
def test_one_line_says_what_is_wrong_and_what_is_right(tmp_path, text, line):
    file = written(tmp_path, text)
    said = complaint("en", file)
    assert said.startswith(f"{file}: ") and line in said and "\n" not in said
    assert complaint("zh", file).startswith(f"{file}：")


def test_files_that_are_no_lessons(tmp_path):
    assert "there is no such lesson file" in complaint("en", tmp_path / "none.toml")
    assert "没有这个课程文件" in complaint("zh", tmp_path / "none.toml")
    assert "cannot be read" in complaint("en", tmp_path)
    assert "not UTF-8" in complaint("en", written(tmp_path, "seed = 1".encode("utf-16")))
    huge = written(tmp_path, b"#" * (MAX_FILE_BYTES + 1))
    assert f"larger than {MAX_FILE_BYTES} bytes" in complaint("en", huge)


def test_a_path_with_a_null_byte_is_no_file():
    assert "no such lesson file" in complaint("en", "a\0b.toml")


@given(st.dictionaries(st.text(max_size=12), st.integers() | st.text(max_size=8) | st.floats()))
def test_any_table_is_a_lesson_or_a_clear_error(overrides):
    try:
        assert isinstance(load_lesson(overrides=overrides), Lesson)
    except InputError as error:
        assert error.text("zh") and error.text("en")


TOML = st.text(
    st.sampled_from("[]{}\"=\n.#'abc01 look seed relay_game sentence pairs我"), max_size=60
)


@given(TOML)
def test_any_file_is_a_lesson_or_a_clear_error(tmp_path_factory, text):
    file = written(tmp_path_factory.getbasetemp(), text, "any.toml")
    try:
        assert isinstance(load_lesson(file), Lesson)
    except InputError as error:
        assert error.text("zh") and error.text("en")


@pytest.mark.parametrize("kind", [InputError, FaultError])
def test_errors_cross_processes(kind):
    import pickle

    error = kind(
        "lesson.bad_value", file="f", key="k", value=1, expected=Phrase("lesson.expected.number")
    )
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind and isinstance(again, LookbackError)
    assert (
        again.text("en") == error.text("en") == "f: k = 1 cannot be used: a finite number is needed"
    )
    assert again.text("zh") == "f：k = 1 不能用：需要一个有限的数"


def test_braces_in_what_a_user_wrote_are_only_text():
    assert "{reason}" in InputError("station.unknown", station="{reason}", known="").text("en")
