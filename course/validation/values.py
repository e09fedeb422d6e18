"""Checks of plain values: sizes, shares, texts, ids. Each error says what was expected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np


def require_sizes(**sizes: Any) -> None:
    """Raises a ValueError unless each of these is a whole number of at least 1."""
    for name, size in sizes.items():
        if not is_whole(size) or size < 1:
            raise ValueError(f"{name} must be a whole number, at least 1. Received: {name}={size!r}")


def require_shares(**shares: Any) -> None:
    """Raises a ValueError unless each of these is at least 0 and less than 1, as a dropout rate must be."""
    for name, share in shares.items():
        if not isinstance(share, int | float | np.number) or not 0 <= share < 1:
            raise ValueError(f"{name} must be at least 0 and less than 1. Received: {name}={share!r}")


def require_fractions(**shares: Any) -> None:
    """Raises a ValueError unless each of these is from 0 to 1, both included."""
    for name, share in shares.items():
        if not isinstance(share, int | float | np.number) or not 0 <= share <= 1:
            raise ValueError(f"{name} must be from 0 to 1. Received: {name}={share!r}")


def require_choice(name: str, choice: Any, choices: Sequence[str]) -> None:
    """Raises a ValueError unless `choice` is one of `choices`."""
    if choice not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}. Received: {name}={choice!r}")


def require_id(name: str, number: Any, vocabulary_size: int) -> None:
    """Raises a ValueError unless `number` is an id of the vocabulary."""
    if not is_whole(number) or not 0 <= number < vocabulary_size:
        raise ValueError(
            f"{name} must be an id of the vocabulary, from 0 to {vocabulary_size - 1}. Received: {name}={number!r}"
        )


def require_distinct_ids(**ids: int) -> None:
    """Raises a ValueError unless no two of these ids are equal."""
    if len(set(ids.values())) < len(ids):
        given = ", ".join(f"{name}={number!r}" for name, number in ids.items())
        raise ValueError(f"these must have an id each, or one of them is never learned. Received: {given}")


def require_special_ids(special_ids: Any, vocabulary_size: int) -> None:
    """Raises a ValueError unless these are several ids of the vocabulary."""
    if not isinstance(special_ids, Iterable):
        raise ValueError(f"special_ids must be several ids. Received: {special_ids!r}; pass [{special_ids!r}]")
    for number in special_ids:
        require_id("each of special_ids", number, vocabulary_size)


def require_text(text: Any, name: str) -> None:
    """Raises a TypeError unless `text` is a string."""
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a string; bytes must be decoded first. Received: {type(text).__name__}")


def require_texts(texts: Iterable[str], name: str) -> list[str]:
    """The texts as a list.

    Raises:
        TypeError: `texts` is a single string, or one of them is not a string.
    """
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        received = "one string; pass [text]" if isinstance(texts, str) else type(texts).__name__
        raise TypeError(f"{name} must be several texts. Received: {received}")
    texts = list(texts)
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(
                f"{name} must be strings. Received: {type(text).__name__} as text {number}; "
                "fill what is missing in a table first"
            )
    return texts


def require_text_pairs(queries: Iterable[str], documents: Iterable[str]) -> tuple[list[str], list[str]]:
    """The queries and the document of each, as lists.

    Raises:
        TypeError: not texts.
        ValueError: not as many queries as documents.
    """
    queries, documents = require_texts(queries, "queries"), require_texts(documents, "documents")
    if len(queries) != len(documents):
        raise ValueError(
            f"each query must have a document. Received: {len(queries)} queries and {len(documents)} documents"
        )
    return queries, documents


def require_counts(word_counts: Any, num_merges: Any) -> None:
    """Raises an error unless word_counts maps words to counts, and num_merges is a whole number of at least 0."""
    if not isinstance(word_counts, Mapping) or not all(
        isinstance(word, str) and is_whole(count) for word, count in word_counts.items()
    ):
        raise TypeError(
            'word_counts must be a dictionary from words to whole numbers, such as {"low": 5}. '
            f"Received: {type(word_counts).__name__} {str(word_counts)[:60]}"
        )
    smallest = min(word_counts.values(), default=0)
    if not is_whole(num_merges) or num_merges < 0 or smallest < 0:
        raise ValueError(
            "num_merges and all counts must be whole numbers, 0 or more. "
            f"Received: num_merges={num_merges!r}, smallest count={smallest}"
        )


def require_id_lists(**texts: Any) -> None:
    """Raises an error unless each is a list of ids, or an array of ids with one axis."""
    for name, ids in texts.items():
        if isinstance(ids, str) or not isinstance(ids, Iterable):
            raise TypeError(f"{name} must be the ids of a text. Received: {type(ids).__name__}")
        for number in ids:
            if not is_whole(number):
                raise TypeError(f"{name} must be whole numbers, the ids of one text. Received: {number!r}")
            if number < 0:
                raise ValueError(f"{name} must be ids, 0 or more. Received: {number}")


def require_instance(value: Any, name: str, kind: type) -> None:
    """Raises a TypeError unless `value` is an instance of `kind`."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise TypeError(f"{name} must be {article} {kind.__name__}. Received: {type(value).__name__}")


def require_numbers(**numbers: Any) -> None:
    """Raises a ValueError unless each of these is a finite number, 0 or more."""
    for name, number in numbers.items():
        if not isinstance(number, int | float | np.number) or not 0 <= number < float("inf"):
            raise ValueError(f"{name} must be a finite number, 0 or more. Received: {name}={number!r}")


def require_seed(seed: Any) -> None:
    """Raises a ValueError unless every random generator accepts the seed; NumPy's oldest takes at most 32 bits."""
    if not is_whole(seed) or not 0 <= seed < 2**32:
        raise ValueError(f"a seed must be a whole number from 0 to {2**32 - 1}. Received: seed={seed!r}")


def is_whole(number: Any) -> bool:
    """Whether it is a whole number; True and False are not."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)
