"""Film and trailer: the stations' clips in teaching order, joined by copying packets.

Both lie on top of the clips in the cache: only the title cards are drawn for them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache as once
from pathlib import Path
from typing import Any

import av

from engine.errors import FaultError
from engine.lesson import Lesson
from engine.stations import STATIONS
from engine.words import LANGUAGES, words
from scenes.reading import shown_languages
from studio.cache import Cache, Entry
from studio.captions import cues, to_srt, to_vtt
from studio.chapters import Chapter, for_container, to_chapters_vtt
from studio.cutting import cut, entry_points, frame_count, frame_rate
from studio.digests import CARDS, ROOT, SCENES, clip_key, digest, of_files, segment_base
from studio.job import STEM
from studio.kit import BEATS, named_by_language
from studio.plan import StationPlan, drawing_of
from studio.request import Request
from studio.silence import add_silence
from studio.trailer import choose, frames

FILM = f"{STEM}.mp4"
OPENING = "opening"  # the card that stands before all others


@dataclass(frozen=True)
class Said:
    """A caption's time in the film."""

    start: float
    end: float
    captions: dict[str, str]


@dataclass(frozen=True)
class Piece:
    """Frames of one clip. `title` begins a chapter."""

    clip: Entry
    first: int
    after: int
    beats: tuple[dict[str, Any], ...]  # whose time is the clip's
    title: dict[str, str] | None = None


def cards_plan(request: Request) -> StationPlan:
    """The title cards, drawn by the same lane as the stations."""
    request = replace(request, stations=(), scenes=SCENES)
    look = request.lesson.model_dump_json(include={"lang", "look"})
    content = digest(CARDS, look, *_titles())
    lane, drawing = drawing_of(request)
    key = clip_key(content, CARDS, SCENES, drawing)
    segments = segment_base(request.lesson, CARDS, SCENES, (content, *drawing))
    return StationPlan(request, CARDS, "", content, key, segments, lane, CARDS)


def film_plan(name: str, cards: StationPlan, stations: Sequence[StationPlan]) -> StationPlan:
    """A film is delivered as a station's clip is."""
    request = cards.request
    made_from = (name, _code(), str(request.silent_track), av.__version__)
    content = digest(cards.content, *(plan.content for plan in stations))
    key = digest(*made_from, cards.key, *(plan.key for plan in stations))
    return StationPlan(request, name, "", content, key, "", cards.lane, name)


def make_film(
    name: str, plan: StationPlan, cards: Entry, clips: dict[str, Entry], cache: Cache
) -> tuple[Entry, bool]:
    """The film's files, and whether they were there before.

    Raises FaultError where the clips do not go together.
    """
    kept = None if plan.request.force else cache.get("films", plan.key)
    if kept is not None:
        return kept, True
    pieces = list({"film": _whole, "trailer": _best}[name](cards, clips))
    workspace = cache.workspace()
    try:
        made = workspace / "made"
        made.mkdir()
        _write(pieces, plan, made, workspace)
        poster = cards if name == "film" else list(clips.values())[-1]
        shutil.copyfile(poster.path(f"{STEM}.png"), made / f"{STEM}.png")
        return cache.put("films", plan.key, made), False
    finally:
        shutil.rmtree(workspace, ignore_errors=True)


def _whole(cards: Entry, clips: dict[str, Entry]) -> Iterator[Piece]:
    """A card and the whole clip of each station."""
    yield _card(cards, OPENING)
    for station, clip in clips.items():
        yield _card(cards, station)
        yield Piece(clip, 0, frame_count(clip.path(FILM)), tuple(_table(clip)["beats"]))


def _best(cards: Entry, clips: dict[str, Entry]) -> Iterator[Piece]:
    """The first card, then what each station shows best."""
    opening = _card(cards, OPENING)
    yield opening
    rates = {station: frame_rate(clip.path(FILM)) for station, clip in clips.items()}
    entries = [
        [float(at / rates[station]) for at in entry_points(clip.path(FILM))]
        for station, clip in clips.items()
    ]
    spent = float((opening.after - opening.first) / frame_rate(cards.path(FILM)))
    stretches = choose([_table(clip) for clip in clips.values()], entries, spent)
    for (station, clip), stretch in zip(clips.items(), stretches, strict=True):
        first, after = (frames(at, rates[station]) for at in (stretch.start, stretch.end))
        yield Piece(clip, first, after, stretch.beats, _titles_of(station))


