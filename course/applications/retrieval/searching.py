"""Trained rankers, as a search asks them: for vectors of an index, or for another order of what BM25 has found."""

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
DEPTH = 20  # of what BM25 has found, how many are read again


class VectorsOf:
    """The vectors that a ranker makes of texts, as `course.applications.search.vectors.TextEncoder` wants them.

    Args:
        name: what people call it.
        ranker: of a kind that reads texts apart.

    Raises:
        CourseError: one of another kind.
    """

    def __init__(self, name: str, ranker: TrainedRanker) -> None:
        if ranker.kind not in READ_APART:
            raise CourseError(
                f"{name} is of the kind {ranker.kind}, which reads a query and a document together, and so has no "
                f"vectors of documents. Those of {' and '.join(READ_APART)} have."
            )
        self.name, self.fingerprint, self._ranker = name, ranker.fingerprint, ranker
        config = ranker.model.get_config()
        self.width: int = config.get("width") or ranker.model.encoder.hidden_dim
        self._scores = _Predictions(ranker)

    def queries(self, texts: Sequence[str]) -> list[np.ndarray]:
        """The vectors of each query: float32, (vectors, width); none where it has no known word."""
        return self._vectors(self._ranker.reader.queries(texts), cut=False)

    def documents(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Those of each document, in the same form."""
        return self._vectors(self._ranker.reader.documents(texts), cut=True)

    def _vectors(self, inputs: Inputs, cut: bool) -> list[np.ndarray]:
        special = self._ranker.reader.vocabulary.special_ids
        has_word: np.ndarray = np.any(~np.isin(inputs["token_ids"], special), axis=1)
        found: list[np.ndarray] = [np.zeros((0, self.width), "float32")] * len(has_word)
        for rows, vectors in self._scores(inputs, cut):
            for row, of_text in zip(rows, vectors.reshape(len(rows), -1, self.width), strict=True):
                lengths = np.linalg.norm(of_text, axis=1)
                is_vector = lengths != 0  # NaN is left in: who keeps vectors looks whether they are numbers
                some = of_text[is_vector] / lengths[is_vector, None]
                found[row] = some if has_word[row] else some[:0]
        return found


class Reranker:
    """Reads again what another ranker has found first, each document together with the query.

    Args:
        index: where the documents are.
        ranker: of a kind that reads both together.
        first: finds the documents.
        depth: how many of these are read again. As many as are asked for are read in any case.

    Raises:
        ValueError: a depth below 1.
    """

    def __init__(self, index: Index, ranker: TrainedRanker, first: Ranker, depth: int = DEPTH) -> None:
        require_sizes(depth=depth)
        self.index, self.ranker, self.first, self.depth = index, ranker, first, depth
        self._scores = _Predictions(ranker)

    def rank(self, query: str, top: int) -> Ranking:
        """The best documents for a query. Of equal ones, that which was ahead stays ahead."""
        require_sizes(top=top)
        documents, _ = self.first.rank(query, max(top, self.depth))
        if not len(documents):
            return Ranking(documents, np.zeros(0))
        found = [self.index.document(int(number)) for number in documents]
        texts = [f"{one.title} {one.text}".strip() for one in found]
        scores = np.empty(len(documents))
        for rows, logits in self._scores(self.ranker.reader.pairs([query] * len(texts), texts)):
            scores[rows] = logits
        order = np.argsort(-scores, kind="stable")[:top]
        return Ranking(documents[order], scores[order])


def ranker_of(
    index: Index, name: str, ranker: TrainedRanker, depth: int = DEPTH, per_vector: int | None = PER_VECTOR
) -> Ranker:
    """How a trained ranker ranks the documents of an index: by their vectors, or by reading BM25's best again.

    Args:
        index: to search in.
        name: what people call the ranker.
        ranker: of any kind.
        depth: as of `Reranker`.
        per_vector: as of `course.applications.search.max_sim.MaxSim`.

    Raises:
        CourseError: it has vectors, and the index has none of this ranker, or damaged ones.
    """
    if ranker.kind in READ_APART:
        return MaxSim(index, VectorsOf(name, ranker), per_vector)
    return Reranker(index, ranker, Bm25(index), depth)


class _Predictions:
    """What a model says of rows, a batch at a time, to one who asks at a time: a page may be asked twice at once."""

    def __init__(self, ranker: TrainedRanker) -> None:
        self._model, self._lock = ranker.model, Lock()
        # XLA, where it is not needed, would compile each new length anew, which takes longer than it saves.
        self._model.compile(jit_compile=USE_XLA)

    def __call__(self, inputs: Inputs, cut: bool = True) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The numbers of some rows, and what the model says of these.

        Args:
            inputs: (rows, length) each.
            cut: whether padding is cut off. Of single queries it is not: for each new length, the model is traced anew.
        """
        count = len(inputs["token_ids"])
        for rows, batch in batches_of_like_lengths(inputs, _BATCH) if cut else [(np.arange(count), inputs)]:
            with self._lock, first_token_alone(self._model):
                said = self._model.predict_on_batch(batch)
            yield rows, said
