"""The page's players in Debian's Chromium: from a file, under a path, in a frame."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from tests.studio.browser import (
    ARTICLE,
    FILM,
    needs_chromium,
    open_everything,
    ready,
    served,
)
from tests.studio.pages import SECONDS

pytestmark = needs_chromium


def test_it_plays_from_a_file(browser, page):
    browser.open(page)
    ready(browser)
    browser.run(f"{FILM}.play()")
    browser.until(f"{FILM}.currentTime > 0.7")
    browser.until(f"{ARTICLE}.querySelector('output').value >= 2")
    assert browser.run(f"return {FILM}.videoWidth") == 160
    assert browser.driver.get_log("browser") == []


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_captions_show_in_either_language(browser, page, lang):
    browser.open(page)
    ready(browser)
    browser.run(
        f"const s = {ARTICLE}.querySelector('[data-do=captions]'); s.value = arguments[0];"
        "s.dispatchEvent(new Event('change', {bubbles: true}))",
        lang,
    )
    tracks = f"[...{FILM}.textTracks].filter(t => t.mode === 'showing')"
    browser.run(f"{FILM}.currentTime = {1.2 * SECONDS}")
    browser.until(f"{tracks}.length === 1 && {tracks}[0].activeCues?.length")
    text = browser.run(f"return {tracks}[0].activeCues[0].getCueAsHTML().textContent")
    assert text.startswith({"zh": "第 1 拍", "en": "Beat 1: 1 < 2 & so on"}[lang])


def test_captions_of_the_pages_language_join_a_clip_in_another(browser, page):
    showing = (
        f"return [...{FILM}.textTracks].filter(t => t.mode === 'showing').map(t => t.language)"
    )
    browser.open(f"{page.as_uri()}?lang=zh")
    assert browser.run(showing) == []  # they stand in the picture
    browser.open(f"{page.as_uri()}?lang=en")
    assert browser.run(showing) == ["en"]


def test_arrow_keys_go_from_beat_to_beat(browser, page):
    from selenium.webdriver.common.keys import Keys

    browser.open(page)
    ready(browser)
    browser.run(f"{ARTICLE}.scrollIntoView({{behavior: 'instant'}})")

    def beat() -> int:
        browser.until(f"!{FILM}.seeking")
        time = browser.run(f"return {FILM}.currentTime")
        number = int(browser.run(f"return {ARTICLE}.querySelector('output').value")) - 1
        assert number == int(time / SECONDS)
        current = f"[...{ARTICLE}.querySelectorAll('.beats button')].findIndex(b => b.ariaCurrent)"
        assert browser.run(f"return {current}") == number
        return number

    seen = []
    for key in [Keys.ARROW_RIGHT] * 5 + [Keys.ARROW_LEFT] * 2:
        browser.press(key)
        seen.append(beat())
    assert seen == [1, 2, 3, 3, 3, 2, 1]
    others = "return [...document.querySelectorAll('video')].map(v => v.currentTime > 0)"
    assert browser.run(others) == [False, False, False, True]


def test_a_list_keeps_its_arrow_keys(browser, page):
    from selenium.webdriver.common.keys import Keys

    browser.open(page)
    ready(browser)
    browser.run(f"{ARTICLE}.querySelector('[data-do=speed]').focus()")
    browser.press(Keys.ARROW_RIGHT)
    assert browser.run(f"return {FILM}.playbackRate") == 1.25
    assert browser.run(f"return {FILM}.currentTime") == 0


def test_beats_can_be_clicked(browser, page):
    browser.open(page)
    ready(browser)
    browser.click("#looking_back .beats li:nth-child(3) button")
    browser.until(f"{FILM}.currentTime >= {2 * SECONDS}")
    browser.click("#looking_back [data-do=previous]")
    browser.until(f"{ARTICLE}.querySelector('output').value == 2")


def test_no_request_leaves_the_folder(browser, page):
    browser.open(page)
    ready(browser)
    open_everything(browser)
    browser.run("document.querySelectorAll('video').forEach(v => v.play())")
    browser.until(f"{FILM}.currentTime > 0.2")
    asked = browser.requests()
    home = page.parent.as_uri() + "/"
    assert any(address.endswith("looking_back.mp4") for address in asked)
    assert [a for a in asked if not a.startswith((home, "data:"))] == []
    entries = browser.run("return performance.getEntriesByType('resource').map(e => e.name)")
    assert [a for a in entries if not a.startswith((home, "data:"))] == []


def test_the_snippet_is_copied(browser, page):
    browser.open(page)
    browser.driver.execute_cdp_cmd(
        "Browser.grantPermissions", {"permissions": ["clipboardReadWrite"]}
    )
    open_everything(browser)
    browser.click("#looking_back .snippet [data-do=copy]")
    browser.until(f"!{ARTICLE}.querySelector('.snippet .done').hidden")
    text = browser.driver.execute_async_script(
        "navigator.clipboard.readText().then(arguments[0], e => arguments[0](String(e)))"
    )
    assert text.startswith("<video controls") and 'src="./looking_back.en.vtt"' in text


@pytest.fixture(scope="module")
def site(page) -> Iterator[str]:
    """The folder under a path of somebody's site, and a page of theirs with a frame."""
    root = page.parent.parent
    address = f"{quote(page.parent.name)}/index.html?station=looking_back"
    frame = f'<iframe sandbox="allow-scripts" src="{address}"></iframe>'
    (root / "course.html").write_text(frame, encoding="utf-8")
    with served(root.parent) as address:
        yield f"{address}/{quote(root.name)}"


def test_it_works_under_a_path(browser, page, site):
    browser.open(f"{site}/{quote(page.parent.name)}/index.html")
    ready(browser)
    asked = browser.requests()
    assert all(address.startswith((f"{site}/", "data:")) for address in asked)


def test_it_works_in_a_frame_that_may_do_nothing_else(browser, site):
    browser.open(f"{site}/course.html")
    browser.driver.switch_to.frame(0)
    ready(browser)
    stations = "[...document.querySelectorAll('.station')].filter(e => e.checkVisibility())"
    assert browser.run(f"return {stations}.map(e => e.id)") == ["looking_back"]
    browser.run(f"{FILM}.textTracks[1].mode = 'showing'; {FILM}.play()")
    browser.until(f"{FILM}.currentTime > 0.2 && {FILM}.textTracks[1].activeCues?.length")
    browser.driver.switch_to.default_content()
