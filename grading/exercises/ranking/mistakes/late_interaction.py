"""What goes wrong in max_sim."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.ranking as right
from course.word_vectors import unit_vectors
from grading.exercises.ranking.checks import late


def products(queries: Any, documents: Any) -> Any:
    """(queries, documents, query_length, document_length)."""
    return ops.einsum("qiw,djw->qdij", queries, documents)


def cosines(query_vectors: Any, document_vectors: Any) -> Any:
    return products(unit_vectors(query_vectors), unit_vectors(document_vectors))


def shown(values: Any, document_mask: Any, low: float = -1.0) -> Any:
    return ops.where(document_mask[None, :, None, :], values, low)


def summed(values: Any, query_mask: Any) -> Any:
    return ops.sum(ops.where(query_mask[:, None, :], values, 0.0), axis=-1)


def finished(values: Any, query_mask: Any, document_mask: Any) -> Any:
    return summed(ops.max(shown(values, document_mask), axis=-1), query_mask)


@late.whole_mistake(
    "Padding of a document has a cosine of 0, and wins where all others are negative.",
    hint="ColBERT's first program did so, too. Which number can no cosine be below?",
)
def padding_at_zero(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    values = shown(cosines(query_vectors, document_vectors), document_mask, 0.0)
    return summed(ops.max(values, axis=-1), query_mask)


@late.whole_mistake(
    "`document_mask` is not used: padding may be the most similar word.",
    hint="At padding there are vectors, too.",
)
def document_mask_forgotten(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    return right.max_sim(query_vectors, document_vectors, query_mask, ops.ones_like(document_mask))


@late.whole_mistake(
    "`query_mask` is not used: padding of the query adds its best match.",
    hint="Two queries that differ in padding alone must have the same score.",
)
def query_mask_forgotten(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    return right.max_sim(query_vectors, document_vectors, ops.ones_like(query_mask), document_mask)


@late.whole_mistake(
    "Padding of the query adds -1 for each of its places.",
    hint="What does a word add that is not there?",
)
def query_padding_is_low(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    values = ops.max(shown(cosines(query_vectors, document_vectors), document_mask), axis=-1)
    return ops.sum(ops.where(query_mask[:, None, :], values, -1.0), axis=-1)


@late.whole_mistake(
    "The scores are means over the words of the query, not sums.",
    hint="The equation has Σ over i, and nothing under it.",
)
def mean_of_query(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    found = right.max_sim(query_vectors, document_vectors, query_mask, document_mask)
    return found / ops.maximum(ops.sum(ops.cast(query_mask, "float32"), axis=1, keepdims=True), 1.0)


@late.whole_mistake(
    "The mean over the words of the document is taken, not the most similar one.",
    hint="One good match is enough. What does a long document do to a mean?",
)
def mean_of_document(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    values = cosines(query_vectors, document_vectors)
    words = ops.cast(document_mask, "float32")[None, :, None, :]
    return summed(ops.sum(values * words, axis=-1) / ops.maximum(ops.sum(words, axis=-1), 1.0), query_mask)


@late.whole_mistake(
    "The two sides are swapped: for each word of the document the most similar word of the query is found.",
    hint="Should a long document have a higher score because it is long?",
)
def swapped(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    return ops.transpose(right.max_sim(document_vectors, query_vectors, document_mask, query_mask))


@late.whole_mistake(
    "The result is (documents, queries).",
    hint="A row for each query. Which axis comes first?",
)
def turned(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    return ops.transpose(right.max_sim(query_vectors, document_vectors, query_mask, document_mask))


@late.whole_mistake(
    "The vectors are not brought to length 1: the scores are products, not cosines.",
    hint="A long vector would be like everything. What is a cosine divided by?",
)
def not_normalised(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    sides = (ops.cast(vectors, "float32") for vectors in (query_vectors, document_vectors))
    values = ops.where(document_mask[None, :, None, :], products(*sides), -1e9)
    low = ops.where(ops.any(document_mask, axis=1)[None, :, None], ops.max(values, axis=-1), -1.0)
    return summed(low, query_mask)


@late.whole_mistake(
    "Only the documents are brought to length 1.",
    hint="A cosine is divided by both lengths.",
)
def one_side_normalised(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    values = products(ops.cast(query_vectors, "float32"), unit_vectors(document_vectors))
    values = ops.where(document_mask[None, :, None, :], values, -1e9)
    low = ops.where(ops.any(document_mask, axis=1)[None, :, None], ops.max(values, axis=-1), -1.0)
    return summed(low, query_mask)


@late.whole_mistake(
    "Vectors are normalised over the words of a text, not over their features.",
    hint="Each word gets length 1 for itself. Which axis holds its features?",
)
def normalised_over_words(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    sides = [
        ops.transpose(unit_vectors(ops.transpose(vectors, (0, 2, 1))), (0, 2, 1))
        for vectors in map(ops.convert_to_tensor, (query_vectors, document_vectors))
    ]
    return finished(products(*sides), query_mask, document_mask)


@late.whole_mistake(
    "The distances between vectors are compared, not the angles.",
    hint="The nearest vector and the most similar one are the same only at length 1; and the score is a cosine.",
)
def negative_distances(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    values = cosines(query_vectors, document_vectors)
    return finished(-(2 - 2 * values), query_mask, document_mask)


@late.whole_mistake(
    "The lowest cosine is taken, not the highest.",
    hint="For each word of the query: which word of the document is most similar to it?",
)
def lowest(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    values = ops.where(document_mask[None, :, None, :], cosines(query_vectors, document_vectors), 1.0)
    return summed(ops.min(values, axis=-1), query_mask)


@late.whole_mistake(
    "Negative maxima are cut off at 0.",
    hint="A document that says the contrary should not be as good as one that says nothing.",
)
def relu(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    values = ops.max(shown(cosines(query_vectors, document_vectors), document_mask), axis=-1)
    return summed(ops.relu(values), query_mask)


@late.whole_mistake(
    "Only one word of the query counts: the best of its maxima, not their sum.",
    hint="A document should answer all words of the query.",
)
def best_word_only(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    values = ops.max(shown(cosines(query_vectors, document_vectors), document_mask), axis=-1)
    return ops.max(ops.where(query_mask[:, None, :], values, -1.0), axis=-1)


@late.whole_mistake(
    "A softmax takes the place of the maximum: every word of the document has a part in it.",
    hint="That would be attention. Here one word wins.",
)
def softly(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    values = cosines(query_vectors, document_vectors)
    weights = ops.softmax(shown(values, document_mask, -1e9), axis=-1)
    return summed(ops.sum(weights * values, axis=-1), query_mask)


@late.whole_mistake(
    "A document without a word gets minus infinity.",
    hint="What is minus infinity, added to another one with the opposite sign? And which cosine is the lowest?",
)
def empty_is_infinite(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    values = shown(cosines(query_vectors, document_vectors), document_mask, -float("inf"))
    return summed(ops.max(values, axis=-1), query_mask)


@late.whole_mistake(
    "A document without a word gets a score of 0: it is better than one that says the contrary.",
    hint="What is the lowest cosine that there is?",
)
def empty_is_zero(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    found = right.max_sim(query_vectors, document_vectors, query_mask, document_mask)
    return ops.where(ops.any(document_mask, axis=1)[None, :], found, 0.0)


@late.whole_mistake(
    "The vectors are divided by their lengths without a floor: a vector of zeros makes NaN.",
    hint="0 / 0 is NaN. How long must a vector be at least, to be divided by?",
)
def no_floor(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    sides = [ops.cast(vectors, "float32") for vectors in (query_vectors, document_vectors)]
    unit = [side / ops.sqrt(ops.sum(side**2, axis=-1, keepdims=True)) for side in sides]
    return finished(products(*unit), query_mask, document_mask)


@late.whole_mistake(
    "No gradient goes to the documents.",
    hint="Both sides learn from a batch. What does `ops.stop_gradient` take away?",
)
def documents_stopped(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    cut = ops.stop_gradient(ops.convert_to_tensor(document_vectors))
    return right.max_sim(query_vectors, cut, query_mask, document_mask)


@late.whole_mistake(
    "A vector of zeros is divided by 0 first and replaced afterwards: its score is right, and its gradient is NaN.",
    hint="`ops.where` sends gradients through both sides, and 0 times NaN is NaN. Which side must not divide by 0?",
)
def replaced_afterwards(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    def unit(vectors: Any) -> Any:
        squares = ops.sum(ops.square(ops.cast(vectors, "float32")), axis=-1, keepdims=True)
        return ops.where(squares > 0, ops.cast(vectors, "float32") / ops.sqrt(squares), 0.0)

    values = products(unit(query_vectors), unit(document_vectors))
    return finished(values, query_mask, document_mask)
