"""Words and their ids, for languages of which all words are known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

PADDING_ID, START_ID, END_ID = range(3)
_SPECIAL = ("[PAD]", "[START]", "[END]")


class Words:
    """The words of a language, each with an id; ids 0, 1 and 2 are padding, start and end.

    Args:
        words: all of them.

    Raises:
        ValueError: a word stands there twice.

    Example:
        >>> english = Words(SOURCE_WORDS)
        >>> english.ids([["the", "dog"], ["the", "grey", "dog"]])
        [[3, 5, 0], [3, 31, 5]]
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = [*_SPECIAL, *words]
        self._ids = {word: number for number, word in enumerate(self.words)}
        if len(self._ids) < len(self.words):
            raise ValueError(
                f"each word must stand there once. Received: {len(self.words) - len(self._ids)} of them twice"
            )

    def __len__(self) -> int:
        return len(self.words)

    def ids(self, texts: Iterable[Sequence[str]], length: int | None = None) -> np.ndarray:
        """The ids of texts, filled up with padding on the right.

        Args:
            texts: each as its words.
            length: how long the rows are; as long as the longest text by default.

        Returns:
            int32, (texts, length).

        Raises:
            ValueError: no text, one without a word, one that is longer than that, or a word that is not known.
        """
        texts = list(texts)
        if not texts:
            raise ValueError("there must be a text. Received: none")
        longest = max(map(len, texts))
        rows = np.full((len(texts), length or longest), PADDING_ID, "int32")
        for number, text in enumerate(texts):
            if not text:
                raise ValueError(f"each text must have a word. Received: none in text {number}")
            if len(text) > rows.shape[1]:
                raise ValueError(f"a text may have {length} words. Received: {len(text)} in text {number}")
            unknown = [word for word in text if word not in self._ids]
            if unknown:
                known = ", ".join(self.words[len(_SPECIAL) :])
                raise ValueError(f"these words are not known: {', '.join(unknown)}. Known are: {known}")
            rows[number, : len(text)] = [self._ids[word] for word in text]
        return rows

    def texts(self, ids: Iterable[Iterable[int]]) -> list[list[str]]:
        """The words of each row of ids, up to the end, or to the padding."""
        found = []
        for row in map(list, ids):
            stops = [place for place, number in enumerate(row) if number in (END_ID, PADDING_ID)]
            found.append([self.words[number] for number in row[: stops[0] if stops else None]])
        return found
