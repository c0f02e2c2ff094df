"""The deck in Debian's Chromium: it plays a beat, waits, and goes on when asked to."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from engine.lesson import load_lesson
from studio.cache import Cache
from studio.page_deck import KEYS, make_deck
from tests.studio.browser import needs_chromium
from tests.studio.pages import BEATS, HOSTILE, SECONDS, all_stations, hostile_trace
from tests.studio.pages import make_folder as folder_with
from tests.studio.test_page_access import AXE

pytestmark = needs_chromium

FILM = "[...document.querySelectorAll('.film')].find(f => !f.hidden)"
STATE = "document.documentElement.dataset.state"
NUMBER = "Number(document.querySelector('output').value)"


def make(folder: Path, lesson=None) -> Path:
    made = make_deck(folder, lesson or load_lesson(), Cache(folder.parent / "cache"))
    assert made is not None
    return made


@pytest.fixture(scope="module")
def deck(tmp_path_factory) -> Path:
    """Two stations, the second with stills; in a folder whose name needs escaping."""
    folder = tmp_path_factory.mktemp("decks") / "第一课 #1 100%"
    two = {station: all_stations()[station] for station in ("relay_game", "looking_back")}
    folder_with(folder, two)
    folder_with(folder, {"looking_back": two["looking_back"]}, stills=True)
    return make(folder)


def test_each_beat_is_played_once_and_waits_at_its_last_picture(browser, deck):
    from selenium.webdriver.common.keys import Keys

    browser.open(f"{deck.as_uri()}?lang=zh")
    assert browser.run(f"return {NUMBER}") == 1 and browser.run(f"return {FILM}") is None
    for number, key in enumerate([Keys.ARROW_RIGHT, " ", Keys.PAGE_DOWN]):
        browser.press(key)
        browser.until(f"{NUMBER} === {number + 2} && {STATE} === 'waiting' && !{FILM}.seeking")
        time = browser.run(f"return {FILM}.currentTime")
        assert time == pytest.approx((number + 1) * SECONDS - 0.05, abs=0.011)  # half a frame
        assert browser.run(f"return {FILM}.paused")
    browser.press(Keys.ARROW_LEFT)
    browser.until(f"{NUMBER} === 3 && {STATE} === 'waiting'")
    assert browser.driver.get_log("browser") == []


def test_a_beat_is_really_played(browser, deck):
    browser.open(deck)
    browser.run(
        "window.seen = new Set(); const look = () => {"
        f"const f = {FILM}; if (f && !f.paused) window.seen.add(f.currentTime);"
        "requestAnimationFrame(look)}; look()"
    )
    browser.click("main")
    browser.until(f"{NUMBER} === 2 && {STATE} === 'waiting'")
    assert browser.run("return window.seen.size") >= 3
    browser.press("r")
    browser.until(f"{STATE} === 'playing'")
    browser.until(f"{STATE} === 'waiting'")


def test_it_ends_at_both_ends(browser, deck):
    from selenium.webdriver.common.keys import Keys

    total = 2 * (1 + len(BEATS))
    browser.open(deck)
    browser.press(Keys.ARROW_LEFT)
    assert browser.run(f"return {NUMBER}") == 1
    browser.press(Keys.END, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert browser.run(f"return {NUMBER}") == total
    assert browser.run("return location.hash") == f"#{total}"
    browser.open(f"{deck.as_uri()}#{total - 1}")
    browser.until(f"{NUMBER} === {total - 1}")
    browser.press(Keys.HOME)
    assert browser.run(f"return {NUMBER}") == 1


def test_notes_say_it_in_both_languages_with_the_numbers(browser, deck):
    browser.open(f"{deck.as_uri()}#3")
    notes = "document.querySelector('.here .notes')"
    assert not browser.run(f"return {notes}.checkVisibility()")
    browser.press("n")
    text = browser.run(f"return {notes}.innerText")
    assert "第 1 拍：看。" in text and "Beat 1: 1 < 2 & so on." in text
    assert "pairs[0].weights" in text and "0.500" in text


def test_captions_of_another_language_join_the_picture(browser, deck):
    caption = "document.querySelector('.here .caption')"
    browser.open(f"{deck.as_uri()}?lang=zh#3")
    assert not browser.run(f"return {caption}.checkVisibility()")  # they stand in the picture
    browser.press("l")
    assert browser.run(f"return {caption}.innerText").strip() == "Beat 1: 1 < 2 & so on."
    browser.press("c")
    assert not browser.run(f"return {caption}.checkVisibility()")
    told = browser.run("return document.querySelector('#told').textContent")
    assert told.strip() == "Beat 1: 1 < 2 & so on."
    browser.run("localStorage.clear()")


def test_who_wants_no_motion_sees_stills(browser, deck):
    browser.open(f"{deck.as_uri()}#{len(BEATS) + 3}", reduced_motion="reduce")
    assert browser.run(f"return {FILM}") is None  # a still was drawn for this one
    picture = "document.querySelector('.here img')"
    browser.until(f"{picture}.checkVisibility() && {picture}.naturalWidth === 160")
    bottom, bar = browser.run(
        f"return [{picture}, document.querySelector('.bar')].map(e => e.getBoundingClientRect())"
        ".map((box, n) => n ? box.top : box.bottom)"
    )
    assert bottom <= bar
    browser.open(deck, reduced_motion="reduce")
    browser.run("window.moved = 0; document.addEventListener('play', () => window.moved++, true)")
    browser.click("main")
    browser.until(f"{NUMBER} === 2 && {FILM}.currentTime > 0.4")  # the film's picture, at rest
    browser.press("s")
    browser.until(f"{STATE} === 'playing' && window.moved === 1")


def test_keys_are_explained_and_contents_lead_anywhere(browser, deck):
    from selenium.webdriver.common.keys import Keys

    browser.open(f"{deck.as_uri()}?lang=en")
    browser.press("?")
    shown = browser.run("return document.querySelector('#help[open]').innerText")
    assert "speaker notes" in shown and shown.count("\n") >= len(KEYS)
    browser.press(Keys.ARROW_RIGHT)  # belongs to the dialog
    assert browser.run(f"return {NUMBER}") == 1
    browser.press(Keys.ESCAPE, "o")
    browser.click("#contents [data-to=looking_back][data-plus='2']")
    browser.until(f"{NUMBER} === {len(BEATS) + 4} && !document.querySelector('dialog[open]')")


def test_no_request_leaves_the_folder(browser, deck):
    browser.open(deck)
    browser.press(" ", " ")
    browser.until(f"{NUMBER} === 3 && {STATE} === 'waiting'")
    home = deck.parent.as_uri() + "/"
    asked = browser.requests()
    assert any(address.endswith("relay_game.mp4") for address in asked)
    assert [a for a in asked if not a.startswith((home, "data:"))] == []


@pytest.mark.parametrize(("lang", "theme"), [("zh", "dark"), ("en", "light")])
def test_nothing_keeps_anybody_out(browser, deck, lang, theme):
    browser.open(f"{deck.as_uri()}?lang={lang}&theme={theme}#2")
    browser.press("n", "c")
    browser.run((files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8"))
    for opened in ("", "help", "contents"):
        if opened:
            browser.click(f".bar [data-do={opened}]")
        found = browser.driver.execute_async_script(AXE)
        assert found["bad"] == [] and found["passed"] > 10
        browser.run("document.querySelector('dialog[open]')?.close()")


def test_it_fits_every_window(browser, deck):
    browser.open(f"{deck.as_uri()}?lang=en#3")
    browser.press("n")
    root = "document.documentElement"
    for wide, high in ((1280, 720), (844, 390), (390, 844), (320, 568)):
        browser.resize(wide, high)
        browser.until(f"innerWidth === {wide} && innerHeight === {high}")
        assert browser.run(f"return [{root}.scrollWidth, {root}.scrollHeight]") == [wide, high]
        box = f"{FILM}.getBoundingClientRect()"
        assert browser.run(f"return {box}.height") > 0.2 * high
        cut = (
            "return [...document.querySelectorAll('.bar button')].map(b => "
            "b.getBoundingClientRect()).filter(b => b.right > innerWidth || b.bottom > innerHeight)"
        )
        assert browser.run(cut) == []


def test_on_paper_each_beat_has_its_page(browser, deck, tmp_path):
    import base64

    browser.open(deck)
    browser.run("dispatchEvent(new Event('beforeprint'))")
    pdf = browser.driver.execute_cdp_cmd("Page.printToPDF", {"landscape": True})
    data = base64.b64decode(pdf["data"])
    assert data.count(b"/Type /Page\n") == 2 * (1 + len(BEATS))


def test_what_people_write_does_nothing(browser, tmp_path):
    text = " ".join(HOSTILE)
    lesson = load_lesson().model_copy(update={"name": text})
    stem = "javascript:'\"<b>&{{7*191}}"
    browser.open(make(folder_with(tmp_path / "x", {stem: hostile_trace()}, text), lesson))
    browser.press(" ", "n")
    browser.until(f"{FILM}.readyState >= 2")
    assert browser.run("return window.hacked") is None
    assert browser.run("return document.querySelectorAll('script').length") == 1
    shown = browser.run("return document.querySelector('.here .notes').innerText")
    assert all(word in shown for word in HOSTILE)


def test_somebody_elses_deck_stays(tmp_path):
    folder = folder_with(tmp_path / "x", {"looking_back": all_stations()["looking_back"]})
    (folder / "deck.html").write_text("mine")
    assert make_deck(folder, load_lesson(), Cache(tmp_path / "cache")) is None
    assert (folder / "deck.html").read_text() == "mine"
