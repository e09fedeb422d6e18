"""A made-up encoder: each word has a vector of its own, whose numbers are exact in float16."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from course.applications.search.words import search_words

WIDTH = 7


def vector(word: str) -> np.ndarray:
    """Return a vector of length 1: four numbers of ±½, and zeros."""
    random = np.random.default_rng(zlib.crc32(word.encode()))
    numbers = np.zeros(WIDTH, "float32")
    numbers[random.permutation(WIDTH)[:4]] = random.choice([-0.5, 0.5], 4)
    return numbers


class MadeEncoder:
    """Knows all words that begin with w. With `whole`, a text has a single vector: that of its first word."""

    def __init__(self, name: str = "made", fingerprint: str = "0123456789abcdef", whole: bool = False) -> None:
        self.name, self.fingerprint, self.width, self.whole = name, fingerprint, WIDTH, whole
        self.asked = 0  # the number of documents encoded

    def queries(self, texts: Sequence[str]) -> list[np.ndarray]:
        return [self._vectors(text) for text in texts]

    def documents(self, texts: Sequence[str]) -> list[np.ndarray]:
        self.asked += len(texts)
        return self.queries(texts)

    def _vectors(self, text: str) -> np.ndarray:
        vectors = [vector(word) for word in search_words(text) if word.startswith("w")]
        return np.array(vectors[:1] if self.whole else vectors, "float32").reshape(-1, WIDTH)
