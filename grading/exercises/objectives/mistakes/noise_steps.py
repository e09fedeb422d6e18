"""corrupt in steps, one of which a mistake gets wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


class Noise:
    """Six kinds of noise in steps, one of which a mistake gets wrong."""

    window, mean_span = 3, 3

    def __init__(self, token_ids: Sequence[int], rate: float, random: np.random.Generator, **options: Any) -> None:
        self.given, self.rate, self.random = [int(number) for number in token_ids], rate, random
        self.probabilities: np.ndarray = options["probabilities"]
        self.mask_id: int = options["mask_id"]
        self.special_ids = list(options["special_ids"])
        self.texts = [[number] for number in self.given]
        self.words = np.flatnonzero(self.is_word())

    def is_word(self) -> np.ndarray:
        return ~np.isin(self.given, self.special_ids)

    def count(self, of: int) -> int:
        return round(self.rate * of)

    def places(self, replace: bool = False) -> np.ndarray:
        return self.random.choice(self.words, self.count(len(self.words)), replace=replace)

    def draw(self, other_than: int | None = None) -> int:
        shares = np.array(self.probabilities, "float64")
        if other_than is not None:
            shares[other_than] = 0.0
        return int(self.random.choice(len(shares), p=shares / shares.sum()))

    def put_beside(self, place: int, word: int) -> None:
        self.texts[place].insert(int(self.random.integers(2)) * len(self.texts[place]), word)

    def mask(self) -> None:
        for place in self.places():
            self.texts[place] = [self.mask_id]

    def substitute(self) -> None:
        for place in self.places():
            self.texts[place] = [self.draw(other_than=self.given[place])]

    def delete(self) -> None:
        for place in self.places():
            self.texts[place] = []

    def insert(self) -> None:
        for place in self.places(replace=True):
            self.put_beside(place, self.draw())

    def windows(self) -> list[np.ndarray]:
        stretches = np.split(self.words, np.flatnonzero(np.diff(self.words) > 1) + 1)
        return [each[start : start + self.window] for each in stretches for start in range(0, len(each), self.window)]

    def order(self, window: np.ndarray) -> np.ndarray:
        return self.random.permutation(window)

    def reorder(self) -> None:
        windows = self.windows()
        for number in self.random.choice(len(windows), self.count(len(windows)), replace=False):
            window = windows[number]
            mixed = [self.texts[place] for place in self.order(window)]
            for place, text in zip(window, mixed, strict=True):
                self.texts[place] = text

    def span(self) -> int:
        return int(self.random.poisson(self.mean_span))

    def masks_of(self, count: int) -> list[list[int]]:
        return [[self.mask_id]] + [[]] * (count - 1)

    def infill(self) -> None:
        free = np.zeros(len(self.texts), bool)
        free[self.words] = True
        left, more = self.count(len(self.words)), 0
        for _ in range(20 * len(self.texts)):  # even a mistake has an end
            if left <= 0:
                break
            count = min(self.span(), left)
            before = np.append(0, np.cumsum(free))
            starts = np.flatnonzero(before[count:] - before[: len(free) + 1 - count] == count)
            more += count == 0
            if count and len(starts):
                first = self.random.choice(starts)
                free[first : first + count] = False
                self.texts[first : first + count] = self.masks_of(count)
                left -= count
        for place in self.random.choice([place for place in self.words if self.texts[place]], more):
            self.put_beside(place, self.mask_id)

    def result(self) -> list[int]:
        return [int(number) for text in self.texts for number in text]

    @classmethod
    def spoil(
        cls, token_ids: Sequence[int], kind: str, rate: float, random: np.random.Generator, **options: Any
    ) -> list[int]:
        made = cls(token_ids, rate, random, **options)
        if len(made.words):
            getattr(made, kind)()
        return made.result()
