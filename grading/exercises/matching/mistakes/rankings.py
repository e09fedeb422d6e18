"""What goes wrong in ranking_scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from grading.exercises.matching.checks import ranking

Measure = Callable[[np.ndarray, np.ndarray, int], float]


def dcg(gains: np.ndarray, k: int) -> float:
    return float(sum(gain / np.log2(rank + 1) for rank, gain in enumerate(gains[:k], start=1)))


def best_first(gains: np.ndarray) -> np.ndarray:
    return np.sort(gains)[::-1]


def ndcg_of(ranked: np.ndarray, judged: np.ndarray, k: int) -> float:
    return dcg(ranked, k) / dcg(best_first(judged), k)


def mrr_of(ranked: np.ndarray, judged: np.ndarray, k: int) -> float:
    return next((1 / rank for rank, gain in enumerate(ranked[:k], start=1) if gain > 0), 0.0)


def precisions(ranked: np.ndarray) -> list[float]:
    """The precision at the rank of each relevant document."""
    return [float(np.mean(ranked[:rank] > 0)) for rank in np.flatnonzero(ranked > 0) + 1]


def map_of(ranked: np.ndarray, judged: np.ndarray, k: int) -> float:
    return sum(precisions(ranked)) / int(np.sum(judged > 0))


def scores(
    ranked_gains: Any,
    all_gains: Any,
    k: int,
    *,
    ndcg: Measure = ndcg_of,
    mrr: Measure = mrr_of,
    average_precision: Measure = map_of,
    counts: Callable[[np.ndarray, np.ndarray], bool] = lambda ranked, judged: bool(judged.any()),
    without: float | None = None,
) -> dict[str, float]:
    """All three measures, of which a mistake gets one wrong.

    Args:
        counts: whether a query is in the mean.
        without: what each measure of a query without relevant documents is, where it counts.
    """
    found = []
    for ranked, judged in zip(ranked_gains, all_gains, strict=True):
        pair = np.array(ranked, float), np.array(judged, float)
        if not counts(*pair):
            continue
        if not pair[1].any():
            found.append([without] * 3)
        else:
            found.append([measure(*pair, k) for measure in (ndcg, mrr, average_precision)])
    means = np.mean(np.array(found, float), axis=0) if found else [0.0] * 3
    return {name: float(mean) for name, mean in zip(("ndcg", "mrr", "map"), means, strict=True)}


@ranking.whole_mistake(
    "The gain counts as 2^gain - 1, as in some papers on web search; here it counts as it is.",
    hint="Both are in use, and agree where gains are 0 and 1. Which one does the docstring say?",
)
def exponential_gain(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(ranked_gains, all_gains, k, ndcg=lambda ranked, judged, k: ndcg_of(2**ranked - 1, 2**judged - 1, k))


@ranking.whole_mistake(
    "The best order is that of the documents that were found, not of all that were judged.",
    hint="Who finds one document of many, and nothing else, would have an nDCG of 1.",
)
def ideal_of_found(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    def ndcg(ranked: np.ndarray, judged: np.ndarray, k: int) -> float:
        return dcg(ranked, k) / dcg(best_first(ranked), k) if ranked.any() else 0.0

    return scores(ranked_gains, all_gains, k, ndcg=ndcg)


@ranking.whole_mistake(
    "The best order is not cut at k, though the ranking is.",
    hint="How high can DCG be, when only k ranks count?",
)
def ideal_not_cut(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(
        ranked_gains, all_gains, k, ndcg=lambda ranked, judged, k: dcg(ranked, k) / dcg(best_first(judged), 1000)
    )


@ranking.whole_mistake(
    "The gains that were judged are taken in the order in which they come, not the best first.",
    hint="What would the ideal ranking look like? `all_gains` is in no order.",
)
def ideal_not_sorted(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    def ndcg(ranked: np.ndarray, judged: np.ndarray, k: int) -> float:
        most = dcg(judged, k)
        return dcg(ranked, k) / most if most else 0.0

    return scores(ranked_gains, all_gains, k, ndcg=ndcg)


@ranking.whole_mistake(
    "DCG is not divided by that of the best order.",
    hint="A query with many good documents would count more than one with a single one. What is the n for?",
)
def not_normalised(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(ranked_gains, all_gains, k, ndcg=lambda ranked, judged, k: dcg(ranked, k))


def _discounted(by: Callable[[int], float]) -> Measure:
    """nDCG with another divisor at each rank."""

    def ndcg(ranked: np.ndarray, judged: np.ndarray, k: int) -> float:
        found, best = (
            sum(gain / by(rank) for rank, gain in enumerate(gains[:k], start=1))
            for gains in (ranked, best_first(judged))
        )
        return float(found / best)

    return ndcg


@ranking.whole_mistake(
    "The discount is log2(rank + 2): ranks are counted from 0 in the formula, and from 1 in the code.",
    hint="What is the first rank divided by? log2(2) is 1.",
)
def one_rank_further(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(ranked_gains, all_gains, k, ndcg=_discounted(lambda rank: float(np.log2(rank + 2))))


@ranking.whole_mistake(
    "The first two ranks are not discounted: the divisor is log2(rank), as in the paper of 2002, from the second on.",
    hint="The paper and today's programs differ here. The docstring says log2(rank + 1).",
)
def discount_of_2002(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(ranked_gains, all_gains, k, ndcg=_discounted(lambda rank: max(1.0, float(np.log2(rank)))))


@ranking.whole_mistake(
    "The gain is divided by the rank, not by its logarithm.",
    hint="The tenth rank counts 0.29, and not 0.1.",
)
def divided_by_rank(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(ranked_gains, all_gains, k, ndcg=_discounted(float))


@ranking.whole_mistake(
    "nDCG is not cut at k: all ranks count.",
    hint="Which of the three measures look at the first k ranks alone?",
)
def ndcg_not_cut(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(ranked_gains, all_gains, k, ndcg=lambda ranked, judged, k: ndcg_of(ranked, judged, 1000))


@ranking.whole_mistake(
    "The reciprocal rank is not cut at k.",
    hint="A first relevant document behind rank k counts as none.",
)
def mrr_not_cut(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(ranked_gains, all_gains, k, mrr=lambda ranked, judged, k: mrr_of(ranked, judged, 1000))


@ranking.whole_mistake(
    "The reciprocal rank is 1 / (rank + 1), though ranks already count from 1.",
    hint="The first result has a reciprocal rank of 1, the second of 1/2.",
)
def ranks_of_mrr_off(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    def mrr(ranked: np.ndarray, judged: np.ndarray, k: int) -> float:
        found = mrr_of(ranked, judged, k)
        return 1 / (1 / found + 1) if found else 0.0

    return scores(ranked_gains, all_gains, k, mrr=mrr)


@ranking.whole_mistake(
    "The ranks are averaged, and then inverted: it is the reciprocal of the mean, not the mean of reciprocals.",
    hint="Each query has a reciprocal rank of its own. A single bad query must not ruin all.",
)
def mean_rank_inverted(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    found = scores(
        ranked_gains, all_gains, k, mrr=lambda ranked, judged, k: 1 / (mrr_of(ranked, judged, k) or 1 / (k + 1))
    )
    return {**found, "mrr": 1 / found["mrr"]}


@ranking.whole_mistake(
    "The reciprocal rank is that of the document with the highest gain, not of the first relevant one.",
    hint="What counts as relevant? Any gain above 0.",
)
def rank_of_the_best(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    def mrr(ranked: np.ndarray, judged: np.ndarray, k: int) -> float:
        return 1 / (int(np.argmax(ranked[:k])) + 1) if ranked[:k].any() else 0.0

    return scores(ranked_gains, all_gains, k, mrr=mrr)


@ranking.whole_mistake(
    "Average precision is divided by the number of relevant documents that were found, not of all.",
    hint="Who finds one of ten, in the first place, would have an average precision of 1.",
)
def divided_by_found(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    def average_precision(ranked: np.ndarray, judged: np.ndarray, k: int) -> float:
        return sum(precisions(ranked)) / max(len(precisions(ranked)), 1)

    return scores(ranked_gains, all_gains, k, average_precision=average_precision)


@ranking.whole_mistake(
    "The average precision is divided by k.",
    hint="With two relevant documents, both at the top, it would be 0.2.",
)
def divided_by_k(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(ranked_gains, all_gains, k, average_precision=lambda ranked, judged, k: sum(precisions(ranked)) / k)


@ranking.whole_mistake(
    "The average precision is a mean over all ranks, relevant or not.",
    hint="Precision is looked at where a relevant document stands, and nowhere else.",
)
def over_all_ranks(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    def average_precision(ranked: np.ndarray, judged: np.ndarray, k: int) -> float:
        at_ranks = np.cumsum(ranked > 0) / np.arange(1, len(ranked) + 1)
        return float(at_ranks.mean()) if len(ranked) else 0.0

    return scores(ranked_gains, all_gains, k, average_precision=average_precision)


@ranking.whole_mistake(
    "The average precision is cut at k.",
    hint="MAP looks at the whole ranking. nDCG and MRR are the ones with a k.",
)
def map_cut(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(ranked_gains, all_gains, k, average_precision=lambda ranked, judged, k: map_of(ranked[:k], judged, k))


@ranking.whole_mistake(
    "The average precision is divided by the number of judged documents, also of those that are worth nothing.",
    hint="A gain of 0 was judged, and is not relevant.",
)
def divided_by_judged(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(
        ranked_gains,
        all_gains,
        k,
        average_precision=lambda ranked, judged, k: sum(precisions(ranked)) / len(judged),
    )


@ranking.whole_mistake(
    "A query for which nothing is relevant counts 0.",
    hint="No ranking could do better there. What does it say of this one?",
)
def without_relevant_as_0(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(ranked_gains, all_gains, k, counts=lambda ranked, judged: True, without=0.0)


@ranking.whole_mistake(
    "A query for which nothing is relevant counts 1.",
    hint="It says nothing of the ranking, neither good nor bad. Leave it out of the mean.",
)
def without_relevant_as_1(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(ranked_gains, all_gains, k, counts=lambda ranked, judged: True, without=1.0)


@ranking.whole_mistake(
    "A query without results is left out, so who answers only easy questions looks good.",
    hint="There was something to find, and nothing was found. What is that worth?",
)
def without_results_left_out(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(ranked_gains, all_gains, k, counts=lambda ranked, judged: bool(judged.any() and len(ranked)))


@ranking.whole_mistake(
    "A query whose results are all wrong is left out.",
    hint="Leave out a query if nothing *could* be found, not if nothing was.",
)
def failures_left_out(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    return scores(ranked_gains, all_gains, k, counts=lambda ranked, judged: bool(ranked.any()))


@ranking.whole_mistake(
    "Gains are made whole numbers: a document that is worth a half is worth nothing.",
    hint="A document is relevant if its gain is above 0. Is 0.5?",
)
def whole_gains(ranked_gains: Any, all_gains: Any, k: int = 10) -> dict[str, float]:
    ranked, judged = ([[int(gain) for gain in gains] for gains in side] for side in (ranked_gains, all_gains))
    return scores(ranked, judged, k)
