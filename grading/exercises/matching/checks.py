"""The checks of chapter 13, matching. All sizes in a check differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grading.exercises.classifiers import (
    DROPOUT,
    HIDDEN_DIM,
    LENGTH,
    OF_PAIRS,
    compiled_logits,
    encoder_never_drops,
    loaded,
    texts,
    with_encoder_dropout,
    with_its_encoder,
    with_less,
    with_padding,
)
from grading.exercises.matching.samples import Random, judged_queries, scored_pairs, vectors, with_one_best
from grading.judging.dropout import wrong_dropout
from grading.judging.exercise import Chapter
from grading.judging.proxies import Proxy, with_dtypes
from grading.messages import Message

chapter = Chapter(13, "Matching", "course.matching")

ranking = chapter.exercise("ranking_scores")
batch_loss = chapter.exercise("in_batch_loss")
packing = chapter.exercise("pack_texts")
classifier = chapter.exercise("PairClassifier")
threshold = chapter.exercise("best_threshold")
platt = chapter.exercise("fit_platt")
calibration = chapter.exercise("calibration_error")

# ranking_scores --------------------------------------------------------------------------------------------


Ranking = tuple[Sequence, Sequence, int]  # gains of the results, gains of all judged documents, and k


def measured(implementation: Proxy, name: str, cases: Mapping[str, Ranking]) -> dict[str, Any]:
    """Return one of the measures for several rankings."""
    return {
        Message("{name} of {case}", name=name, case=Message.of(case)): implementation(*given)[name]
        for case, given in cases.items()
    }


@ranking.check("computes nDCG against the ideal order of all judged documents", points=1.5)
def ndcg(implementation: Proxy, random: Random) -> Any:
    ranked, judged = judged_queries(random, 5)
    cases: dict[str, Ranking] = {
        "5 queries": (ranked, judged, 10),
        "the same at k=3": (ranked, judged, 3),
        "the first rank alone": ([[1, 3], [2, 0], [0, 1]], [[3, 1], [0, 2], [1]], 1),
        "gains of 0 and 1": ([[0, 1, 1, 0, 1]], [[1, 1, 0, 1, 1, 1, 0]], 10),
        "one query with one of four good documents found": ([[0, 0, 2]], [[1, 2, 3, 1]], 6),
        "fewer ranks than k": ([[1, 3]], [[3, 1, 1]], 10),
        "gains with a fraction": ([[0, 0.5, 1.5]], [[1.5, 0.25, 0.5]], 10),
        "large gains": ([[0, 50, 7]], [[7, 120, 50]], 10),
        "ranks beyond 100, at k=150": ([[0] * 120 + [1, 3]], [[3, 2, 1]], 150),
    }
    return measured(implementation, "ndcg", cases)


@ranking.check("computes the reciprocal rank of the first relevant document within k", points=0.5)
def mrr(implementation: Proxy, random: Random) -> Any:
    ranked, judged = judged_queries(random, 4)
    cases: dict[str, Ranking] = {
        "4 queries": (ranked, judged, 10),
        "the same at k=3": (ranked, judged, 3),
        "the first rank alone": ([[1, 3], [2, 0], [0, 1]], [[3, 1], [0, 2], [1]], 1),
        "a gain of a twentieth": ([[0, 0.05, 2]], [[2, 0.05]], 10),
        "ranks 2, 4 and 5, at k=4": ([[0, 1, 2], [0, 0, 0, 3, 1], [0, 0, 0, 0, 1]], [[2, 1], [3, 1], [1]], 4),
    }
    return measured(implementation, "mrr", cases)


@ranking.check("averages precision over all relevant documents, found or not", points=1)
def mean_average_precision(implementation: Proxy, random: Random) -> Any:
    ranked, judged = judged_queries(random, 6)
    cases: dict[str, Ranking] = {
        "6 queries": (ranked, judged, 10),
        "the same at k=2": (ranked, judged, 2),
        "two of five relevant documents found": ([[0, 3, 0, 1]], [[1, 1, 3, 2, 1, 0]], 10),
        "documents with a gain of one half": ([[0.5, 0, 2]], [[2, 0.5, 0.5, 0]], 10),
        "ranks beyond 100": ([[0, 1] + [0] * 120 + [1, 3]], [[3, 2, 1, 1]], 10),
    }
    return measured(implementation, "map", cases)


@ranking.check("leaves out queries without relevant documents, and counts those without results", points=1)
def odd_queries(implementation: Proxy, random: Random) -> Any:
    # At most ten documents are relevant, so it does not matter here where the ideal order is cut.
    ranked = [gains[:7] for gains in judged_queries(random, 3)[0]]
    ranked[0][1] = 1  # relevant before the best
    judged = [[1, *gains, 2] for gains in ranked]
    cases = {
        "one query without a relevant document": ([*ranked, [0, 0]], [*judged, [0, 0, 0]]),
        "one query without judgements": ([[0, 0, 0], *ranked], [[], *judged]),
        "one query without results": ([*ranked, []], [*judged, [2, 1]]),
        "one query with wrong results": ([[0] * 7, *ranked], [[1], *judged]),
    }
    return {
        Message("{name}, with {case}", name=name, case=Message.of(case)): value
        for case, given in cases.items()
        for name, value in implementation(*given).items()
    }


# in_batch_loss ---------------------------------------------------------------------------------------------


@batch_loss.check("is -log P(own document), from a softmax over the documents of the batch", points=1)
def in_batch(implementation: Proxy, random: Random) -> Any:
    queries, documents = vectors(random)
    return {
        "the loss": implementation(queries, documents),
        "the loss at scale 5": implementation(queries, documents, scale=5.0),
        "the loss at scale 0.5": implementation(queries, documents, scale=0.5),
        "the loss of three other pairs": implementation(*vectors(random, batch=3, width=8)),
        "the loss of one pair": implementation(queries[:1], documents[:1]),
        "the loss of short vectors": implementation(0.1 * queries, 0.1 * documents),
        "the loss of very short vectors": implementation(0.001 * queries, 0.001 * documents),
        # e^200 is infinite in float32, and e^-200 is 0.
        "the loss at scale 200": implementation(queries, -documents, scale=200.0),
    }


@batch_loss.check("leaves out other correct documents, but never a query's own", points=1)
def right_as_well(implementation: Proxy, random: Random) -> Any:
    queries, documents = vectors(random)
    same = np.eye(len(queries), dtype=bool)
    same[0, 3] = same[4, 1] = same[4, 2] = True  # not symmetric
    return {
        "the loss": implementation(queries, documents, same=same),
        # At scale 1, a document hidden with a score of 0 would weigh as much as any other.
        "the loss at scale 1": implementation(queries, documents, scale=1.0, same=same),
        # All cosines are below -0.5, so all scores are below -10,000.
        "the loss of opposites at scale 20,000": implementation(
            2 + np.abs(queries), -2 - np.abs(documents), scale=20_000.0, same=same
        ),
        "the loss if same is False on the diagonal": implementation(
            queries, documents, same=same & ~np.eye(len(queries), dtype=bool)
        ),
        "the loss if same is False everywhere": implementation(queries, documents, same=np.zeros_like(same)),
    }


@batch_loss.check("is computed in float32, and is finite for vectors of zeros", points=0.5)
def half_and_zeros(implementation: Proxy, random: Random) -> Any:
    queries, documents = vectors(random)
    nothing = queries.copy()
    nothing[1] = 0
    sides = ("query_vectors", "document_vectors")
    empty = documents.copy()
    empty[3] = 0
    gradients = implementation.gradients(nothing, empty, along=np.ones((), "float32"), by=sides)
    return {
        "in half precision": with_dtypes(implementation((70 * queries).astype("float16"), documents.astype("float16"))),
        "with a vector of zeros": implementation(nothing, documents),
        "with a document of zeros": implementation(queries, empty),
        # Their size depends on how the division by 0 is prevented.
        "whether its gradients are finite": all(
            np.isfinite(np.asarray(gradient, "float64")).all() for gradient in gradients.values()
        ),
    }


@batch_loss.check("runs in a compiled step, and passes gradients on to both sides", points=0.5)
def compiled_loss(implementation: Proxy, random: Random) -> Any:
    queries, documents = vectors(random)
    along = np.ones((), "float32")
    return {
        "the loss in a compiled step": implementation.in_graph(queries, documents),
        "the same with documents that are left out": implementation.in_graph(
            queries, documents, 20.0, np.roll(np.eye(len(queries), dtype=bool), 1, axis=0)
        ),
        **implementation.gradients(queries, documents, along=along, by=("query_vectors", "document_vectors")),
    }


# pack_texts ------------------------------------------------------------------------------------------------


def ids(random: Random, *lengths: int) -> list[list[int]]:
    return [random.randint(10, 90, length).tolist() for length in lengths]


SPECIAL = {"cls_id": 4, "sep_id": 7}


@packing.check("ends each text with [SEP], and gives each its own segment", points=1)
def three_texts(implementation: Proxy, random: Random) -> Any:
    return implementation(ids(random, 3, 2, 5), 17, **SPECIAL)


@packing.check("cuts the last text first, from its end", points=1)
def too_long(implementation: Proxy, random: Random) -> Any:
    texts = ids(random, 4, 6, 9)
    return {
        "the row of 18, for 4, 6 and 9 ids": implementation(texts, 18, **SPECIAL),
        "the row of 11": implementation(texts, 11, **SPECIAL),
        "the row of 7": implementation(texts, 7, **SPECIAL),
        "the row of 4, without an id": implementation(texts, 4, **SPECIAL),
        "the row of 23": implementation(texts, 23, **SPECIAL),
        "the row of 140, for 90 and 60 ids": implementation(ids(random, 90, 60), 140, **SPECIAL),
    }


@packing.check("keeps the [SEP] and the segment of an empty text", points=0.5)
def empty_texts(implementation: Proxy, random: Random) -> Any:
    first, last = ids(random, 3, 2)
    return {
        "the row without a title": implementation([first, [], last], 12, **SPECIAL),
        "the row without a query": implementation([[], first, last], 13, **SPECIAL),
        "the row without a body": implementation([first, last, []], 11, **SPECIAL),
    }


@packing.check("accepts any number of texts and any padding, and returns int32 and booleans", points=0.5)
def any_number(implementation: Proxy, random: Random) -> Any:
    one, four = ids(random, 5), ids(random, 2, 1, 4, 3)
    typed = [[31, 2, 32], [2]]  # its words have the padding id
    rows = {
        Message("one"): implementation(one, 9, **SPECIAL),
        Message("four"): implementation(four, 19, **SPECIAL, padding_id=2),
        "two with the padding id in their words": implementation(typed, 12, **SPECIAL, padding_id=2),
        "two with the id 0 in their words": implementation([[31, 0], [0]], 12, **SPECIAL),
        "seven, with ids from a large vocabulary": implementation(
            [[250_001], *ids(random, 1, 2, 0, 1, 1, 2)], 21, **SPECIAL
        ),
        "a single empty one": implementation([[]], 4, **SPECIAL),
    }
    return {
        Message("{name} of {case}", name=name, case=Message.of(case)): with_dtypes(array)
        for case, row in rows.items()
        for name, array in row.items()
    }


# PairClassifier --------------------------------------------------------------------------------------------


@classifier.check("projects the pooled output to one logit per row", points=0.5)
def one_logit(implementation: Proxy, random: Random) -> Any:
    return loaded(implementation, random, OF_PAIRS).with_one(texts(random, OF_PAIRS))


@classifier.check("ignores the contents of padding", points=0.5)
def padding(implementation: Proxy, random: Random) -> Any:
    return with_padding(implementation, random, OF_PAIRS)


@classifier.check("tells the encoder which of the texts a token belongs to", points=0.5)
def segments(implementation: Proxy, random: Random) -> Any:
    inputs = texts(random, OF_PAIRS)
    segment_ids = np.sort(random.randint(0, OF_PAIRS.num_segments, (OF_PAIRS.batch, LENGTH)), axis=1).astype("int32")
    segment_ids[:, -1] = OF_PAIRS.num_segments - 1
    inputs["segment_ids"] = segment_ids
    made = loaded(implementation, random, OF_PAIRS)
    return {"the logits of three segments": made(inputs), **with_less(made, inputs)}


def _drops_features_in_training(answers: dict[str, np.ndarray]) -> str | None:
    if not np.array_equal(answers["quiet"], answers["quiet again"]):
        return Message("applies dropout outside training, too: two calls on the same inputs differ")
    if np.allclose(answers["training"], answers["quiet"], atol=1e-6):
        return Message("applies no dropout in training, although dropout is 0.3")
    if np.any(answers["training"] == 0):
        return Message("applies dropout to the logits: some are exactly 0")
    wrong = wrong_dropout(answers["training"] - 1, answers["quiet"] - 1, DROPOUT, Message("features"))
    return wrong or encoder_never_drops(answers)


@classifier.check("applies dropout to the features, in training only", points=0.5, judge=_drops_features_in_training)
def dropout(implementation: Proxy, random: Random) -> Any:
    # The projection reads a single feature and adds 1, so each logit shows whether that feature was dropped.
    projection = 2.0 * np.eye(HIDDEN_DIM)[:, random.randint(HIDDEN_DIM), None], np.ones(1)
    made = loaded(implementation, random, OF_PAIRS, dropout=DROPOUT, projection=projection)
    inputs = {name: np.tile(array, (60, 1)) for name, array in texts(random, OF_PAIRS).items()}
    return {
        "quiet": made(inputs, training=False),
        "quiet again": made(inputs, training=False),
        "training": made(inputs, training=True),
        **with_encoder_dropout(implementation, random, OF_PAIRS),
    }


@classifier.check("is right in mixed precision", points=0.5, tolerance=5e-2)
def mixed_precision(implementation: Proxy, random: Random) -> Any:
    made = loaded(implementation, random, OF_PAIRS, dtype="mixed_float16")
    return with_dtypes(made(texts(random, OF_PAIRS)), made)


@classifier.check("runs in a compiled model, for any batch and length", points=0.5)
def compiled(implementation: Proxy, random: Random) -> Any:
    return {**compiled_logits(implementation, random, kind=OF_PAIRS), **with_its_encoder(implementation, OF_PAIRS)}


# best_threshold --------------------------------------------------------------------------------------------


@threshold.check("finds the threshold with the best F1", points=1)
def best_f1(implementation: Proxy, random: Random) -> Any:
    answers = {
        Message(
            "the threshold and F1 of {count} pairs", plural="the threshold and F1 of {count} pairs", count=pairs
        ): implementation.on_arrays(*with_one_best(random, pairs))
        for pairs in (23, 90, 900)
    }
    scores, labels = with_one_best(random, 40)
    close = 0.5 + 1e-6 * np.array([5, 4, 3, 2, 1, 0])
    half = np.array([300, 256.25, 256, 255], "float16")  # whose sums are not all in float16
    return {
        **answers,
        "the threshold and F1 of boolean labels": implementation.on_arrays(scores, labels == 1),
        "the threshold and F1 of scores in float16": implementation.on_arrays(half, np.array([1, 1, 0, 0])),
        "the threshold and F1 of close scores": implementation.on_arrays(close, np.array([1, 1, 0, 0, 0, 0])),
    }


@threshold.check("never separates pairs with equal scores", points=1)
def equal_scores(implementation: Proxy, random: Random) -> Any:
    answers = {}
    for pairs in (31, 47, 64, 80):
        few = with_one_best(random, pairs, step=2.0)
        answers[
            Message(
                "the threshold and F1 of {count} pairs with few scores",
                plural="the threshold and F1 of {count} pairs with few scores",
                count=pairs,
            )
        ] = implementation.on_arrays(*few)
    return answers


@threshold.check("weights recall β times as much as precision", points=0.5)
def of_beta(implementation: Proxy, random: Random) -> Any:
    pairs = scored_pairs(random, 57)
    # With such a β no two thresholds are equally good.
    return {
        Message("the threshold and F at beta={beta}", beta=beta): implementation.on_arrays(*pairs, beta=beta)
        for beta in (0.13, 0.57, 3.13)
    }


@threshold.check("returns the lowest score if all match, and the highest of equally good thresholds", points=0.5)
def ends(implementation: Proxy, random: Random) -> Any:
    some = np.round(random.random_sample(3), 2) + np.array([4.0, 2.0, 0.0])
    cases: dict[str, tuple[np.ndarray, list[int]]] = {
        "if the last pair matches": (some, [0, 1, 1]),
        "if all pairs match": (-some, [1, 1, 1]),
        "if all scores are equal": (np.full(5, some[0]), [0, 1, 0, 1, 1]),
        "if two thresholds are equally good": (np.array([5.0, 4.0, 3.0, 2.0, 1.0]) * some[0], [1, 0, 0, 1, 0]),
        "of one pair": (some[:1], [1]),
        # An integer score may equal a count or an index.
        **{
            Message("between {low} and {high}", low=low, high=low + 2): (np.array([low + 2.0, low]), [1, 0])
            for low in (-1, 0, 1)
        },
    }
    return {case: implementation.on_arrays(scores, np.array(labels)) for case, (scores, labels) in cases.items()}


# fit_platt -------------------------------------------------------------------------------------------------


def probabilities(implementation: Proxy, logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the calibrated probabilities of the logits of the fit."""
    a, b = implementation.on_arrays(logits, labels)
    return 1 / (1 + np.exp(-np.clip(a * logits + b, -50, 50)))


