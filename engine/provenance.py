"""Where a trace's numbers come from: weights, seed, type, device and versions."""

from __future__ import annotations

from importlib.metadata import version

import torch

from engine.traces import Learned, Model, Provenance

VERSIONED = ("numpy", "safetensors", "torch")


def provenance(
    models: tuple[Model, ...],
    seed: int,
    device: torch.device,
    learned: tuple[Learned, ...] = (),
) -> Provenance:
    """The record that every station's builder puts into its trace (all compute in float64)."""
    versions = tuple(f"{name} {version(name)}" for name in VERSIONED)
    return Provenance(models, seed, "float64", device.type, versions, learned)
