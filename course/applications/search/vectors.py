"""Vectors beside the words of an index: an encoder's vectors of each document, and the scores of a query by them.

A document has a vector for each of its words, or a single one. MaxSim scores it: for each query vector, take the
largest cosine with a vector of the document, and add these up. With a single vector on both sides, that is their
cosine.

Reference: Khattab and Zaharia, "ColBERT: Efficient and Effective Passage Search via Contextualized Late Interaction
over BERT", 2020, https://arxiv.org/abs/2004.12832, section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from course.applications.search.array_file import MOST_OPEN, damaged, is_whole, map_arrays, reading, save_arrays
from course.applications.search.graph import Nearest, build_graph, has_graphs, open_graph
from course.applications.search.part_file import graph_path, open_part, part_path, vectors_path
from course.errors import CourseError

_AT_ONCE = 500  # documents per call of an encoder
_COMPARED = 1 << 15  # vectors compared at a time, so that they stay in the processor's cache
# With fewer vectors, comparing them all is as fast as following a graph.
FEW_VECTORS = 10_000


class TextEncoder(Protocol):
    """Makes vectors of texts, each of length 1, so that dot products are cosines.

    Attributes:
        name: for people.
        fingerprint: 16 hexadecimal digits of a hash of everything that determines the vectors.
        width: how many numbers a vector has.
    """

    name: str
    fingerprint: str
    width: int

    def queries(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Return the vectors of each query: float32, (vectors, width); none if it has no known word."""

    def documents(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Return the vectors of each document, in the same form."""


class VectorsEntry(NamedTuple):
    """The entry of an encoder's vectors in the list of an index.

    Attributes:
        name: of the encoder.
        fingerprint: of the encoder.
        sizes: bytes of each part's vectors file.
        graphs: bytes of each part's graph file; 0 if it has none.
    """

    name: str
    fingerprint: str
    sizes: Sequence[int]
    graphs: Sequence[int]


@dataclass(frozen=True)
class PartVectors:
    """The concatenated vectors of a part's documents.

    Attributes:
        vectors: float16, (vectors, width).
        starts: int64, (documents + 1,), where the vectors of each document begin; the last number is their number.
        nearest: finds vectors by a graph, as `open_graph` returns it. None: no graph.
    """

    vectors: np.ndarray
    starts: np.ndarray
    nearest: Nearest | None = None

    @classmethod
    def of(cls, documents: Sequence[np.ndarray], width: int) -> PartVectors:
        """Pack the vectors of documents, float16, (vectors, width) each."""
        starts = np.concatenate([[0], np.cumsum([len(vectors) for vectors in documents], dtype="int64")])
        return cls(np.concatenate([np.zeros((0, width), "float16"), *documents]), starts)

    def scores(self, query: np.ndarray, documents: np.ndarray) -> np.ndarray:
        """Return MaxSim of a query with some documents, each of which has a vector: float32, (documents,).

        Args:
            query: float32, (vectors of the query, width).
            documents: integers, (documents,), ascending.
        """
        scores = np.empty(len(documents), "float32")
        starts, ends = self.starts[documents], self.starts[documents + 1]
        for some in _in_pieces(ends - starts):
            lengths = ends[some] - starts[some]
            first = np.concatenate([[0], np.cumsum(lengths)[:-1]])
            rows = np.arange(lengths.sum()) + np.repeat(starts[some] - first, lengths)
            cosines = query @ self.vectors[rows].astype("float32").T  # (vectors of the query, rows)
            scores[some] = np.maximum.reduceat(cosines, first, axis=1).sum(axis=0)
        return scores

    def candidates(self, query: np.ndarray, per_vector: int | None) -> np.ndarray:
        """Return the documents that may be the best ones: (documents,), ascending.

        Args:
            query: (vectors of the query, width).
            per_vector: how many nearest vectors each query vector requests from the graph. None, or without a graph:
                all documents that have a vector are candidates.
        """
        neighbours = None
        if self.nearest is not None and per_vector is not None:
            neighbours = self.nearest(query, min(per_vector, len(self.vectors)))
        if neighbours is None:
            return np.flatnonzero(np.diff(self.starts))
        return np.unique(np.searchsorted(self.starts, neighbours.reshape(-1), side="right") - 1)


def _in_pieces(lengths: np.ndarray) -> Iterator[slice]:
    """Yield slices of documents that have about `_COMPARED` vectors together."""
    first, ends = 0, np.cumsum(lengths)
    while first < len(lengths):
        stop = max(first + 1, int(np.searchsorted(ends, ends[first] - lengths[first] + _COMPARED, side="right")))
        yield slice(first, stop)
        first = stop


def make_vectors(
    folder: Path, parts: Sequence[str], encoder: TextEncoder, progress: Callable[[int], None]
) -> VectorsEntry:
    """Make the vectors of all parts that have none yet, and their graphs if voyager is installed.

    Args:
        folder: of the index.
        parts: their names.
        encoder: makes the vectors.
        progress: called with the number of documents encoded since the last call.

    Raises:
        CourseError: the vectors cannot be written, or are not finite.
    """
    sizes, graphs = [], []
    for name in parts:
        part = part_path(folder, name)
        path, graph = vectors_path(part, encoder.fingerprint), graph_path(part, encoder.fingerprint)
        if is_whole(path):
            progress(len(map_arrays(path)["starts"]) - 1)
        else:
            open_vectors.cache_clear()  # it may have cached a damaged file of this name
            made = _encoded(part, encoder, progress)
            save_arrays(path, {"vectors": made.vectors, "starts": made.starts})
        vectors = map_arrays(path)["vectors"]
        if len(vectors) >= FEW_VECTORS and has_graphs() and not is_whole(graph):
            open_vectors.cache_clear()
            save_arrays(graph, {"graph": build_graph(vectors)})
        sizes.append(path.stat().st_size)
        graphs.append(graph.stat().st_size if is_whole(graph) else 0)
    return VectorsEntry(encoder.name, encoder.fingerprint, sizes, graphs)


def _encoded(path: Path, encoder: TextEncoder, progress: Callable[[int], None]) -> PartVectors:
    part = open_part(path)
    vectors: list[np.ndarray] = []
    for first in range(0, len(part.lengths), _AT_ONCE):
        documents = (part.document(number) for number in range(first, min(first + _AT_ONCE, len(part.lengths))))
        some = encoder.documents([f"{document.title} {document.text}".strip() for document in documents])
        if not all(np.isfinite(array).all() for array in some):
            raise CourseError(f"{encoder.name} makes vectors that are not finite numbers. Its training went wrong.")
        vectors += [array.astype("float16") for array in some]  # a part of long documents may have gigabytes of them
        progress(len(some))
    return PartVectors.of(vectors, encoder.width)


@lru_cache(MOST_OPEN)
def open_vectors(part: Path, fingerprint: str, has_graph: bool) -> PartVectors:
    """Map the vectors of a part into memory. Read their graph, too, if there is one and voyager is installed.

    Raises:
        CourseError: the files are missing or damaged.
    """
    path, graph = vectors_path(part, fingerprint), graph_path(part, fingerprint)
    with reading(path):
        arrays: dict[str, Any] = map_arrays(path)
        plain = PartVectors(arrays["vectors"], arrays["starts"])
    if not has_graph or not has_graphs():
        return plain
    if not is_whole(graph):  # voyager does not validate what it loads
        raise damaged(graph, "its checksum differs")
    with reading(graph):
        return PartVectors(plain.vectors, plain.starts, open_graph(map_arrays(graph)["graph"], plain.vectors.shape[1]))
