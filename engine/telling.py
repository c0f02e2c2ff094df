"""What a long computation says on its way, to whoever listens. Loads no torch.

with listening(print):
    trace(lesson, "looking_back")     # prints {"words": 3, "step": 10, "steps": 120} …
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Message = dict[str, int]
SAID_EVERY = 5  # steps of learning between two messages
Listener = Callable[[Message], None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Within the block, every message goes to `listener`."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def tell(**message: int) -> None:
    """Say something; without a listener nobody hears it."""
    listener = _listener.get()
    if listener is not None:
        listener(message)
