"""python -m recipes.cranfield: the quality of BM25 on the Cranfield collection, 225 queries over 1,400 abstracts.

Nothing is trained or tuned: k1 and b are Lucene's. The data are downloaded, or read from the folder that CRANFIELD_DIR
names.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import typer
from rich.console import Console

from course.applications.search.bm25 import K1, B, Bm25
from course.applications.search.document import Document
from course.applications.search.indexing import make_index
from course.applications.search.ranking import Ranker
from course.applications.search.texts import Texts
from course.data.datasets import load_cranfield
from course.errors import as_course_errors
from course.evaluation.bootstrap import bootstrap_interval
from course.matching import ranking_scores
from course.storage.outputs import write_json

RESULTS = Path(__file__).with_suffix(".json")
DEPTH = 10  # of nDCG and MRR; MAP counts all results
MEASURES = ("MAP", f"nDCG@{DEPTH}", f"MRR@{DEPTH}")


def texts_of(documents: pd.DataFrame) -> Texts:
    """The abstracts, which begin with their titles."""
    abstracts = [
        Document(str(number), "", text) for number, text in zip(documents["document"], documents["text"], strict=True)
    ]
    return Texts("cranfield", sum(len(abstract.text) for abstract in abstracts), lambda: iter(abstracts))


def measures(found: Sequence[int], relevant: set[int]) -> tuple[float, float, float]:
    """MAP, nDCG@10 and MRR@10 of one query, by `ranking_scores`; all relevant documents count the same.

    Args:
        found: the numbers of documents, the best first.
        relevant: all documents that answer the query, found or not; one or more.
    """
    gains = [float(document in relevant) for document in found]
    scores = ranking_scores([gains], [[1.0] * len(relevant)], DEPTH)
    return scores["map"], scores["ndcg"], scores["mrr"]


def measure(ranker: Ranker, numbers: np.ndarray, queries: pd.DataFrame, judgements: pd.DataFrame) -> dict[str, Any]:
    """All measures, with their confidence intervals over queries, and the latency per query.

    Args:
        ranker: ranks the documents of an index.
        numbers: (documents,), the number of each document, in the order of the index.
        queries: as from `load_cranfield`.
        judgements: as from `load_cranfield`. A document with any gain above 0 answers the query.
    """
    relevant = judgements[judgements["gain"] > 0].groupby("query")["document"].agg(set)
    rows, seconds = [], []
    for query, text in zip(queries["query"], queries["text"], strict=True):
        if query not in relevant:
            continue
        began = time.perf_counter()
        found, _ = ranker.rank(text, len(numbers))
        seconds.append(time.perf_counter() - began)
        rows.append(measures(numbers[found].tolist(), relevant[query]))
    table = np.array(rows)  # (queries, measures)
    return {
        "queries": len(rows),
        **{name: bootstrap_interval(np.mean, table[:, place])._asdict() for place, name in enumerate(MEASURES)},
        "ms a query": round(1000 * float(np.median(seconds)), 2),
    }


def main() -> None:
    """Indexes the abstracts, asks all queries, and writes the results."""
    with as_course_errors():
        documents, queries, judgements = load_cranfield()
    with tempfile.TemporaryDirectory() as folder:
        index = make_index(texts_of(documents), Path(folder) / "index").index
        numbers = documents["document"].to_numpy()
        results: dict[str, Any] = {"k1": K1, "b": B, "BM25": measure(Bm25(index), numbers, queries, judgements)}
    write_json(RESULTS, results)
    for name in MEASURES:
        Console().print(name, "{value:.3f} ({low:.3f} to {high:.3f})".format(**results["BM25"][name]))


if __name__ == "__main__":
    typer.run(main)
