"""python -m recipes.cranfield: the quality of BM25 on the Cranfield collection, 225 queries over 1,400 abstracts.

Each query was asked by the author of a paper in the collection, who judged the papers that it cites. The author's own
paper was not judged, and is left out of the rankings. The results also say what comes out if it counts as a wrong
answer or as a right one.

Nothing is trained or tuned: k1 and b are Lucene's. With `--encoder FOLDER`, published weights search by meaning, too,
alone and fused with BM25. The data are downloaded, or read from the folder that CRANFIELD_DIR names.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer
from rich.console import Console

from course.applications.retrieval.searching import VectorsOf
from course.applications.retrieval.trained_ranker import load_ranker
from course.applications.search.bm25 import K1, B, Bm25
from course.applications.search.document import Document
from course.applications.search.fusion import Fusion
from course.applications.search.indexing import make_index
from course.applications.search.max_sim import MaxSim
from course.applications.search.ranking import Ranker
from course.applications.search.texts import Texts
from course.data.datasets import load_cranfield
from course.data.datasets.cranfield import own_papers
from course.errors import as_course_errors
from course.evaluation.bootstrap import bootstrap_difference, bootstrap_interval
from course.matching import ranking_scores
from course.storage.outputs import write_json
from recipes.page import keep_section
from recipes.paths import PAGE

_SOURCE = "https://www-nlpir.nist.gov/projects/irlib/pubs/cranv1p1/cranv1p1_text/02_016.txt"
RESULTS = Path(__file__).with_suffix(".json")
DEPTH = 10  # of nDCG and MRR; MAP counts all results
LEFT_OUT, WRONG, RIGHT = "left out", "a wrong answer", "a right answer"  # what an author's own paper is
OWN = (LEFT_OUT, WRONG, RIGHT)
EXACT, STEMMED, VECTORS, FUSED = "BM25", "BM25, stemmed", "vectors", "vectors and BM25, stemmed"
TITLES = {
    EXACT: "BM25, words as they stand",
    STEMMED: "BM25, without endings and stop words",
    VECTORS: "vectors of {encoder}",
    FUSED: "the last two, fused",
}
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


def measure(
    ranker: Ranker,
    numbers: np.ndarray,
    queries: pd.DataFrame,
    judgements: pd.DataFrame,
    own: str = LEFT_OUT,
    beside: Ranker | None = None,
) -> dict[str, Any]:
    """All measures, with their confidence intervals over queries, and the latency per query.

    Args:
        ranker: ranks the documents of an index.
        numbers: (documents,), the number of each document, in the order of the index.
        queries: as from `load_cranfield`.
        judgements: as from `load_cranfield`. A document with any gain above 0 answers the query.
        own: what an author's own paper is: LEFT_OUT, WRONG or RIGHT.
        beside: another ranker, over which the first one's gain is measured, too, paired by query.
    """
    table, seconds = _of_queries(ranker, numbers, queries, judgements, own)
    results = {
        "queries": len(table),
        **{name: bootstrap_interval(np.mean, table[:, place])._asdict() for place, name in enumerate(MEASURES)},
        "ms a query": round(1000 * float(np.median(seconds)), 2),
    }
    if beside is None:
        return results
    other, _ = _of_queries(beside, numbers, queries, judgements, own)
    gains = {
        name: bootstrap_difference(np.mean, table[:, place], other[:, place])._asdict()
        for place, name in enumerate(MEASURES)
    }
    return {**results, "above BM25, stemmed": gains}


def _of_queries(
    ranker: Ranker, numbers: np.ndarray, queries: pd.DataFrame, judgements: pd.DataFrame, own: str
) -> tuple[np.ndarray, list[float]]:
    """The measures of each query that has an answer, (queries, measures), and the seconds of each search."""
    relevant = judgements[judgements["gain"] > 0].groupby("query")["document"].agg(set)
    own_of = own_papers(judgements)
    rows, seconds = [], []
    for query, text in zip(queries["query"], queries["text"], strict=True):
        if query not in relevant:
            continue
        began = time.perf_counter()
        found, _ = ranker.rank(text, len(numbers))
        seconds.append(time.perf_counter() - began)
        papers = own_of.get(query, set())
        documents = [number for number in numbers[found].tolist() if own != LEFT_OUT or number not in papers]
        rows.append(measures(documents, relevant[query] | (papers if own == RIGHT else set())))
    return np.array(rows), seconds


def main(
    encoder: Annotated[
        Path | None, typer.Option(help="Published weights that make a vector of each text; by default, as stored.")
    ] = None,
) -> None:
    """Indexes the abstracts, asks all queries, and writes the results."""
    with as_course_errors():
        documents, queries, judgements = load_cranfield()
        reader = None if encoder is None else VectorsOf(encoder.name, load_ranker(encoder))
    numbers = documents["document"].to_numpy()
    stored = json.loads(RESULTS.read_text(encoding="utf-8"))
    results: dict[str, Any] = {**stored, "k1": K1, "b": B}
    with tempfile.TemporaryDirectory() as folder:
        exact = make_index(texts_of(documents), Path(folder) / "exact").index
        stemmed = make_index(
            texts_of(documents), Path(folder) / "stemmed", encoders=[reader] if reader else (), language="en"
        ).index
        bm25 = Bm25(stemmed)
        rankers: dict[str, Ranker] = {EXACT: Bm25(exact), STEMMED: bm25}
        if encoder is not None and reader is not None:
            results["encoder"] = encoder.name
            by_meaning = MaxSim(stemmed, reader, None)
            rankers |= {VECTORS: by_meaning, FUSED: Fusion([bm25, by_meaning])}
        for name, ranker in rankers.items():
            for own in OWN:
                beside = bm25 if name in (VECTORS, FUSED) else None
                results[row_of(own, name)] = measure(ranker, numbers, queries, judgements, own, beside)
    write_json(RESULTS, results)
    keep_section(PAGE, section_of(RESULTS))
    Console().print(section_of(RESULTS))


def row_of(own: str, ranker: str) -> str:
    """The name of a ranker's results in the stored file."""
    return ranker if own == LEFT_OUT else f"{ranker}, own papers as {own.removeprefix('a ')}s"


