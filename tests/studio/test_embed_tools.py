"""The snippets of a clip, built by the tools they are for and opened in Debian's Chromium."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from studio.page_clips import Clip, clips_in
from studio.page_embed import snippets
from tests.studio.browser import needs_chromium, served
from tests.studio.pages import BEATS, SECONDS, all_stations, make_folder

FILM = "document.querySelector('video')"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A lesson's folder with one station; look, do not touch."""
    station = {"looking_back": all_stations()["looking_back"]}
    return make_folder(tmp_path_factory.mktemp("lesson") / "default", station)


@pytest.fixture(scope="module")
def texts(folder) -> dict[str, str]:
    clip: Clip = clips_in(folder)[0]
    return {snippet.key: snippet.text for snippet in snippets(clip, "en")}


def plays_with_captions(browser, address: str) -> None:
    """The film moves, and the captions of both languages are loaded."""
    browser.open(address)
    browser.until(f"{FILM} && {FILM}.readyState >= 2 && {FILM}.videoWidth === 160")
    for number, lang in enumerate(("zh", "en")):
        track = f"{FILM}.textTracks[{number}]"
        browser.run(f"{track}.mode = 'showing'")
        browser.until(f"{track}.cues?.length === {len(BEATS)}")
        assert browser.run(f"return {track}.language") == lang
    browser.run(f"{FILM}.currentTime = {SECONDS}; {FILM}.play()")
    browser.until(f"{FILM}.currentTime > {SECONDS} && {FILM}.textTracks[1].activeCues.length")


@needs_chromium
def test_html(browser, folder, texts, tmp_path):
    site = shutil.copytree(folder, tmp_path / "site")
    (site / "mine.html").write_text(f"<!DOCTYPE html>\n<p>Mine</p>\n{texts['html']}", "utf-8")
    with served(site) as address:
        plays_with_captions(browser, f"{address}/mine.html")


@needs_chromium
def test_sphinx_with_myst(browser, folder, texts, tmp_path):
    shutil.copytree(folder, tmp_path / "_static")
    (tmp_path / "conf.py").write_text(
        "extensions = ['myst_parser']\nhtml_static_path = ['_static']\n", "utf-8"
    )
    (tmp_path / "index.md").write_text(f"# Attention\n\n{texts['sphinx']}\n", "utf-8")
    built = tmp_path / "built"
    told = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", tmp_path, built],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    with served(built) as address:
        plays_with_captions(browser, f"{address}/index.html")


@needs_chromium
@pytest.mark.skipif(not shutil.which("pandoc"), reason="needs pandoc, which Quarto is built on")
def test_quarto(browser, folder, texts, tmp_path):
    site = shutil.copytree(folder, tmp_path / "site")
    (site / "page.qmd").write_text(f"# Attention\n\n{texts['quarto']}\n", "utf-8")
    for source in ("markdown", "markdown-raw_html"):  # the block passes either way
        subprocess.run(
            ["pandoc", "-s", "--metadata", "title=x", "-f", source, "-o", "page.html", "page.qmd"],
            cwd=site, check=True, capture_output=True, timeout=60,
        )  # fmt: skip
        with served(site) as address:
            plays_with_captions(browser, f"{address}/page.html")


def test_quarto_takes_a_raw_block(texts):
    """Pandoc's raw attribute: nothing in between is read as Markdown."""
    lines = texts["quarto"].splitlines()
    assert lines[0] == "```{=html}" and lines[-1] == "```" and "```" not in "".join(lines[1:-1])


@pytest.mark.skipif(not shutil.which("myst"), reason="needs mystmd, which needs node")
def test_mystmd_takes_the_film_along(folder, texts, tmp_path):
    site = shutil.copytree(folder, tmp_path / "site")
    (site / "index.md").write_text(f"# Attention\n\n{texts['myst']}\n", "utf-8")
    (site / "myst.yml").write_text(
        "version: 1\nproject:\n  title: x\nsite:\n  template: ./look\n", "utf-8"
    )
    (site / "look").mkdir()  # a look of one's own: the usual ones are fetched from the network
    (site / "look" / "template.yml").write_text(
        "jtex: v1\ntitle: look\nversion: 1.0.0\nkind: site\n"
        "build:\n  install: 'true'\n  start: 'true'\n", "utf-8"
    )  # fmt: skip
    subprocess.run(["myst", "build", "--site"], cwd=site, check=True, capture_output=True,
                   timeout=120)  # fmt: skip
    page = json.loads((site / "_build/site/content/index.json").read_text("utf-8"))
    text = json.dumps(page["mdast"], ensure_ascii=False)
    (film,) = (site / "_build/site/public").glob("looking_back-*.mp4")
    assert f'"url": "/{film.name}"' in text and "Looking back at the source" in text
    assert film.read_bytes() == (folder / "looking_back.mp4").read_bytes()


@needs_chromium
def test_a_platforms_frame(browser, folder, texts, tmp_path):
    from studio.cache import Cache
    from studio.page import make_page
    from engine.lesson import load_lesson  # isort: skip

    site = shutil.copytree(folder, tmp_path / "course" / "files")
    make_page(site, load_lesson(), Cache(tmp_path / "cache"))
    text = texts["platform"].replace('src="', 'src="files/')
    (site.parent / "week3.html").write_text(f"<!DOCTYPE html>{text}", "utf-8")
    with served(tmp_path) as address:
        browser.open(f"{address}/course/week3.html")
        browser.driver.switch_to.frame(0)
        browser.until(f"{FILM}.readyState >= 2")
        browser.driver.switch_to.default_content()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_guide_says_what_the_page_says(tmp_path, lang):
    """docs/embedding shows the snippets as they are copied, for a clip in its own language."""
    folder = make_folder(tmp_path / "x", {"looking_back": all_stations()["looking_back"]})
    if lang == "en":
        (folder / "looking_back.vtt").rename(folder / "looking_back.zh.vtt")
        (folder / "looking_back.en.vtt").rename(folder / "looking_back.vtt")
    name = {"en": "embedding.md", "zh": "embedding.zh.md"}[lang]
    guide = (Path(__file__).parents[2] / "docs" / name).read_text("utf-8")
    for snippet in snippets(clips_in(folder)[0], lang):
        if snippet.key == "platform":
            assert snippet.text.replace('"index.html', '"default/index.html') in guide
        elif snippet.key != "html":  # those lines stand in the others
            assert snippet.text in guide, snippet.key