def _card(cards: Entry, name: str) -> Piece:
    (beat,) = (beat for beat in _table(cards)["beats"] if beat["name"] == name)
    rate = frame_rate(cards.path(FILM))
    first, after = (frames(beat[side], rate) for side in ("start", "end"))
    return Piece(cards, first, after, (beat,), beat["captions"])


def _table(clip: Entry) -> dict[str, Any]:
    return json.loads(clip.text(BEATS))  # type: ignore[no-any-return]


def _write(pieces: list[Piece], plan: StationPlan, made: Path, work: Path) -> None:
    """The film with its chapters, its captions and its chapter files."""
    from studio.fast.joining import join_segments  # with it comes manim

    lesson = plan.request.lesson
    rate = frame_rate(pieces[0].clip.path(FILM))
    starts, at = [], 0
    for piece in pieces:
        starts.append(at)
        at += piece.after - piece.first
    found = _chapters(pieces, starts, at, rate)
    chapters = for_container(found, shown_languages(lesson.lang))
    paths = [_cut(piece, work / f"{number}.mp4") for number, piece in enumerate(pieces)]
    _must_agree(paths, plan.station)
    joined = work / "joined.mp4" if plan.request.silent_track else made / FILM
    join_segments(paths, joined, rate, comment="Lookback", chapters=chapters)
    if plan.request.silent_track:
        add_silence(joined, made / FILM)
    _write_texts(found, _said(pieces, starts, rate), lesson, float(at / rate), made)


def _cut(piece: Piece, to: Path) -> Path:
    """The piece as a film; the clip itself, where it is all of it."""
    film = piece.clip.path(FILM)
    if piece.first == 0 and piece.after == frame_count(film):
        return film
    cut(film, piece.first, piece.after, to)
    return to


def _must_agree(paths: Sequence[Path], name: str) -> None:
    """Films can be joined without encoding only where they were encoded alike."""
    kinds = set()
    for path in paths:
        with av.open(str(path)) as film:
            context = film.streams.video[0].codec_context
            kinds.add((context.name, context.width, context.height, context.extradata))
    if len(kinds) > 1:
        raise FaultError("studio.film_mixed", film=name)


def _chapters(
    pieces: Sequence[Piece], starts: Sequence[int], end: int, rate: Fraction
) -> list[Chapter]:
    """From one title to the next."""
    begun = [(at, p.title) for at, p in zip(starts, pieces, strict=True) if p.title is not None]
    ends = [at for at, _ in begun[1:]] + [end]
    return [
        Chapter(float(at / rate), float(after / rate), title)
        for (at, title), after in zip(begun, ends, strict=True)
    ]


def _said(pieces: Sequence[Piece], starts: Sequence[int], rate: Fraction) -> list[Said]:
    """Every caption at its time in the film."""
    said = []
    for piece, at in zip(pieces, starts, strict=True):
        offset = float((at - piece.first) / rate)
        for beat in piece.beats:
            start = max(beat["start"], float(piece.first / rate))
            end = min(beat["end"], float(piece.after / rate))
            said.append(Said(start + offset, end + offset, beat["captions"]))
    return said


def _write_texts(
    chapters: list[Chapter], said: list[Said], lesson: Lesson, seconds: float, made: Path
) -> None:
    for name, lang in named_by_language(lesson.lang, STEM).items():
        found = cues(said, lang, seconds)
        (made / f"{name}.vtt").write_text(to_vtt(found, lang), encoding="utf-8")
        (made / f"{name}.srt").write_text(to_srt(found), encoding="utf-8")
    for name, lang in named_by_language(lesson.lang, f"{STEM}.chapters").items():
        (made / f"{name}.vtt").write_text(to_chapters_vtt(chapters, lang), encoding="utf-8")


def _titles_of(station: str) -> dict[str, str]:
    return {lang: words(lang)(f"{station}.title") for lang in LANGUAGES}


def _titles() -> Iterator[str]:
    for lang in LANGUAGES:
        yield words(lang)("page.title")
        yield from (words(lang)(f"{station}.title") for station in STATIONS)


@once
def _code() -> str:
    own = ("films.py", "trailer.py", "chapters.py", "captions.py", "cutting.py", "silence.py")
    return of_files([*(ROOT / "studio" / name for name in own)], ROOT)
