"""Words, names and tags at random, for the checks of chapter 12: no two sentences are alike."""

from __future__ import annotations

from typing import Any

import numpy as np

Random = np.random.RandomState

KINDS = ("person", "place", "creative-work")
TAGS = ("O", "B-person", "I-person", "B-place", "I-place", "B-creative-work", "I-creative-work")


def offsets_of(random: Random, words: int, gaps: tuple[int, ...] = (0, 1, 1, 2)) -> np.ndarray:
    """Where so many words stand, (words, 2): some next to each other, as a word and a comma do."""
    lengths, between = random.randint(2, 8, words), random.choice(gaps, words)
    starts = np.cumsum(between + np.append(0, lengths[:-1]))
    return np.stack([starts, starts + lengths], axis=1).astype("int64")


def names_of(random: Random, words: int, beside: bool = False) -> list[tuple[int, int, str]]:
    """Names by their words, each with a word or more before it; or none, with `beside`. Kinds take turns."""
    found: list[tuple[int, int, str]] = []
    word = int(random.randint(0, 3))
    while word + 3 < words:
        length = int(random.randint(1, 4))
        found.append((word, word + length, KINDS[len(found) % 3]))
        word += length + (0 if beside else int(random.randint(1, 3)))
    return found


def spans_of(names: list[tuple[int, int, str]], offsets: np.ndarray) -> list[tuple[int, int, str]]:
    """The same names by their characters."""
    return [(int(offsets[first, 0]), int(offsets[last - 1, 1]), kind) for first, last, kind in names]


def written(names: list[tuple[int, int, str]], words: int) -> list[str]:
    """Names as tags."""
    tags = ["O"] * words
    for first, last, kind in names:
        tags[first:last] = [f"B-{kind}", *[f"I-{kind}"] * (last - first - 1)]
    return tags


def any_tags(random: Random, words: int) -> list[str]:
    """Tags in any order, also in those that IOB2 does not have."""
    return [str(tag) for tag in random.choice(TAGS, words, p=[0.28, *[0.12] * 6])]


def said(names: Any) -> list[str]:
    """Names as a person reads them: words 3 to 5, person. Whatever is no name makes the check fail by itself."""
    return [f"words {int(first)} to {int(last)}, {kind}" for first, last, kind in names]