@platt.check("finds the a and b with the least loss", points=1.5)
def least_loss(implementation: Proxy, random: Random) -> Any:
    logits, labels = scored_pairs(random, 90)
    return {
        **{
            Message(
                "a and b for {count} pairs", plural="a and b for {count} pairs", count=pairs
            ): implementation.on_arrays(*scored_pairs(random, pairs, shift=shift))
            for pairs, shift in ((120, 0.0), (230, 2.5), (1100, 1.0))
        },
        "a and b for logits in float16": implementation.on_arrays(logits.astype("float16"), labels),
    }


@platt.check("uses Platt's targets, and stays finite if a threshold separates all pairs", points=0.5)
def targets(implementation: Proxy, random: Random) -> Any:
    logits = np.sort(random.standard_normal(9)) + np.array([-3.0] * 4 + [3.0] * 5)
    parted, single = np.array([0] * 4 + [1] * 5), np.array([0, 0, 1, 0, 0, 0, 0])
    return {
        "a and b for 4 pairs below and 5 above": implementation.on_arrays(logits, parted),
        "a and b for 7 pairs with one match": implementation.on_arrays(logits[:7], single),
        "a and b for 2 pairs": implementation.on_arrays(logits[3:5], parted[3:5]),
    }


@platt.check("finds the minimum for logits of any size", points=0.5)
def any_size(implementation: Proxy, random: Random) -> Any:
    logits, labels = scored_pairs(random, 80)
    answers = {
        sizes: probabilities(implementation, logits * size + shift, labels)
        for sizes, size, shift in (
            (Message("the probabilities for logits in thousands"), 1e3, 0.0),
            (Message("the probabilities for logits in thousandths"), 1e-3, 0.0),
            (Message("the probabilities for logits around 90"), 1.0, 90.0),
        )
    }
    # Unguarded Newton steps diverge here.
    for above, below, spread in ((5, 95, 0.1), (12, 170, 0.3), (12, 171, 0.3), (12, 172, 0.3)):
        parted = np.repeat([3.0, 0.0, -250.0], [above, below, 1])
        far = parted + spread * random.standard_normal(len(parted))
        answers[
            Message(
                "the probabilities with {count} low logits and one far below",
                plural="the probabilities with {count} low logits and one far below",
                count=below,
            )
        ] = probabilities(implementation, far, parted > 1)
    return answers


