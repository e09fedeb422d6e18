"""Checks of arguments in the chapter on matching: rankings, query and document vectors, scored and labelled pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import keras
import numpy as np

from course.validation.arrays import require_floats, require_rank, require_same_shapes

Ranking = tuple[np.ndarray, np.ndarray]


def require_rankings(ranked_gains: Sequence[Any], all_gains: Sequence[Any]) -> Iterator[Ranking]:
    """For each query with a relevant document, the gains as ranked and the gains of all judged documents, as arrays.

    Raises:
        ValueError: as `ranking_scores`.
    """
    if len(ranked_gains) != len(all_gains):
        raise ValueError(
            "each query must have a ranking and judgements. "
            f"Received: {len(ranked_gains)} rankings, and judgements for {len(all_gains)} queries"
        )
    pairs = [
        (_gains(ranked, f"ranked_gains of query {query}"), _gains(judged, f"all_gains of query {query}"))
        for query, (ranked, judged) in enumerate(zip(ranked_gains, all_gains, strict=True))
    ]
    for query, (ranked, judged) in enumerate(pairs):
        if too_many := Counter(ranked[ranked > 0].tolist()) - Counter(judged.tolist()):
            raise ValueError(
                "a document with a gain must have been judged, and be ranked once. "
                f"Received: query {query} with a gain of {min(too_many):g} more often than it was judged"
            )
    if not any(judged.any() for _, judged in pairs):
        raise ValueError(f"some query must have a relevant document. Received: {len(pairs)} queries, none with one")
    return ((ranked, judged) for ranked, judged in pairs if judged.any())


def _gains(given: Any, name: str) -> np.ndarray:
    try:
        gains = np.asarray(given, "float64")
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers. Received: {given!r:.60}") from None
    if gains.ndim != 1:
        raise ValueError(f"{name} must be a list of numbers. Received: {given!r:.60}")
    if not np.all(np.isfinite(gains) & (gains >= 0)):
        raise ValueError(f"{name} must be 0 or more, and finite. Received: {gains[~(gains >= 0) | np.isinf(gains)][0]}")
    return gains


def require_vectors(query_vectors: Any, document_vectors: Any, same: Any) -> None:
    """Raises a ValueError unless each query has a document of the same width, and `same` is a boolean table."""
    for name, vectors in (("query_vectors", query_vectors), ("document_vectors", document_vectors)):
        require_rank(vectors, name, ("batch", "width"))
        require_floats(vectors, name)
    require_same_shapes(query_vectors=query_vectors, document_vectors=document_vectors)
    if same is None:
        return
    require_rank(same, "same", ("batch", "batch"))
    batch = query_vectors.shape[0]
    fits = all(batch is None or size is None or size == batch for size in same.shape)
    if keras.backend.standardize_dtype(same.dtype) != "bool" or not fits:
        raise ValueError(
            f"same must be boolean, (batch, batch) = ({batch}, {batch}), True where a document is right for a query. "
            f"Received: {same.dtype} of shape {tuple(same.shape)}"
        )


def require_same_pairs(scores: Any, labels: Any, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Scores in float64, and labels as booleans.

    Raises:
        ValueError: a pair lacks a score or a label, or a score is not finite.
    """
    scores, labels = np.asarray(scores), np.asarray(labels)
    require_rank(scores, name, ("pairs",))
    require_floats(scores, name)
    require_same_shapes(**{name: scores, "labels": labels})
    if not len(scores) or not np.isfinite(scores).all():
        wrong = f"{scores[~np.isfinite(scores)][0]}" if len(scores) else "none"
        raise ValueError(f"{name} must be one or more, and finite. Received: {wrong}")
    return scores.astype("float64"), require_binary(labels)


def require_binary(labels: np.ndarray) -> np.ndarray:
    """The labels as booleans. Raises a ValueError unless all are 0 or 1."""
    if labels.dtype != bool and not np.isin(labels, (0, 1)).all():
        raise ValueError(
            f"labels must be 1 where a pair matches, else 0. Received: {labels[~np.isin(labels, (0, 1))][0]!r}"
        )
    return labels.astype(bool)


def require_both_labels(logits: np.ndarray, labels: np.ndarray) -> None:
    """Raises a ValueError unless there is something to learn: both labels, and logits that differ."""
    if labels.all() or not labels.any():
        raise ValueError(
            "some pairs must match and others not, or there is nothing to calibrate. "
            f"Received: {int(labels.sum())} of {len(labels)} that match"
        )
    if logits.min() == logits.max():
        raise ValueError(f"logits must differ, or they say nothing of a pair. Received: {logits[0]:g} for all of them")


def require_probabilities(probabilities: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    """Both as `require_same_pairs` returns them. Raises a ValueError unless the first are probabilities."""
    probabilities, labels = require_same_pairs(probabilities, labels, "probabilities")
    if probabilities.min() < 0 or probabilities.max() > 1:
        raise ValueError(
            "probabilities must be from 0 to 1; a sigmoid turns logits into probabilities. "
            f"Received: {probabilities.min():g} to {probabilities.max():g}"
        )
    return probabilities, labels