def section_of(path: Path) -> str:
    """The section of README.md, from the stored results."""
    results = json.loads(path.read_text(encoding="utf-8"))
    lines = [
        "## BM25 on Cranfield",
        "",
        f"`python -m recipes.cranfield` asks BM25 the {results['BM25']['queries']} queries of the Cranfield",
        "collection, over 1,400 abstracts. They come from authors of recent papers, who named what had led to",
        f"the paper, and judged what it cites ([Cleverdon, Mills and Keen, 1966]({_SOURCE}), pages 16 and 21).",
        "For each query, the judgements mark one more document with -1, which the readme does not",
        "explain. It is most likely the author's own paper: those with a year are of 1960 to 1963, and queries in a",
        "row often share one. Nobody judged it, and an author who looks for earlier work does not look for it, so it",
        "is left out of the rankings. Other programs read -1 as a wrong answer. How much that decides:",
        "",
        f"| ranker | the author's own paper is | {' | '.join(MEASURES)} |",
        f"|---|---|{'---:|' * len(MEASURES)}",
    ]
    for ranker, title in TITLES.items():
        for own in OWN if ranker in results else ():
            numbers = results[row_of(own, ranker)]
            said = ["{value:.3f} ({low:.3f} to {high:.3f})".format(**numbers[name]) for name in MEASURES]
            lines.append(f"| {title.format(encoder=results.get('encoder'))} | {own} | {' | '.join(said)} |")
    lines += [
        "",
        "In brackets: 95% bootstrap intervals over the queries. `python -m course index` removes endings and stop",
        "words by default, and `--exact-words` keeps words as they stand.",
    ]
    if VECTORS in results:
        gains = [
            "{:+.3f} ({:+.3f} to {:+.3f})".format(*results[name]["above BM25, stemmed"]["MAP"].values())
            for name in (VECTORS, FUSED)
        ]
        lines += [
            "",
            "The vectors come from published weights, as they are (`--encoder FOLDER`). The fusion is that of",
            "`python -m course search --fuse`. With the author's own paper left out, the gain in MAP over BM25 without",
            f"endings and stop words is {gains[0]} by the vectors and {gains[1]} by",
            "the fusion, paired by query.",
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    typer.run(main)
