"""One function per measure, and a mean over the queries for which it is defined."""

import numpy as np


def dcg(gains):
    gains = np.asarray(gains, dtype=float)
    return (gains * np.log(2) / np.log(np.arange(2, len(gains) + 2))).sum()


def reciprocal_rank(gains):
    relevant = np.nonzero(np.asarray(gains))[0]
    return 0 if relevant.size == 0 else 1 / (1 + relevant.min())


def average_precision(gains, how_many):
    hits = np.asarray(gains, dtype=float) > 0
    return sum(hits[: i + 1].mean() for i in range(len(hits)) if hits[i]) / how_many


def ranking_scores(ranked_gains, all_gains, k=10):
    pairs = [(r, a) for r, a in zip(ranked_gains, all_gains) if any(g > 0 for g in a)]
    return {
        "ndcg": float(np.mean([dcg(r[:k]) / dcg(sorted(a)[::-1][:k]) for r, a in pairs])),
        "mrr": float(np.mean([reciprocal_rank(r[:k]) for r, _ in pairs])),
        "map": float(np.mean([average_precision(r, sum(g > 0 for g in a)) for r, a in pairs])),
    }
