"""Vectors of words: scaled to length 1, stacked into one array, assigned to their text, and searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from keras import ops


def unit_vectors(vectors: Any) -> Any:
    """Scale vectors, (..., width), to length 1, so that their products are cosines: float32. Zeros stay zeros."""
    vectors = ops.cast(vectors, "float32")
    # Not ops.normalize, whose gradient is NaN for a vector of zeros, on PyTorch and JAX. Not ops.rsqrt: on some
    # processors its last bit depends on the place in the array, and equal documents would no longer score alike.
    return vectors / ops.sqrt(ops.maximum(ops.sum(vectors * vectors, axis=-1, keepdims=True), 1e-12))


def words_of_pairs(segment_ids: Any, padding_mask: Any) -> tuple[Any, Any]:
    """Return which tokens of pairs, [CLS] query [SEP] document [SEP], are words of the query, and of the document.

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
    """An index that finds the nearest of many vectors, exactly or approximately."""

    def nearest(self, vectors: np.ndarray, count: int) -> np.ndarray:
        """Return the numbers of the `count` nearest vectors by cosine: integers, (vectors, count), nearest first.

        Args:
            vectors: (vectors, width).
            count: at most as many as the index has.
        """


class ExactVectors:
    """Finds the nearest vectors by comparing with all of them.

    Args:
        vectors: (vectors, width), of any length.
    """

    def __init__(self, vectors: np.ndarray) -> None:
        self._vectors = ops.convert_to_numpy(unit_vectors(vectors))

    def nearest(self, vectors: np.ndarray, count: int) -> np.ndarray:
        """As `NearestVectors`; raises a ValueError for a `count` of more vectors than there are."""
        if count > len(self._vectors):
            raise ValueError(f"count must be at most {len(self._vectors)}, the number of vectors. Received: {count}")
        cosines = ops.convert_to_numpy(unit_vectors(vectors)) @ self._vectors.T
        return np.argsort(-cosines, axis=1, kind="stable")[:, :count]


def stacked(texts: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return vectors of several texts as one padded array, and its mask: (texts, longest, width) and (texts, longest).

    Args:
        texts: one or more, (words, width) each.
    """
    mask = np.arange(max(1, *map(len, texts))) < np.array([[len(text)] for text in texts])
    vectors = np.zeros((*mask.shape, texts[0].shape[1]), "float32")
    vectors[mask] = np.concatenate(texts)
    return vectors, mask
