"""Random inputs for the checks of chapter 13: judged rankings, vectors and scored pairs."""

from __future__ import annotations

import numpy as np

Random = np.random.RandomState


def judged_queries(random: Random, queries: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return the gains of 13 results per query, the first always 0, and those of all judged documents."""
    ranked_gains, all_gains = [], []
    for query in range(queries):
        ranked = random.choice([0, 0, 0, 1, 2, 3], 13)
        ranked[[0, 3 + query % 5]] = 0, 2
        missed = random.choice([1, 2, 3], 1 + query % 3)
        judged = random.permutation(np.concatenate([ranked, missed, np.zeros(2, int)]))
        ranked_gains.append(ranked.tolist())
        all_gains.append(judged.tolist())
    return ranked_gains, all_gains


def vectors(random: Random, batch: int = 5, width: int = 7) -> tuple[np.ndarray, np.ndarray]:
    """Return vectors of queries, and of documents that are somewhat similar but of other lengths."""
    queries = random.standard_normal((batch, width))
    documents = (queries + 2.5 * random.standard_normal((batch, width))) * random.uniform(0.5, 4, (batch, 1))
    return queries.astype("float32"), documents.astype("float32")


def scored_pairs(random: Random, pairs: int, shift: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return logits, and labels that partly follow them: the logits are overconfident, and too high on average."""
    logits = 3 * random.standard_normal(pairs) + shift
    labels = (random.random_sample(pairs) < 1 / (1 + np.exp(1.2 - 0.6 * logits))).astype("int64")
    labels[np.argsort(logits)[[1, -2]]] = 1, 0  # both labels occur, and no threshold is perfect
    return logits, labels


def with_one_best(random: Random, pairs: int, step: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return scored pairs for which one threshold has the best F1, and not the lowest.

    Args:
        step: rounds the scores to its multiples, so that many of them are equal; 0 leaves them as they are.
    """
    while True:
        scores, labels = scored_pairs(random, pairs)
        scores = np.round(scores / step) * step + 0.5 if step else scores
        said = scores >= np.unique(scores)[:, None]  # (thresholds, pairs)
        f1 = 2 * (said & (labels == 1)).sum(axis=1) / (said.sum(axis=1) + labels.sum())
        if f1.argmax() > 0 and np.count_nonzero(f1 == f1.max()) == 1:
            return scores, labels
