"""Search: how long an index takes to make, how large it is, and how long BM25 takes to answer, as documents grow.

Each document has three randomly drawn sentences of the course's sample and a number of its own, so the vocabulary keeps
growing. The queries are 200 titles of the sample. Each answer has ten documents, with their texts read from the disk.
bm25s answers the same queries with the same words. It stores the score of each word, so its index fits these documents
and no others, and its answers are numbers of documents, without texts.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bm25s
import numpy as np

from course.applications.search.bm25 import K1, B, Bm25
from course.applications.search.document import Document
from course.applications.search.index import Index
from course.applications.search.indexing import make_index
from course.applications.search.ranking import search
from course.applications.search.texts import Texts
from course.applications.search.words import search_words
from course.data.datasets import load_sample

SIZES = (1_000, 10_000, 100_000)
QUERIES = 200
SENTENCES = 3
TOP = 10


def measure() -> list[dict[str, Any]]:
    """A row for each number of documents."""
    queries = load_sample()["title"].iloc[:QUERIES].tolist()
    return [_measure(size, queries) for size in SIZES]


def _measure(size: int, queries: list[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "index"
        began = time.perf_counter()
        make_index(Texts("made", 0, lambda: documents(size)), folder)
        seconds = time.perf_counter() - began
        began = time.perf_counter()
        index = Index(folder)
        ranker = Bm25(index)
        search(index, ranker, queries[0], TOP)
        first = time.perf_counter() - began
        ours = milliseconds(lambda query: search(index, ranker, query, TOP), queries)
        megabytes = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    peer_seconds, peer = _bm25s(size, queries)
    return {
        "documents": size,
        "parts": len(index.parts),
        "seconds to index": seconds,
        "MB": megabytes,
        "ms to open and ask once": 1000 * first,
        "ms a query, median": float(np.median(ours)),
        "ms a query, 95th percentile": float(np.quantile(ours, 0.95)),
        "bm25s: seconds": peer_seconds,
        "bm25s: ms, median": float(np.median(peer)),
    }


def documents(size: int) -> Iterator[Document]:
    """Yields this number of documents, the same each time."""
    sentences = np.array([sentence for article in load_sample()["sentences"] for sentence in article], object)
    random = np.random.default_rng(0)
    for number in range(size):
        drawn = sentences[random.integers(len(sentences), size=SENTENCES)]
        yield Document(f"made, {number + 1}", f"Number n{number}", " ".join(drawn))


def milliseconds(
    ask: Callable[[str], Any], queries: list[str], clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """The milliseconds of each query, by a clock that counts seconds."""
    times = []
    for query in queries:
        began = clock()
        ask(query)
        times.append(1000 * (clock() - began))
    return times


def _bm25s(size: int, queries: list[str]) -> tuple[float, list[float]]:
    """The seconds that bm25s needs for its index, and the milliseconds of each query."""
    began = time.perf_counter()
    peer = bm25s.BM25(method="lucene", k1=K1, b=B)
    words = [search_words(f"{document.title} {document.text}") for document in documents(size)]
    peer.index(words, show_progress=False)
    seconds = time.perf_counter() - began
    return seconds, milliseconds(
        lambda query: peer.retrieve([search_words(query)], k=min(TOP, size), show_progress=False), queries
    )
