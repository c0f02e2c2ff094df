"""Debian's Chromium with a page in it, for tests."""

from __future__ import annotations

import functools
import json
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.studio.pages import all_stations, make, make_folder

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
needs_chromium = pytest.mark.skipif(
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
        # Chromium dies where fontconfig finds no font at all; our own letters do without.
        env = {name: value for name, value in os.environ.items() if name != "FONTCONFIG_FILE"}
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER, env=env))
        self.driver.set_script_timeout(120)

    def open(self, page: Path | str, wide: int = 1280, high: int = 800, **media: str) -> None:
        """Opens a page in a window of that size; `media` are features such as color-scheme."""
        self.resize(wide, high)
        features = [
            {"name": f"prefers-{name.replace('_', '-')}", "value": value}
            for name, value in {"color_scheme": "light", "reduced_motion": "", **media}.items()
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        for kind in ("performance", "browser"):  # what was said before does not count
            self.driver.get_log(kind)
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


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder on a server of this machine."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *parts: object) -> None: ...


@pytest.fixture(scope="session")
def browser(tmp_path_factory) -> Iterator[Browser]:
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.driver.quit()


@pytest.fixture(scope="session")
def page(tmp_path_factory) -> Path:
    """Every station, in a folder whose name needs escaping."""
    folder = tmp_path_factory.mktemp("out") / "第一课 #1 100%"
    return make(make_folder(folder, all_stations()))


FILM = "document.querySelector('#looking_back video')"
ARTICLE = "document.querySelector('#looking_back')"


def ready(browser: Browser) -> None:
    browser.until(f"{FILM}.readyState >= 2")


def open_everything(browser: Browser) -> None:
    browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
