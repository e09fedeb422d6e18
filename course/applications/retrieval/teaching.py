"""Teach a ranker from queries and the document that answers each. The documents of other queries are wrong answers.

A text may be in several pairs. What answers a query in one of them is no wrong answer to it in another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import keras
import numpy as np

from course.applications.retrieval.headlines import Pairs, hard_pairs
from course.applications.retrieval.late_interaction import WordVectors, max_sim_loss, no_words
from course.applications.retrieval.trained_ranker import KINDS, READ_APART, TextReader, TrainedRanker
from course.applications.retrieval.training import answered, text_numbers, train_pairs, train_towers
from course.applications.search.bm25 import K1, B, inverse_document_frequency, score_part
from course.applications.search.document import Document
from course.applications.search.part import Part
from course.applications.search.words import search_words
from course.matching import in_batch_loss
from course.training.encoder_source import EncoderSource
from course.training.frozen import frozen
from course.training.last_block import first_token_alone
from course.validation.values import require_choice, require_numbers, require_seed, require_sizes, require_text_pairs

_COMPARED = 2000  # negatives of a query come from about this many documents; from all, if there are fewer


@dataclass(frozen=True)
class Lesson:
    """How a ranker is taught.

    Attributes:
        epochs: passes over all queries.
        learning_rate: the peak learning rate.
        batch_size: pairs per step.
        query_length: the longest query, in tokens with [CLS] and [SEP].
        document_length: the longest document, likewise.
        width: of the word vectors of the kind "maxsim".
        negatives: how many of the wrong documents that BM25 scores highest each query gets, for kinds that read both
            texts together.
        seed: of everything random.
    """

    epochs: int = 4
    learning_rate: float = 5e-4
    batch_size: int = 32
    query_length: int = 32
    document_length: int = 128
    width: int = 32
    negatives: int = 3
    seed: int = 0

    def __post_init__(self) -> None:
        require_sizes(epochs=self.epochs, batch_size=self.batch_size, width=self.width, negatives=self.negatives)
        require_numbers(learning_rate=self.learning_rate)
        require_seed(self.seed)


def teach(
    kind: str, source: EncoderSource, queries: Sequence[str], documents: Sequence[str], lesson: Lesson
) -> tuple[TrainedRanker, list[float]]:
    """Teach a ranker of a kind.

    Args:
        kind: "dssm", a vector for each text; "maxsim", a vector for each word; "cross", both texts in one row; "cedr",
            both in one row, with histograms of word similarities.
        source: of the initial encoder.
        queries: (pairs,).
        documents: (pairs,), the answer to each query.
        lesson: the settings.

    Returns:
        The ranker, and the mean loss of each epoch.

    Raises:
        TypeError: not texts.
        ValueError: an unknown kind, too few pairs, or texts longer than the encoder reads.
    """
    require_choice("kind", kind, [*KINDS])
    queries, documents = require_text_pairs(queries, documents)
    keras.utils.set_random_seed(lesson.seed)
    left_out = no_words([*source.vocabulary])
    options = {"width": lesson.width, "left_out": left_out} if kind == "maxsim" else {}
    model = KINDS[kind](source.make("float32"), **options)
    model.build({"token_ids": (None, None)})
    reader = TextReader(source.vocabulary, lesson.query_length, lesson.document_length, source.lowercase)
    ranker = TrainedRanker(kind, model, reader)
    settings: dict[str, Any] = {
        "learning_rate": lesson.learning_rate,
        "batch_size": lesson.batch_size,
        "epochs": lesson.epochs,
        "seed": lesson.seed,
    }
    if kind in READ_APART:
        loss = max_sim_loss if isinstance(model, WordVectors) else in_batch_loss
        sides = (reader.queries(queries), reader.documents(documents))
        return ranker, train_towers(model, *sides, loss=loss, texts=text_numbers(queries, documents), **settings)
    pairs = likest_wrong(queries, documents, lesson.negatives, lesson.seed)
    rows = reader.pairs(
        [queries[number] for number in pairs.queries], [documents[number] for number in pairs.documents]
    )
    unused = [model.encoder.pooler] if kind == "cedr" else []  # no score depends on it
    with frozen(*unused), first_token_alone(model):
        return ranker, train_pairs(model, rows, pairs.labels, **settings)


def likest_wrong(queries: Sequence[str], documents: Sequence[str], negatives: int, seed: int = 0) -> Pairs:
    """Pair each query with its own document, and with the wrong documents that BM25 scores highest.

    The queries come in random order. With many thousand pairs, the negatives of a query come from a random group of at
    most two thousand documents.

    Args:
        queries: (pairs,).
        documents: (pairs,). Document i is that of query i.
        negatives: how many wrong documents each query gets.
        seed: of the random order and groups.

    Raises:
        ValueError: too few documents.
    """
    order = np.random.default_rng(seed).permutation(len(queries))
    groups, texts = [], text_numbers(queries, documents)
    for some in np.array_split(order, -(-len(order) // _COMPARED)):
        scores = bm25_scores([queries[number] for number in some], [documents[number] for number in some])
        scores[answered(texts, some)] = -np.inf
        pairs = hard_pairs(scores, negatives)
        groups.append((some[pairs.queries], some[pairs.documents], pairs.labels))
    return Pairs(*map(np.concatenate, zip(*groups, strict=True)))


def bm25_scores(queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
    """Return the BM25 score of each query and each document: float32, (queries, documents)."""
    part = Part.of_documents(Document("", "", text) for text in documents)
    average = max(1.0, float(part.lengths.mean()))
    scores = np.empty((len(queries), len(documents)), "float32")
    for row, query in zip(scores, queries, strict=True):
        times = Counter(search_words(query))
        weights = {
            word: count * float(inverse_document_frequency(np.array(len(part.postings(word)[0])), len(documents)))
            for word, count in times.items()
        }
        row[:] = score_part(part, weights, average, K1, B)
    return scores
