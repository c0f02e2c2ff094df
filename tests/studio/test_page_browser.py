"""The page in Debian's Chromium: it plays, it can be read and used by everybody, it keeps to
its folder."""

from __future__ import annotations

import functools
import json
import os
import shutil
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

import pytest

from engine.lesson import load_lesson
from tests.studio.pages import BEATS, HOSTILE, SECONDS, all_stations, hostile_trace, make
from tests.studio.pages import make_folder as folder_with

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=no-user-gesture-required",
)
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER) and not os.environ.get("CI"),
    reason="needs Debian's chromium and chromium-driver",
)


class Browser:
    """One Chromium, and what one does in it."""

    def __init__(self, profile: Path) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM or "chromium"
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.set_script_timeout(120)

    def open(self, page: Path | str, wide: int = 1280, high: int = 800, **media: str) -> None:
        """Opens a page in a window of that size; `media` are features such as color-scheme."""
        self.resize(wide, high)
        features = [
            {"name": f"prefers-{name.replace('_', '-')}", "value": value}
            for name, value in {"color_scheme": "light", "reduced_motion": "", **media}.items()
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.driver.get_log("performance")
        self.driver.get(page if isinstance(page, str) else page.as_uri())

    def resize(self, wide: int, high: int = 800) -> None:
        size = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": wide < 700}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def run(self, script: str, *given: object) -> object:
        return self.driver.execute_script(script, *given)

    def until(self, condition: str, *given: object) -> None:
        """Waits until a JavaScript expression holds."""
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, 20, 0.05).until(
            lambda _: self.run(f"return Boolean({condition})", *given), condition
        )

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def click(self, selector: str) -> None:
        from selenium.webdriver.common.by import By

        element = self.driver.find_element(By.CSS_SELECTOR, selector)
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        element.click()

    def requests(self) -> list[str]:
        """Every address that was asked for since the page was opened."""
        events = [json.loads(entry["message"])["message"] for entry in
                  self.driver.get_log("performance")]  # fmt: skip
        return [e["params"]["request"]["url"] for e in events
                if e["method"] == "Network.requestWillBeSent"]  # fmt: skip


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Iterator[Browser]:
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.driver.quit()


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    """Every station, in a folder whose name needs escaping."""
    folder = tmp_path_factory.mktemp("out") / "第一课 #1 100%"
    return make(folder_with(folder, all_stations()))


FILM = "document.querySelector('#looking_back video')"
ARTICLE = "document.querySelector('#looking_back')"


def ready(browser: Browser) -> None:
    browser.until(f"{FILM}.readyState >= 2")


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


def open_everything(browser: Browser) -> None:
    browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")


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
    handler = functools.partial(Quiet, directory=str(root.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{quote(root.name)}"
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *parts: object) -> None: ...


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
