"""What goes wrong in matching_histogram."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.ranking as right
from grading.exercises.ranking.checks import histogram


def floats(similarity: Any) -> Any:
    return ops.cast(similarity, "float32")


def placed(similarity: Any, bins: int) -> Any:
    """The bin of each similarity, as a float."""
    places = ops.clip(ops.floor((floats(similarity) + 1) / 2 * (bins - 1)), 0, bins - 2)
    return ops.where(floats(similarity) >= 1 - 1e-5, bins - 1.0, places)


def numbers(places: Any, document_mask: Any, bins: int) -> Any:
    """How many words are in each bin."""
    is_in = ops.equal(places[..., None], ops.arange(bins, dtype="float32"))
    return ops.sum(ops.cast(ops.logical_and(is_in, document_mask[:, None, :, None]), "float32"), axis=2)


@histogram.whole_mistake(
    "There is no logarithm: the counts themselves are returned.",
    hint="What should stand in a bin with n words?",
)
def raw_counts(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    return numbers(placed(similarity, bins), document_mask, bins)


@histogram.whole_mistake(
    "The counts are divided by the number of words: shares instead of log(1 + n).",
    hint="DRMM's paper tries three histograms. Which one is asked for?",
)
def shares(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    words = ops.maximum(ops.sum(ops.cast(document_mask, "float32"), axis=1), 1.0)
    return numbers(placed(similarity, bins), document_mask, bins) / words[:, None, None]


@histogram.whole_mistake(
    "An empty bin holds log 0: minus infinity, or a very small number.",
    hint="Most bins are empty. What is the logarithm of 1 more?",
)
def log_of_count(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    return ops.log(ops.maximum(numbers(placed(similarity, bins), document_mask, bins), 1e-10))


@histogram.whole_mistake(
    "All bins are equally wide: exact matches share the last one with near ones.",
    hint="A number or a name is either the same or another. Which bin tells that?",
)
def equal_bins(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    places = ops.clip(ops.floor((floats(similarity) + 1) / 2 * bins), 0, bins - 1)
    return ops.log1p(numbers(places, document_mask, bins))


@histogram.whole_mistake(
    "Exact matches have a bin beyond the others: there are `bins` + 1 of them.",
    hint="With 10 bins, CEDR puts 10 features beside [CLS]. How many are left for what is not exact?",
)
def one_bin_more(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    return right.matching_histogram(similarity, document_mask, bins + 1)


@histogram.whole_mistake(
    "Exact matches fall out of all bins.",
    hint="What becomes of a similarity of exactly 1? It is the most important one.",
)
def exact_lost(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    places = ops.clip(ops.floor((floats(similarity) + 1) / 2 * (bins - 1)), 0, bins)
    places = ops.where(floats(similarity) >= 1 - 1e-5, float(bins), places)
    return ops.log1p(numbers(places, document_mask, bins))


@histogram.whole_mistake(
    "Only what is 1 to the last digit counts as exact; rounding makes less of most of them.",
    hint="The cosine of a vector with itself is 0.9999999 as often as 1. How near is near enough?",
)
def exact_to_the_digit(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    places = ops.clip(ops.floor((floats(similarity) + 1) / 2 * (bins - 1)), 0, bins - 2)
    places = ops.where(ops.equal(floats(similarity), 1.0), bins - 1.0, places)
    return ops.log1p(numbers(places, document_mask, bins))


@histogram.whole_mistake(
    "Too much counts as exact: everything from 0.99 on.",
    hint="Exact is what differs from 1 by rounding alone.",
)
def generous(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    similarity = floats(similarity)
    return right.matching_histogram(ops.where(similarity >= 0.99, 1.0, similarity), document_mask, bins)


@histogram.whole_mistake(
    "The bins go from 0 to 1: all negative similarities are in the first one.",
    hint="Cosines are as low as -1. Which bin should -0.9 be in, and which one -0.1?",
)
def from_zero(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    return right.matching_histogram(ops.maximum(2 * floats(similarity) - 1, -1.0), document_mask, bins)


@histogram.whole_mistake(
    "Negative similarities are dropped.",
    hint="A word that says the contrary is in the document, too. How many words do all bins hold together?",
)
def negatives_dropped(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    places = ops.where(floats(similarity) < 0, -1.0, placed(similarity, bins))
    return ops.log1p(numbers(places, document_mask, bins))


@histogram.whole_mistake(
    "Places are rounded towards 0, as int() does: two bins around 0 become one.",
    hint="int(-0.5) is 0, and so is int(0.5). What does ops.floor give?",
)
def rounded_to_zero(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    half = (bins - 1) / 2
    places = ops.trunc(floats(similarity) * half) + half
    places = ops.clip(ops.floor(places), 0, bins - 2)
    places = ops.where(floats(similarity) >= 1 - 1e-5, bins - 1.0, places)
    return ops.log1p(numbers(places, document_mask, bins))


@histogram.whole_mistake(
    "Places are rounded to the nearest one: each bin begins half a bin too early.",
    hint="A bin holds all from its lower bound up. Which function never rounds up?",
)
def rounded(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    places = ops.clip(ops.round((floats(similarity) + 1) / 2 * (bins - 1)), 0, bins - 2)
    places = ops.where(floats(similarity) >= 1 - 1e-5, bins - 1.0, places)
    return ops.log1p(numbers(places, document_mask, bins))


@histogram.whole_mistake(
    "Bins hold their upper bounds, not their lower ones.",
    hint="Where is a similarity of exactly 0, with two bins from -1 to 1?",
)
def upper_bounds(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    places = ops.clip(ops.ceil((floats(similarity) + 1) / 2 * (bins - 1)) - 1, 0, bins - 2)
    places = ops.where(floats(similarity) >= 1 - 1e-5, bins - 1.0, places)
    return ops.log1p(numbers(places, document_mask, bins))


@histogram.whole_mistake(
    "What rounding puts below -1 falls out of all bins.",
    hint="-1.0000001 is a cosine that was rounded. Which bin is it nearest to?",
)
def below_lost(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    places = ops.where(floats(similarity) < -1, -1.0, placed(similarity, bins))
    return ops.log1p(numbers(places, document_mask, bins))


@histogram.whole_mistake(
    "Padding is counted like words.",
    hint="A short document stands in a row as long as the longest one. Who says where it ends?",
)
def padding_counts(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    return right.matching_histogram(similarity, ops.ones_like(document_mask), bins)


@histogram.whole_mistake(
    "Padding gets a similarity of 0, and is counted in the bin of 0.",
    hint="0 is in a bin, too. What falls into none?",
)
def padding_at_zero(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    similarity = ops.where(document_mask[:, None, :], floats(similarity), 0.0)
    return right.matching_histogram(similarity, ops.ones_like(document_mask), bins)


@histogram.whole_mistake(
    "There is one histogram for the pair, not one for each word of the query.",
    hint="The gate weighs the words of the query one by one. What does it weigh here?",
)
def one_for_all(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    counts = numbers(placed(similarity, bins), document_mask, bins)
    return ops.log1p(ops.broadcast_to(ops.sum(counts, axis=1, keepdims=True), ops.shape(counts)))


@histogram.whole_mistake(
    "The counts are shared between neighbouring bins, as kernels do.",
    hint="A word falls into one bin, or does not. That is why no gradient goes through a histogram.",
)
def soft(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    places = (floats(similarity) + 1) / 2 * (bins - 1) - 0.5
    shared = ops.relu(1 - ops.abs(places[..., None] - ops.arange(bins, dtype="float32")))
    return ops.log1p(ops.sum(ops.where(document_mask[:, None, :, None], shared, 0.0), axis=2))


@histogram.whole_mistake(
    "The result keeps the precision of the similarities, here float16.",
    hint="The contract names the dtype.",
)
def in_half_precision(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    found = right.matching_histogram(similarity, document_mask, bins)
    return ops.cast(found, ops.convert_to_tensor(similarity).dtype)
