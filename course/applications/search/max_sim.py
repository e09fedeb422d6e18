"""Rank the documents of an index by their vectors: one for each word, or one for each document."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from course.applications.search.array_file import reading, require_size
from course.applications.search.index import Index
from course.applications.search.part_file import graph_path, vectors_path
from course.applications.search.ranking import Ranking, best, merged
from course.applications.search.vectors import TextEncoder, open_vectors
from course.errors import CourseError
from course.validation.values import require_instance, require_sizes

# How many nearest vectors each query vector requests from the graph of each part. Measured in benchmarks/README.md.
PER_VECTOR = 64


class MaxSim:
    """Ranks documents by MaxSim: for each query vector, the largest cosine with a vector of the document, summed up.

    In a part that has a graph, and if voyager is installed, only documents with a vector near one of the query are
    scored. In all other parts, every document is scored.

    Args:
        index: to search in. Its parts are scored in the processes that read them.
        encoder: the index has its vectors of the documents.
        per_vector: how many nearest vectors of a part each query vector requests. None: score all documents, with or
            without graphs.

    Raises:
        CourseError: the index has no vectors of this encoder, or they are damaged.
        TypeError: not an index.
        ValueError: a size below 1.
    """

    def __init__(self, index: Index, encoder: TextEncoder, per_vector: int | None = PER_VECTOR) -> None:
        require_instance(index, "index", Index)
        if per_vector is not None:
            require_sizes(per_vector=per_vector)
        entry = next((entry for entry in index.vectors if entry.fingerprint == encoder.fingerprint), None)
        if entry is None:
            there = ", ".join(f"{other.name} ({other.fingerprint})" for other in index.vectors) or "no encoder"
            raise CourseError(
                f"{index.folder} has no vectors of {encoder.name} ({encoder.fingerprint}), but of {there}. "
                f"`python -m course index TEXTS --to {index.folder} --vectors {encoder.name}` makes them."
            )
        for part, size, graph in zip(index.paths, entry.sizes, entry.graphs, strict=True):
            require_size(vectors_path(part, entry.fingerprint), size)
            if graph:
                require_size(graph_path(part, entry.fingerprint), graph)
        self.index, self.encoder = index, encoder
        with_graph = frozenset(part.name for part, graph in zip(index.paths, entry.graphs, strict=True) if graph)
        self._rank = partial(_rank_part, fingerprint=entry.fingerprint, with_graph=with_graph, per_vector=per_vector)
        # Opens all files now: another indexing may remove them while a page is served.
        index.over_parts(partial(self._rank, query=np.zeros((0, encoder.width), "float32"), top=1))

    def rank(self, query: str, top: int) -> Ranking:
        """Return the best documents for a query; none if the encoder knows no word of it.

        Raises:
            CourseError: the vectors are damaged.
            TypeError: the query is not a string.
            ValueError: `top` is not a whole number of at least 1.
        """
        require_sizes(top=top)
        (vectors,) = self.encoder.queries([query])
        if not len(vectors):
            return Ranking(np.zeros(0, "int64"), np.zeros(0))
        of_parts = self.index.over_parts(partial(self._rank, query=vectors, top=top))
        return merged(self.index, of_parts, top)


def _rank_part(
    path: Path, fingerprint: str, with_graph: frozenset[str], per_vector: int | None, query: np.ndarray, top: int
) -> Ranking:
    part = open_vectors(path, fingerprint, path.name in with_graph)
    if not len(query):
        return Ranking(np.zeros(0, "int64"), np.zeros(0))
    with reading(vectors_path(path, fingerprint)):
        documents = part.candidates(query, per_vector)
        return best(documents, part.scores(query, documents).astype("float64"), top)
