"""A graph that links each vector to its neighbours, to find the nearest vectors without comparing all of them.

The extra `search` installs voyager, which builds such graphs. Without it, a search compares all vectors.

Reference: Malkov and Yashunin, "Efficient and Robust Approximate Nearest Neighbor Search Using Hierarchical Navigable
Small World Graphs", 2016, https://arxiv.org/abs/1603.09320.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

# Maps vectors, (some, width), and a count to the numbers of approximately the nearest vectors to each: (some, count).
# None if the graph does not lead to that many, for example because most vectors are equal.
Nearest = Callable[[np.ndarray, int], np.ndarray | None]

_LINKS, _LOOKED_AT = 12, 100  # links per vector, and vectors that are compared to choose them


def has_graphs() -> bool:
    """Return whether voyager is installed."""
    return find_spec("voyager") is not None


def build_graph(vectors: np.ndarray) -> np.ndarray:
    """Return the graph of vectors as bytes. A single thread builds it, so equal vectors make an equal graph.

    Args:
        vectors: floats, (vectors, width), of length 1.

    Returns:
        uint8, (bytes,).
    """
    import voyager

    graph = voyager.Index(
        voyager.Space.InnerProduct, vectors.shape[1], M=_LINKS, ef_construction=_LOOKED_AT, max_elements=len(vectors)
    )
    graph.add_items(vectors.astype("float32"), num_threads=1)
    return np.frombuffer(graph.as_bytes(), "uint8")


def open_graph(content: np.ndarray, width: int) -> Nearest:
    """Load a graph from `build_graph` of vectors of this width. Return the function that finds the nearest ones."""
    import voyager

    graph = voyager.Index.load(io.BytesIO(content.tobytes()), voyager.Space.InnerProduct, width)

    def nearest(vectors: np.ndarray, count: int) -> np.ndarray | None:
        try:
            return graph.query(vectors, k=count, num_threads=1, query_ef=2 * count)[0]
        except voyager.RecallError:
            return None

    return nearest
