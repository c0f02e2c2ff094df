"""What is said when something goes wrong: one line, in the reader's language, nothing else."""

from __future__ import annotations

import ast
import io
import re
from pathlib import Path

import pytest

import studio.production as production
from engine.errors import MOST_SHOWN, FaultError, InputError, Phrase, cause
from engine.words import LANGUAGES, words
from render import main
from studio.messages import from_message, to_message
from studio.progress import Reporter, print_line

ROOT = Path(__file__).resolve().parents[2]
EN = words("en")
SOURCES = [ROOT / "render.py", *sorted(
    file for room in ("engine", "scenes", "studio") for file in (ROOT / room).rglob("*.py")
)]
#: Which calls look a key up, and in which section.
LOOKED_UP = {"InputError": "errors.", "FaultError": "errors.", "Phrase": "errors.", "say": None}


def looked_up(file: Path) -> set[str]:
    """Keys written out in a file, as the tables have them; parts in braces become `*`."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if LOOKED_UP.get(name):
            found |= {f"{LOOKED_UP[name]}{key}" for key in _texts(node.args[0])}
        inner = node.func.func if isinstance(node.func, ast.Call) else None
        if getattr(inner, "id", "") == "words":  # words(lang)("studio.done")
            found |= _texts(node.args[0])
        if name == "Finding" and len(node.args) > 2:
            found |= {f"doctor.{key}" for key in _texts(node.args[2])}
            found |= {f"doctor.things.{key}" for key in _texts(node.args[0])}
    return found


def _texts(node: ast.expr) -> set[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    if isinstance(node, ast.JoinedStr):
        parts = [p.value if isinstance(p, ast.Constant) else "*" for p in node.values]
        return {"".join(map(str, parts))}
    if isinstance(node, ast.IfExp):
        return _texts(node.body) | _texts(node.orelse)
    return set()


@pytest.mark.parametrize("file", SOURCES, ids=lambda f: f.relative_to(ROOT).as_posix())
def test_every_text_that_is_looked_up_is_in_both_tables(file):
    for lang in LANGUAGES:
        keys = words(lang).keys()
        for key in looked_up(file):
            pattern = re.compile(re.escape(key).replace(r"\*", r"[\w.]+"))
            assert any(map(pattern.fullmatch, keys)), f"{lang} lacks {key}"


def test_the_scan_finds_what_it_looks_for():
    assert "errors.lesson.not_utf8" in looked_up(ROOT / "engine" / "lesson.py")
    assert "errors.lesson.expected.*" in looked_up(ROOT / "engine" / "lesson_errors.py")
    assert "studio.interrupted" in looked_up(ROOT / "studio" / "command.py")
    assert "doctor.package_missing" in looked_up(ROOT / "studio" / "doctor.py")


#: Values of the kind that each message really gets; any other is a plain word.
VALUES = {"least": 1, "most": 2, "limit": 3, "count": 4, "length": 5, "code": 6, "min_length": 1,
          "max_length": 9, "p": 0.5}


@pytest.mark.parametrize("key", sorted(k for k in EN.keys() if k.startswith("errors.")))  # noqa: SIM118
def test_every_error_can_be_said_in_both_languages(key):
    fields = set(re.findall(r"(?<!\{)\{(\w+)", EN(key)))
    values = {name: VALUES.get(name, "x") for name in fields}
    said = {lang: InputError(key.removeprefix("errors."), **values).text(lang)
            for lang in LANGUAGES}
    for lang, text in said.items():
        assert text and text.isprintable() and not re.search(r"\{\w+\}", text), lang


def test_nothing_in_a_message_can_steer_a_terminal():
    evil = "a\x1b]0;title\x07\x9b31m\u202e\r\nb\u2028c\ud800\U000e0041"
    text = InputError("lesson.missing", file=evil).text("en")
    assert text.isprintable() and "\n" not in text
    assert r"a\x1b]0;title\x07\x9b31m\u202e b c\ud800\U000e0041" in text


def test_a_long_value_loses_its_middle():
    text = InputError("lesson.missing", file="/" + "x" * 9000 + "/end.toml").text("en")
    assert len(text) < MOST_SHOWN + 120 and "/end.toml: there is no" in text and " … " in text


def test_braces_of_a_user_are_not_filled_in():
    for text in ("{0}", "{x.__class__}", "{}", "%s", "{reason!r:>999999999}"):
        said = InputError("station.unknown", station=text, known="a").text("en")
        assert text in said
        nested = FaultError("lesson.not_toml", file="f", reason=Phrase("system.other", reason=text))
        assert text in nested.text("en")


@pytest.mark.parametrize(
    ("error", "english", "chinese"),
    [
        (FileNotFoundError(2, "x"), "there is no such file or folder", "没有这个文件或文件夹"),
        (IsADirectoryError(21, "x"), "it is a folder", "它是一个文件夹"),
        (NotADirectoryError(20, "x"), "a part of the path is a file, not a folder",
         "路径中有一段是文件，不是文件夹"),
        (PermissionError(13, "x"), "no permission", "没有权限"),
        (OSError(30, "x"), "the disk is read-only", "磁盘是只读的"),
        (OSError(36, "x"), "the name is too long", "名字太长"),
        (OSError(28, "x"), "no room left on the disk", "磁盘已满"),
        (OSError(5, "Input/output error"), "Input/output error", "Input/output error"),
        (ValueError("embedded null byte"), "no file can have that name", "文件不能叫这个名字"),
    ],
)
def test_the_systems_reasons_are_said_in_the_readers_language(error, english, chinese):
    assert (cause(error).text("en"), cause(error).text("zh")) == (english, chinese)


def test_of_another_processs_traceback_only_the_end_is_told():
    deep = RuntimeError("a drawing process failed:\nTraceback (most recent call last):\n"
                        '  File "x.py", line 1\nValueError: width is odd\n')
    error = from_message(to_message(deep, "studio.render_failed", "relay_game", False))
    assert "ValueError: width is odd" in error.text("en")
    assert "Traceback" not in error.text("en") and "x.py" not in error.text("en")


def test_a_missing_package_is_named_whoever_missed_it(monkeypatch, capsys):
    missing = ModuleNotFoundError("No module named 'torch'", name="torch")
    error = from_message(to_message(missing, "studio.trace_failed", "relay_game", False))
    assert (error.key, error.exit_code) == ("studio.package", 1)
    assert error.text("zh") == "缺少软件包 torch；运行 render.py --doctor 可看到还缺什么"

    def produce(*arguments):
        raise missing

    monkeypatch.setattr(production, "produce", produce)
    assert main(["relay_game", "--lang", "en"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("the package torch is not there; run render.py --doctor")


def test_a_fault_of_ours_is_one_line_too(monkeypatch, capsys):
    def produce(*arguments):
        raise ZeroDivisionError("division\nby zero")

    monkeypatch.setattr(production, "produce", produce)
    assert main(["relay_game", "--lang", "en"]) == 1
    said = capsys.readouterr().err
    assert said == ("something of ours failed (ZeroDivisionError: division by zero); "
                    "run again with --debug to see where\n")
    assert main(["relay_game", "--lang", "zh", "--debug"]) == 1
    said = capsys.readouterr().err
    assert "Traceback" in said and said.splitlines()[-1].startswith("程序自身出错（Zero")


FLAGS = [
    (["-r", "0,0"], "--resolution: '0,0' cannot be used; write an even width", "偶数宽"),
    (["-r", "101,100"], "an even height from 16 to 8192", "偶数宽"),
    (["-r", "99999,9999"], "from 16 to 8192", "16 到 8192"),
    (["--fps", "0"], "--frame_rate: 0.0 cannot be used; a number from 0.1 to 240", "0.1 到 240"),
    (["--fps", "nan"], "--frame_rate: nan cannot be used", "nan 不能用"),
    (["--fps", "inf"], "--frame_rate: inf cannot be used", "inf 不能用"),
    (["--fps", "-3"], "--frame_rate: -3.0 cannot be used", "-3.0 不能用"),
    (["--seed", str(2**31)], "--seed: 2147483648 cannot be used; a whole number from 0", "2147"),
    (["--seed", "nan"], "--seed: 'nan' cannot be used", "'nan' 不能用"),
    (["-n", "5,2"], "--from_animation_number: '5,2' cannot be used; the first", "第一个动画"),
    (["--video-codec", "no"], "'no' cannot be used; an encoder of the installed PyAV", "编码器"),
    (["--pixel-format", "no"], "'no' cannot be used; a pixel format", "像素格式"),
    (["--out", ""], "--out needs a value", "--out 需要一个值"),
    (["--out", "a\0b"], r"a\x00b cannot be used (no file can have that name)", "不能叫这个名字"),
    (["--out", "file"], "(a part of the path is a file, not a folder)", "不是文件夹"),
    (["--media_dir", "file"], "--media_dir: ", "--media_dir："),
    (["--tex_template", "no"], "--tex_template: there is no file no", "没有文件 no"),
    (["-c", "file"], "is no configuration for manim (line 1 is no [section]", "第 1 行"),
    (["-c", "utf16"], "is no configuration for manim (it is not UTF-8 text)", "不是 UTF-8"),
    (["--budget", "0"], "--budget: 0.0 cannot be used; a number from 0.1 to 1000", "0.1 到 1000"),
    (["--budget", "-1"], "--budget: -1.0 cannot be used", "-1.0 不能用"),
    (["--budget", "0.05", "--kit"], "a number from 0.1 to 1000", "0.1 到 1000"),
    (["--budget", "nan"], "--budget: nan cannot be used", "nan 不能用"),
    (["--budget", "inf"], "--budget: inf cannot be used", "inf 不能用"),
    (["--budget", "x"], "--budget: 'x' cannot be used; a number is needed", "需要一个数"),
    (["film", "-s"], "film is made from whole MP4 clips; leave out -t, -s", "film 由完整的"),
    (["film", "-n", "1"], "film is made from whole MP4 clips", "film 由完整的"),
    (["trailer", "--dry_run"], "trailer is made from whole MP4 clips", "trailer 由完整的"),
    (["film", "-t"], "film is made from whole MP4 clips", "film 由完整的"),
    (["film", "-o", "x"], "--output_file names the files of one station", "一个站"),
    (["--silent-track", "-s"], "--silent-track is made from whole MP4", "--silent-track 由"),
    (["--learn", ""], "it is a folder", "一个文件夹"),
    (["--learn", "no.tsv"], "no.tsv: the table of new words cannot be read", "没有这个文件"),
    (["--learn", "utf16"], "utf16: the table of new words is not UTF-8", "不是 UTF-8"),
    (["--model", ""], "--model needs a value", "--model 需要一个值"),
    (["--model", "file"], "--model: file cannot be used (a part of the path", "不是文件夹"),
    (["--layer", "2"], "--layer and --head choose an attention of a MarianMT", "MarianMT"),
    (["--layer", "0"], "--layer: 0 cannot be used; a whole number from 1", "1 到 64"),
    (["--head", "0"], "--head: '0' cannot be used; write \"mean\"", "从 1 起"),
    (["--allow-unknown=1"], "--allow-unknown takes no value", "后面不带值"),
    (["--debug=1"], "--debug takes no value; write it alone", "--debug 后面不带值"),
]


@pytest.mark.parametrize(("arguments", "english", "chinese"), FLAGS, ids=lambda x: str(x)[:30])
def test_flags_beyond_their_limits(arguments, english, chinese, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("garbage")
    (tmp_path / "utf16").write_bytes("[CLI]".encode("utf-16"))
    for lang, wanted in (("en", english), ("zh", chinese)):
        assert main(["relay_game", *arguments, "--lang", lang]) == 2
        said = capsys.readouterr()
        *trace, line = said.err.splitlines()
        assert wanted in line and said.out == ""
        assert not trace
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "utf16"]


def test_letters_that_a_terminal_lacks_are_spelled_out():
    class Ascii(io.StringIO):
        encoding = "ascii"

    stream = Ascii()
    print_line(stream, "课 ok")
    assert stream.getvalue() == "\\u8bfe ok\n"
    print_line(None, "nobody listens")
    closed = io.StringIO()
    closed.close()
    print_line(closed, "nobody listens")
    Reporter("en", io.StringIO(), io.StringIO()).say("interrupted")


def test_a_line_is_one_line_whatever_it_tells_of():
    """File names and numbers of a sidecar come from anywhere."""
    stream = io.StringIO()
    print_line(stream, "a\n\x1b[2Jb\u202e\u3000ü\udcff")
    assert stream.getvalue() == "a\\n\\x1b[2Jb\\u202e\u3000ü\\udcff\n"
