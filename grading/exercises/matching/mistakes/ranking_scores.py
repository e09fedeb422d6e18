"""What goes wrong in ranking_scores."""

from __future__ import annotations

from grading.exercises.matching.checks import ranking

RELEVANT = "relevant = np.flatnonzero(ranked) + 1"
BEST = "best = np.sort(judged)[::-1]"
DISCOUNT = "np.log2(np.arange(len(gains[:k])) + 2)"
NDCG, NDCG_OR_0 = "gain / most", "gain / most if most else 0.0"
FIRST = "first = 1 / relevant[0] if len(relevant) and relevant[0] <= k else 0.0"
PRECISIONS = "precisions = np.arange(1, len(relevant) + 1) / relevant"
ALL_RELEVANT = "np.count_nonzero(judged)"

ranking.mistake(
    "exponential_gain",
    "The gain counts as 2^gain - 1, as in some papers on web search; here it counts as it is.",
    hint="Both are in use, and agree where gains are 0 and 1. Which one does the docstring say?",
    change={f"gains[:k] / {DISCOUNT}": f"(2 ** gains[:k] - 1) / {DISCOUNT}"},
)
ranking.mistake(
    "ideal_of_found",
    "The best order is that of the documents that were found, not of all that were judged.",
    hint="Who finds one document of many, and nothing else, would have an nDCG of 1.",
    change={BEST: "best = np.sort(ranked)[::-1]", NDCG: NDCG_OR_0},
)
ranking.mistake(
    "ideal_not_cut",
    "The best order is not cut at k, though the ranking is.",
    hint="How high can DCG be, when only k ranks count?",
    change={
        f"gains[:k] / {DISCOUNT}": "gains / np.log2(np.arange(len(gains)) + 2)",
        "for gains in (ranked, best)": "for gains in (ranked[:k], best)",
    },
)
ranking.mistake(
    "ideal_not_sorted",
    "The gains that were judged are taken in the order in which they come, not the best first.",
    hint="What would the ideal ranking look like? `all_gains` is in no order.",
    change={BEST: "best = judged", NDCG: NDCG_OR_0},
)
ranking.mistake(
    "not_normalised",
    "DCG is not divided by that of the best order.",
    hint="A query with many good documents would count more than one with a single one. What is the n for?",
    change={NDCG: "gain"},
)
ranking.mistake(
    "one_rank_further",
    "The discount is log2(rank + 2): ranks are counted from 0 in the formula, and from 1 in the code.",
    hint="What is the first rank divided by? log2(2) is 1.",
    change={DISCOUNT: "np.log2(np.arange(len(gains[:k])) + 3)"},
)
ranking.mistake(
    "discount_of_2002",
    "The first two ranks are not discounted: the divisor is log2(rank), as in the paper of 2002, from the second on.",
    hint="The paper and today's programs differ here. The docstring says log2(rank + 1).",
    change={DISCOUNT: "np.maximum(np.log2(np.arange(len(gains[:k])) + 1), 1)"},
)
ranking.mistake(
    "divided_by_rank",
    "The gain is divided by the rank, not by its logarithm.",
    hint="The tenth rank counts 0.29, and not 0.1.",
    change={DISCOUNT: "(np.arange(len(gains[:k])) + 1)"},
)
ranking.mistake(
    "ndcg_not_cut",
    "nDCG is not cut at k: all ranks count.",
    hint="Which of the three measures look at the first k ranks alone?",
    change={f"gains[:k] / {DISCOUNT}": "gains / np.log2(np.arange(len(gains)) + 2)"},
)
ranking.mistake(
    "mrr_not_cut",
    "The reciprocal rank is not cut at k.",
    hint="A first relevant document behind rank k counts as none.",
    change={" and relevant[0] <= k": ""},
)
ranking.mistake(
    "ranks_of_mrr_off",
    "The reciprocal rank is 1 / (rank + 1), though ranks already count from 1.",
    hint="The first result has a reciprocal rank of 1, the second of 1/2.",
    change={"1 / relevant[0]": "1 / (relevant[0] + 1)"},
)
ranking.mistake(
    "mean_rank_inverted",
    "The ranks are averaged, and then inverted: it is the reciprocal of the mean, not the mean of reciprocals.",
    hint="Each query has a reciprocal rank of its own. A single bad query must not ruin all.",
    change={
        FIRST: "first = relevant[0] if len(relevant) and relevant[0] <= k else k + 1",
        "name: float(mean)": 'name: float(1 / mean if name == "mrr" else mean)',
    },
)
ranking.mistake(
    "rank_of_the_best",
    "The reciprocal rank is that of the document with the highest gain, not of the first relevant one.",
    hint="What counts as relevant? Any gain above 0.",
    change={FIRST: "first = 1 / (np.argmax(ranked[:k]) + 1) if ranked[:k].any() else 0.0"},
)
ranking.mistake(
    "divided_by_found",
    "Average precision is divided by the number of relevant documents that were found, not of all.",
    hint="Who finds one of ten, in the first place, would have an average precision of 1.",
    change={ALL_RELEVANT: "max(len(relevant), 1)"},
)
ranking.mistake(
    "divided_by_k",
    "The average precision is divided by k.",
    hint="With two relevant documents, both at the top, it would be 0.2.",
    change={ALL_RELEVANT: "k"},
)
ranking.mistake(
    "over_all_ranks",
    "The average precision is a mean over all ranks, relevant or not.",
    hint="Precision is looked at where a relevant document stands, and nowhere else.",
    change={
        PRECISIONS: "precisions = np.cumsum(ranked > 0) / np.arange(1, len(ranked) + 1)",
        ALL_RELEVANT: "max(len(ranked), 1)",
    },
)
ranking.mistake(
    "map_cut",
    "The average precision is cut at k.",
    hint="MAP looks at the whole ranking. nDCG and MRR are the ones with a k.",
    change={"precisions.sum()": "precisions[relevant <= k].sum()"},
)
ranking.mistake(
    "divided_by_judged",
    "The average precision is divided by the number of judged documents, also of those that are worth nothing.",
    hint="A gain of 0 was judged, and is not relevant.",
    change={ALL_RELEVANT: "len(judged)"},
)
ranking.mistake(
    "without_relevant_as_0",
    "A query for which nothing is relevant counts 0.",
    hint="No ranking could do better there. What does it say of this one?",
    change={"of_queries = []": "of_queries = [(0.0, 0.0, 0.0) for judged in all_gains if not any(judged)]"},
)
ranking.mistake(
    "without_relevant_as_1",
    "A query for which nothing is relevant counts 1.",
    hint="It says nothing of the ranking, neither good nor bad. Leave it out of the mean.",
    change={"of_queries = []": "of_queries = [(1.0, 1.0, 1.0) for judged in all_gains if not any(judged)]"},
)
ranking.mistake(
    "without_results_left_out",
    "A query without results is left out, so who answers only easy questions looks good.",
    hint="There was something to find, and nothing was found. What is that worth?",
    change={RELEVANT: f"if not len(ranked):\n    continue\n{RELEVANT}"},
)
ranking.mistake(
    "failures_left_out",
    "A query whose results are all wrong is left out.",
    hint="Leave out a query if nothing *could* be found, not if nothing was.",
    change={RELEVANT: f"if not ranked.any():\n    continue\n{RELEVANT}"},
)
ranking.mistake(
    "whole_gains",
    "Gains are made whole numbers: a document that is worth a half is worth nothing.",
    hint="A document is relevant if its gain is above 0. Is 0.5?",
    change={RELEVANT: f"ranked, judged = ranked.astype(int), judged.astype(int)\n{RELEVANT}"},
)
