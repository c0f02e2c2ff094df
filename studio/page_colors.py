"""The colours of the clips by name, for whoever draws without manim: pages and slides."""

from __future__ import annotations

import re
from functools import cache

from engine.words import ASSETS

_BLOCK = re.compile(r'^:root(?:\[data-theme="(\w+)"\])? \{(.*?)\}', re.DOTALL | re.MULTILINE)
_COLOR = re.compile(r"--(\w+): (#\w{6});")


@cache
def colors(theme: str) -> dict[str, str]:
    """The roles that pages use, such as {"background": "#0F141B"}; "dark" or "light"."""
    style = (ASSETS / "page" / "colors.css").read_text(encoding="utf-8")
    blocks = {name or "light": block for name, block in _BLOCK.findall(style)}
    return dict(_COLOR.findall(blocks[theme]))
