"""Letters: coverage, shaping, and independence of the system's fonts."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.errors import FaultError, InputError
from scenes import fonts

SCENES = Path(fonts.__file__).parent


def test_missing_glyphs_are_found_and_named_once() -> None:
    assert fonts.missing_glyphs("中a😀b😀⟂") == ["😀", "⟂"]
    assert fonts.missing_glyphs("骨直角 Größe наука hₜ₋₁ 10⁻³ Σα‖∂L‖ “a’b”…") == []


def test_a_text_that_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(InputError) as error:
        fonts.line_outline("我爱😀")
    assert error.value.key == "font.glyphs"
    assert "U+1F600" in error.value.text("en") and "\n" not in error.value.text("zh")


def test_a_missing_package_is_a_plain_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "PACKAGE", "no_such_font_package")
    with pytest.raises(FaultError) as error:
        fonts.font_path()
    assert "manimgx-fonts-cjk" in error.value.text("en")


def test_chinese_has_chinese_shapes() -> None:
    # 骨 differs between the Japanese and the mainland glyph; the face is chosen by name.
    assert fonts._face().get_name(1) == "Noto Sans CJK SC"


def test_digits_are_tabular() -> None:
    widths = {round(fonts.line_outline(d, 500).advance, 6) for d in "0123456789"}
    assert len(widths) == 1 and widths.pop() == pytest.approx(fonts.digit_width(500))


def test_capital_and_x_height_are_as_stated() -> None:
    assert fonts.line_outline("H").points[:, 1].max() == pytest.approx(fonts.CAP_HEIGHT, abs=0.01)
    assert fonts.line_outline("x").points[:, 1].max() == pytest.approx(fonts.X_HEIGHT, abs=0.01)


def test_han_and_latin_keep_a_little_distance() -> None:
    together = fonts.line_outline("用PyTorch训").advance
    apart = sum(fonts.line_outline(part).advance for part in ("用", "PyTorch", "训"))
    assert together == pytest.approx(apart + 2 * 0.14, abs=1e-6)


def test_superscripts_are_small_and_high_subscripts_low() -> None:
    plain, high, low = (fonts.line_outline(t).points for t in ("3", "³", "₃"))
    assert np.ptp(high[:, 1]) < 0.7 * np.ptp(plain[:, 1])
    assert high[:, 1].min() > 0.3 and low[:, 1].min() < -0.1


def test_apostrophes_are_narrow_in_western_words_and_full_in_chinese() -> None:
    assert fonts.line_outline("don’t").advance < 2.6
    assert fonts.line_outline("“好”").advance == pytest.approx(3.0)


def test_contours_are_closed() -> None:
    points = fonts.line_outline("国g").points.reshape(-1, 4, 3)
    starts = [0, *[i for i in range(1, len(points)) if (points[i, 0] != points[i - 1, 3]).any()]]
    for first, last in zip(starts, [*starts[1:], len(points)], strict=True):
        assert np.allclose(points[first, 0], points[last - 1, 3])


def test_the_outlines_do_not_depend_on_installed_fonts(tmp_path) -> None:
    """The same letters with a fontconfig that knows no font at all."""
    bare = tmp_path / "fonts.conf"
    bare.write_text('<?xml version="1.0"?><fontconfig></fontconfig>', encoding="utf-8")
    code = "from scenes.fonts import line_outline; print(line_outline('骨 Ag').points.sum())"
    environment = {**os.environ, "FONTCONFIG_FILE": str(bare)}
    told = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert float(told.stdout) == pytest.approx(fonts.line_outline("骨 Ag").points.sum())


STOCK_TYPE = {"Text", "MarkupText", "Paragraph", "Tex", "MathTex", "SingleStringMathTex", "Title",
              "DecimalNumber", "Integer", "Variable", "BulletedList", "Code", "Table", "Matrix",
              "BarChart", "Typst"}


@pytest.mark.parametrize("file", sorted(SCENES.rglob("*.py")), ids=lambda path: path.name)
def test_no_scene_sets_type_that_depends_on_the_machine(file: Path) -> None:
    """Manim's own type goes through Pango's system fonts or LaTeX; ours does not."""
    names = {
        alias.name
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("manim")
        for alias in node.names
    }
    assert not names & (STOCK_TYPE | {"*"})


def test_an_english_line_that_quotes_a_chinese_word_keeps_its_own_quotes() -> None:
    """Full-width quotes would tear a gap into it; in a Chinese line they are right."""
    def width(line: str) -> float:
        return fonts.line_outline(line).advance

    quoted, bare = "Who is meant by “他” here", "Who is meant by 他 here"
    assert width(quoted) - width(bare) < 1.0
    assert width("“他”是谁") - width("他是谁") > 1.5
