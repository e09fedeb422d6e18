"""Trained rankers in a search: they make the vectors of an index, or rerank the documents that BM25 finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock

import numpy as np

from course.applications.retrieval.trained_ranker import READ_APART, TrainedRanker
from course.applications.search.bm25 import Bm25
from course.applications.search.index import Index
from course.applications.search.max_sim import PER_VECTOR, MaxSim
from course.applications.search.ranking import Ranker, Ranking
from course.classification import USE_XLA, Inputs
from course.errors import CourseError
from course.training.last_block import first_token_alone
from course.training.length_batches import batches_of_like_lengths
from course.validation.values import require_sizes

_BATCH = 64
DEPTH = 20  # how many of BM25's documents are reranked


class VectorsOf:
    """A ranker as a `course.applications.search.vectors.TextEncoder`.

    Args:
        name: of the ranker, for people.
        ranker: of a kind that reads query and document separately.

    Raises:
        CourseError: a ranker of another kind.
    """

    def __init__(self, name: str, ranker: TrainedRanker) -> None:
        if ranker.kind not in READ_APART:
            raise CourseError(
                f"{name} is of the kind {ranker.kind}, which reads a query and a document together, and so makes no "
                f"vectors of documents. The kinds {' and '.join(READ_APART)} do."
            )
        self.name, self.fingerprint, self._ranker = name, ranker.fingerprint, ranker
        config = ranker.model.get_config()
        self.width: int = config.get("width") or ranker.model.encoder.hidden_dim
        self._scores = _Predictions(ranker)

    def queries(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Return the vectors of each query: float32, (vectors, width); none if it has no known word."""
        return self._vectors(self._ranker.reader.queries(texts), cut=False)

    def documents(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Return the vectors of each document, in the same form."""
        return self._vectors(self._ranker.reader.documents(texts), cut=True)

    def _vectors(self, inputs: Inputs, cut: bool) -> list[np.ndarray]:
        special = self._ranker.reader.vocabulary.special_ids
        has_word: np.ndarray = np.any(~np.isin(inputs["token_ids"], special), axis=1)
        text_vectors: list[np.ndarray] = [np.zeros((0, self.width), "float32")] * len(has_word)
        for rows, vectors in self._scores(inputs, cut):
            for row, array in zip(rows, vectors.reshape(len(rows), -1, self.width), strict=True):
                lengths = np.linalg.norm(array, axis=1)
                is_vector = lengths != 0  # NaN stays: the indexing checks that vectors are finite
                unit = array[is_vector] / lengths[is_vector, None]
                text_vectors[row] = unit if has_word[row] else unit[:0]
        return text_vectors


class Reranker:
    """Reranks the documents that another ranker finds: it reads each one together with the query.

    Args:
        index: of the documents.
        ranker: of a kind that reads query and document together.
        first: finds the documents.
        depth: how many documents are reranked; more if a search requests more.

    Raises:
        ValueError: a depth below 1.
    """

    def __init__(self, index: Index, ranker: TrainedRanker, first: Ranker, depth: int = DEPTH) -> None:
        require_sizes(depth=depth)
        self.index, self.ranker, self.first, self.depth = index, ranker, first, depth
        self._scores = _Predictions(ranker)

    def rank(self, query: str, top: int) -> Ranking:
        """Return the best documents for a query. Ties keep the order of the first ranker."""
        require_sizes(top=top)
        documents, _ = self.first.rank(query, max(top, self.depth))
        if not len(documents):
            return Ranking(documents, np.zeros(0))
        found = [self.index.document(int(number)) for number in documents]
        texts = [f"{document.title} {document.text}".strip() for document in found]
        scores = np.empty(len(documents))
        for rows, logits in self._scores(self.ranker.reader.pairs([query] * len(texts), texts)):
            scores[rows] = logits
        order = np.argsort(-scores, kind="stable")[:top]
        return Ranking(documents[order], scores[order])


def ranker_of(
    index: Index, name: str, ranker: TrainedRanker, depth: int = DEPTH, per_vector: int | None = PER_VECTOR
) -> Ranker:
    """Return the ranker of an index's documents by a trained ranker: `MaxSim` on its vectors, or a `Reranker` of BM25.

    Args:
        index: to search in.
        name: of the ranker, for people.
        ranker: of any kind.
        depth: as in `Reranker`.
        per_vector: as in `course.applications.search.max_sim.MaxSim`.

    Raises:
        CourseError: the ranker needs vectors, and those of the index are missing or damaged.
    """
    if ranker.kind in READ_APART:
        return MaxSim(index, VectorsOf(name, ranker), per_vector)
    return Reranker(index, ranker, Bm25(index), depth)


class _Predictions:
    """Predictions of a model in batches. A lock serializes the calls, because a page may get two requests at once."""

    def __init__(self, ranker: TrainedRanker) -> None:
        self._model, self._lock = ranker.model, Lock()
        # Where XLA is optional, it stays off: it would compile each new length again, which costs more than it saves.
        self._model.compile(jit_compile=USE_XLA)

    def __call__(self, inputs: Inputs, cut: bool = True) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the numbers of some rows, and the model's output for them.

        Args:
            inputs: (rows, length) each.
            cut: whether to cut off padding. Single queries keep it: each new length would trace the model again.
        """
        count = len(inputs["token_ids"])
        for rows, batch in batches_of_like_lengths(inputs, _BATCH) if cut else [(np.arange(count), inputs)]:
            with self._lock, first_token_alone(self._model):
                outputs = self._model.predict_on_batch(batch)
            yield rows, outputs