@platt.check("reverses the order if lower logits match more often", points=0.5)
def falling(implementation: Proxy, random: Random) -> Any:
    logits, labels = scored_pairs(random, 140)
    return implementation.on_arrays(-logits, labels)


# calibration_error -----------------------------------------------------------------------------------------


@calibration.check("returns the mean gap between probability and share, each bin weighted by its pairs", points=1)
def mean_gap(implementation: Proxy, random: Random) -> Any:
    p = random.random_sample(150) ** 2
    labels = (random.random_sample(150) < p**1.5).astype("int64")
    p[:8], labels[:8] = 0.09 * random.random_sample(8), 1  # too low, where most others are too high
    pairs = p, labels
    answers = {
        Message(
            "the error with {count} bins", plural="the error with {count} bins", count=bins
        ): implementation.on_arrays(*pairs, bins=bins)
        for bins in (10, 7)
    }
    of_booleans = implementation.on_arrays(p, labels == 1)
    return {**answers, "the error of boolean labels": of_booleans}


@calibration.check("puts 1 into the last bin, and ignores empty bins", points=0.5)
def full_and_empty(implementation: Proxy, random: Random) -> Any:
    labels = np.array([1, 0, 0, 1, 1])
    p = np.array([1.0, 1.0, 1.0, 0.93, float(np.round(0.05 * random.random_sample() + 0.01, 3))])
    return {
        "the error of five pairs": implementation.on_arrays(p, labels),
        "the error of three pairs at 1": implementation.on_arrays(p[:3], labels[:3]),
        "the error of one pair": implementation.on_arrays(p[3:4], labels[3:4]),
    }


