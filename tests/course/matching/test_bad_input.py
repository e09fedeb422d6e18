"""Errors of the chapter on matching say what was given and what is expected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from course import matching
from course.encoder import BertEncoder
from tests.course.bad_input import Row, parameters, public_names

THREE, LABELS = np.array([0.5, 0.25, 1.0]), np.array([1, 0, 1])
IDS = {"cls_id": 2, "sep_id": 3}


def loss(queries: Any = (4, 3), documents: Any = (4, 3), **options: Any) -> Any:
    return matching.in_batch_loss(np.ones(queries), np.ones(documents), **options)


def pairs() -> matching.PairClassifier:
    return matching.PairClassifier(BertEncoder(11, 1, 2, 8, 12, max_length=6))


BAD: list[Row] = [
    ("ranking_scores", lambda: matching.ranking_scores([[1]], [[1], [1]]), "1 rankings, and judgements for 2 queries"),
    ("ranking_scores", lambda: matching.ranking_scores([], []), "0 queries, none with one"),
    ("ranking_scores", lambda: matching.ranking_scores([[0], [0]], [[0], []]), "2 queries, none with one"),
    ("ranking_scores", lambda: matching.ranking_scores([[1, 1]], [[1]]), "query 0 with a gain of 1 more often"),
    ("ranking_scores", lambda: matching.ranking_scores([[2]], [[1, 3]]), "a gain of 2"),
    ("ranking_scores", lambda: matching.ranking_scores([[-1]], [[1]]), "ranked_gains of query 0.*-1"),
    ("ranking_scores", lambda: matching.ranking_scores([[0]], [[np.nan]]), "all_gains of query 0.*nan"),
    ("ranking_scores", lambda: matching.ranking_scores([["good"]], [[1]]), r"must be numbers.*\['good'\]"),
    ("ranking_scores", lambda: matching.ranking_scores([1], [1]), "must be a list of numbers"),
    ("ranking_scores", lambda: matching.ranking_scores([[1]], [[1]], k=0), "k=0"),
    ("in_batch_loss", lambda: loss((4, 3), (5, 3)), r"\(4, 3\), document_vectors.shape=\(5, 3\)"),
    ("in_batch_loss", lambda: loss((4, 3), (4, 2)), "same shape"),
    ("in_batch_loss", lambda: loss((4,), (4,)), r"query_vectors.shape=\(4,\)"),
    ("in_batch_loss", lambda: matching.in_batch_loss(np.ones((2, 2), int), np.ones((2, 2))), "int64"),
    ("in_batch_loss", lambda: loss(same=np.eye(4)), "same must be boolean.*float64"),
    ("in_batch_loss", lambda: loss(same=np.eye(3) > 0), r"\(4, 4\).*\(3, 3\)"),
    ("in_batch_loss", lambda: loss(scale=float("inf")), "scale=inf"),
    ("pack_texts", lambda: matching.pack_texts([], 9, **IDS), "0 texts"),
    ("pack_texts", lambda: matching.pack_texts([[7], [8]], 2, **IDS), "2 texts, max_length=2"),
    ("pack_texts", lambda: matching.pack_texts([[7], [-8]], 9, **IDS), "text 1.*-8"),
    ("PairClassifier", lambda: pairs()({"ids": np.ones((2, 3), int)}), "token_ids"),
    ("PairClassifier", lambda: pairs()({"token_ids": np.ones((2, 3))}), "integers"),
    ("best_threshold", lambda: matching.best_threshold(THREE, 0 * LABELS), "0 of 3 pairs"),
    ("best_threshold", lambda: matching.best_threshold(THREE, LABELS, beta=0), "beta=0"),
    ("best_threshold", lambda: matching.best_threshold(THREE, LABELS[:2]), r"labels.shape=\(2,\)"),
    ("best_threshold", lambda: matching.best_threshold(THREE, LABELS * 2), "Received: .*2"),
    ("best_threshold", lambda: matching.best_threshold(THREE * np.nan, LABELS), "nan"),
    ("best_threshold", lambda: matching.best_threshold(THREE[:0], LABELS[:0]), "none"),
    ("best_threshold", lambda: matching.best_threshold(THREE[None], LABELS[None]), r"\(1, 3\)"),
    ("fit_platt", lambda: matching.fit_platt(THREE, np.ones(3)), "3 of 3 that match"),
    ("fit_platt", lambda: matching.fit_platt(THREE, np.zeros(3)), "0 of 3 that match"),
    ("fit_platt", lambda: matching.fit_platt(np.ones(3), LABELS), "logits must differ.*1 for all"),
    ("fit_platt", lambda: matching.fit_platt(THREE / 0, LABELS), "logits.*inf"),
    ("fit_platt", lambda: matching.fit_platt(LABELS, LABELS), "logits.dtype=int64"),
    ("calibration_error", lambda: matching.calibration_error(THREE + 1, LABELS), r"sigmoid.*1.25 to 2"),
    ("calibration_error", lambda: matching.calibration_error(-THREE, LABELS), "-1 to -0.25"),
    ("calibration_error", lambda: matching.calibration_error(THREE, LABELS, bins=0), "bins=0"),
    ("calibration_error", lambda: matching.calibration_error(THREE, LABELS - 1), "labels must be 1"),
]


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize(("call", "message"), parameters(BAD))
def test_bad_input_is_named(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"(?s){message}"):
        call()


def test_other_types_are_type_errors() -> None:
    with pytest.raises(TypeError, match="encoder must be a Model"):
        matching.PairClassifier("bert")
    with pytest.raises(TypeError, match="text 0 must be the ids of a text"):
        matching.pack_texts(["query", "title"], 9, **IDS)


def test_every_public_function_has_a_row() -> None:
    assert public_names([matching]) == {row[0] for row in BAD}
