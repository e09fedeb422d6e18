"""Checks of arguments in the chapter on ranking: similarities, vectors, a split encoder, candidates, numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from course.validation.arrays import (
    differ,
    require_array,
    require_floats,
    require_integers,
    require_range,
    require_rank,
)
from course.validation.values import require_sizes


def require_similarity(similarity: Any, document_mask: Any, query_mask: Any = None) -> None:
    """Raises a ValueError unless there is a similarity for each word of the query and each of the document."""
    require_rank(similarity, "similarity", ("batch", "query_length", "document_length"))
    require_floats(similarity, "similarity")
    batch, query_length, document_length = similarity.shape
    _require_mask(document_mask, "document_mask", (batch, document_length))
    if query_mask is not None:
        _require_mask(query_mask, "query_mask", (batch, query_length))


def require_kernels(means: Sequence[float], widths: Sequence[float]) -> None:
    """Raises a ValueError unless there is a width above 0 for each mean."""
    if not 0 < len(means) == len(widths) or not all(width > 0 for width in widths):
        raise ValueError(
            "there must be a kernel or more, and a width above 0 for each. "
            f"Received: {len(means)} means, widths={list(widths)}"
        )


def require_bins(bins: Any) -> None:
    """Raises a ValueError unless there is a bin for exact matches, and one or more for the others."""
    if not isinstance(bins, int | np.integer) or isinstance(bins, bool) or bins < 2:
        raise ValueError(
            f"bins must be a whole number, at least 2: the last one is for exact matches. Received: bins={bins!r}"
        )


def require_masked(x: Any, mask: Any, length: int | None = None) -> None:
    """Raises a ValueError unless `mask` is boolean, (batch, length), with a value for each place of `x`."""
    require_array(x, "what is masked")
    if len(x.shape) < 2 or (length is not None and differ(x.shape[1], length)):
        expected = "length" if length is None else length
        raise ValueError(f"there must be rows of tokens, (batch, {expected}). Received: {tuple(x.shape)}")
    _require_mask(mask, "padding_mask", x.shape[:2])


def require_token_vectors(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> None:
    """Raises a ValueError unless all texts have a vector of the same width for each word, and a mask."""
    for name, vectors, mask in (("query", query_vectors, query_mask), ("document", document_vectors, document_mask)):
        require_rank(vectors, f"{name}_vectors", ("texts", "length", "width"))
        require_floats(vectors, f"{name}_vectors")
        _require_mask(mask, f"{name}_mask", vectors.shape[:2])
    if differ(query_vectors.shape[2], document_vectors.shape[2]):
        raise ValueError(
            "the vectors of queries and documents must have the same width. "
            f"Received: {query_vectors.shape[2]} and {document_vectors.shape[2]}"
        )


def require_split(encoder: Any, split: Any, query_length: Any) -> None:
    """Raises a ValueError unless the encoder can be split there, and documents get positions and a segment."""
    require_sizes(query_length=query_length)
    if not isinstance(split, int | np.integer) or isinstance(split, bool) or not 0 <= split < encoder.num_layers:
        raise ValueError(
            f"split must leave a block for both texts: from 0 to {encoder.num_layers - 1}. Received: split={split!r}"
        )
    if query_length >= encoder.max_length or encoder.num_segments < 2:
        raise ValueError(
            "documents must have positions after the query's, and a segment. Received: "
            f"query_length={query_length}, max_length={encoder.max_length}, num_segments={encoder.num_segments}"
        )


def require_index(query_vectors: Any, owners: Any, documents: int) -> None:
    """Raises a ValueError unless the query has a word, and each vector of the index belongs to a document."""
    require_rank(query_vectors, "query_vectors", ("words", "width"))
    if not query_vectors.shape[0]:
        raise ValueError("the query must have a word or more. Received: none")
    require_rank(owners, "owners", ("vectors",))
    require_integers(owners, "owners")
    require_range(owners, "owners", documents, "the numbers of the documents")
    if not owners.shape[0]:
        raise ValueError("the index must have a vector or more. Received: none")


def require_candidates(candidates: Any) -> np.ndarray:
    """The candidates as an array. Raises a ValueError unless they are a list of distinct ids."""
    array = np.asarray(candidates)
    if array.ndim != 1 or len(np.unique(array)) < len(array):
        raise ValueError(f"candidates must be a list of ids, each of them once. Received: {candidates!r:.60}")
    return array


def require_answers(answers: Any, pairs: int) -> np.ndarray:
    """The answers as an array. Raises a ValueError unless there is a number for each pair."""
    array = ops.convert_to_numpy(answers)
    if array.shape != (pairs,):
        raise ValueError(f"compare must give a number for each of {pairs} pairs. Received: shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("compare must give numbers. Received: NaN or infinity")
    return array


def require_standardization(means: Any, deviations: Any) -> None:
    """Raises a ValueError unless there is a deviation of at least 0 for each mean, and one mean or more."""
    arrays = [np.asarray(numbers, "float64") for numbers in (means, deviations)]
    if arrays[0].ndim != 1 or not arrays[0].size or arrays[0].shape != arrays[1].shape:
        raise ValueError(
            "there must be a number or more, and a deviation for each of their means. "
            f"Received: means.shape={arrays[0].shape}, deviations.shape={arrays[1].shape}"
        )
    if not np.isfinite(arrays).all() or (arrays[1] < 0).any():
        raise ValueError(
            "means must be finite, and deviations at least 0. "
            f"Received: means={arrays[0].tolist()}, deviations={arrays[1].tolist()}"
        )


def require_pairs(inputs: Any, **shapes: tuple[int, ...]) -> None:
    """Raises a ValueError unless `inputs` has these arrays of floats, with these shapes per pair, and as many pairs."""
    missing = [name for name in shapes if not isinstance(inputs, Mapping) or name not in inputs]
    if missing:
        raise ValueError(f"inputs must be a dictionary with {', '.join(shapes)}. It lacks {', '.join(missing)}")
    for name in shapes:
        require_floats(inputs[name], name)
    pairs = [inputs[name].shape[0] for name in shapes if len(inputs[name].shape)]
    for name, shape in shapes.items():
        given = tuple(inputs[name].shape)
        if len(given) != 1 + len(shape) or any(map(differ, given, (pairs[0], *shape))):
            wanted = ", ".join(map(str, ("pairs", *shape)))
            raise ValueError(
                f"{name} must be ({wanted}), of as many pairs as the others. Received: {name}.shape={given}"
            )


def _require_mask(mask: Any, name: str, wanted: Sequence[int | None]) -> None:
    require_array(mask, name)
    dtype = keras.backend.standardize_dtype(mask.dtype)
    fits = len(mask.shape) == len(wanted) and not any(map(differ, mask.shape, wanted))
    if dtype != "bool" or not fits:
        raise ValueError(
            f"{name} must be boolean, {tuple(wanted)}, True at words. Received: {dtype} of shape {tuple(mask.shape)}"
        )
