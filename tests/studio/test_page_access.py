"""The page for everybody: keyboard, narrow windows, no motion, paper, both languages and looks."""

from __future__ import annotations

from importlib.resources import files

import pytest

from engine.lesson import load_lesson
from tests.studio.browser import (
    ARTICLE,
    FILM,
    needs_chromium,
    open_everything,
)
from tests.studio.pages import BEATS, HOSTILE, all_stations, hostile_trace, make
from tests.studio.pages import make_folder as folder_with

pytestmark = needs_chromium


def test_the_grid_is_reached_by_keyboard_and_says_its_values(browser, page):
    from selenium.webdriver.common.keys import Keys

    pair = all_stations()["looking_back"].pairs[1]
    browser.open(f"{page.as_uri()}?lang=en")
    grid = "document.querySelectorAll('#looking_back svg[role=grid]')[1]"
    assert browser.run(f"return {grid}.querySelectorAll('[tabindex=\"0\"]').length") == 1
    browser.run(f"{grid}.querySelector('[tabindex=\"0\"]').focus()")
    for key, (i, j) in [
        (Keys.ARROW_RIGHT, (0, 1)),
        (Keys.ARROW_DOWN, (1, 1)),
        (Keys.END, (1, len(pair.source) - 1)),
        (Keys.ARROW_RIGHT, (1, len(pair.source) - 1)),
        (Keys.HOME, (1, 0)),
        (Keys.ARROW_UP, (0, 0)),
        (Keys.ARROW_UP, (0, 0)),
    ]:
        browser.press(key)
        says = browser.run("return document.activeElement.ariaLabel")
        assert says == f"{pair.target[i]} ← {pair.source[j]}: α = {pair.weights[i, j]:.3f}"
        assert (
            browser.run(f"return {grid}.closest('figure').querySelector('.readout').textContent")
            == says
        )
        weight = "document.activeElement.querySelector('.weight')"
        opacity = float(browser.run(f"return {weight}.getAttribute('fill-opacity')"))
        assert opacity == pytest.approx(pair.weights[i, j], abs=1e-4)
    assert browser.run(f"return {FILM}.currentTime") == 0


AXE = """
const done = arguments[0];
axe.run(document, {preload: false, resultTypes: ["violations"]}, (error, found) => done(error
  ? {passed: 0, bad: String(error)}
  : {passed: found.passes.length, bad: found.violations
      .filter(one => ["serious", "critical"].includes(one.impact))
      .map(one => [one.id, one.nodes.slice(0, 3).map(node => node.html.slice(0, 120))])}));
"""


@pytest.mark.parametrize(("lang", "theme"), [("zh", "light"), ("en", "dark")])
def test_nothing_keeps_anybody_out(browser, tmp_path, lang, theme):
    two = {station: all_stations()[station] for station in ("relay_game", "looking_back")}
    page = make(folder_with(tmp_path / "x", two))
    browser.open(f"{page.as_uri()}?lang={lang}&theme={theme}")
    open_everything(browser)
    browser.run((files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8"))
    found = browser.driver.execute_async_script(AXE)
    assert found["bad"] == [] and found["passed"] > 20


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_it_is_never_wider_than_the_window(browser, page, lang):
    browser.open(f"{page.as_uri()}?lang={lang}")
    open_everything(browser)
    root = "document.documentElement"
    for wide in (1280, 768, 390, 320):
        browser.resize(wide)
        browser.until(f"innerWidth === {wide}")
        scroll, client = browser.run(f"return [{root}.scrollWidth, {root}.clientWidth]")
        assert scroll == client <= wide
        cut = browser.run(
            "return [...document.querySelectorAll("
            "'button, select, h1, h2, summary, .pair bdi, dd')]"
            ".filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1"
            " && !e.closest('.scroll')).map(e => e.outerHTML.slice(0, 90))"
        )
        assert cut == []


def test_who_wants_no_motion_sees_stills(browser, page):
    shown = (
        f"return [...{ARTICLE}.querySelectorAll('video, .stills')].map(e => e.checkVisibility())"
    )
    browser.open(page, reduced_motion="reduce")
    assert browser.run(shown) == [False, True]
    browser.click("#looking_back [data-form=film]")
    assert browser.run(shown) == [True, False]
    browser.open(page)
    assert browser.run(shown) == [True, False]


def test_stills_are_stepped_through_as_well(browser, tmp_path):
    from selenium.webdriver.common.keys import Keys

    page = make(folder_with(tmp_path / "x", {"looking_back": all_stations()["looking_back"]},
                            stills=True))  # fmt: skip
    browser.open(page, reduced_motion="reduce")
    browser.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    current = "[...document.querySelectorAll('.stills li')].findIndex(e => e.ariaCurrent)"
    assert browser.run(f"return {current}") == 2
    pictures = "[...document.querySelectorAll('.stills img')]"
    browser.until(f"{pictures}.length === {len(BEATS)} && {pictures}[2].naturalWidth === 160")


def test_language_and_look_can_be_changed_and_are_remembered(browser, page):
    look = "return [document.documentElement.lang, document.documentElement.dataset.theme]"
    browser.open(page, color_scheme="dark")
    assert browser.run(look) == ["zh", "dark"]
    assert "从 RNN 到注意力" in browser.run("return document.body.innerText")
    browser.click("[data-do=language]")
    browser.click("[data-do=theme]")
    assert browser.run(look) == ["en", "light"]
    text = browser.run("return document.body.innerText")
    assert "From RNN to attention" in text and "从 RNN 到注意力" not in text
    assert browser.run(f"return {FILM}.ariaLabel") == "Looking back at the source: attention"
    browser.open(page, color_scheme="dark")
    assert browser.run(look) == ["en", "light"]
    browser.run("localStorage.clear()")


def test_on_paper_everything_lies_open(browser, page):
    browser.open(page)
    browser.run("dispatchEvent(new Event('beforeprint'))")
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    seen = (
        "return ['.stage', '.stills', '.provenance dl', '.settings'].map("
        f"s => ({ARTICLE}.querySelector(s) || document.querySelector(s)).checkVisibility())"
    )
    assert browser.run(seen) == [False, True, True, False]
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    browser.run("dispatchEvent(new Event('afterprint'))")
    assert browser.run("return document.querySelectorAll('details[open]').length") == 0


def test_what_people_write_does_nothing(browser, tmp_path):
    text = " ".join(HOSTILE)
    lesson = load_lesson().model_copy(update={"name": text})
    stem = "javascript:'\"<b>&{{7*191}}"
    page = make(folder_with(tmp_path / "x", {stem: hostile_trace()}, text), lesson)
    browser.open(page)
    open_everything(browser)
    browser.until("document.querySelector('video').readyState >= 2")
    browser.click("[data-do=language]")
    assert browser.run("return window.hacked") is None
    assert browser.run("return document.querySelectorAll('script').length") == 1
    shown = browser.run("return document.body.innerText")
    assert all(word in shown for word in HOSTILE)
    track = "document.querySelector('video').textTracks[1]"
    browser.run(f"{track}.mode = 'showing'")
    browser.until(f"{track}.cues?.length")
    said = browser.run(f"return [...{track}.cues].map(c => c.getCueAsHTML().textContent).join(' ')")
    assert "<script>" in said and "{{7*191}}" in "".join(said.split())  # lines are broken
    browser.run("localStorage.clear()")
