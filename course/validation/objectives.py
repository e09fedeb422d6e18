"""Checks of arguments in chapter 11: documents, spans, noise, guesses, languages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from course.validation.arrays import require_ids, require_integers, require_rank, require_same_shapes
from course.validation.values import (
    require_choice,
    require_id,
    require_id_lists,
    require_numbers,
    require_sizes,
    require_special_ids,
)

KINDS = ("mask", "substitute", "delete", "insert", "reorder", "infill")


def require_documents(documents: Any, length: int, **special: int) -> None:
    """Raises an error unless these are lists of lists of ids with at least one piece, and a row has room for one."""
    require_sizes(length=length)
    if length < 3:
        raise ValueError(f"length must be at least 3, for [CLS], a piece and [SEP]. Received: length={length}")
    for name, number in special.items():
        if not isinstance(number, int | np.integer) or number < 0:
            raise ValueError(f"{name} must be an id, 0 or more. Received: {name}={number!r}")
    pieces = 0
    for document in _several(documents, "documents", "documents"):
        for sentence in _several(document, "each document", "sentences"):
            require_id_lists(**{"each sentence": sentence})
            pieces += len(sentence)
    if not pieces:
        raise ValueError("documents must have a piece to read. Received: none in all documents")


def require_span_lengths(token_ids: Any, word_ids: Any, p: float, longest: int) -> None:
    """Raises a ValueError unless each piece belongs to a word, and p and longest give a distribution of lengths."""
    require_ids(token_ids=token_ids, word_ids=word_ids)
    require_same_shapes(token_ids=token_ids, word_ids=word_ids)
    require_sizes(longest=longest)
    if not isinstance(p, int | float | np.number) or not 0 < p <= 1:
        raise ValueError(f"p must be above 0 and at most 1. Received: p={p!r}")


def require_noise(
    token_ids: Any, kind: str, rate: float, probabilities: Any, mask_id: int, special_ids: Sequence[int]
) -> None:
    """Raises an error unless these are the ids of a text, one of the six kinds of noise, and settings that fit it."""
    require_id_lists(token_ids=token_ids)
    require_choice("kind", kind, KINDS)
    if not isinstance(rate, int | float | np.number) or not 0 <= rate <= 1:
        raise ValueError(f"rate must be from 0 to 1, a share of the words. Received: rate={rate!r}")
    require_rank(probabilities, "probabilities", ("vocabulary_size",))
    for number in (mask_id, *token_ids):
        require_id("each id", number, len(probabilities))
    require_special_ids(special_ids, len(probabilities))
    if np.count_nonzero(probabilities) < 2 or not np.all(np.asarray(probabilities) >= 0):
        raise ValueError("probabilities must be 0 or more, and those of two words above 0. Received: others")


def require_masked_guesses(token_ids: Any, positions: Any, weights: Any, logits: Any) -> None:
    """Raises a ValueError unless there is a guess for each hidden word of each text."""
    require_ids(token_ids=token_ids)
    require_rank(positions, "positions", ("batch", "predictions"))
    require_rank(logits, "logits", ("batch", "predictions", "vocabulary_size"))
    require_integers(positions, "positions")
    require_same_shapes(positions=positions, weights=weights, logits=logits[:, :, 0])
    require_same_shapes(token_ids=token_ids[:, 0], positions=positions[:, 0])


def require_counts_of_languages(counts: Any, alpha: Any) -> None:
    """Raises a ValueError unless there is text of a language, and α is 0 or more."""
    require_numbers(alpha=alpha)
    for number, count in enumerate(_several(counts, "counts", "languages")):
        require_numbers(**{f"the count of language {number}": count})
    if not np.sum(counts):
        raise ValueError(f"counts must have a language with text. Received: {list(counts)}")


def _several(values: Any, name: str, of: str) -> Iterable[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be several {of}. Received: {type(values).__name__}")
    return values
