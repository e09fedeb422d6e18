"""Checks of arguments in the chapter on names: the places of words and names, tags, labels and paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from course.validation.arrays import require_floats, require_integers, require_rank


def require_offsets(offsets: Any) -> np.ndarray:
    """The offsets as an array, (words, 2). Raises a ValueError unless each word comes after the one before it."""
    offsets = np.asarray(offsets)
    offsets = offsets.reshape(0, 2).astype("int64") if offsets.size == 0 else offsets
    require_rank(offsets, "offsets", ("words", "2"))
    require_integers(offsets, "offsets")
    if offsets.shape[1] != 2 or (np.diff(offsets.reshape(-1)) < 0).any() or (offsets < 0).any():
        raise ValueError(
            "offsets must be (words, 2): where each word begins and ends, in the order of the text. "
            f"Received: {offsets.tolist()[:3]} ..."
        )
    return offsets


def require_apart(spans: Sequence[tuple[int, int, str]], offsets: np.ndarray) -> list[tuple[int, int, str]]:
    """The names in the order of the text. Raises a ValueError unless they lie within it and do not overlap."""
    length = int(offsets[-1, 1]) if len(offsets) else 0
    ordered = sorted(spans)
    for start, end, kind in ordered:
        if not 0 <= start < end <= length:
            raise ValueError(
                f"each name must have a character, and lie within the words, which end at {length}. "
                f"Received: {(start, end, kind)}"
            )
    for one, other in pairwise(ordered):
        if other[0] < one[1]:
            raise ValueError(f"names must not overlap, as a word has one tag. Received: {one} and {other}")
    return ordered


def require_word_ids(word_ids: Any, words: int) -> np.ndarray:
    """The word ids as an array, (length,). Raises a ValueError unless each is the index of a word, or -1."""
    word_ids = np.asarray(word_ids)
    require_rank(word_ids, "word_ids", ("length",))
    require_integers(word_ids, "word_ids")
    if word_ids.size and not -1 <= word_ids.min() <= word_ids.max() < words:
        raise ValueError(
            f"word_ids must be from -1 to {words - 1}, since {words} words have a tag. "
            f"Received: {word_ids.min()} to {word_ids.max()}"
        )
    return word_ids


def require_known_tags(tags: Sequence[str], tag_ids: Mapping[str, int]) -> None:
    """Raises a ValueError unless each tag has an id."""
    for word, tag in enumerate(tags):
        if tag not in tag_ids:
            raise ValueError(f"each tag must be one of {', '.join(tag_ids)}. Received: {tag!r} of word {word}")


def require_one_label_each(labels: Any, logits: Any) -> None:
    """Raises a ValueError unless there is a label for each token that has logits."""
    require_rank(labels, "labels", ("batch", "length"))
    require_integers(labels, "labels")
    require_rank(logits, "logits", ("batch", "length", "num_tags"))
    require_floats(logits, "logits")
    for given, wanted in zip(labels.shape, logits.shape, strict=False):
        if given is not None and wanted is not None and given != wanted:
            shapes = f"labels.shape={tuple(labels.shape)} and logits.shape={tuple(logits.shape)}"
            raise ValueError(f"each token needs a label, or ignore. Received: {shapes}")


def require_pairs(true: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> None:
    """Raises a ValueError unless there are sentences, and each has as many tags on both sides."""
    if isinstance(true, str) or isinstance(predicted, str) or not len(true) or len(true) != len(predicted):
        given = f"{len(true)} true ones and {len(predicted)} predicted ones"
        raise ValueError(f"there must be a sentence or more, each a list of tags, on both sides. Received: {given}")
    for number, (tags, guesses) in enumerate(zip(true, predicted, strict=True)):
        if isinstance(tags, str) or len(tags) != len(guesses):
            given = (
                f"{tags!r} in"
                if isinstance(tags, str)
                else f"{len(tags)} true ones and {len(guesses)} predicted ones in"
            )
            raise ValueError(f"each word must have a tag on both sides. Received: {given} sentence {number}")


def require_paths(scores: Any, transitions: Any, start: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All three in float64. Raises a ValueError unless their shapes fit, and no value is NaN or +inf."""
    scores, transitions, start = (np.asarray(array, "float64") for array in (scores, transitions, start))
    require_rank(scores, "scores", ("length", "tags"))
    length, tags = scores.shape
    if not length or not tags or transitions.shape != (tags, tags) or start.shape != (tags,):
        raise ValueError(
            "scores must be (length, tags), of a word or more, transitions (tags, tags), and start (tags). "
            f"Received: {scores.shape}, {transitions.shape} and {start.shape}"
        )
    for name, array in (("scores", scores), ("transitions", transitions), ("start", start)):
        if np.isnan(array).any() or (array == np.inf).any():
            raise ValueError(f"{name} must be numbers, or -inf where something is forbidden. Received: NaN or +inf")
    return scores, transitions, start
