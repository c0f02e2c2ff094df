"""All beats of all stations at a glance: what to look through before calling a picture done.

    python -m studio.gallery [--lesson F]… [--station NAME]… [--lang en]… [--theme light]…
                             [--aspect 9:16]… [--size 540] [--device cpu] [--out DIR]

What may be given several times is combined, each with each; what is not given is as the lesson
has it. Writes index.html and a folder for each sheet (default: out/gallery). The page shows every
sheet that lies there, so that a station drawn again takes its old place among the others.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import click
from PIL import Image

from engine.errors import LookbackError
from engine.lesson import Lesson, load_lesson
from engine.traces import Trace, from_json
from scenes.base import Beat
from scenes.reading import shown_languages
from studio import stills
from studio.cache import Cache
from studio.children import Children
from studio.gallery_page import OVERVIEW, PAGE, SHEET, Sheet, Still, page
from studio.messages import from_message, to_message
from studio.request import make_request
from studio.tracing import traces

COLUMNS = {True: 6, False: 4}  # of a contact sheet: upright pictures, others


def hang(sheet: Sheet, lesson: Lesson, trace: Trace | LookbackError, size: int, out: Path) -> Sheet:
    """Draws one sheet and puts it in its place, whole. What went wrong stands on the sheet."""
    out.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=".sheet-", dir=out))
    try:
        made = _drawn(sheet, lesson, trace, size, work)
        (work / SHEET).write_text(made.to_json(), encoding="utf-8")
        _put(work, out / made.folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return made


def _drawn(
    sheet: Sheet, lesson: Lesson, trace: Trace | LookbackError, size: int, work: Path
) -> Sheet:
    pictures: list[Image.Image] = []
    beats: list[Still] = []

    def keep(beat: Beat, picture: Image.Image) -> None:
        file = f"{len(beats) + 1:02}_{beat.name}.png"
        picture.save(work / file)
        pictures.append(picture)
        shown = {lang: beat.captions[lang] for lang in shown_languages(lesson.lang)}
        beats.append(Still(beat.name, file, beat.start, shown))

    error = None
    try:
        if isinstance(trace, LookbackError):
            raise trace
        stills.draw_stills(stills.station_class(sheet.station), keep, lesson, trace, size)
    except Exception as problem:  # one station that fails must not keep the others from being seen
        error = _told(problem, sheet.station)
    if pictures:
        tall = pictures[0].height > pictures[0].width
        stills.contact_sheet(pictures, COLUMNS[tall]).save(work / OVERVIEW)
    return Sheet(sheet.lesson, sheet.station, sheet.lang, sheet.theme, sheet.aspect,
                 tuple(beats), error)  # fmt: skip


def _told(problem: Exception, station: str) -> str:
    return from_message(to_message(problem, "studio.render_failed", station, False)).text("en")


def _put(work: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(target, ignore_errors=True)
    work.chmod(0o755)
    work.rename(target)


def looks(
    lesson: str | None, langs: Sequence[str], themes: Sequence[str], aspects: Sequence[str]
) -> Iterator[Lesson]:
    """The lesson in every look that was asked for; raises InputError for one that is not there."""
    keys = ("lang", "look.theme", "look.aspect")
    for values in product(langs or (None,), themes or (None,), aspects or (None,)):
        given = zip(keys, values, strict=True)
        yield load_lesson(lesson, {key: value for key, value in given if value is not None})


def fill(
    lessons: Sequence[str | None], stations: Sequence[str], langs: Sequence[str],
    themes: Sequence[str], aspects: Sequence[str], size: int, device: str, out: Path, cache: Cache,
) -> Iterator[Sheet]:  # fmt: skip
    """Every sheet that was asked for, as it is ready; numbers are computed once per lesson."""
    children = Children()
    try:
        for path in lessons or (None,):
            variants = tuple(looks(path, langs, themes, aspects))
            request = make_request(stations, lesson=path, device=device)
            for station, text in traces(request, cache, children):
                trace = text if isinstance(text, LookbackError) else from_json(text)
                for lesson in variants:
                    look = lesson.look
                    sheet = Sheet(lesson.name, station, lesson.lang, look.theme, look.aspect)
                    yield hang(sheet, lesson, trace, size, out)
    finally:
        children.stop()


@click.command()
@click.option("--lesson", "lessons", multiple=True, help="A lesson file.")
@click.option("--station", "stations", multiple=True, help="A station (default: all).")
@click.option("--lang", "langs", multiple=True, help="zh, en or both.")
@click.option("--theme", "themes", multiple=True, help="dark or light.")
@click.option("--aspect", "aspects", multiple=True, help="16:9, 4:3 or 9:16.")
@click.option(
    "--size", default=540, type=click.IntRange(72, 4320),
    help="Height of a picture in pixels (width for 9:16).",
)  # fmt: skip
@click.option("--device", default="auto", help="auto, cpu or cuda, for the numbers.")
@click.option("--out", default="out/gallery", help="Folder for the gallery.")
def main(
    lessons: tuple[str, ...], stations: tuple[str, ...], langs: tuple[str, ...],
    themes: tuple[str, ...], aspects: tuple[str, ...], size: int, device: str, out: str,
) -> None:  # fmt: skip
    """Draws the end of every beat of every station, and a page to look through them."""
    folder = Path(out)
    failed = False
    try:
        sheets = fill(lessons, stations, langs, themes, aspects, size, device, folder, Cache())
        for sheet in sheets:
            failed |= sheet.error is not None
            click.echo(f"{sheet.folder}: {sheet.error or len(sheet.stills)}", err=bool(sheet.error))
            _write(folder / PAGE, page(folder))
    except LookbackError as error:
        click.echo(error.text("en"), err=True)
        raise SystemExit(error.exit_code) from None
    click.echo(folder / PAGE)
    sys.exit(1 if failed else 0)


def _write(path: Path, text: str) -> None:
    new = path.with_name(f".{path.name}")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


if __name__ == "__main__":
    main()
