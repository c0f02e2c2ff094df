"""The page as text: complete, its own file's only, and deaf to markup in what people write."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import fields, is_dataclass
from html.parser import HTMLParser
from typing import get_args, get_type_hints

import numpy as np
import pytest

import studio.page
from engine.lesson import load_lesson
from engine.traces import KINDS
from engine.traces.base import Provenance
from engine.words import words
from scenes.theme import THEMES, contrast
from studio.cache import Cache, checksum
from studio.page import TEMPLATES, make_page
from studio.page_clips import clips_in
from studio.page_grid import SCALES, alignment_grid
from studio.page_numbers import numbers_of, said
from tests import factories
from tests.studio.pages import HOSTILE, all_stations, hostile_trace, make, make_folder

VOID = {"meta", "link", "img", "track", "br", "input"}


class Page(HTMLParser):
    """Tags with their attributes, and the text between them, as a browser reads them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.scripts: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        assert self._open == [], "every element is closed"

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open[-1:] == ["script"]:
            self.scripts.append(data)
        elif self._open[-1:] != ["style"]:
            self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """All stations; look, do not touch."""
    return make_folder(tmp_path_factory.mktemp("pages") / "default", all_stations())


@pytest.fixture(scope="module")
def page(folder) -> Page:
    return Page(make(folder).read_text(encoding="utf-8"))


def test_every_station_is_there_in_both_languages(page):
    assert [a["id"] for a in page.all("article")] == list(all_stations())
    for station in all_stations():
        for lang in ("zh", "en"):
            assert words(lang)(f"{station}.title") in page.text
            assert words(lang)(f"{station}.note").strip() in page.text


def test_ids_are_said_once(page):
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for attributes in page.all("article"):
        assert attributes["aria-labelledby"] in ids


def test_nothing_is_fetched_from_elsewhere(page, folder):
    here = {path.name for path in folder.iterdir()}
    for tag, attributes in page.tags:
        for name in ("src", "href", "poster", "action", "data"):
            address = attributes.get(name) or "#"
            if not address.startswith(("#", "data:")):
                assert address.startswith("./") and address[2:] in here, (tag, address)
    style = (TEMPLATES / "page.css").read_text(encoding="utf-8")
    assert "url(" not in style and "@import" not in style


def test_captions_are_in_the_page(page, folder):
    tracks = page.all("track")
    assert [track["srclang"] for track in tracks] == ["zh", "en"] * 4
    text = base64.b64decode(tracks[1]["src"].partition("base64,")[2]).decode()
    assert text == (folder / "relay_game.en.vtt").read_text(encoding="utf-8")


def test_only_our_own_script_may_run(page):
    import hashlib

    (script,) = page.scripts
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = (m["content"] for m in page.all("meta") if "http-equiv" in m)
    assert policy.startswith(f"script-src 'sha256-{digest}'; connect-src 'none'")


def test_what_people_write_is_text(tmp_path):
    stem = "javascript:'\"<b>&{{7*191}}"
    text = " ".join(HOSTILE)
    lesson = load_lesson().model_copy(update={"name": text})
    folder = make_folder(tmp_path / "x", {stem: hostile_trace()}, text)
    page = Page(make(folder, lesson).read_text(encoding="utf-8"))
    assert len(page.scripts) == len(page.all("script")) == 1 and not page.all("b")
    assert "1337" not in page.text and page.text.count("{{7*191}}") > 5
    for word in HOSTILE:
        assert word in page.text
    for tag, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on")], tag
        for name in ("src", "href", "poster"):
            assert (attributes.get(name) or "#").startswith(("#", "./", "data:text/vtt", "data:,"))
    (article,) = page.all("article")
    assert re.fullmatch(r"[\w.-]+", article["id"]) and article["data-stem"] == stem


def test_made_once_and_left_alone(folder, monkeypatch, tmp_path):
    cache, lesson = Cache(tmp_path / "cache"), load_lesson()
    target = make_page(folder, lesson, cache)
    before = target.stat().st_mtime_ns
    monkeypatch.setattr(studio.page, "page", None)  # may not be called again
    assert make_page(folder, lesson, cache) == target and target.stat().st_mtime_ns == before
    target.unlink()
    assert make_page(folder, lesson, cache) == target


def test_a_change_makes_another_page(tmp_path):
    folder = make_folder(tmp_path / "x", {"looking_back": factories.looking_back()})
    first = checksum(make(folder))
    english = load_lesson(overrides={"lang": "en"})
    assert 'data-lang="en"' in make(folder, english).read_text(encoding="utf-8")
    assert checksum(make(folder)) == first
    make_folder(folder, {"looking_back": factories.looking_back([("你好", "hello")])})
    assert "hello" in make(folder).read_text(encoding="utf-8")


