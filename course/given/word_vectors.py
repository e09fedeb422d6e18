"""Vectors of words: made as long as 1, put into one array, told which text they are of, and found among many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from keras import ops


def unit_vectors(vectors: Any) -> Any:
    """Vectors of length 1, so that their products are cosines: float32, in any shape (..., width). Zeros stay zeros."""
    vectors = ops.cast(vectors, "float32")
    # Not ops.normalize, whose gradient is NaN for a vector of zeros, on PyTorch and JAX. Not ops.rsqrt: on some
    # processors its last bit depends on the place in the array, and equal documents would no longer score alike.
    return vectors / ops.sqrt(ops.maximum(ops.sum(vectors * vectors, axis=-1, keepdims=True), 1e-12))


def words_of_pairs(segment_ids: Any, padding_mask: Any) -> tuple[Any, Any]:
    """Which tokens of pairs, [CLS] query [SEP] document [SEP], are words of the query, and which of the document.

    Args:
        segment_ids: (batch, length), 0 in the query; every further segment belongs to the document.
        padding_mask: boolean, (batch, length), True at tokens.

    Returns:
        Two boolean masks, (batch, length) each. [CLS], each [SEP] and padding are in neither.
    """
    text = ops.where(ops.cast(padding_mask, "bool"), segment_ids, -1)
    following = ops.pad(text[:, 1:], ((0, 0), (0, 1)), constant_values=-1)
    ends_no_text = ops.equal(text, following)  # the last token of each text is its [SEP]
    behind_cls = ops.arange(ops.shape(text)[1]) > 0
    is_query = ops.logical_and(ops.equal(text, 0), behind_cls)
    return ops.logical_and(ends_no_text, is_query), ops.logical_and(ends_no_text, ops.greater(text, 0))


class NearestVectors(Protocol):
    """What finds vectors among many: exactly, or about."""

    def nearest(self, vectors: np.ndarray, count: int) -> np.ndarray:
        """The numbers of the `count` likest vectors, by the cosine: integers, (vectors, count), the likest first."""


class ExactVectors:
    """Finds vectors by comparing with all of them.

    Args:
        vectors: (vectors, width), of any length.
    """

    def __init__(self, vectors: np.ndarray) -> None:
        self._vectors = ops.convert_to_numpy(unit_vectors(vectors))

    def nearest(self, vectors: np.ndarray, count: int) -> np.ndarray:
        """The numbers of the `count` likest ones, fewer where there are fewer: (vectors, count), the likest first."""
        cosines = ops.convert_to_numpy(unit_vectors(vectors)) @ self._vectors.T
        return np.argsort(-cosines, axis=1, kind="stable")[:, :count]


def stacked(texts: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Vectors of several texts as one array, with padding, and its mask: (texts, longest, width) and (texts, longest).

    Args:
        texts: one or more, (words, width) each.
    """
    mask = np.arange(max(1, *map(len, texts))) < np.array([[len(text)] for text in texts])
    vectors = np.zeros((*mask.shape, texts[0].shape[1]), "float32")
    vectors[mask] = np.concatenate(texts)
    return vectors, mask
