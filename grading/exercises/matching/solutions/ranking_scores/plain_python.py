"""No arrays: loops over ranks, with running sums."""

from collections import Counter
from math import log2


def ranking_scores(ranked_gains, all_gains, k=10):
    means = Counter()
    queries = sum(any(gain > 0 for gain in judged) for judged in all_gains)
    for ranked, judged in zip(ranked_gains, all_gains):
        relevant = sum(1 for gain in judged if gain > 0)
        if relevant == 0:
            continue
        ideal = sum(gain / log2(place + 2) for place, gain in enumerate(sorted(judged, reverse=True)[:k]))
        gain_sum, hits, precision_sum, first = 0.0, 0, 0.0, 0.0
        for rank, gain in enumerate(ranked, start=1):
            if rank <= k:
                gain_sum += gain / log2(rank + 1)
            if gain > 0:
                hits += 1
                precision_sum += hits / rank
                if hits == 1 and rank <= k:
                    first = 1.0 / rank
        means["ndcg"] += gain_sum / ideal / queries
        means["mrr"] += first / queries
        means["map"] += precision_sum / relevant / queries
    return means