def test_somebody_elses_page_stays(tmp_path):
    folder = make_folder(tmp_path / "x", {"looking_back": factories.looking_back()})
    (folder / "index.html").write_text("mine")
    assert make_page(folder, load_lesson(), Cache(tmp_path / "cache")) is None
    assert (folder / "index.html").read_text() == "mine"


@pytest.mark.parametrize("broken", ["", "[]", "{}", '{"station": "no such"}'])
def test_files_that_are_not_ours_are_passed_over(tmp_path, broken):
    folder = make_folder(tmp_path / "x", {"looking_back": factories.looking_back()})
    (folder / "other.mp4").write_bytes(b"")
    (folder / "other.beats.json").write_text(broken)
    assert [clip.stem for clip in clips_in(folder)] == ["looking_back"]
    (folder / "looking_back.mp4").unlink()
    assert make_page(folder, load_lesson(), Cache(tmp_path / "cache")) is None


def test_a_film_without_its_numbers_still_has_a_page(tmp_path):
    folder = make_folder(tmp_path / "x", {"looking_back": factories.looking_back()})
    (folder / "looking_back.json").write_text("{")
    page = Page(make(folder).read_text(encoding="utf-8"))
    assert len(page.all("video")) == 1 and not page.all("table")


def test_stills_are_used_where_there_are_any(tmp_path, page):
    folder = make_folder(tmp_path / "x", {"looking_back": factories.looking_back()}, stills=True)
    pictures = Page(make(folder).read_text(encoding="utf-8")).all("img")
    assert [p["src"] for p in pictures] == [
        f"./looking_back/{name}.png" for name in ("question", "weights", "sum", "name")
    ]
    assert all(p["alt"] and p["data-alt-en"].startswith("Beat ") for p in pictures)
    assert {p["src"] for p in page.all("img")} == {f"./{name}.png" for name in all_stations()}


def test_what_there_is_for_the_lecture_is_named(tmp_path):
    folder = make_folder(tmp_path / "x", {"looking_back": factories.looking_back()}, stills=True)
    assert "讲课用" not in Page(make(folder).read_text(encoding="utf-8")).text
    for name in ("deck.html", "x.pptx", "film.mp4", "script.zh.md", "mine.md", "holiday.mp4"):
        (folder / name).write_bytes(b"")
    (folder / "looking_back" / "01_question.mp4").write_bytes(b"")
    page = Page(make(folder).read_text(encoding="utf-8"))
    links = [a["href"] for a in page.all("a")]
    assert links[1:5] == ["./deck.html", "./x.pptx", "./film.mp4", "./script.zh.md"]
    assert "./looking_back/01_question.mp4" in links and "./looking_back/weights.png" in links
    assert "./mine.md" not in links and "./holiday.mp4" not in links


def test_the_points_of_a_curve_are_one_row(tmp_path):
    folder = make_folder(tmp_path / "x", {"looking_back": factories.looking_back()})
    file = folder / "looking_back.beats.json"
    table = json.loads(file.read_text("utf-8"))
    first = table["channels"][0]
    table["channels"] = [first | {"attribute": f"y{n}", "field": f"pairs[0].weights[{n}]",
                                  "index": [n], "value": float(n)} for n in range(12)]  # fmt: skip
    file.write_text(json.dumps(table), "utf-8")
    (clip,) = clips_in(folder)
    beat = clip.beats[1]
    assert [(u.field, u.attribute, u.count) for u in beat.uses] == [("pairs[0].weights", "y", 12)]
    assert [one.values for one in beat.figures] == [tuple(map(float, range(12)))]


def test_a_moving_picture_needs_no_player(tmp_path):
    folder = make_folder(tmp_path / "x", {"looking_back": factories.looking_back()})
    (folder / "looking_back.mp4").rename(folder / "looking_back.gif")
    page = Page(make(folder).read_text(encoding="utf-8"))
    assert not page.all("video") and page.all("img")[0]["src"] == "./looking_back.gif"


def test_the_colours_are_those_of_the_clips():
    style = (TEMPLATES / "colors.css").read_text(encoding="utf-8")
    blocks = re.findall(r"^:root(?:\[data-theme=\"(\w+)\"\])? \{(.*?)\}", style, re.S | re.M)
    assert len(blocks) == 2
    for name, block in blocks:
        theme = THEMES[name or "light"]
        named = dict(re.findall(r"--(\w+): (#\w{6});", block))
        assert len(named) == 10
        assert named == {role: getattr(theme, role.upper()) for role in named}
        assert SCALES[theme.name] == (theme.LOW, theme.HIGH)


def test_the_grid_is_the_weights():
    pair = factories.lookback("我|爱|你", "I love you")
    grid = alignment_grid(pair)
    drawn = np.array([[cell.weight for cell in cells] for _, cells in grid.rows])
    assert np.array_equal(drawn, pair.weights)
    assert [word.text for word, _ in grid.rows] == ["I", "love", "you"]
    assert [word.whole for word in grid.columns] == ["我", "爱", "你"] and not grid.turned


