"""What ranks documents for a query, and the results that are shown of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from course.applications.search.document import Document
from course.applications.search.index import Index
from course.validation.values import require_sizes


class Ranking(NamedTuple):
    """Documents, the best first.

    Attributes:
        documents: int64, (documents,), their numbers in the index.
        scores: float64, (documents,), the larger the better.
    """

    documents: np.ndarray
    scores: np.ndarray


class Ranker(Protocol):
    """What `search` asks, the command and the page with it: BM25, or whatever else ranks the documents of an index."""

    def rank(self, query: str, top: int) -> Ranking:
        """The best documents for a query, at most `top`; fewer where fewer are found."""


class Result(NamedTuple):
    """A document that was found.

    Attributes:
        score: of the ranker.
        document: its number in the index.
        found: the document.
    """

    score: float
    document: int
    found: Document


def search(index: Index, ranker: Ranker, query: str, top: int = 10) -> list[Result]:
    """The best documents of an index for a query.

    Raises:
        CourseError: the index is damaged.
        TypeError: a query that is no string.
        ValueError: `top` is no whole number of at least 1.
    """
    require_sizes(top=top)
    documents, scores = ranker.rank(query, top)
    return [
        Result(float(score), int(number), index.document(int(number)))
        for number, score in zip(documents, scores, strict=True)
    ]


def best(documents: np.ndarray, scores: np.ndarray, top: int) -> Ranking:
    """Those of the highest scores; of equal ones, those that stand first.

    Args:
        documents: (documents,), in their order.
        scores: (documents,).
        top: how many.
    """
    if len(scores) > top:  # those that may be among them, before anything is sorted
        kept = scores >= np.partition(scores, -top)[-top]
        documents, scores = documents[kept], scores[kept]
    order = np.argsort(-scores, kind="stable")[:top]
    return Ranking(documents[order], scores[order])


def merged(index: Index, of_parts: Sequence[Ranking], top: int) -> Ranking:
    """The best of what each part of an index has found, where documents are counted from 0 in each."""
    firsts = zip(index.first_documents, of_parts, strict=True)
    documents = np.concatenate([first + ranking.documents for first, ranking in firsts])
    return best(documents, np.concatenate([ranking.scores for ranking in of_parts]), top)
