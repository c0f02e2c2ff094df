"""Names of models for a footer: what several have in common is said once."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SEED = re.compile(r"(.*_seed)(\d+)$")


def together(names: Iterable[str]) -> str:
    """a_seed1, a_seed2, b_seed1 → a_seed1/2, b_seed1; a first part shared with the name before
    is left out."""
    seeds: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        found = _SEED.match(name)
        stem, seed = found.groups() if found else (name, "")
        seeds.setdefault(stem, []).append(seed)
    return ", ".join(_without_kind([stem + "/".join(each) for stem, each in seeds.items()]))


def _without_kind(names: list[str]) -> list[str]:
    """translator_zh-en, translator_en-zh → translator_zh-en, en-zh."""
    kinds = ["", *(name.partition("_")[0] for name in names)]
    return [
        name.removeprefix(f"{before}_") if before else name
        for name, before in zip(names, kinds[:-1], strict=True)
    ]
