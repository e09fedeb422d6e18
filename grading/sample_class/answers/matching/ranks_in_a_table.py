def ranking_scores(ranked_gains, all_gains, k=10):
    width = max([k, *map(len, ranked_gains), *map(len, all_gains)])

    def table(lists):
        return np.array([[*map(float, values), *([0.0] * (width - len(values)))] for values in lists])

    ranked, judged = table(ranked_gains), -np.sort(-table(all_gains), axis=1)
    ranked, judged = ranked[judged[:, 0] > 0], judged[judged[:, 0] > 0]
    ranks = np.arange(1, width + 1)
    weights = (ranks <= k) / np.log2(ranks + 1)
    hits = ranked > 0
    precision = np.cumsum(hits, axis=1) / ranks
    return {
        "ndcg": float(((ranked @ weights) / (judged @ weights)).mean()),
        "mrr": float((hits * (ranks <= k) / ranks).max(axis=1).mean()),
        "map": float(((precision * hits).sum(axis=1) / (judged > 0).sum(axis=1)).mean()),
    }
