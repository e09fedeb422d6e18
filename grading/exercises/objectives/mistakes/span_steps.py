"""span_mask in steps, one of which a mistake gets wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


class Hider:
    """Hidden spans in steps, one of which a mistake gets wrong."""

    def __init__(
        self,
        token_ids: np.ndarray,
        word_ids: np.ndarray,
        special_ids: Sequence[int],
        rate: float = 0.15,
        p: float = 0.2,
        longest: int = 10,
        seed: Any = None,
    ) -> None:
        self.token_ids, self.word_ids, self.special_ids = token_ids, word_ids, list(special_ids)
        self.rate, self.p, self.longest = rate, p, longest
        self.random = self.generator(seed)

    def generator(self, seed: Any) -> np.random.Generator:
        return np.random.default_rng(seed)

    def length(self) -> int:
        while True:
            drawn = int(self.random.geometric(self.p))
            if drawn <= self.longest:
                return drawn

    def is_special(self, token_ids: np.ndarray) -> np.ndarray:
        return np.isin(token_ids, self.special_ids)

    def budget(self, row: np.ndarray, word_ids: np.ndarray, special: np.ndarray) -> int:
        return max(1, round(self.rate * np.count_nonzero(~special)))

    def cost(self, pieces: int) -> int:
        """What a span takes of the budget."""
        return pieces

    def begins(self, word_ids: np.ndarray, special: np.ndarray) -> np.ndarray:
        return np.append(True, (word_ids[1:] != word_ids[:-1]) | special[1:] | special[:-1])

    def start(self, free: np.ndarray, count: int) -> int | None:
        before = np.append(0, np.cumsum(free))
        starts = np.flatnonzero(before[count:] - before[:-count] == count)
        return int(self.random.choice(starts)) if len(starts) else None

    def cut(self, bounds: np.ndarray, first: int, last: int, left: int, hidden: bool) -> int:
        """Behind which word a span ends, so that no more is hidden than what is left."""
        fitting = int(np.searchsorted(bounds, bounds[first] + left, side="right")) - 1
        return min(last, max(fitting, first + (not hidden)))

    def taken(self, free: np.ndarray, first: int, last: int) -> None:
        free[first:last] = False

    def of_row(self, spans: np.ndarray, tokens: np.ndarray, word_ids: np.ndarray) -> None:
        special = self.is_special(tokens)
        bounds = np.append(np.flatnonzero(self.begins(word_ids, special)), len(tokens))
        free = ~special[bounds[:-1]]
        left, number = self.budget(tokens, word_ids, special), 0
        for _ in range(20 * len(tokens)):  # even a mistake has an end
            if left <= 0 or not free.any():
                return
            count = self.length()
            first = self.start(free, count)
            if first is None or not count:
                continue
            last = self.cut(bounds, first, min(first + count, len(bounds) - 1), left, bool(spans.any()))
            if last == first:
                return
            number += 1
            spans[bounds[first] : bounds[last]] = number
            self.taken(free, first, last)
            left -= self.cost(bounds[last] - bounds[first])

    @classmethod
    def hide(cls, *args: Any, **options: Any) -> np.ndarray:
        made = cls(*args, **options)
        spans = np.zeros(np.shape(made.token_ids), "int32")
        for row, tokens, word_ids in zip(spans, made.token_ids, made.word_ids, strict=True):
            made.of_row(row, tokens, word_ids)
        return spans