@calibration.check("includes the lower bound of each bin", points=0.5)
def bounds(implementation: Proxy, random: Random) -> Any:
    low = 0.3 + 0.1 * random.random_sample()
    two = np.array([low, 0.5]), np.array([1, 0])
    four = np.array([0.25, low, 0.5, 0.6, 0.75, 0.8]), np.array([0, 1, 1, 0, 0, 1])
    near = np.array([0.299, 0.301]), np.array([1, 0])
    nearer = np.array([np.nextafter(0.3, 0), 0.31]), np.array([1, 0])
    with_0 = np.array([0, low]), np.array([1, 0])
    apart = np.array([low, 0.7, 0.8]), np.array([1, 1, 0])
    third = np.array([0.3, 0.35]), np.array([1, 0])
    return {
        "the error of probabilities just below and above a bound": implementation.on_arrays(*near),
        "the error of a probability that is the float before a bound": implementation.on_arrays(*nearer),
        "the error of two pairs, one at 0": implementation.on_arrays(*with_0),
        "the error with one bin": implementation.on_arrays(*apart, bins=1),
        "the error with two bins": implementation.on_arrays(*two, bins=2),
        "the error with four bins": implementation.on_arrays(*four, bins=4),
        # 3 · 0.1, as in the third bound of `np.linspace`, is rounded to more than 0.3.
        "the error with ten bins": implementation.on_arrays(*third, bins=10),
        # The product of each of these bounds and the number of bins is rounded to less than a whole number.
        "the error with 50 bins": implementation.on_arrays(np.array([29 / 50, 29.5 / 50]), np.array([1, 0]), bins=50),
        "the error with 100 bins": implementation.on_arrays(
            np.array([0.29, 0.295, 0.58, 0.585]), np.array([1, 0, 0, 1]), bins=100
        ),
    }
