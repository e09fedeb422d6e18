"""All queries at once, in a table of gains padded with zeros."""

import numpy as np


def table(lists, width):
    filled = np.zeros((len(lists), width))
    for row, values in enumerate(lists):
        filled[row, : len(values)] = values
    return filled


def ranking_scores(ranked_gains, all_gains, k=10):
    width = max([k, *map(len, ranked_gains), *map(len, all_gains)])
    ranked = table(ranked_gains, width)
    judged = -np.sort(-table(all_gains, width), axis=1)
    kept = judged[:, 0] > 0
    ranked, judged = ranked[kept], judged[kept]
    discount = np.where(np.arange(width) < k, 1 / np.log2(np.arange(width) + 2), 0)
    hits = ranked > 0
    ranks = np.arange(1, width + 1)
    reciprocal = np.where(hits & (ranks <= k), 1 / ranks, 0).max(axis=1)
    precision = np.cumsum(hits, axis=1) / ranks
    return {
        "ndcg": float(np.mean(ranked @ discount / (judged @ discount))),
        "mrr": float(np.mean(reciprocal)),
        "map": float(np.mean((precision * hits).sum(axis=1) / (judged > 0).sum(axis=1))),
    }
