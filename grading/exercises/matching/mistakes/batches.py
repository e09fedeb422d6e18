"""What goes wrong in in_batch_loss."""

from __future__ import annotations

from typing import Any

import numpy as np
from keras import ops

import course.matching as right
from grading.exercises.matching.checks import batch_loss


def unit(vectors: Any) -> Any:
    return ops.normalize(ops.cast(vectors, "float32"), axis=-1)


def products(queries: Any, documents: Any) -> Any:
    return ops.matmul(queries, ops.transpose(documents))


def numbers(scores: Any) -> Any:
    return ops.arange(ops.shape(scores)[0])


def own(scores: Any) -> Any:
    """True on the diagonal."""
    return ops.equal(numbers(scores)[:, None], numbers(scores)[None, :])


def hidden(scores: Any, same: Any, low: float = -1e9) -> Any:
    """Scores in which what is right as well counts for nothing."""
    return scores if same is None else ops.where(ops.logical_and(same, ops.logical_not(own(scores))), low, scores)


def surprise(scores: Any) -> Any:
    return ops.mean(ops.sparse_categorical_crossentropy(numbers(scores), scores, from_logits=True))


@batch_loss.whole_mistake(
    "The vectors are not brought to length 1: the scores are products, not cosines.",
    hint="A long vector would have high scores with everything. What is a cosine divided by?",
)
def not_normalised(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    queries, documents = (ops.cast(vectors, "float32") for vectors in (query_vectors, document_vectors))
    return surprise(hidden(scale * products(queries, documents), same))


@batch_loss.whole_mistake(
    "Only the queries are brought to length 1.",
    hint="A cosine is divided by both lengths.",
)
def one_side_normalised(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    return surprise(hidden(scale * products(unit(query_vectors), ops.cast(document_vectors, "float32")), same))


@batch_loss.whole_mistake(
    "Vectors are normalised over the batch, not over their features.",
    hint="Each vector gets length 1 for itself. Which axis holds its features?",
)
def normalised_over_batch(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    queries, documents = (
        ops.normalize(ops.cast(vectors, "float32"), axis=0) for vectors in (query_vectors, document_vectors)
    )
    return surprise(hidden(scale * products(queries, documents), same))


@batch_loss.whole_mistake(
    "The cosines are divided by `scale` instead of multiplied.",
    hint="As a temperature, it would divide. Are the scores to be farther apart, or closer?",
)
def scale_divides(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    return right.in_batch_loss(query_vectors, document_vectors, 1 / scale, same)


@batch_loss.whole_mistake(
    "`scale` is not used: a softmax over cosines hardly tells one document from another.",
    hint="Cosines lie between -1 and 1. How large can a probability of five documents be then?",
)
def without_scale(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    return right.in_batch_loss(query_vectors, document_vectors, 1.0, same)


@batch_loss.whole_mistake(
    "`scale` is always 20, whatever was asked for.",
    hint="`scale` is an argument.",
)
def always_20(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    return right.in_batch_loss(query_vectors, document_vectors, 20.0, same)


@batch_loss.whole_mistake(
    "The softmax goes over the queries, not over the documents.",
    hint="A query looks for its document among all documents. Which axis are these on?",
)
def over_queries(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    return right.in_batch_loss(document_vectors, query_vectors, scale, None if same is None else ops.transpose(same))


@batch_loss.whole_mistake(
    "Both directions are averaged: queries look for documents, and documents for queries.",
    hint="That is a loss, too, and CLIP has it. Here only queries look for documents.",
)
def both_directions(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    turned = over_queries(query_vectors, document_vectors, scale, same)
    return (right.in_batch_loss(query_vectors, document_vectors, scale, same) + turned) / 2


@batch_loss.whole_mistake(
    "For every query the first document is taken to be right.",
    hint="Document i is that of query i. What are the labels of a batch?",
)
def always_the_first(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    scores = hidden(scale * products(unit(query_vectors), unit(document_vectors)), same)
    labels = ops.zeros_like(numbers(scores))
    return ops.mean(ops.sparse_categorical_crossentropy(labels, scores, from_logits=True))


@batch_loss.whole_mistake(
    "Each score is judged by itself, with a sigmoid: the documents of a batch do not compete.",
    hint="The loss is a softmax's: the better one document fits, the worse fit the others.",
)
def sigmoid_of_each(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    scores = hidden(scale * products(unit(query_vectors), unit(document_vectors)), same, -30.0)
    return ops.mean(ops.binary_crossentropy(ops.cast(own(scores), "float32"), scores, from_logits=True))


@batch_loss.whole_mistake(
    "The sum is returned, not the mean over the queries.",
    hint="Twice as many pairs in a batch should not double the loss.",
)
def summed(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    scores = hidden(scale * products(unit(query_vectors), unit(document_vectors)), same)
    return ops.sum(ops.sparse_categorical_crossentropy(numbers(scores), scores, from_logits=True))


@batch_loss.whole_mistake(
    "The mean is over all cells of the table, not over its rows.",
    hint="There is one loss for each query. How many queries are there?",
)
def mean_over_cells(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    scores = hidden(scale * products(unit(query_vectors), unit(document_vectors)), same)
    chosen = ops.where(own(scores), -ops.log_softmax(scores, axis=-1), 0.0)
    return ops.mean(chosen)


@batch_loss.whole_mistake(
    "The sign is wrong: it is the mean of log P, which training would make as small as it can.",
    hint="log P is at most 0. A loss is at least 0.",
)
def negative(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    return -right.in_batch_loss(query_vectors, document_vectors, scale, same)


@batch_loss.whole_mistake(
    "`same` is not looked at: what is right for a query counts as a wrong answer.",
    hint="The same document may stand in a batch twice. Who should tell both copies apart?",
)
def same_forgotten(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    return right.in_batch_loss(query_vectors, document_vectors, scale)


@batch_loss.whole_mistake(
    "`same` also hides the query's own document, so there is nothing left to be right.",
    hint="`same` may be True on the diagonal. What stands there must stay.",
)
def own_hidden(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    scores = scale * products(unit(query_vectors), unit(document_vectors))
    return surprise(scores if same is None else ops.where(same, -1e9, scores))


@batch_loss.whole_mistake(
    "What is right as well gets a score of 0, and so still counts in the softmax.",
    hint="exp(0) is 1. Which score has an exponential of 0?",
)
def hidden_with_0(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    return surprise(hidden(scale * products(unit(query_vectors), unit(document_vectors)), same, 0.0))


@batch_loss.whole_mistake(
    "`same` is read from the column to the row.",
    hint="Row i is query i. `same` need not be symmetric.",
)
def same_turned(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    return right.in_batch_loss(query_vectors, document_vectors, scale, None if same is None else ops.transpose(same))


@batch_loss.whole_mistake(
    "The vectors are divided by their lengths without a floor: a vector of zeros makes NaN of the loss.",
    hint="0 / 0 is NaN, and one NaN ends a training. How long must a vector be at least, to be divided by?",
)
def no_floor(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    queries, documents = (ops.cast(vectors, "float32") for vectors in (query_vectors, document_vectors))
    lengths = [ops.sqrt(ops.sum(vectors**2, axis=-1, keepdims=True)) for vectors in (queries, documents)]
    return surprise(hidden(scale * products(queries / lengths[0], documents / lengths[1]), same))


@batch_loss.whole_mistake(
    "The loss is computed in the precision of the vectors, here float16: squares of large numbers are infinite there.",
    hint="float16 ends at 65504. Cast the vectors before anything else.",
)
def in_half_precision(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    queries, documents = (
        vectors / ops.maximum(ops.sqrt(ops.sum(vectors * vectors, axis=-1, keepdims=True)), 1e-4)
        for vectors in map(ops.convert_to_tensor, (query_vectors, document_vectors))
    )
    return surprise(hidden(scale * products(queries, documents), same))


@batch_loss.whole_mistake(
    "No gradient goes to the documents.",
    hint="Both towers learn. What does `ops.stop_gradient` take away?",
)
def documents_stopped(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    documents = ops.stop_gradient(ops.convert_to_tensor(document_vectors))
    return right.in_batch_loss(query_vectors, documents, scale, same)


@batch_loss.whole_mistake(
    "The loss leaves the tensors for NumPy, so it cannot be compiled, and no gradient comes back.",
    hint="NumPy keeps no record of what was computed. Use `keras.ops` from the first line to the last.",
)
def in_numpy(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    queries, documents = (np.asarray(ops.convert_to_numpy(vectors)) for vectors in (query_vectors, document_vectors))
    return right.in_batch_loss(queries, documents, scale, same)


@batch_loss.whole_mistake(
    "The softmax is e^score over their sum, and then the logarithm: at a large scale that is infinite, or NaN.",
    hint="e^200 is no float32, and the logarithm of 0 is infinite. `ops.log_softmax` gets there without either.",
)
def powers_overflow(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    sides = (ops.cast(vectors, "float32") for vectors in (query_vectors, document_vectors))
    queries, documents = (x * ops.rsqrt(ops.maximum(ops.sum(x * x, axis=-1, keepdims=True), 1e-12)) for x in sides)
    powers = ops.exp(scale * products(queries, documents))
    if same is not None:
        powers = ops.where(ops.logical_and(same, ops.logical_not(own(powers))), 0.0, powers)
    return -ops.mean(ops.log(ops.diagonal(powers) / ops.sum(powers, axis=-1)))
