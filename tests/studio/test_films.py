"""Film and trailer: joined from clips, with cards, chapters and captions that still fit."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from itertools import pairwise

import av
import numpy as np
import pytest
import webvtt
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FaultError
from engine.stations import STATIONS
from engine.words import LANGUAGES
from render import main
from scenes.reading import MOST_PER_SECOND, subtitle_seconds
from scenes.title_cards import OPENING, card_titles
from studio.clips import starts_at_once
from studio.production import Outcome, produce
from studio.request import FILMS, make_request
from studio.trailer import LEAST, MOST, choose
from tests.studio.conftest import Studio


@pytest.fixture(scope="module")
def filmed(drawn, tmp_path_factory) -> tuple[Studio, dict[str, Outcome]]:
    """Film and trailer of the one station that is drawn in a second."""
    made = Studio(tmp_path_factory.mktemp("films"))
    made.cache = drawn[0].cache
    request = replace(made.request(), films=FILMS)
    outcomes = {one.station: one for one in produce(request, made.reporter, made.cache)}
    assert {name: one.error for name, one in outcomes.items() if one.error} == {}
    return made, outcomes


def pictures(film, first: int, count: int) -> list[np.ndarray]:
    with av.open(str(film)) as container:
        found = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    return found[first : first + count]


def test_the_film_is_cards_and_clips_that_were_not_encoded_again(filmed):
    studio, outcomes = filmed
    film, clip = studio.folder / "film.mp4", studio.folder / "relay_game.mp4"
    assert starts_at_once(film) and outcomes["film"].main_file == film
    with av.open(str(film)) as container:
        chapters = container.chapters()
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        seconds = float(stream.duration * stream.time_base)
    titles = card_titles("zh")
    assert [one["metadata"]["title"] for one in chapters] == [titles[OPENING], titles["relay_game"]]
    assert seconds == pytest.approx(outcomes["film"].duration)
    whole = pictures(clip, 0, 10_000)
    end = pictures(film, -len(whole), 10_000)
    assert len(end) == len(whole)
    assert all(np.array_equal(a, b) for a, b in zip(end, whole, strict=True))


def test_the_chapter_file_says_what_the_film_says(filmed):
    studio, _ = filmed
    with av.open(str(studio.folder / "film.mp4")) as container:
        inside = [float(one["start"] * one["time_base"]) for one in container.chapters()]
    for lang, name in (("zh", "film.chapters.vtt"), ("en", "film.chapters.en.vtt")):
        found = list(webvtt.read(str(studio.folder / name)))
        titles = card_titles(lang)
        assert [one.text for one in found] == [titles[OPENING], titles["relay_game"]]
        assert [one.start_in_seconds for one in found] == [int(at) for at in inside]


@pytest.mark.parametrize("film", FILMS)
def test_captions_keep_their_distance_in_the_film(filmed, film):
    studio, outcomes = filmed
    for lang, name in (("zh", f"{film}.vtt"), ("en", f"{film}.en.vtt")):
        found = list(webvtt.read(str(studio.folder / name)))
        clip = list(webvtt.read(str(studio.folder / name.replace(film, "relay_game"))))
        if film == "film":
            assert [one.text for one in found][-len(clip) :] == [one.text for one in clip]
        times = [(_seconds(one.start), _seconds(one.end)) for one in found]
        assert all(a[1] <= b[0] for a, b in pairwise(times))
        assert times[-1][1] <= outcomes[film].duration
        for (start, end), one in zip(times, found, strict=True):
            letters = len(unescape(one.text).replace("\n", ""))
            assert letters / (end - start) <= MOST_PER_SECOND[lang] + 0.1
    last = list(webvtt.read(str(studio.folder / f"{film}.vtt")))[-1]
    assert _seconds(last.end) == pytest.approx(outcomes[film].duration, abs=0.05)


def _seconds(clock: str) -> float:
    hours, minutes, seconds = clock.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def test_a_film_is_not_joined_again(filmed, monkeypatch):
    studio, _ = filmed
    monkeypatch.setattr("studio.children.Children.start", None)
    monkeypatch.setattr("studio.fast.joining.join_segments", None)
    request = replace(studio.request(), films=FILMS)
    outcomes = produce(request, studio.reporter, studio.cache)
    assert [one.status for one in outcomes] == ["unchanged"] * 3


def test_a_film_of_which_a_station_is_missing_is_not_made(studio: Studio, tmp_path):
    (tmp_path / "empty").mkdir()
    request = replace(studio.request(scenes=tmp_path / "empty"), films=("film",))
    outcome = produce(request, studio.reporter, studio.cache)[-1]
    assert outcome.station == "film" and isinstance(outcome.error, FaultError)
    assert "relay_game" in outcome.error.text("en") and studio.names() == set()


def test_film_and_trailer_are_names_like_a_stations(capsys):
    assert make_request(["film"]).stations == STATIONS
    assert make_request(["trailer", "relay_game"]).films == ("trailer",)
    assert main(["--list", "--lang", "en"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == [*STATIONS, *FILMS]


BEATS = st.lists(st.floats(3, 20), min_size=2, max_size=12)


@given(st.lists(BEATS, min_size=1, max_size=10), st.data())
def test_a_trailer_has_every_station_and_readable_captions(lengths, data):
    tables = [_table(one, data.draw(st.integers(0, len(one) - 1))) for one in lengths]
    entries = [[at / 2 for at in range(2 * int(sum(one)))] for one in lengths]
    found = choose(tables, entries, 3.0)
    assert len(found) == len(tables)
    for stretch, table in zip(found, tables, strict=True):
        assert table["poster"] == stretch.beats[-1]["name"], "it ends with the beat that tells"
        first = stretch.beats[0]
        assert first["start"] <= stretch.start < first["end"]
        for lang in LANGUAGES:
            needed = subtitle_seconds(first["captions"][lang], lang)
            spared = min(needed, first["end"] - first["start"])
            assert first["end"] - stretch.start >= spared - 1e-6


def test_ten_stations_make_a_trailer_of_its_length():
    tables = [_table([8.0, 7.0, 9.0 + n / 2, 6.0], 2) for n in range(10)]
    entries = [[at / 3 for at in range(100)] for _ in tables]
    assert LEAST <= 3 + sum(one.seconds for one in choose(tables, entries, 3.0)) <= MOST
    few = choose(tables[:3], entries[:3], 3.0)
    assert LEAST <= 3 + sum(one.seconds for one in few) <= MOST
    assert all(len(one.beats) > 1 for one in few), "the question joins in"


def _table(lengths: list[float], poster: int) -> dict:
    ends = [sum(lengths[: n + 1]) for n in range(len(lengths))]
    captions = {"zh": "注意力", "en": "This is attention"}
    beats = [
        {"name": f"b{n}", "start": end - length, "end": end, "captions": captions}
        for n, (length, end) in enumerate(zip(lengths, ends, strict=True))
    ]
    return {"beats": beats, "poster": f"b{poster}"}
