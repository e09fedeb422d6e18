"""Next-word probabilities from a table instead of a model: small enough to follow a search by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from keras import ops

from course.validation.arrays import require_rank


class Table:
    """A step for `greedy` and `beam_search` that reads its answers from a table.

    Args:
        log_probabilities: (rows, words); or (texts, rows, words), if each text has a table of its own, as it has a
            source of its own for a translator.
        only_last: whether only the last word selects the row. Otherwise all words so far do, and similar texts read
            unrelated rows.
        until: the word that ends a text. A table that knows it is asked for no text once all have ended.

    Raises:
        ValueError: not a table; or, with `only_last`, not one row for each word; or a call without a row for each text
            that has a table, or with texts that have all ended.

    Example:
        >>> table = Table(np.log([[0.2, 0.8], [0.5, 0.5]]), only_last=True)
        >>> table(np.array([[1, 0]]))  # log P of each word after this text
        [[-1.61, -0.22]]
    """

    def __init__(self, log_probabilities: Any, only_last: bool = False, until: int | None = None) -> None:
        self._table = np.asarray(log_probabilities, "float64")
        self._of_each_text = self._table.ndim == 3
        require_rank(self._table[0] if self._of_each_text else self._table, "log_probabilities", ("rows", "words"))
        rows, words = self._table.shape[-2:]
        if only_last and rows != words:
            raise ValueError(f"there must be a row for each word. Received: {rows} rows for {words} words")
        self._only_last = only_last
        self._until = until

    @classmethod
    def of_next(cls, next_words: Mapping[int, Mapping[int, float]], words: int) -> Table:
        """Make a table from the words that may follow each word, with their probabilities. Others get 1e-9."""
        probabilities = np.full((words, words), 1e-9)
        for word, following in next_words.items():
            probabilities[word, list(following)] = list(following.values())
        return cls(np.log(probabilities), only_last=True)

    def __call__(self, prefixes: Any) -> np.ndarray:
        """Return log P of the next word, (texts, words), for integers, (texts, length)."""
        texts = np.asarray(ops.convert_to_numpy(prefixes))
        if self._of_each_text and len(texts) != len(self._table):
            raise ValueError(f"there must be a row for each of {len(self._table)} texts. Received: {texts.shape}")
        if self._until is not None and (texts[:, 1:] == self._until).any(axis=1).all():
            raise ValueError("all texts have ended, so there is nothing to ask for")
        rows = texts[:, -1] if self._only_last else self._row_of(texts)
        return self._table[np.arange(len(texts)), rows] if self._of_each_text else self._table[rows]

    def _row_of(self, texts: np.ndarray) -> np.ndarray:
        count, words = self._table.shape[-2:]
        rows = np.zeros(len(texts), "int64")
        for of_place in texts.T:  # read a text as a number, with a digit for each word
            rows = (rows * (words + 1) + of_place + 1) % count
        return rows
