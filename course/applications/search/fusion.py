"""Several rankers as one, by the places of a document in their rankings.

    score(d) = Σ_r 1 / (60 + rank_r(d))

A document that a ranker has not found gets nothing from it. The scores of BM25 and of cosines have different scales;
ranks have the same.

Reference: Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
Methods", 2009, https://doi.org/10.1145/1571941.1572114.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from course.applications.search.ranking import Ranker, Ranking, best
from course.validation.values import require_sizes

_K = 60  # as in the paper
_DEPTH = 1000  # how many documents of each ranker count


class Fusion:
    """Ranks documents by the sum of 1 / (60 + rank) over rankers of the same index.

    Args:
        rankers: two or more. Each is asked for 1,000 documents.

    Example:
        >>> Fusion([Bm25(index), MaxSim(index, encoder)]).rank("wings in a slipstream", 10)
    """

    def __init__(self, rankers: Sequence[Ranker]) -> None:
        self.rankers = [*rankers]

    def rank(self, query: str, top: int) -> Ranking:
        """Return the best documents for a query. Ties keep the order of the index.

        Raises:
            ValueError: `top` is not a whole number of at least 1.
        """
        require_sizes(top=top)
        found = [ranker.rank(query, max(top, _DEPTH)).documents for ranker in self.rankers]
        shares = [1 / (_K + np.arange(1, len(documents) + 1)) for documents in found]
        documents, places = np.unique(np.concatenate(found), return_inverse=True)
        return best(documents, np.bincount(places, np.concatenate(shares), len(documents)), top)
