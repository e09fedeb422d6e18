"""Vectors beside the words of an index: those that an encoder makes of each document, and how a query is held to them.

A document has a vector for each of its words, or a single one. It is scored by MaxSim: each vector of the query looks
for the likest one of the document, and the cosines of these are added up. With a single vector on both sides, that is
the cosine of the two.

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

_AT_ONCE = 500  # documents that an encoder is given
_COMPARED = 1 << 15  # vectors that are compared at a time, so that they stay in the processor's cache
# With fewer vectors, comparing them all takes no longer than to follow a graph.
FEW_VECTORS = 10_000


class TextEncoder(Protocol):
    """Makes vectors of texts. Each has the length 1, so that products are cosines.

    Attributes:
        name: what people call it.
        fingerprint: 16 digits, of a hash of all that its vectors depend on.
        width: how many numbers a vector has.
    """

    name: str
    fingerprint: str
    width: int

    def queries(self, texts: Sequence[str]) -> list[np.ndarray]:
        """The vectors of each query: float32, (vectors, width); none where it has no word that is known."""

    def documents(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Those of each document, in the same form."""


class VectorsEntry(NamedTuple):
    """What the list of an index says of the vectors of one encoder.

    Attributes:
        name: of the encoder.
        fingerprint: of the encoder.
        sizes: of the file of each part, in bytes.
        graphs: the same of the graph of each; 0 where there is none.
    """

    name: str
    fingerprint: str
    sizes: Sequence[int]
    graphs: Sequence[int]


@dataclass(frozen=True)
class PartVectors:
    """The vectors of a part's documents, one behind the other.

    Attributes:
        vectors: float16, (vectors, width).
        starts: int64, (documents + 1,), where those of each document begin; the last number is how many there are.
        nearest: finds them by a graph, as `open_graph` says. None: where there is none.
    """

    vectors: np.ndarray
    starts: np.ndarray
    nearest: Nearest | None = None

    @classmethod
    def of(cls, documents: Sequence[np.ndarray], width: int) -> PartVectors:
        """Packs the vectors of documents, float16, (vectors, width) each."""
        starts = np.concatenate([[0], np.cumsum([len(vectors) for vectors in documents], dtype="int64")])
        return cls(np.concatenate([np.zeros((0, width), "float16"), *documents]), starts)

    def scores(self, query: np.ndarray, documents: np.ndarray) -> np.ndarray:
        """MaxSim of a query and of some documents, each of which has a vector: float32, (documents,).

        Args:
            query: float32, (vectors of the query, width).
            documents: integers, (documents,), in their order.
        """
        found = np.empty(len(documents), "float32")
        starts, ends = self.starts[documents], self.starts[documents + 1]
        for some in _in_pieces(ends - starts):
            lengths = ends[some] - starts[some]
            first = np.concatenate([[0], np.cumsum(lengths)[:-1]])
            rows = np.arange(lengths.sum()) + np.repeat(starts[some] - first, lengths)
            cosines = query @ self.vectors[rows].astype("float32").T  # (vectors of the query, rows)
            found[some] = np.maximum.reduceat(cosines, first, axis=1).sum(axis=0)
        return found

    def candidates(self, query: np.ndarray, per_vector: int | None) -> np.ndarray:
        """The documents that may be the best ones: (documents,), in their order.

        Args:
            query: (vectors of the query, width).
            per_vector: how many of the nearest vectors each of the query asks for. None, or where there is no graph:
                all documents that have a vector are candidates.
        """
        found = None
        if self.nearest is not None and per_vector is not None:
            found = self.nearest(query, min(per_vector, len(self.vectors)))
        if found is None:
            return np.flatnonzero(np.diff(self.starts))
        return np.unique(np.searchsorted(self.starts, found.reshape(-1), side="right") - 1)


def _in_pieces(lengths: np.ndarray) -> Iterator[slice]:
    """Documents that have about `_COMPARED` vectors together, again and again."""
    first, ends = 0, np.cumsum(lengths)
    while first < len(lengths):
        behind = max(first + 1, int(np.searchsorted(ends, ends[first] - lengths[first] + _COMPARED, side="right")))
        yield slice(first, behind)
        first = behind


def make_vectors(
    folder: Path, parts: Sequence[str], encoder: TextEncoder, progress: Callable[[int], None]
) -> VectorsEntry:
    """Makes the vectors of all parts that have none yet, and graphs of them, where those can be made.

    Args:
        folder: of the index.
        parts: their names.
        encoder: makes them.
        progress: is told for how many more documents there are vectors now.

    Raises:
        CourseError: they cannot be written, or are no numbers.
    """
    sizes, graphs = [], []
    for name in parts:
        part = part_path(folder, name)
        path, graph = vectors_path(part, encoder.fingerprint), graph_path(part, encoder.fingerprint)
        if is_whole(path):
            progress(len(map_arrays(path)["starts"]) - 1)
        else:
            open_vectors.cache_clear()  # it may know a damaged file of this name
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
        some = encoder.documents([f"{one.title} {one.text}".strip() for one in documents])
        if not all(np.isfinite(one).all() for one in some):
            raise CourseError(f"{encoder.name} makes vectors that are no finite numbers. Its training went wrong.")
        vectors += [one.astype("float16") for one in some]  # a part of long documents may have gigabytes of them
        progress(len(some))
    return PartVectors.of(vectors, encoder.width)


@lru_cache(MOST_OPEN)
def open_vectors(part: Path, fingerprint: str, has_graph: bool) -> PartVectors:
    """Maps the vectors of a part into memory, and reads their graph, where there is one and voyager is installed.

    Raises:
        CourseError: they are not there, or are no vectors.
    """
    path, graph = vectors_path(part, fingerprint), graph_path(part, fingerprint)
    with reading(path):
        arrays: dict[str, Any] = map_arrays(path)
        found = PartVectors(arrays["vectors"], arrays["starts"])
    if not has_graph or not has_graphs():
        return found
    if not is_whole(graph):  # the library that follows it would trust whatever it says
        raise damaged(graph, "its checksum differs")
    with reading(graph):
        return PartVectors(found.vectors, found.starts, open_graph(map_arrays(graph)["graph"], found.vectors.shape[1]))
