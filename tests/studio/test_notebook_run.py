"""A notebook as a person would write it: run by a real kernel, looked at in Debian's Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.studio.browser import needs_chromium

CELLS = (
    "from render import show",
    'show("我爱你", "I love you", quality="l", frame_rate=5, out="clips")',
    'clip = show("我爱你", "I love you", quality="l", frame_rate=5, out="clips")\n'
    "clip.trace.pairs[0].weights.shape",
    "clip",
)
FILMS = "[...document.querySelectorAll('video')]"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The notebook after all its cells, and the page it makes."""
    import nbformat
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter

    folder = tmp_path_factory.mktemp("notebook")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in CELLS])
    root = str(Path(__file__).parents[2])
    notebook.cells[0].source = f"import sys; sys.path.insert(0, {root!r})\n" + CELLS[0]
    NotebookClient(notebook, timeout=900, resources={"metadata": {"path": str(folder)}}).execute()
    html, _ = HTMLExporter(template_name="basic").from_notebook_node(notebook)
    (folder / "notebook.html").write_text(html, encoding="utf-8")
    return notebook, folder


def outputs(cell, kind: str) -> list:
    return [one.data[kind] for one in cell.outputs if kind in one.get("data", {})]


def test_it_plays_once_in_the_cell_that_shows_it(run):
    notebook, _ = run
    assert [len(outputs(cell, "text/html")) for cell in notebook.cells] == [0, 1, 1, 1]
    assert outputs(notebook.cells[2], "text/plain")[-1] == "(3, 3)"


@needs_chromium
def test_it_plays_with_captions(run, browser):
    _, folder = run
    browser.open(folder / "notebook.html")
    browser.until(f"{FILMS}.length === 3 && {FILMS}[0].readyState >= 2")
    languages = browser.run(f"return [...{FILMS}[0].textTracks].map(t => t.language)")
    assert languages == ["zh", "en"]
    browser.run(
        f"const f = {FILMS}[0]; f.textTracks[1].mode = 'showing'; f.currentTime = 1; f.play()"
    )
    browser.until(f"{FILMS}[0].textTracks[1].activeCues?.length && !{FILMS}[0].paused")
    text = browser.run(f"return {FILMS}[0].textTracks[1].activeCues[0].text")
    assert "source" in text
    home = folder.as_uri() + "/"
    assert [a for a in browser.requests() if not a.startswith((home, "data:"))] == []
