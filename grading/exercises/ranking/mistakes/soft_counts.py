"""What goes wrong in kernel_pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from keras import ops

import course.ranking as right
from course.ranking import KERNEL_MEANS, KERNEL_WIDTHS
from grading.exercises.ranking.checks import kernels

Numbers = Sequence[float]


def near(similarity: Any, means: Numbers, widths: Numbers, double: float = 2.0) -> Any:
    """How near each similarity is to each kernel, (batch, query, document, kernels)."""
    mu, sigma = (ops.convert_to_tensor(np.asarray(numbers, "float32")) for numbers in (means, widths))
    return ops.exp(-((ops.cast(similarity, "float32")[..., None] - mu) ** 2) / (double * sigma**2))


def counted(values: Any, document_mask: Any) -> Any:
    return ops.sum(ops.where(document_mask[:, None, :, None], values, 0.0), axis=2)


def logs(counts: Any) -> Any:
    return ops.log(ops.maximum(counts, 1e-10))


def over_query(values: Any, query_mask: Any) -> Any:
    return ops.sum(ops.where(query_mask[..., None], values, 0.0), axis=1)


@kernels.whole_mistake(
    "There is no logarithm: the soft counts of all words of the query are summed.",
    hint="A word that is found ten times should not count as much as ten words that are found. What dampens it?",
)
def without_log(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    return over_query(counted(near(similarity, means, widths), document_mask), query_mask)


@kernels.whole_mistake(
    "The logarithm is taken before the sum over the document, so the exponential is undone.",
    hint="log exp(x) is x. Which of the two sums has the logarithm in it, and which is inside of it?",
)
def log_first(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    return over_query(counted(logs(near(similarity, means, widths)), document_mask), query_mask)


@kernels.whole_mistake(
    "The logarithm is taken at the end, of the sum over the query.",
    hint="Each word of the query has a soft count of its own. A word that is never found should cost something.",
)
def log_last(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    return logs(over_query(counted(near(similarity, means, widths), document_mask), query_mask))


@kernels.whole_mistake(
    "The soft counts are summed over the query first, and their logarithms over the document.",
    hint="K_k(i) belongs to a word i of the query. Which axis is gone when it is computed?",
)
def query_first(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    turned = ops.transpose(ops.convert_to_tensor(similarity), (0, 2, 1))
    return right.kernel_pooling(turned, document_mask, query_mask, means, widths)


@kernels.whole_mistake(
    "Padding of the document is counted: its similarities fall into the kernels.",
    hint="The cosine of padding is often near 0, and there are kernels near 0. What does a long document win by that?",
)
def document_padding_counts(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    return right.kernel_pooling(similarity, query_mask, ops.ones_like(document_mask), means, widths)


@kernels.whole_mistake(
    "The similarities of padding are set to 0, and counted: they fall into the kernels around 0.",
    hint="0 is a similarity like others. What must be 0 is what padding adds to a soft count.",
)
def padding_is_zero(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    similarity = ops.where(document_mask[:, None, :], similarity, 0.0)
    return right.kernel_pooling(similarity, query_mask, ops.ones_like(document_mask), means, widths)


@kernels.whole_mistake(
    "Padding of the query is counted as words: each adds the logarithm of its own soft counts.",
    hint="A short query stands in a row as long as the longest one. Which places of the row are words?",
)
def query_padding_counts(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    return right.kernel_pooling(similarity, ops.ones_like(query_mask), document_mask, means, widths)


@kernels.whole_mistake(
    "The soft counts of the query's padding are set to 0 before the logarithm: each adds log 1e-10, about -23.",
    hint="What does a place add whose soft count is 0? What should padding add?",
)
def log_of_nothing(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    counts = counted(near(similarity, means, widths), document_mask)
    return ops.sum(logs(ops.where(query_mask[..., None], counts, 0.0)), axis=1)


@kernels.whole_mistake(
    "The distances are divided by σ², not by 2 σ².",
    hint="Compare with the exponent of a normal distribution.",
)
def without_the_two(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    return over_query(logs(counted(near(similarity, means, widths, 1.0), document_mask)), query_mask)


@kernels.whole_mistake(
    "The width is not squared: the distances are divided by 2 σ.",
    hint="σ is the width as it stands on the axis. What stands under a squared distance?",
)
def width_not_squared(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    return right.kernel_pooling(similarity, query_mask, document_mask, means, [width**0.5 for width in widths])


@kernels.whole_mistake(
    "The exponent has the wrong sign: what is far from the kernel counts most.",
    hint="At its middle a kernel is 1. Is it larger or smaller everywhere else?",
)
def away_from_the_kernel(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    return over_query(logs(counted(1 / ops.maximum(near(similarity, means, widths), 1e-30), document_mask)), query_mask)


@kernels.whole_mistake(
    "Distances are not squared: the kernel falls to one side only.",
    hint="A similarity below μ should count as little as one above it, at the same distance.",
)
def one_sided(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    mu, sigma = (ops.convert_to_tensor(np.asarray(numbers, "float32")) for numbers in (means, widths))
    distances = ops.cast(similarity, "float32")[..., None] - mu
    values = ops.exp(ops.minimum(-distances / (2 * sigma**2), 50.0))
    return over_query(logs(counted(values, document_mask)), query_mask)


@kernels.whole_mistake(
    "The soft counts are means over the document, not sums.",
    hint="A word that stands there twice is twice as much. By what is a mean divided?",
)
def mean_of_document(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    counts = counted(near(similarity, means, widths), document_mask)
    words = ops.maximum(ops.sum(ops.cast(document_mask, "float32"), axis=1), 1.0)
    return over_query(logs(counts / words[:, None, None]), query_mask)


@kernels.whole_mistake(
    "The result is a mean over the words of the query, not their sum.",
    hint="The equation has Σ over i, and no number of words under it.",
)
def mean_of_query(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    found = right.kernel_pooling(similarity, query_mask, document_mask, means, widths)
    return found / ops.maximum(ops.sum(ops.cast(query_mask, "float32"), axis=1, keepdims=True), 1.0)


@kernels.whole_mistake(
    "A softmax goes over the kernels: each similarity is shared out among them.",
    hint="Kernels overlap, and do not compete. What is the sum of all kernels at one similarity?",
)
def softmax_over_kernels(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    values = near(similarity, means, widths)
    shared = values / ops.maximum(ops.sum(values, axis=-1, keepdims=True), 1e-30)
    return over_query(logs(counted(shared, document_mask)), query_mask)


@kernels.whole_mistake(
    "1 is added before the logarithm instead of a floor below it: log(1 + K).",
    hint="A word that is never found should cost a lot. What does log(1 + 0) cost?",
)
def log_of_one_more(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    return over_query(ops.log1p(counted(near(similarity, means, widths), document_mask)), query_mask)


@kernels.whole_mistake(
    "There is no floor under the logarithm: what no word comes near to becomes minus infinity.",
    hint="log 0 is no number that a training survives. What stands in the max of the equation?",
)
def without_floor(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    return over_query(ops.log(counted(near(similarity, means, widths), document_mask)), query_mask)


@kernels.whole_mistake(
    "All kernels have the width of the second one: the exact match is blurred.",
    hint="The kernel at 1 counts exact matches alone, by a width of its own.",
)
def one_width_for_all(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    return right.kernel_pooling(similarity, query_mask, document_mask, means, [widths[1]] * len(means))


@kernels.whole_mistake(
    "`means` and `widths` are not used: there are always the eleven kernels of the paper.",
    hint="What if somebody asks for three kernels?",
)
def always_eleven(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    return right.kernel_pooling(similarity, query_mask, document_mask)


@kernels.whole_mistake(
    "No gradient reaches the similarities.",
    hint="K-NRM was made so that word vectors learn through the kernels. What cuts them off here?",
)
def stopped(
    similarity: Any, query_mask: Any, document_mask: Any, means: Numbers = KERNEL_MEANS, widths: Numbers = KERNEL_WIDTHS
) -> Any:
    cut = ops.stop_gradient(ops.convert_to_tensor(similarity))
    return right.kernel_pooling(cut, query_mask, document_mask, means, widths)