def test_a_long_word_ends_in_dots_and_stays_whole_in_its_name():
    long = "Donaudampfschifffahrtsgesellschaft"
    grid = alignment_grid(factories.lookback(f"{long} x", "我 爱"))
    assert grid.turned and grid.columns[0].whole == long
    assert grid.columns[0].text.endswith("…") and long.startswith(grid.columns[0].text[:-1])


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
@pytest.mark.parametrize("weight", np.linspace(0, 1, 21))
def test_figures_stand_out_from_their_cells(theme, weight):
    from studio.page_grid import _inks

    ink = next(name for name in _inks(weight).split() if name.startswith(theme.name))
    color = {"black": "#000000", "white": "#FFFFFF"}[ink.partition("-")[2]]
    mixed = [round(a + (b - a) * weight) for a, b in zip(_rgb(theme.LOW), _rgb(theme.HIGH),
                                                         strict=True)]  # fmt: skip
    assert contrast(color, "#{:02X}{:02X}{:02X}".format(*mixed)) >= 4.5


def _rgb(color: str) -> list[int]:
    return [int(color[at : at + 2], 16) for at in (1, 3, 5)]


def test_numbers_stand_beside_their_words():
    trace = factories.looking_back([("我|爱|你", "I love you")])
    (pair,) = numbers_of(trace).groups
    assert pair.name == "pairs[0]"
    tables = {(table.axis, table.matrix): table for table in pair.tables}
    by_target = tables["target", False]
    assert by_target.rows == ("I", "love", "you")
    names = [column.name for column in by_target.columns]
    assert by_target.cells[1][names.index("probabilities")] == said(trace.pairs[0].probabilities[1])
    weights = next(t for t in pair.tables if t.matrix and t.columns[0].path == "pairs[0].weights")
    assert [column.name for column in weights.columns] == ["我", "爱", "你"]
    assert weights.columns[0].meanings["en"] == "α_ij, after softmax"
    assert pair.meanings["zh"] == words("zh")("page.meanings.LookingBackTrace.pairs")
    assert weights.cells[0][0] == said(trace.pairs[0].weights[0, 0])
    assert ("annotations", "3 × 128") in [(one.name, one.value) for one in pair.large]


def kinds_of_numbers() -> list[type]:
    """Every dataclass that a trace is made of, except what says where it comes from."""
    found: list[type] = []
    waiting = list(KINDS.values())
    while waiting:
        kind = waiting.pop()
        if kind in found or kind is Provenance:
            continue
        found.append(kind)
        hints = get_type_hints(kind)
        inside = [part for hint in hints.values() for part in (hint, *get_args(hint))]
        waiting += [part for part in inside if is_dataclass(part)]
    return found


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("kind", kinds_of_numbers(), ids=lambda kind: kind.__name__)
def test_every_field_of_a_trace_is_explained(kind, lang):
    said = {field.name: words(lang)(key) for field in fields(kind) if field.name != "provenance"
            and (key := f"page.meanings.{kind.__name__}.{field.name}") in words(lang)}  # fmt: skip
    missing = {field.name for field in fields(kind)} - {"provenance", *said}
    assert not missing, f"assets/words/{lang}.toml: [page.meanings.{kind.__name__}] lacks {missing}"
    assert all(text.strip() for text in said.values())


def test_no_field_is_explained_that_is_not_there():
    kinds = kinds_of_numbers()
    known = {f"{kind.__name__}.{field.name}" for kind in kinds for field in fields(kind)}
    explained = {key.removeprefix("page.meanings.") for key in words("en").keys()  # noqa: SIM118
                 if key.startswith("page.meanings.")}  # fmt: skip
    assert explained - known == set()


@pytest.mark.parametrize("trace", all_stations().values(), ids=lambda trace: trace.station)
def test_no_number_of_a_trace_is_left_out(trace):
    def fields(value: object, path: str):
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from fields(inner, f"{path}.{key}".lstrip("."))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for index, inner in enumerate(value):
                yield from fields(inner, f"{path}[{index}]")
        else:
            yield path

    def shown(group):
        yield from (one.path for one in (*group.numbers, *group.large))
        yield from (column.path for table in group.tables for column in table.columns)
        for inner in group.groups:
            yield from shown(inner)

    from engine.traces import to_json

    table = json.loads(to_json(trace))
    for key in ("station", "provenance"):
        del table[key]
    assert set(shown(numbers_of(trace))) == set(fields(table, ""))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.93, "0.930"),
        (5.2e-4, "5.20 × 10⁻⁴"),
        (-0.0, "0"),
        (-0.5, "−0.500"),
        (float("-inf"), "−∞"),
        (1234.5, "1234"),
        (3e9, "3.00 × 10⁹"),
        (True, "✓"),
        (np.bool_(False), "–"),
        (7, "7"),
        ("爱", "爱"),
    ],
)
def test_numbers_read_well(value, text):
    assert said(value) == text
