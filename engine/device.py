"""Where numbers are computed."""

from __future__ import annotations

import torch

from engine.errors import InputError

NAMES = ("auto", "cpu", "cuda")


def choose_device(name: str = "auto") -> torch.device:
    """The device of a name; auto takes the GPU where there is one.

    Raises InputError for another name, or for cuda on a machine without it.
    """
    if name not in NAMES:
        raise InputError("device.unknown", device=name, known=", ".join(NAMES))
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError("device.no_cuda")
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)
