"""Scores of rankings agree with trec_eval on random runs, and with results by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.matching import ranking_scores


def random_run(
    random: np.random.Generator, queries: int, documents: int
) -> tuple[list[list[int]], list[list[int]], dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Return random rankings in our format and in trec_eval's. Some documents are never found, or never judged."""
    ranked_gains, all_gains, judgements, run = [], [], {}, {}
    for query in range(queries):
        gains = random.choice([0, 0, 0, 1, 2, 4], documents)
        gains[0] = 3  # something is relevant
        judged = random.random(documents) < 0.6
        judged[0] = True
        found = random.permutation(documents)[: random.integers(1, documents)]
        judgements[f"q{query}"] = {f"d{document}": int(gains[document]) for document in np.flatnonzero(judged)}
        run[f"q{query}"] = {f"d{document}": float(-rank) for rank, document in enumerate(found)}  # distinct scores
        ranked_gains.append([int(gains[document]) if judged[document] else 0 for document in found])
        all_gains.append(gains[judged].tolist())
    return ranked_gains, all_gains, judgements, run


@pytest.mark.parametrize("k", [1, 5, 10, 50])
def test_agrees_with_trec_eval(k: int, random: np.random.Generator) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    ranked_gains, all_gains, judgements, run = random_run(random, 40, 23)
    of_all = pytrec_eval.RelevanceEvaluator(judgements, {f"ndcg_cut.{k}", "map"}).evaluate(run)
    first_k = {query: dict(list(documents.items())[:k]) for query, documents in run.items()}
    of_k = pytrec_eval.RelevanceEvaluator(judgements, {"recip_rank"}).evaluate(first_k)
    scores = ranking_scores(ranked_gains, all_gains, k)
    assert scores["ndcg"] == pytest.approx(np.mean([query[f"ndcg_cut_{k}"] for query in of_all.values()]))
    assert scores["map"] == pytest.approx(np.mean([query["map"] for query in of_all.values()]))
    assert scores["mrr"] == pytest.approx(np.mean([query["recip_rank"] for query in of_k.values()]))


def test_agrees_with_results_by_hand() -> None:
    scores = ranking_scores([[0, 3, 1]], [[3, 1, 1]])
    best = 3 + 1 / np.log2(3) + 1 / 2
    assert scores["ndcg"] == pytest.approx((3 / np.log2(3) + 1 / 2) / best)
    assert scores["mrr"] == 1 / 2
    assert scores["map"] == pytest.approx((1 / 2 + 2 / 3) / 3)


def test_queries_without_results_count_and_those_without_relevant_documents_do_not() -> None:
    alone = ranking_scores([[0, 1]], [[1]])
    assert ranking_scores([[0, 1], [0, 0, 0], []], [[1], [0], []]) == alone
    with_nothing = ranking_scores([[0, 1], []], [[1], [2, 1]])
    assert with_nothing == {name: pytest.approx(value / 2) for name, value in alone.items()}


def test_only_the_first_k_ranks_count() -> None:
    assert ranking_scores([[0, 0, 2]], [[2]], k=2) == {"ndcg": 0, "mrr": 0, "map": pytest.approx(1 / 3)}
    assert ranking_scores([[1, 1]], [[1] * 9], k=2)["ndcg"] == 1  # the best order is cut as well


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=8), min_size=1, max_size=4))
def test_the_best_order_scores_1_and_no_order_more(gains: list[list[int]]) -> None:
    gains = [[*query, 1] for query in gains]
    best = ranking_scores([sorted(query, reverse=True) for query in gains], gains)
    assert best == {"ndcg": pytest.approx(1), "mrr": 1, "map": pytest.approx(1)}
    assert all(0 < value <= 1 for value in ranking_scores(gains, gains).values())
