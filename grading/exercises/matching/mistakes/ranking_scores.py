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
    "The gain is 2^gain - 1, as in some papers on web search, instead of the plain gain.",
    hint="Both are in use, and agree if gains are 0 and 1. Which one does the docstring use?",
    change={f"gains[:k] / {DISCOUNT}": f"(2 ** gains[:k] - 1) / {DISCOUNT}"},
)
ranking.mistake(
    "ideal_of_found",
    "The ideal order uses only the documents found instead of all judged documents.",
    hint="Finding one relevant document of many, and nothing else, would give an nDCG of 1.",
    change={BEST: "best = np.sort(ranked)[::-1]", NDCG: NDCG_OR_0},
)
ranking.mistake(
    "ideal_not_cut",
    "The ideal order is not cut at k, although the ranking is.",
    hint="If only k ranks count, how high can DCG get?",
    change={
        f"gains[:k] / {DISCOUNT}": "gains / np.log2(np.arange(len(gains)) + 2)",
        "for gains in (ranked, best)": "for gains in (ranked[:k], best)",
    },
)
ranking.mistake(
    "ideal_not_sorted",
    "The judged gains are used in the given order instead of best first.",
    hint="What does the ideal ranking look like? `all_gains` is in no order.",
    change={BEST: "best = judged", NDCG: NDCG_OR_0},
)
ranking.mistake(
    "not_normalised",
    "DCG is not divided by the DCG of the ideal order.",
    hint="A query with many good documents would count more than one with few. What does the n stand for?",
    change={NDCG: "gain"},
)
ranking.mistake(
    "one_rank_further",
    "The discount is log2(rank + 2): the formula expects ranks from 0, but the code counts from 1.",
    hint="What divides the first gain? log2(2) is 1.",
    change={DISCOUNT: "np.log2(np.arange(len(gains[:k])) + 3)"},
)
ranking.mistake(
    "discount_of_2002",
    "The first two ranks are not discounted: from the second on, the divisor is log2(rank), as in the paper of 2002.",
    hint="The paper and today's programs differ. What does the docstring say?",
    change={DISCOUNT: "np.maximum(np.log2(np.arange(len(gains[:k])) + 1), 1)"},
)
ranking.mistake(
    "divided_by_rank",
    "The gain is divided by the rank instead of its logarithm.",
    hint="At rank 10, a gain of 1 should count 0.29. How much does it count in your code?",
    change={DISCOUNT: "(np.arange(len(gains[:k])) + 1)"},
)
ranking.mistake(
    "ndcg_not_cut",
    "nDCG is not cut at k: all ranks count.",
    hint="Which of the three measures look only at the first k ranks?",
    change={f"gains[:k] / {DISCOUNT}": "gains / np.log2(np.arange(len(gains)) + 2)"},
)
ranking.mistake(
    "mrr_not_cut",
    "The reciprocal rank is not cut at k.",
    hint="What does a first relevant document after rank k count?",
    change={" and relevant[0] <= k": ""},
)
ranking.mistake(
    "ranks_of_mrr_off",
    "The reciprocal rank is 1 / (rank + 1), although ranks already count from 1.",
    hint="The first result has a reciprocal rank of 1, the second of 1/2.",
    change={"1 / relevant[0]": "1 / (relevant[0] + 1)"},
)
ranking.mistake(
    "mean_rank_inverted",
    "The ranks are averaged and then inverted: the reciprocal of the mean instead of the mean of the reciprocals.",
    hint="Each query has its own reciprocal rank. A single bad query must not ruin all.",
    change={
        FIRST: "first = relevant[0] if len(relevant) and relevant[0] <= k else k + 1",
        "name: float(mean)": 'name: float(1 / mean if name == "mrr" else mean)',
    },
)
ranking.mistake(
    "rank_of_the_best",
    "The reciprocal rank uses the document with the highest gain instead of the first relevant one.",
    hint="What counts as relevant? Any gain above 0.",
    change={FIRST: "first = 1 / (np.argmax(ranked[:k]) + 1) if ranked[:k].any() else 0.0"},
)
ranking.mistake(
    "divided_by_found",
    "Average precision is divided by the number of relevant documents found, not of all.",
    hint="Finding one document of ten, at rank 1, would give an average precision of 1.",
    change={ALL_RELEVANT: "max(len(relevant), 1)"},
)
ranking.mistake(
    "divided_by_k",
    "Average precision is divided by k.",
    hint="With two relevant documents, both at the top, the result would be 0.2.",
    change={ALL_RELEVANT: "k"},
)
ranking.mistake(
    "over_all_ranks",
    "Average precision averages over all ranks, relevant or not.",
    hint="Precision counts only at the ranks of relevant documents.",
    change={
        PRECISIONS: "precisions = np.cumsum(ranked > 0) / np.arange(1, len(ranked) + 1)",
        ALL_RELEVANT: "max(len(ranked), 1)",
    },
)
ranking.mistake(
    "map_cut",
    "Average precision is cut at k.",
    hint="MAP looks at the whole ranking. Which measures have a k?",
    change={"precisions.sum()": "precisions[relevant <= k].sum()"},
)
ranking.mistake(
    "divided_by_judged",
    "Average precision is divided by the number of judged documents, irrelevant ones included.",
    hint="A document with gain 0 was judged. Is it relevant?",
    change={ALL_RELEVANT: "len(judged)"},
)
ranking.mistake(
    "without_relevant_as_0",
    "A query without any relevant document counts as 0.",
    hint="No ranking could do better there. What does such a query say about this one?",
    change={"of_queries = []": "of_queries = [(0.0, 0.0, 0.0) for judged in all_gains if not any(judged)]"},
)
ranking.mistake(
    "without_relevant_as_1",
    "A query without any relevant document counts as 1.",
    hint="Such a query says nothing about the ranking, good or bad. Should it be in the mean?",
    change={"of_queries = []": "of_queries = [(1.0, 1.0, 1.0) for judged in all_gains if not any(judged)]"},
)
ranking.mistake(
    "without_results_left_out",
    "A query without results is left out, so answering only easy questions looks good.",
    hint="There was something to find, and nothing was found. What should that count?",
    change={RELEVANT: f"if not len(ranked):\n    continue\n{RELEVANT}"},
)
ranking.mistake(
    "failures_left_out",
    "A query whose results are all wrong is left out.",
    hint="Leave out a query if nothing *could* be found. Is that the same as nothing was found?",
    change={RELEVANT: f"if not ranked.any():\n    continue\n{RELEVANT}"},
)
ranking.mistake(
    "whole_gains",
    "Gains are truncated to integers, so a gain of one half becomes 0.",
    hint="A document is relevant if its gain is above 0. Is 0.5?",
    change={RELEVANT: f"ranked, judged = ranked.astype(int), judged.astype(int)\n{RELEVANT}"},
)
