"""Which translator speaks for a lesson: the shipped one, or what the lesson asks for instead."""

from __future__ import annotations

import torch

from engine.decoder import Kind
from engine.lesson import Lesson
from engine.translators import Interpreter, direction_of, shipped


def chosen(
    lesson: Lesson, source: str, decoder: Kind, device: torch.device, seed: int = 1
) -> Interpreter:
    """The translator for a source sentence of the lesson; `seed` is that of its training.

    Raises InputError where there is none for the sentence's direction.
    """
    return shipped(direction_of(source), decoder, device, seed)
