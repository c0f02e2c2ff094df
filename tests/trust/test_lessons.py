"""Whatever stands in a lesson file: a lesson, or one line that names file, key and remedy."""

from __future__ import annotations

import tomllib

import pytest
import tomli_w
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from engine.errors import InputError
from engine.lesson import MAX_FILE_BYTES, MAX_NAME, Lesson, load_lesson
from engine.stations import STATIONS
from engine.words import LANGUAGES
from studio.request import make_request


def refused(data: str | bytes, tmp_path, lang: str = "en") -> str:
    """The complaint, less the file's name that it starts with."""
    file = tmp_path / "mine.toml"
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    with pytest.raises(InputError) as error:
        load_lesson(file)
    text = error.value.text(lang)
    assert error.value.exit_code == 2 and text.isprintable()
    stop = {"en": ": ", "zh": "："}[lang]
    assert text.startswith(f"{file}{stop}")
    return text.removeprefix(f"{file}{stop}")


RELAY = "[relay_game]\n"

FILES = {
    "UTF-16": ("seed = 1".encode("utf-16"), "the lesson is not UTF-8 text", "不是 UTF-8"),
    "UTF-16 unmarked": ("seed = 1".encode("utf-16-le"), "the lesson is not UTF-8", "不是 UTF-8"),
    "UTF-32": ("seed = 1".encode("utf-32"), "the lesson is not UTF-8 text", "不是 UTF-8"),
    "GBK": ("# 课\n".encode("gbk"), "the lesson is not UTF-8 text", "不是 UTF-8"),
    "a NUL": (b"seed = 1\0", "the lesson is not UTF-8 text", "不是 UTF-8"),
    "a film": (b"\0\0\0\x18ftypmp42", "the lesson is not UTF-8 text", "不是 UTF-8"),
    "huge": (b"#" * (MAX_FILE_BYTES + 1), "larger than 1000000 bytes", "超过 1000000 字节"),
    "no TOML": ("a\nb", "not valid TOML: line 1, column 2 is wrong", "第 1 行第 2 列有误"),
    "old Mac line ends": (b"seed = 1\rlang = 'en'", "line 1, column 9 is wrong", "第 1 行第 9"),
    "cut short": ("a = [1,", "it ends too early", "文件没有写完"),
    "key twice": ("a = 1\na = 2\n", "line 2: the key or table is there twice", "出现了两次"),
    "key twice at the end": ("a = 1\na = 2", "its last key or table is there twice", "出现了两次"),
    "station twice": (RELAY * 2, "line 2: the key or table is there twice", "出现了两次"),
    "nested deeply": ("a = " + "[" * 5000, "it is nested too deeply", "嵌套太深"),
    "endless number": ("seed = " + "9" * 5000, "a number has too many digits", "位数太多"),
    "unknown key": ("sed = 1", "unknown key 'sed'; known here: name, lang, seed", "没有 'sed'"),
    "unknown station": ("[telepathy]", "unknown key 'telepathy'; known here: name", "没有 'tele"),
    "unknown key inside": (f"{RELAY}gian = 1", "'relay_game.gian'; known here: sentence", "gian"),
    "unknown key in a pair": (
        '[looking_back]\npairs = [{source = "我", taget = "I"}]',
        "unknown key 'looking_back.pairs.0.taget'; known here: source, target",
        "'looking_back.pairs.0.taget'",
    ),
    "a date": ("seed = 2020-01-01", "seed = 2020-01-01 cannot be used: a whole", "整数"),
    "a truth": ("seed = true", "seed = true cannot be used: a whole number", "整数"),
    "a half": ("seed = 0.5", "seed = 0.5 cannot be used: a whole number", "整数"),
    "a huge seed": (f"seed = {2**31}", "a number of at most 2147483647", "不大于 2147483647"),
    "an array for a table": ("look = [1]", "look = [1] cannot be used: a table", "需要一个表"),
    "five pairs": (
        "[looking_back]\npairs = [" + '{source = "我"}, ' * 5 + "]",
        "at most 4 are possible",
        "最多可以有 4 个",
    ),
    "a pair without a source": (
        '[looking_back]\npairs = [{target = "I"}]',
        "looking_back.pairs.0.source is missing",
        "缺少 looking_back.pairs.0.source",
    ),
    "no words": (f'{RELAY}sentence = "\\u200b"', "write at least one word", "至少写一个词"),
    "bars alone": (f'{RELAY}sentence = "|||"', "write at least one word", "至少写一个词"),
    "a bell": (f'{RELAY}sentence = "a\\u0007"', "holds U+0007, which is not text", "U+0007"),
    "a long sentence": (f'{RELAY}sentence = "{"我" * 2001}"', "at most 2000 char", "最多 2000"),
    "a long name": (
        f'[conveyor_belt]\nname = "{"x" * (MAX_NAME + 1)}"',
        f"at most {MAX_NAME} characters",
        f"最多 {MAX_NAME}",
    ),
    "no title": ('name = ""', "name = '' cannot be used: write at least one word", "至少写一个词"),
}


