"""Errors of the chapter on ranking say what was given and what is expected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from course import ranking
from course.encoder import BertEncoder
from course.given.word_vectors import ExactVectors
from tests.course.bad_input import Row, parameters, public_names

COSINES = np.zeros((2, 3, 4), "float32")
QUERY, DOCUMENT = np.ones((2, 3), bool), np.ones((2, 4), bool)
VECTORS = np.ones((2, 3, 5), "float32")
INDEX = ExactVectors(np.eye(5, dtype="float32"))

OWNERS = np.arange(5)


def encoder(**options: Any) -> BertEncoder:
    return BertEncoder(11, 2, 2, 8, 12, max_length=6, **options)


def search(query: Any = VECTORS[0], owners: Any = OWNERS, per_token: int = 2, k: int = 3) -> Any:
    documents = [np.eye(5, dtype="float32")[number : number + 1] for number in range(5)]
    return ranking.late_interaction_search(query, INDEX, owners, documents, per_token, k)


def reader() -> ranking.SplitEncoder:
    return ranking.SplitEncoder(encoder(), 1, 3)


def detext(**given: Any) -> Any:
    vectors = {"query": VECTORS[:, 0], "fields": VECTORS, "numbers": VECTORS[:, 0, :2]}
    return ranking.DeTextRanker(5, 3, [1.0, 2.0], [0.5, 0.0])(vectors | given)


IDS, WORDS = np.ones((2, 3), "int32"), np.ones((2, 3), bool)
BAD: list[Row] = [
    ("kernel_pooling", lambda: ranking.kernel_pooling(COSINES[0], QUERY, DOCUMENT), r"similarity.shape=\(3, 4\)"),
    ("kernel_pooling", lambda: ranking.kernel_pooling(COSINES, DOCUMENT, DOCUMENT), r"query_mask.*\(2, 3\).*\(2, 4\)"),
    (
        "kernel_pooling",
        lambda: ranking.kernel_pooling(COSINES, QUERY, 1 * DOCUMENT),
        "document_mask must be boolean.*int",
    ),
    ("kernel_pooling", lambda: ranking.kernel_pooling(COSINES, QUERY, DOCUMENT, (1.0,), (0.0,)), r"widths=\[0.0\]"),
    ("kernel_pooling", lambda: ranking.kernel_pooling(COSINES, QUERY, DOCUMENT, (1.0, 0.5), (0.1,)), "2 means"),
    ("matching_histogram", lambda: ranking.matching_histogram(COSINES, QUERY), r"document_mask.*\(2, 4\)"),
    (
        "matching_histogram",
        lambda: ranking.matching_histogram(COSINES, DOCUMENT, bins=1),
        "bins must be.*at least 2.*bins=1",
    ),
    ("matching_histogram", lambda: ranking.matching_histogram(COSINES.astype(int), DOCUMENT), "int64"),
    ("TermGating", lambda: ranking.TermGating()(VECTORS, DOCUMENT), r"\(2, 3\).*\(2, 4\)"),
    ("TermGating", lambda: ranking.TermGating()(VECTORS, 1.0 * QUERY), "boolean.*float32"),
    ("CedrRanker", lambda: ranking.CedrRanker(encoder(), bins=1), "bins must be.*at least 2.*bins=1"),
    ("CedrRanker", lambda: ranking.CedrRanker(encoder(), units=0), "units=0"),
    ("CedrRanker", lambda: ranking.CedrRanker(encoder())({"token_ids": IDS}), "segment_ids, padding_mask"),
    ("SplitEncoder", lambda: ranking.SplitEncoder(encoder(), 2, 3), "from 0 to 1.*split=2"),
    ("SplitEncoder", lambda: ranking.SplitEncoder(encoder(), -1, 3), "split=-1"),
    ("SplitEncoder", lambda: ranking.SplitEncoder(encoder(), 1, 6), "query_length=6, max_length=6"),
    ("SplitEncoder", lambda: ranking.SplitEncoder(encoder(num_segments=1), 1, 3), "num_segments=1"),
    ("SplitEncoder", lambda: reader().encode_query(IDS[:, :2], WORDS[:, :2]), r"\(batch, 3\).*\(2, 2\)"),
    ("SplitEncoder", lambda: reader().encode_document(IDS, WORDS[:, :2]), r"\(2, 3\).*\(2, 2\)"),
    ("SplitEncoder", lambda: reader().join(VECTORS, 1 * WORDS, VECTORS, WORDS), "boolean.*int"),
    ("max_sim", lambda: ranking.max_sim(VECTORS, VECTORS[..., :4], WORDS, WORDS), "5 and 4"),
    ("max_sim", lambda: ranking.max_sim(VECTORS[0], VECTORS, WORDS[0], WORDS), r"query_vectors.shape=\(3, 5\)"),
    ("max_sim", lambda: ranking.max_sim(VECTORS, VECTORS, WORDS, WORDS[:, :2]), "document_mask"),
    ("late_interaction_search", lambda: search(VECTORS[0][:0]), "a word or more"),
    ("late_interaction_search", lambda: search(VECTORS), r"\(2, 3, 5\)"),
    ("late_interaction_search", lambda: search(owners=np.arange(1, 6)), "from 0 to 4.*1 to 5"),
    ("late_interaction_search", lambda: search(owners=np.arange(0)), "a vector or more"),
    ("late_interaction_search", lambda: search(k=0), "k=0"),
    ("late_interaction_search", lambda: search(per_token=0), "per_token=0"),
    ("duo_rank", lambda: ranking.duo_rank(np.array([3, 5, 3]), np.greater), "each of them once.*3, 5, 3"),
    ("duo_rank", lambda: ranking.duo_rank(np.array([3, 5]), np.greater, batch_size=0), "batch_size=0"),
    ("duo_rank", lambda: ranking.duo_rank(np.array([3, 5]), lambda *_: np.ones((2, 1))), r"each of 2 pairs.*\(2, 1\)"),
    ("duo_rank", lambda: ranking.duo_rank(np.array([3, 5]), lambda *_: np.full(2, np.nan)), "must give numbers.*NaN"),
    ("DeTextRanker", lambda: ranking.DeTextRanker(0, 3, [1.0], [1.0]), "width=0"),
    ("DeTextRanker", lambda: ranking.DeTextRanker(5, 3, [1.0], [1.0], units=0), "units=0"),
    ("DeTextRanker", lambda: ranking.DeTextRanker(5, 3, [], []), "a number or more"),
    ("DeTextRanker", lambda: ranking.DeTextRanker(5, 3, [1.0, 2.0], [1.0]), r"\(2,\).*\(1,\)"),
    ("DeTextRanker", lambda: ranking.DeTextRanker(5, 3, [1.0], [-1.0]), r"at least 0.*\[-1.0\]"),
    ("DeTextRanker", lambda: ranking.DeTextRanker(5, 3, [np.nan], [1.0]), "must be finite.*nan"),
    ("DeTextRanker", lambda: ranking.DeTextRanker(5, 3, [1.0], [1.0])({"query": VECTORS[:, 0]}), "fields, numbers"),
    ("DeTextRanker", lambda: detext(query=VECTORS), r"query must be \(pairs, 5\).*\(2, 3, 5\)"),
    ("DeTextRanker", lambda: detext(fields=VECTORS[:, :2]), r"fields must be \(pairs, 3, 5\).*\(2, 2, 5\)"),
    ("DeTextRanker", lambda: detext(fields=VECTORS[:1]), r"as many pairs.*\(1, 3, 5\)"),
    ("DeTextRanker", lambda: detext(numbers=VECTORS[:, 0]), r"numbers must be \(pairs, 2\).*\(2, 5\)"),
    ("DeTextRanker", lambda: detext(numbers=np.ones((2, 2), int)), "numbers must be floats.*int"),
]


@pytest.mark.parametrize(("call", "message"), parameters(BAD))
def test_bad_input_is_named(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"(?s){message}"):
        call()


def test_other_types_are_type_errors() -> None:
    for make in (ranking.CedrRanker, lambda model: ranking.SplitEncoder(model, 1, 3)):
        with pytest.raises(TypeError, match="encoder must be a Model"):
            make("bert")


def test_every_public_function_has_a_row() -> None:
    assert public_names([ranking]) == {row[0] for row in BAD}
