"""What goes wrong in late_interaction_search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from keras import ops

import course.ranking as right
from course.word_vectors import stacked
from grading.exercises.ranking.checks import searching

Found = tuple[np.ndarray, np.ndarray]
Vectors = Sequence[np.ndarray]


def owned(query: Any, index: Any, owners: Any, per_token: int) -> np.ndarray:
    """The owner of each vector that is found, (words, per_token)."""
    return np.asarray(owners)[index.nearest(query, min(per_token, len(owners)))]


def scored(query: Any, vectors: Vectors, candidates: np.ndarray) -> np.ndarray:
    kept, mask = stacked([np.asarray(vectors[number]) for number in candidates])
    words = np.ones((1, len(query)), bool)
    return ops.convert_to_numpy(right.max_sim(np.asarray(query)[None], kept, words, mask))[0]


def best(candidates: np.ndarray, scores: np.ndarray, k: int) -> Found:
    order = np.argsort(-scores, kind="stable")[:k]
    return candidates[order], scores[order]


@searching.whole_mistake(
    "A document that several words find is there several times.",
    hint="Each result is a document. How often may it be in the list?",
)
def repeated(query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int) -> Found:
    candidates = np.sort(owned(query_vectors, index, owners, per_token).ravel())
    return best(candidates, scored(query_vectors, document_vectors, candidates), k)


@searching.whole_mistake(
    "The numbers of vectors are taken for those of documents.",
    hint="The index holds vectors. Who says which document a vector belongs to?",
)
def owners_forgotten(
    query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int
) -> Found:
    found = np.unique(index.nearest(query_vectors, min(per_token, len(owners))))
    candidates = np.unique(np.minimum(found, len(document_vectors) - 1))
    return best(candidates, scored(query_vectors, document_vectors, candidates), k)


@searching.whole_mistake(
    "`k` counts vectors: each word of the query asks for `k` of them, whatever `per_token` says.",
    hint="`per_token` is for the index, and `k` for the results.",
)
def k_for_tokens(
    query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int
) -> Found:
    return right.late_interaction_search(query_vectors, index, owners, document_vectors, k, k)


@searching.whole_mistake(
    "The words ask for `per_token` vectors all together, not each of them.",
    hint="Is a word's best match still found, if another word has many good ones?",
)
def asked_together(
    query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int
) -> Found:
    each = max(1, per_token // len(query_vectors))
    return right.late_interaction_search(query_vectors, index, owners, document_vectors, each, k)


@searching.whole_mistake(
    "Only the first word of the query asks the index.",
    hint="A document that answers the second word has to be found, too.",
)
def first_word_asks(
    query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int
) -> Found:
    candidates = np.unique(owned(query_vectors[:1], index, owners, per_token))
    return best(candidates, scored(query_vectors, document_vectors, candidates), k)


@searching.whole_mistake(
    "The mean of the query's words asks the index, once.",
    hint="That is what two towers do. Here each word looks for its own match.",
)
def mean_asks(query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int) -> Found:
    mean = np.mean(query_vectors, axis=0, keepdims=True)
    candidates = np.unique(owned(mean, index, owners, per_token))
    return best(candidates, scored(query_vectors, document_vectors, candidates), k)


@searching.whole_mistake(
    "A document is scored only by the words that found it.",
    hint="What the index found are candidates. By which words is a candidate scored?",
)
def scored_by_finders(
    query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int
) -> Found:
    found = owned(query_vectors, index, owners, per_token)
    candidates = np.unique(found)
    scores = np.array(
        [
            scored(np.asarray(query_vectors)[(found == number).any(axis=1)], document_vectors, np.array([number]))[0]
            for number in candidates
        ],
        "float32",
    )
    return best(candidates, scores, k)


@searching.whole_mistake(
    "The score is the number of words that found a document.",
    hint="The index says who may be good. What says how good?",
)
def counted(query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int) -> Found:
    found = owned(query_vectors, index, owners, per_token)
    candidates = np.unique(found)
    return best(candidates, np.array([(found == one).any(axis=1).sum() for one in candidates], "float32"), k)


@searching.whole_mistake(
    "All documents are scored: the index might as well not be there.",
    hint="With a million documents, how many should be scored?",
)
def everything(query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int) -> Found:
    candidates = np.arange(len(document_vectors))
    return best(candidates, scored(query_vectors, document_vectors, candidates), k)


@searching.whole_mistake(
    "The candidates are not sorted by their scores.",
    hint="In which order are results wanted?",
)
def unsorted(query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int) -> Found:
    candidates = np.unique(owned(query_vectors, index, owners, per_token))
    return candidates[:k], scored(query_vectors, document_vectors, candidates)[:k]


@searching.whole_mistake(
    "The worst candidates come first.",
    hint="np.argsort sorts from low to high.",
)
def ascending(query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int) -> Found:
    candidates = np.unique(owned(query_vectors, index, owners, per_token))
    scores = scored(query_vectors, document_vectors, candidates)
    order = np.argsort(scores, kind="stable")[:k]
    return candidates[order], scores[order]


@searching.whole_mistake(
    "The documents are sorted, and their scores are not.",
    hint="Score i belongs to document i of the answer.",
)
def scores_left_behind(
    query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int
) -> Found:
    candidates = np.unique(owned(query_vectors, index, owners, per_token))
    scores = scored(query_vectors, document_vectors, candidates)
    return best(candidates, scores, k)[0], scores[:k]


@searching.whole_mistake(
    "Places among the candidates are returned, not the numbers of the documents.",
    hint="np.argsort gives places. In which list?",
)
def places(query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int) -> Found:
    candidates = np.unique(owned(query_vectors, index, owners, per_token))
    return best(np.arange(len(candidates)), scored(query_vectors, document_vectors, candidates), k)


@searching.whole_mistake(
    "Of equal documents the one of the higher number comes first.",
    hint="An order that is turned round turns ties round as well.",
)
def ties_turned(
    query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int
) -> Found:
    candidates = np.unique(owned(query_vectors, index, owners, per_token))
    scores = scored(query_vectors, document_vectors, candidates)
    order = np.argsort(scores, kind="stable")[::-1][:k]
    return candidates[order], scores[order]


@searching.whole_mistake(
    "All candidates are returned, not the best k.",
    hint="How many results were asked for?",
)
def k_forgotten(
    query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int
) -> Found:
    return right.late_interaction_search(
        query_vectors, index, owners, document_vectors, per_token, len(document_vectors)
    )


@searching.whole_mistake(
    "The best score of all words is taken, not their sum.",
    hint="`max_sim` is the score. What did it do with the maxima?",
)
def best_match(query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int) -> Found:
    candidates = np.unique(owned(query_vectors, index, owners, per_token))
    words = [
        scored(np.asarray(query_vectors)[place : place + 1], document_vectors, candidates)
        for place in range(len(query_vectors))
    ]
    return best(candidates, np.max(words, axis=0), k)


@searching.whole_mistake(
    "Padding of the stacked documents is scored as if it were words.",
    hint="Documents have different lengths. What does `stacked` give beside the vectors?",
)
def padding_scored(
    query_vectors: Any, index: Any, owners: Any, document_vectors: Vectors, per_token: int, k: int
) -> Found:
    candidates = np.unique(owned(query_vectors, index, owners, per_token))
    kept, mask = stacked([np.asarray(document_vectors[number]) for number in candidates])
    words = np.ones((1, len(query_vectors)), bool)
    scores = ops.convert_to_numpy(right.max_sim(np.asarray(query_vectors)[None], kept, words, mask | True))[0]
    return best(candidates, scores, k)
