"""What a segment shows, in so few bytes that it can be known again."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from studio.fast.display_list import Drawn

_BYTES = 16


class Fingerprint:
    """Grows with every animation of a segment: how long it lasts, how it looks now and then."""

    def __init__(self) -> None:
        self._seen = blake2b(digest_size=_BYTES)
        self._whole = True

    @property
    def key(self) -> str | None:
        """Hex digits; None where something could not be seen that may have changed."""
        return self._seen.hexdigest() if self._whole else None

    def see(self, shown: Iterable[Drawn] | None) -> None:
        """A picture, in drawing order; None where there is more in it than shapes."""
        if shown is None:
            self.lose()
            return
        digests = [drawn.digest for drawn in shown]
        self._seen.update(len(digests).to_bytes(8, "big") + b"".join(digests))

    def count(self, frames: int) -> None:
        """The animation that was just seen lasts so many frames."""
        self._seen.update(frames.to_bytes(8, "big"))

    def lose(self) -> None:
        """What is shown now depends on what cannot be seen: the segment is like no other."""
        self._whole = False
