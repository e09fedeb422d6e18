"""Words and their ids, for languages with a closed vocabulary."""

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
        ValueError: duplicate words.

    Example:
        >>> english = Words(SOURCE_WORDS)
        >>> english.ids([["the", "dog"], ["the", "grey", "dog"]])
        [[3, 5, 0], [3, 31, 5]]
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = [*_SPECIAL, *words]
        self._ids = {word: number for number, word in enumerate(self.words)}
        if len(self._ids) < len(self.words):
            raise ValueError(f"each word must occur once. Received: {len(self.words) - len(self._ids)} of them twice")

    def __len__(self) -> int:
        return len(self.words)

    def ids(self, texts: Iterable[Sequence[str]], length: int | None = None) -> np.ndarray:
        """Return the ids of texts, padded on the right.

        Args:
            texts: each as its words.
            length: of the rows; by default that of the longest text.

        Returns:
            int32, (texts, length).

        Raises:
            ValueError: no text, an empty text, a text longer than `length`, or an unknown word.
        """
        texts = list(texts)
        if not texts:
            raise ValueError("there must be at least one text. Received: none")
        longest = max(map(len, texts))
        rows = np.full((len(texts), length or longest), PADDING_ID, "int32")
        for number, text in enumerate(texts):
            if not text:
                raise ValueError(f"each text must have a word. Received: none in text {number}")
            if len(text) > rows.shape[1]:
                raise ValueError(f"a text may have at most {length} words. Received: {len(text)} in text {number}")
            unknown = [word for word in text if word not in self._ids]
            if unknown:
                known = ", ".join(self.words[len(_SPECIAL) :])
                raise ValueError(f"these words are not known: {', '.join(unknown)}. Known words: {known}")
            rows[number, : len(text)] = [self._ids[word] for word in text]
        return rows

    def texts(self, ids: Iterable[Iterable[int]]) -> list[list[str]]:
        """Return the words of each row of ids, up to the end or the padding."""
        texts = []
        for row in map(list, ids):
            stops = [place for place, number in enumerate(row) if number in (END_ID, PADDING_ID)]
            texts.append([self.words[number] for number in row[: stops[0] if stops else None]])
        return texts
