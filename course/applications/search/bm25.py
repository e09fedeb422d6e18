"""BM25: how well a document answers a query, by the words that they share.

Rare words count more. Each further occurrence in a document counts less than the one before. Long documents contain
more words by chance, so their length is discounted.

    score(q, d) = Σ_w idf(w) · f(w, d) / (f(w, d) + k1 (1 - b + b · |d| / mean |d|))

References: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, section 3. The idf
and the numerator are those of Apache Lucene since its version 8: ln(1 + …) is positive for every word, and a numerator
of k1 + 1 would change no order. Kamphuis et al., "Which BM25 Do You Mean?", 2020, compares the forms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np

from course.applications.search.array_file import damaged
from course.applications.search.index import Index
from course.applications.search.part import Part
from course.applications.search.part_file import open_part
from course.applications.search.ranking import Ranking, best, merged
from course.applications.search.words import query_words, stems
from course.validation.values import require_instance, require_numbers, require_sizes

K1, B = 1.2, 0.75  # as in Lucene


def inverse_document_frequency(frequencies: np.ndarray, num_documents: int) -> np.ndarray:
    """Return the weight of each word: ln(1 + (N - n + ½) / (n + ½)).

    Args:
        frequencies: (words,), n, how many documents have each word.
        num_documents: N, the number of documents.

    Returns:
        (words,), greater than 0.
    """
    return np.log1p((num_documents - frequencies + 0.5) / (frequencies + 0.5))


def saturation(counts: np.ndarray, lengths: np.ndarray, average_length: float, k1: float, b: float) -> np.ndarray:
    """Return how much `counts` occurrences of a word count: f / (f + k1 (1 - b + b · |d| / mean |d|)).

    Args:
        counts: (documents,), 1 or more.
        lengths: (documents,), how many words each document has.
        average_length: of all documents.
        k1: how slowly the value approaches its limit 1. With 0, further occurrences add nothing.
        b: how strongly the length is discounted: from 0, not at all, to 1, in full.

    Returns:
        (documents,), between 0 and 1.
    """
    return counts / (counts + k1 * (1 - b + b * lengths / average_length))


class Bm25:
    """Ranks the documents of an index by BM25. A word that occurs twice in a query counts twice.

    Args:
        index: to search in. Its parts are scored in the processes that read them.
        k1: as in `saturation`.
        b: as in `saturation`.

    Raises:
        TypeError: not an index.
        ValueError: k1 is not a number of 0 or more, or b is not from 0 to 1.

    Example:
        >>> documents, scores = Bm25(Index(Path("build/index"))).rank("wings in a slipstream", 10)
    """

    def __init__(self, index: Index, k1: float = K1, b: float = B) -> None:
        require_instance(index, "index", Index)
        require_numbers(k1=k1, b=b)
        if b > 1:
            raise ValueError(f"b must be from 0 to 1. Received: b={b!r}")
        self.index, self.k1, self.b = index, k1, b

    def rank(self, query: str, top: int) -> Ranking:
        """Return the best documents for a query, among those that have at least one of its words.

        Raises:
            CourseError: the index is damaged.
            TypeError: the query is not a string.
            ValueError: `top` is not a whole number of at least 1.
        """
        require_sizes(top=top)
        language = self.index.language
        times = Counter(stems(query_words(query, language), language))
        frequencies = self.index.document_frequencies(list(times))
        counted = inverse_document_frequency(frequencies, self.index.num_documents) * list(times.values())
        weights = {word: weight for word, weight, n in zip(times, counted, frequencies, strict=True) if n}
        rank = partial(
            _rank_part, weights=weights, average_length=self.index.average_length, k1=self.k1, b=self.b, top=top
        )
        return merged(self.index, self.index.over_parts(rank), top)


def score_part(part: Part, weights: Mapping[str, float], average_length: float, k1: float, b: float) -> np.ndarray:
    """Return the score of each document of a part: (documents,), 0 where it has none of the words.

    Args:
        part: of an index.
        weights: how much each word of the query counts.
        average_length: of all documents of the index.
        k1: as in `saturation`.
        b: as in `saturation`.
    """
    scores = np.zeros(len(part.lengths))
    for word, weight in weights.items():
        documents, counts = part.postings(word)
        scores[documents] += weight * saturation(counts, part.lengths[documents], average_length, k1, b)
    return scores


def _rank_part(
    path: Path, weights: Mapping[str, float], average_length: float, k1: float, b: float, top: int
) -> Ranking:
    part = open_part(path)
    try:
        scores = score_part(part, weights, average_length, k1, b)
    except (ValueError, IndexError) as error:
        raise damaged(path, error) from error
    found = np.flatnonzero(scores)
    return best(found, scores[found], top)
