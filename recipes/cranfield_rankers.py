"""python -m recipes.cranfield_rankers: quality and latency of neural rankers and BM25 on the Cranfield collection.

Each ranker begins with a randomly initialized encoder of two blocks, and a vocabulary from the abstracts. It learns
with the titles as queries: each belongs to one abstract, which is shown without its title. The 225 queries of the
collection serve as the test. Only one number is chosen on them: a ranker's weight beside BM25, chosen on one half of
the queries for the other half. The data are downloaded, or read from the folder that CRANFIELD_DIR names. The recipe
writes its results after each ranker, and resumes there.

With `--encoder FOLDER`, the rankers begin with published weights, beside BM25 at its best: without endings and stop
words. Their results are in a file of their own.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any

import keras
import numpy as np
import typer
from rich.console import Console

from course.applications.retrieval.searching import VectorsOf
from course.applications.retrieval.segments import with_segments
from course.applications.retrieval.teaching import Lesson, likest_wrong, teach
from course.applications.retrieval.trained_ranker import TextReader, TrainedRanker, texts_as_they_are
from course.applications.retrieval.training import train_pairs
from course.applications.search.bm25 import Bm25
from course.applications.search.indexing import make_index
from course.applications.search.max_sim import MaxSim
from course.applications.search.vectors import open_vectors
from course.data.datasets import load_cranfield
from course.data.datasets.cranfield import Cranfield, own_papers
from course.data.text.wordpiece import WordPieceTokenizer
from course.errors import as_course_errors
from course.evaluation.bootstrap import bootstrap_difference, bootstrap_interval
from course.matching import PairClassifier, pack_texts
from course.ranking import duo_rank
from course.storage.outputs import write_json
from course.training.encoder_source import EncoderSource, from_folder, from_preset
from course.training.logits import predict_logits
from recipes.cranfield import MEASURES, measures, texts_of
from recipes.cranfield_drawn import keep_drawn
from recipes.cranfield_models import SplitOnline, SplitRanker, WordByWord, fixed, split_rows

RESULTS = Path(__file__).with_suffix(".json")
PUBLISHED = RESULTS.with_name("cranfield_rankers_published.json")
DEPTH = 20  # how many of BM25's documents are reranked
DUO = 5  # how many of these are compared in pairs
LESSON = Lesson(epochs=3, query_length=24, document_length=80, width=32, negatives=2, seed=1)
TOGETHER = replace(LESSON, epochs=1)  # each wrong document has a row, too
PUBLISHED_RATE = 1e-4  # the peak learning rate with published weights
WEIGHTS = np.linspace(0, 1, 11)  # of a ranker beside BM25

VOCABULARY, LENGTH = 6000, 184  # LENGTH: of a query and the two documents that duo compares

# The scores of some documents for a query, by the numbers of both.
Score = Callable[[int, np.ndarray], np.ndarray]
# The rows of queries and their documents.
Rows = Callable[[list[str], list[str]], dict[str, np.ndarray]]


@dataclass(frozen=True)
class Collection:
    """Cranfield, the training pairs made from it, and BM25's results.

    Args:
        data: as from `load_cranfield`.
        folder: the folder for indexes.
        language: whose endings and stop words BM25 ignores. None: words as they stand.
    """

    data: Cranfield
    folder: Path
    language: str | None = None

    @cached_property
    def texts(self) -> list[str]:
        return self.data.documents["text"].tolist()

    @cached_property
    def queries(self) -> list[str]:
        return self.data.queries["text"].tolist()

    @cached_property
    def pairs(self) -> tuple[list[str], list[str]]:
        """Titles, and the abstracts without them."""
        documents = zip(self.data.documents["title"], self.texts, strict=True)
        pairs = [(title, text.removeprefix(title).strip()) for title, text in documents]
        complete = [(title, text) for title, text in pairs if title and text]
        return [title for title, _ in complete], [text for _, text in complete]

    @cached_property
    def relevant(self) -> list[set[int]]:
        """For each query the places of the documents that answer it."""
        judged = self.data.judgements[self.data.judgements["gain"] > 0]
        answers = judged.groupby("query")["document"].agg(set)
        place = {number: place for place, number in enumerate(self.data.documents["document"])}
        return [{place[number] for number in answers[query]} for query in self.data.queries["query"]]

    @cached_property
    def own_papers(self) -> list[list[int]]:
        """For each query the places of the author's own papers, which nobody judged."""
        papers = own_papers(self.data.judgements)
        place = {number: place for place, number in enumerate(self.data.documents["document"])}
        return [[place[number] for number in papers.get(query, ())] for query in self.data.queries["query"]]

    @cached_property
    def bm25(self) -> Bm25:
        folder = self.folder / (self.language or "index")
        return Bm25(make_index(texts_of(self.data.documents), folder, language=self.language).index)

    @cached_property
    def found(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """All documents that BM25 finds for each query, and their scores."""
        return [(*self.bm25.rank(query, len(self.texts)),) for query in self.queries]


def measured(rankings: list[np.ndarray], collection: Collection) -> np.ndarray:
    """The measures of each query, without the authors' own papers: (queries, measures)."""
    of_queries = zip(rankings, collection.relevant, collection.own_papers, strict=True)
    return np.array([measures(found[~np.isin(found, own)].tolist(), relevant) for found, relevant, own in of_queries])


def said(each: np.ndarray, of_bm25: np.ndarray) -> dict[str, Any]:
    """The mean of each measure with its interval, and its paired difference from BM25's."""
    return {
        name: {
            **bootstrap_interval(np.mean, each[:, place])._asdict(),
            "above BM25": bootstrap_difference(np.mean, each[:, place], of_bm25[:, place])._asdict(),
        }
        for place, name in enumerate(MEASURES)
    }


def reranked(found: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """The first documents in the order of their new scores, followed by the others in their old order."""
    return np.concatenate([found[np.argsort(-scores, kind="stable")], found[len(scores) :]])


def beside_bm25(of_queries: list[np.ndarray], collection: Collection) -> tuple[list[np.ndarray], list[float]]:
    """Reranks BM25's first documents by a weighted mean of both scores; each half's weight is chosen on the other half.

    Args:
        of_queries: for each query the ranker's scores of the first documents that BM25 found.

    Returns:
        The rankings, and the ranker's weights for the two halves.
    """
    by_weight = [
        [
            reranked(found, weight * _standard(scores) + (1 - weight) * _standard(bm25[: len(scores)]))
            for scores, (found, bm25) in zip(of_queries, collection.found, strict=True)
        ]
        for weight in WEIGHTS
    ]
    ndcg = np.stack([measured(rankings, collection)[:, 1] for rankings in by_weight])  # (weights, queries)
    half = np.arange(len(of_queries)) % 2
    best = [int(ndcg[:, half != side].mean(axis=1).argmax()) for side in (0, 1)]
    rankings = [by_weight[best[side]][query] for query, side in enumerate(half)]
    return rankings, [float(WEIGHTS[index]) for index in best]


def _standard(scores: np.ndarray) -> np.ndarray:
    return (scores - scores.mean()) / max(float(scores.std()), 1e-9)


def reread(collection: Collection, score: Score) -> dict[str, Any]:
    """The results of a ranker that rescores BM25's first documents, alone and combined with BM25."""
    firsts = [found[:DEPTH] for found, _ in collection.found]
    score(0, firsts[0])  # compiles the model before the timing
    scores, seconds = [], []
    for query, first in enumerate(firsts):
        began = time.process_time()
        collection.bm25.rank(collection.queries[query], DEPTH)
        scores.append(score(query, first))
        seconds.append(time.process_time() - began)
    of_bm25 = measured([found for found, _ in collection.found], collection)
    rankings = [reranked(found, new) for (found, _), new in zip(collection.found, scores, strict=True)]
    both, weights = beside_bm25(scores, collection)
    return {
        **said(measured(rankings, collection), of_bm25),
        "beside BM25": {**said(measured(both, collection), of_bm25), "weights": weights},
        "CPU ms a query": round(1000 * float(np.median(seconds)), 2),
    }


def from_all(collection: Collection, ranker: MaxSim | Bm25) -> dict[str, Any]:
    """The results of a ranker that searches all documents."""
    ranker.rank(collection.queries[0], DEPTH)
    rankings, seconds = [], []
    for query in collection.queries:
        began = time.process_time()
        rankings.append(ranker.rank(query, len(collection.texts)).documents)
        seconds.append(time.process_time() - began)
    of_bm25 = measured([found for found, _ in collection.found], collection)
    return {
        **said(measured(rankings, collection), of_bm25),
        "CPU ms a query": round(1000 * float(np.median(seconds)), 2),
    }


def by_vectors(
    name: str, ranker: TrainedRanker, losses: list[float], collection: Collection
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the results of a bi-encoder: over all documents, exactly and with a graph, and on BM25's documents."""
    encoder = VectorsOf(name, ranker)
    index = make_index(texts_of(collection.data.documents), collection.folder / name, encoders=[encoder]).index
    yield name, {**from_all(collection, MaxSim(index, encoder, None)), "losses": losses}
    (path,), (entry,) = index.paths, index.vectors
    vectors = open_vectors(path, encoder.fingerprint, False)
    has_vectors = np.diff(vectors.starts) > 0

    def score(query: int, documents: np.ndarray) -> np.ndarray:
        scores = np.full(len(documents), -100.0)
        known = has_vectors[documents]
        order = np.sort(documents[known])
        (query_vectors,) = encoder.queries([collection.queries[query]])
        scores[known] = vectors.scores(query_vectors, order)[np.searchsorted(order, documents[known])]
        return scores

    yield f"BM25, then {name}", reread(collection, score)
    if any(entry.graphs):
        yield f"{name} by a graph", from_all(collection, MaxSim(index, encoder))


def taught(model: keras.Model, rows: Rows, collection: Collection, lesson: Lesson) -> tuple[Score, list[float]]:
    """Trains a model that reads a query and a document together. Returns its scoring function, and the losses."""
    queries, documents = collection.pairs
    pairs = likest_wrong(queries, documents, lesson.negatives)
    inputs = rows([queries[index] for index in pairs.queries], [documents[index] for index in pairs.documents])
    settings: dict[str, Any] = {"learning_rate": lesson.learning_rate, "epochs": lesson.epochs, "seed": lesson.seed}
    losses = train_pairs(model, inputs, pairs.labels, **settings)

    def score(query: int, found: np.ndarray) -> np.ndarray:
        texts = [collection.texts[document] for document in found]
        return predict_logits(model, rows([collection.queries[query]] * len(texts), texts))

    return score, losses


def at_split(
    source: EncoderSource, collection: Collection, split: int, reader: TextReader, lesson: Lesson
) -> dict[str, Any]:
    """The results of a split encoder, which reads documents in advance, and queries when they come."""
    model = SplitRanker(source.make("float32"), split, reader.query_length)
    _, losses = taught(model, partial(split_rows, reader), collection, lesson)
    ids = fixed(reader.documents(collection.texts)["token_ids"][:, 1:], reader.document_length - 1)
    encoded = np.concatenate(
        [
            keras.ops.convert_to_numpy(model.reader.encode_document(part, part != 0)).astype("float16")
            for part in np.array_split(ids, 20)
        ]
    )
    online = SplitOnline(model)
    online.compile(jit_compile=False)

    def score(query: int, found: np.ndarray) -> np.ndarray:
        query_ids = fixed(reader.queries([collection.queries[query]])["token_ids"], reader.query_length)
        repeated = np.repeat(query_ids, len(found), axis=0)
        documents = encoded[found].astype("float32")
        return online.predict_on_batch({"query_ids": repeated, "document": documents, "mask": ids[found] != 0})

    return {**reread(collection, score), "losses": losses, "MB of documents": encoded.nbytes / 1e6}


def likest_other(queries: list[str], documents: list[str]) -> np.ndarray:
    """The wrong document that BM25 scores highest for each query: (queries,)."""
    pairs = likest_wrong(queries, documents, 1)
    is_wrong = pairs.labels == 0
    wrong = np.empty(len(queries), "int64")
    wrong[pairs.queries[is_wrong]] = pairs.documents[is_wrong]  # the queries come in random order
    return wrong


def by_duo(source: EncoderSource, collection: Collection, mono: Score, reader: TextReader) -> dict[str, Any]:
    """The results of duo ranking: the cross-encoder's best, compared in pairs; a query and two documents in one row."""
    tokenizer = WordPieceTokenizer(source.vocabulary, source.vocabulary.drops_case(source.lowercase))
    ids = source.vocabulary.ids_of(["[CLS]", "[SEP]"])
    length = reader.query_length + 2 * reader.document_length - 2

    def rows(queries: list[str], first: list[str], second: list[str]) -> dict[str, np.ndarray]:
        packed = [
            pack_texts(
                [query[: reader.query_length - 2], *(text[: reader.document_length - 2] for text in texts)],
                length,
                cls_id=ids[0],
                sep_id=ids[1],
            )
            for query, *texts in zip(
                *([*map(list, tokenizer.encode(texts))] for texts in (queries, first, second)), strict=True
            )
        ]
        return {name: np.stack([row[name] for row in packed]) for name in packed[0]}

    model = PairClassifier(with_segments(source.make("float32"), 3))
    titles, abstracts = collection.pairs
    wrong = likest_other(titles, abstracts)
    labels = np.arange(len(titles)) % 2  # in every other row, the query's own document comes after the wrong one
    own = np.arange(len(titles))
    first, second = np.where(labels, own, wrong), np.where(labels, wrong, own)
    inputs = rows(titles, [abstracts[index] for index in first], [abstracts[index] for index in second])
    losses = train_pairs(model, inputs, labels, learning_rate=TOGETHER.learning_rate, epochs=2, seed=TOGETHER.seed)

    def score(query: int, found: np.ndarray) -> np.ndarray:
        scores = np.asarray(mono(query, found), "float64")
        best = found[np.argsort(-scores, kind="stable")][:DUO]

        def compare(ahead: np.ndarray, behind: np.ndarray) -> np.ndarray:
            texts = [[collection.texts[document] for document in side] for side in (ahead, behind)]
            logits = predict_logits(model, rows([collection.queries[query]] * len(ahead), *texts))
            return 1 / (1 + np.exp(-logits.astype("float64")))

        order, _ = duo_rank(best, compare)
        # The compared documents come before all others, in their new order.
        place = {int(document): rank for rank, document in enumerate(order)}
        ahead = scores.max() + DUO
        return np.array(
            [
                ahead - place[int(document)] if int(document) in place else old
                for document, old in zip(found, scores, strict=True)
            ]
        )

    return {**reread(collection, score), "losses": losses}


def rankers(
    source: EncoderSource, collection: Collection, published: bool = False
) -> dict[str, Callable[[], Iterator[tuple[str, dict[str, Any]]]]]:
    """For the name of each ranker a function that trains and measures it; some yield several results."""
    reader = TextReader(source.vocabulary, LESSON.query_length, LESSON.document_length, source.lowercase)
    lesson = replace(TOGETHER, learning_rate=PUBLISHED_RATE) if published else TOGETHER

    def apart(kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
        return by_vectors(kind, *teach(kind, source, *collection.pairs, LESSON), collection)

    def as_published() -> Iterator[tuple[str, dict[str, Any]]]:
        return by_vectors("as published", texts_as_they_are(source), [], collection)

    def word_by_word(pooling: str, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        model = WordByWord(source.make("float32"), pooling)
        score, losses = taught(model, reader.pairs, collection, replace(LESSON, epochs=4, learning_rate=5e-3))
        yield name, {**reread(collection, score), "losses": losses}

    def together(kind: str, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        ranker, losses = teach(kind, source, *collection.pairs, lesson)

        def score(query: int, found: np.ndarray) -> np.ndarray:
            texts = [collection.texts[document] for document in found]
            return predict_logits(ranker.model, reader.pairs([collection.queries[query]] * len(texts), texts))

        yield name, {**reread(collection, score), "losses": losses}
        if kind == "cross" and not published:  # with six blocks, as long as everything else
            yield "cross-encoder, then duo", by_duo(source, collection, score, reader)

    def split(blocks: int) -> Iterator[tuple[str, dict[str, Any]]]:
        yield f"split behind block {blocks}", at_split(source, collection, blocks, reader, lesson)

    layers = source.arguments["num_layers"]
    bm25 = {"BM25": lambda: iter([("BM25", from_all(collection, collection.bm25))])}
    read_together = {
        "cross-encoder": lambda: together("cross", "cross-encoder"),
        "CEDR": lambda: together("cedr", "CEDR"),
    }
    if published:
        return {**bm25, "as published": as_published, **read_together, "split": partial(split, layers // 2)}
    return {
        **bm25,
        "DSSM": lambda: apart("dssm"),
        "MaxSim": lambda: apart("maxsim"),
        "K-NRM": lambda: word_by_word("kernels", "K-NRM"),
        "DRMM": lambda: word_by_word("histogram", "DRMM"),
        **read_together,
        **{f"split {blocks}": partial(split, blocks) for blocks in reversed(range(layers))},
    }


def summary(results: dict[str, Any], encoder: str, pairs: int, lessons: dict[str, Lesson]) -> dict[str, Any]:
    """The stored results of all rankers."""
    said_lessons = {name: asdict(lesson) for name, lesson in lessons.items()}
    return {
        "settings": {"encoder": encoder, "pairs": pairs, "depth": DEPTH, "duo": DUO, **said_lessons},
        "CPU seconds": {name: result["CPU seconds"] for name, result in results.items()},
        "rankers": {name: ranker for result in results.values() for name, ranker in result["results"].items()},
    }


def main(
    to: Annotated[Path, typer.Option(help="The folder for indexes and results.")] = Path("build/cranfield"),
    encoder: Annotated[
        Path | None, typer.Option(help="Published weights to begin with, instead of random ones.")
    ] = None,
) -> None:
    """Trains and measures the rankers without results yet, and writes the results."""
    with as_course_errors():
        data = load_cranfield()
    if encoder is None:
        collection = Collection(data, to / "indexes")
        source = from_preset("tiny", collection.texts, LENGTH, VOCABULARY).with_dropout(0.0)
        kept, lessons = RESULTS, {"read apart": LESSON, "read together": TOGETHER}
    else:
        to = to / encoder.name  # apart from the results and indexes of random weights
        collection = Collection(data, to / "indexes", "en")
        with as_course_errors():
            source = from_folder(encoder)
        kept, lessons = PUBLISHED, {"read together": replace(TOGETHER, learning_rate=PUBLISHED_RATE)}
    file = to / "rankers.json"
    results: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    for name, measure in rankers(source, collection, encoder is not None).items():
        if name in results:
            continue
        began = time.process_time()
        keras.utils.set_random_seed(LESSON.seed)
        measurements = dict(measure())
        results[name] = {"results": measurements, "CPU seconds": round(time.process_time() - began, 1)}
        write_json(file, results)
        stored = summary(results, source.said, len(collection.pairs[0]), lessons)
        write_json(kept, stored)
        if kept == RESULTS:
            keep_drawn(stored["rankers"])
        for ranker, numbers in measurements.items():
            Console().print(ranker, *(f"{measure_of} {numbers[measure_of]['value']:.3f}" for measure_of in MEASURES))
    Console().print(f"{kept}: written.")


if __name__ == "__main__":
    typer.run(main)
