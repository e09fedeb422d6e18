"""Search by vectors of words: what they take to make and to keep, and how long MaxSim takes, as documents grow.

Documents are short: the beginning of one randomly drawn sentence of the course's sample and the end of another one. The
encoder is the course's small one, which has learned from 1,000 titles of the sample to make vectors of 32 numbers; the
queries are 100 other titles. Each answer has ten documents, with their texts read from the disk. "Read" is the time in
which the encoder reads the query; the other times of a query include it, except BM25's. "Found" is the share of the
exact ten best documents that the graph finds. Times are processor times, and medians for queries; "on the clock" is
wall time.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.search import TOP, milliseconds
from course.applications.retrieval.searching import VectorsOf
from course.applications.retrieval.teaching import Lesson, teach
from course.applications.search.bm25 import Bm25
from course.applications.search.document import Document
from course.applications.search.index import Index
from course.applications.search.indexing import make_index
from course.applications.search.max_sim import MaxSim
from course.applications.search.ranking import Ranker, search
from course.applications.search.texts import Texts
from course.data.datasets import load_sample
from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.training.encoder_source import from_folder

SIZES = (1_000, 10_000, 100_000)
PAIRS, QUERIES = 1_000, 100
WORDS = 8  # of each of the two halves


class Timed(VectorsOf):
    """Counts the processor seconds for encoding documents."""

    seconds = 0.0

    def documents(self, texts: Sequence[str]) -> list[np.ndarray]:
        began = time.process_time()
        vectors = super().documents(texts)
        self.seconds += time.process_time() - began
        return vectors


def measure() -> list[dict[str, Any]]:
    """A row for each number of documents."""
    articles = load_sample()
    titles, texts = (articles[column].tolist() for column in ("title", "description"))
    lesson = Lesson(epochs=1, query_length=16, document_length=40, width=32)
    ranker, _ = teach("maxsim", from_folder(SAMPLE_ENCODER), titles[:PAIRS], texts[:PAIRS], lesson)
    return [_measure(size, Timed("maxsim", ranker), titles[PAIRS : PAIRS + QUERIES]) for size in SIZES]


def _measure(size: int, encoder: Timed, queries: list[str]) -> dict[str, Any]:
    encoder.documents(["what is compiled is compiled here"])
    encoder.seconds = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "index"
        began = time.process_time()
        make_index(Texts("made", 0, lambda: documents(size)), folder, encoders=[encoder])
        seconds = time.process_time() - began
        began = time.process_time()
        index = Index(folder)
        by_graph = MaxSim(index, encoder)
        opened = time.process_time() - began
        exact, bm25 = MaxSim(index, encoder, None), Bm25(index)
        (entry,) = index.vectors
        found = [[{*ranker.rank(query, TOP).documents.tolist()} for query in queries] for ranker in (exact, by_graph)]
        of_words, of_all, of_graph = (_computed(index, ranker, queries) for ranker in (bm25, exact, by_graph))
        on_the_clock = milliseconds(lambda query: search(index, by_graph, query, TOP), queries)
    read = milliseconds(lambda query: encoder.queries([query]), queries, time.process_time)
    return {
        "documents": size,
        "seconds to index": seconds,
        "of these, to encode": encoder.seconds,
        "MB of vectors": sum(entry.sizes) / 1e6,
        "MB of graphs": sum(entry.graphs) / 1e6,
        "ms to open": 1000 * opened,
        "ms a query, BM25": float(np.median(of_words)),
        "all compared": float(np.median(of_all)),
        "by a graph": float(np.median(of_graph)),
        "by a graph, 95th percentile": float(np.quantile(of_graph, 0.95)),
        "by a graph, on the clock": float(np.median(on_the_clock)),
        "read": float(np.median(read)),
        "found": float(np.mean([len(best & answers) / len(best) for best, answers in zip(*found, strict=True)])),
    }


def _computed(index: Index, ranker: Ranker, queries: list[str]) -> list[float]:
    """The processor time of each query, in milliseconds."""
    return milliseconds(lambda query: search(index, ranker, query, TOP), queries, time.process_time)


def documents(size: int) -> Iterator[Document]:
    """Yields this number of documents, the same each time."""
    sentences = [sentence.split() for article in load_sample()["sentences"] for sentence in article]
    random = np.random.default_rng(0)
    for number in range(size):
        first, second = (sentences[drawn] for drawn in random.integers(len(sentences), size=2))
        yield Document(f"made, {number + 1}", "", " ".join([*first[:WORDS], *second[-WORDS:]]))
