"""From tensors to the numbers of a trace."""

from __future__ import annotations

from torch import Tensor

from engine.traces.base import Array


def as_array(tensor: Tensor) -> Array:
    """A copy on the CPU that no later step of torch can reach."""
    array: Array = tensor.detach().cpu().numpy().copy()
    return array
