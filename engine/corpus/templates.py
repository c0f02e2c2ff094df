"""The register of clause templates: what a simple sentence can be, and how often."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple, Protocol

from engine.corpus.draw import Draw
from engine.corpus.noun_phrases import NounPhrase
from engine.corpus.phrases import Phrase


class Maker(Protocol):
    """Draws one clause; a maker registered with `subject=True` also takes a given subject."""

    def __call__(self, draw: Draw, /) -> Phrase: ...


class Template(NamedTuple):
    name: str
    weight: float
    make: Callable[..., Phrase]
    takes_subject: bool
    frames: tuple[str, ...]  # the stories it can be part of; a question has none


TEMPLATES: dict[str, Template] = {}
_MODULES = (
    "actions",
    "transfers",
    "qualities",
    "being",
    "relatives",
    "speech",
    "events",
    "questions",
    "measures",
)


def load_templates() -> None:
    """Import every module that registers templates."""
    for module in _MODULES:
        import_module(f"engine.corpus.{module}")


def template(
    weight: float, *, subject: bool = False, frames: str = "present"
) -> Callable[[Callable[..., Phrase]], Callable[..., Phrase]]:
    """Register a maker under its own name.

    `frames` are the times that it can be told in as part of a longer sentence.
    """

    def register(make: Callable[..., Phrase]) -> Callable[..., Phrase]:
        name = make.__name__
        TEMPLATES[name] = Template(name, weight, make, subject, tuple(frames.split()))
        return make

    return register


def draw_clause(draw: Draw, choices: list[Template], subject: NounPhrase | None = None) -> Phrase:
    """One clause of any of the given templates, noted under its name."""
    chosen = draw.weighted(choices, [choice.weight for choice in choices])
    draw.note(chosen.name)
    if subject is not None:
        return chosen.make(draw, subject)
    return chosen.make(draw)
