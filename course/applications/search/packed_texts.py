"""Many short texts in two arrays, so that a file of them can be memory-mapped and read at any place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PackedTexts:
    """Concatenated texts.

    Attributes:
        letters: uint8, (bytes,), the texts in UTF-8.
        starts: int64, (texts + 1,), where each text begins; the last number is the number of bytes.
    """

    letters: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, texts: Iterable[str]) -> PackedTexts:
        """Pack texts. Half of a surrogate pair, which UTF-8 cannot encode, becomes "?"."""
        encoded = [text.encode("utf-8", "replace") for text in texts]
        lengths = np.fromiter(map(len, encoded), "int64", len(encoded))
        return cls(np.frombuffer(b"".join(encoded), "uint8"), np.concatenate([[0], np.cumsum(lengths)]))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, number: int) -> str:
        return self._bytes(number).decode()

    def find(self, text: str) -> int | None:
        """Return the number of a text, or None. The texts must be sorted by their bytes."""
        wanted = text.encode("utf-8", "replace")
        place = bisect_left(range(len(self)), wanted, key=self._bytes)
        return place if place < len(self) and self._bytes(place) == wanted else None

    def _bytes(self, number: int) -> bytes:
        return self.letters[self.starts[number] : self.starts[number + 1]].tobytes()
