"""Random words, names, tags and scores for the checks of chapter 12."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.messages import Message

Random = np.random.RandomState

KINDS = ("person", "place", "creative-work")
TAGS = ("O", "B-person", "I-person", "B-place", "I-place", "B-creative-work", "I-creative-work")
# Tags that violate IOB2: an I- without a beginning, or of another kind.
ODD = {
    Message("the names of I after O"): ["I-place", "O", "I-person", "I-person", "O", "B-place"],
    Message("the names of I after another kind"): ["B-person", "I-place", "I-place", "I-person", "B-place", "I-person"],
    Message("the names of I, O and I"): ["B-place", "O", "I-place", "I-place"],
    Message("the names of I, of another kind and again"): ["B-person", "I-place", "I-person", "O"],
    Message("the names of B after a name of its kind"): ["B-place", "I-place", "B-place", "I-place", "B-place"],
}


def offsets_of(random: Random, words: int, gaps: tuple[int, ...] = (0, 1, 1, 2)) -> np.ndarray:
    """Return the offsets of words, (words, 2); some touch, like a word and a comma."""
    lengths, between = random.randint(2, 8, words), random.choice(gaps, words)
    starts = np.cumsum(between + np.append(0, lengths[:-1]))
    return np.stack([starts, starts + lengths], axis=1).astype("int64")


def names_of(random: Random, words: int, beside: bool = False) -> list[tuple[int, int, str]]:
    """Return names by their words, kinds in turn: at least one word apart, or adjacent with `beside`."""
    names: list[tuple[int, int, str]] = []
    word = int(random.randint(0, 3))
    while word + 3 < words:
        length = int(random.randint(1, 4))
        names.append((word, word + length, KINDS[len(names) % 3]))
        word += length + (0 if beside else int(random.randint(1, 3)))
    return names


def spans_of(names: list[tuple[int, int, str]], offsets: np.ndarray) -> list[tuple[int, int, str]]:
    """Return the same names by their characters."""
    return [(int(offsets[first, 0]), int(offsets[last - 1, 1]), kind) for first, last, kind in names]


def written(names: list[tuple[int, int, str]], words: int) -> list[str]:
    """Return names as tags."""
    tags = ["O"] * words
    for first, last, kind in names:
        tags[first:last] = [f"B-{kind}", *[f"I-{kind}"] * (last - first - 1)]
    return tags


def any_tags(random: Random, words: int) -> list[str]:
    """Return tags in any order, even in orders that IOB2 does not allow."""
    return [str(tag) for tag in random.choice(TAGS, words, p=[0.28, *[0.12] * 6])]


def said(names: Any) -> list[str]:
    """Return names in words, such as "words 3 to 5, person". Anything else raises, which fails the check."""
    return [f"words {int(first)} to {int(last)}, {kind}" for first, last, kind in names]


def pieces_of(random: Random, words: int) -> np.ndarray:
    """Return the word of each piece; a word has at most four."""
    return np.repeat(np.arange(words), random.randint(1, 5, words)).astype("int32")


def ids_of_tags(random: Random) -> dict[str, int]:
    return {tag: int(number) for tag, number in zip(TAGS, random.permutation(len(TAGS)) + 3, strict=True)}


def framed(word_ids: np.ndarray, padding: int = 0) -> np.ndarray:
    """Add [CLS], [SEP] and padding."""
    return np.concatenate([[-1], word_ids, [-1] * (1 + padding)]).astype("int32")


def labelled(random: Random, dtype: str = "float32", num_tags: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Return three texts of seven tokens; six, three and one have a label: some have O, and none the last tag."""
    labels = random.randint(0, num_tags - 1, (3, 7)).astype("int32")
    labels[0, 1] = 0
    labels[[0, 1, 1, 1, 1], [0, 0, 2, 5, 6]] = -100
    labels[2] = -100
    labels[2, 4] = 2
    return labels, (2 * random.standard_normal((3, 7, num_tags))).astype(dtype)


def guessed(random: Random, tags: list[str], changed: float = 0.15) -> list[str]:
    """Return the tags with a few changed at random."""
    others = any_tags(random, len(tags))
    is_changed = random.random_sample(len(tags)) < changed
    return [other if now else tag for tag, other, now in zip(tags, others, is_changed, strict=True)]


# Sentences and guesses: a name of another kind, one that is too short, and the same place in three sentences.
HALF_RIGHT = (
    [["B-place", "I-place", "O", "B-person"], ["O", "B-person", "I-person"], *[["B-place", "O", "O"]] * 3],
    [
        ["B-person", "I-person", "O", "B-person"],
        ["O", "B-person", "O"],
        ["B-place", "O", "B-place"],
        *[["O", "O", "O"]] * 2,
    ],
)


def corpus(random: Random, lengths: tuple[int, ...] = (14, 6, 23, 11)) -> tuple[list[list[str]], list[list[str]]]:
    true = [written(names_of(random, words), words) for words in lengths]
    return [*true, *HALF_RIGHT[0]], [*(guessed(random, tags) for tags in true), *HALF_RIGHT[1]]


def scored(random: Random, words: int, tags: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return scores, transitions and start scores of similar size."""
    shapes = ((words, tags), (tags, tags), (tags,))
    scores, transitions, start = (random.standard_normal(shape).astype("float32") for shape in shapes)
    # None below 0: another check forbids steps, and what makes that cheap makes no difference here.
    return scores, 2 * np.abs(transitions), 2 * np.abs(start)


def bio_paths() -> tuple[np.ndarray, np.ndarray]:
    """Return the transitions and start scores of IOB2: 0, or -inf for a forbidden step."""
    allowed = [[tag[0] != "I" or tag[2:] == before[2:] for tag in TAGS] for before in TAGS]
    starts = [tag[0] != "I" for tag in TAGS]
    transitions, start = np.where(allowed, 0, -np.inf), np.where(starts, 0, -np.inf)
    return transitions.astype("float32"), start.astype("float32")