@pytest.mark.parametrize(("data", "english", "chinese"), FILES.values(), ids=FILES)
def test_files_that_are_no_lessons(data, english, chinese, tmp_path):
    assert english in refused(data, tmp_path)
    assert chinese in refused(data, tmp_path, "zh")


#: (key, least that is allowed, most that is allowed)
LIMITS = [
    ("seed", 0, 2**31 - 1),
    ("relay_game.hidden_size", 2, 128),
    ("relay_game.steps", 2, 1000),
    ("relay_game.gain", 0, 1e6),
    ("relay_game.exploding_gain", 0, 1e6),
    ("relay_game.clip_norm", 1e-6, 1e6),
    ("relay_game.seeds", 5, 64),
    ("conveyor_belt.units", 1, 12),
    ("conveyor_belt.steps", 2, 1000),
]


@pytest.mark.parametrize(("key", "least", "most"), LIMITS)
def test_numbers_at_their_limits_and_beyond(key, least, most):
    for good in (least, most):
        assert load_lesson(overrides={key: good})
    beyond = (least - 1, most + 1, -(2**70), 2**70, float("nan"), float("inf"), "3", None, True)
    for bad in beyond:
        with pytest.raises(InputError) as error:
            load_lesson(overrides={key: bad})
        assert f"{key} = " in error.value.text("en")
        assert error.value.text("zh").isprintable()


def test_a_byte_order_mark_and_windows_line_ends_are_fine(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_bytes(b'\xef\xbb\xbfseed = 7\r\n[look]\r\ntheme = "light"\r\n')
    assert (load_lesson(file).seed, load_lesson(file).look.theme) == (7, "light")


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/urandom"])
def test_a_file_without_end_is_not_read_to_its_end(path):
    with pytest.raises(InputError, match="larger than"):
        load_lesson(path)


def test_the_sentence_is_kept_as_it_can_be_seen(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('[relay_game]\nsentence = """\n  我\u200b爱\n你  """\n', encoding="utf-8")
    assert load_lesson(file).relay_game.sentence == "我爱 你"


@pytest.mark.parametrize("title", ["{0}", "{x.__class__}", "%s", "<b>x</b>", "#let", "a\\nb", "🎓"])
def test_a_title_is_only_a_name(title, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(f'name = "{title}"\n', encoding="utf-8")
    request = make_request(["relay_game"], lesson=file, out=tmp_path / "out")
    assert request.folder.parent == tmp_path / "out"
    assert request.lesson.name == title.replace("\\n", " ")


def test_the_same_station_twice_on_the_command_line_is_one():
    assert make_request(["relay_game", "relay_game"]).stations == ("relay_game",)


KEYS = st.sampled_from([*STATIONS, "look", "seed", "lang", "name", "pairs", "source", "gain", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(KEYS | st.text(max_size=8), VALUES, max_size=4))
def test_any_table_is_a_lesson_or_a_clear_error(table):
    try:
        assert isinstance(load_lesson(overrides=table), Lesson)
    except InputError as error:
        assert all(error.text(lang).isprintable() for lang in LANGUAGES)


NUMBERS = st.integers(-2, 9) | st.floats(-1, 3) | st.sampled_from([1e6, 1e-320, float("nan")])
SMALL = st.fixed_dictionaries(
    {"hidden_size": st.integers(1, 5), "steps": st.integers(1, 9), "seeds": st.just(5)},
    optional={"gain": NUMBERS, "exploding_gain": NUMBERS, "clip_norm": NUMBERS,
              "sentence": st.text("我爱你ab |", max_size=6)},
)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(SMALL, st.integers(-1, 2**31))
def test_any_relay_is_a_trace_or_a_clear_error(tmp_path_factory, relay, seed):
    """The trace checks itself: no NaN, shapes that agree."""
    file = tmp_path_factory.getbasetemp() / "relay.toml"
    file.write_bytes(tomli_w.dumps({"seed": seed, "relay_game": relay}).encode())
    assert tomllib.loads(file.read_text("utf-8"))
    try:
        assert engine.trace(load_lesson(file), "relay_game", "cpu").station == "relay_game"
    except InputError as error:
        assert all(error.text(lang).isprintable() for lang in LANGUAGES)
