"""A graph of vectors, in which each is linked to its neighbours: the nearest ones are found without comparing all.

The extra `search` installs voyager, which makes such graphs. Without it, all vectors are compared.

Reference: Malkov and Yashunin, "Efficient and Robust Approximate Nearest Neighbor Search Using Hierarchical Navigable
Small World Graphs", 2016, https://arxiv.org/abs/1603.09320.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

# Gives for some vectors, (some, width), the numbers of about the nearest ones to each, so many: (some, so many). None
# where the graph does not lead to so many, as where most vectors are the same.
Nearest = Callable[[np.ndarray, int], np.ndarray | None]

_LINKS, _LOOKED_AT = 12, 100  # of each vector; and how many are looked at to find those that it is linked to


def has_graphs() -> bool:
    """Whether voyager is installed."""
    return find_spec("voyager") is not None


def build_graph(vectors: np.ndarray) -> np.ndarray:
    """The graph of vectors, as bytes. The same vectors make the same graph: it is built by one thread.

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
    """Reads what `build_graph` made of vectors of this width, and finds the nearest ones by it."""
    import voyager

    graph = voyager.Index.load(io.BytesIO(content.tobytes()), voyager.Space.InnerProduct, width)

    def nearest(vectors: np.ndarray, count: int) -> np.ndarray | None:
        try:
            return graph.query(vectors, k=count, num_threads=1, query_ef=2 * count)[0]
        except voyager.RecallError:
            return None

    return nearest
