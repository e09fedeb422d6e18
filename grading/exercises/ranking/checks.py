"""The checks of chapter 14, ranking. All sizes in a check differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.ranking.samples import (
    CONSTANT_LAST,
    DEVIATIONS,
    DOCUMENT_LENGTH,
    FIELDS,
    MEANS,
    QUERY_LENGTH,
    WIDTH,
    Documents,
    Random,
    built_ranker,
    cosines,
    document_vectors,
    feature_ranker,
    known_pairs,
    pairs,
    ranker,
    ranker_with_its_encoder,
    reader,
    texts,
    word_vectors,
    words_behind_cls,
)
from grading.judging.comparison import named
from grading.judging.exercise import Chapter
from grading.judging.proxies import Proxy, with_dtypes
from grading.messages import Message

chapter = Chapter(14, "Ranking", "course.ranking")

kernels = chapter.exercise("kernel_pooling")
histogram = chapter.exercise("matching_histogram")
gating = chapter.exercise("TermGating")
cedr = chapter.exercise("CedrRanker")
split_encoder = chapter.exercise("SplitEncoder")
late = chapter.exercise("max_sim")
searching = chapter.exercise("late_interaction_search")
duo = chapter.exercise("duo_rank")
detext = chapter.exercise("DeTextRanker")

LONG = 140  # words or texts: more than a fixed table of 128 holds
CENTERS, WIDTHS = [1.0, 0.6, -0.2], [1e-3, 0.3, 0.4]

# kernel_pooling --------------------------------------------------------------------------------------------


@kernels.check("computes soft counts in each kernel, and sums their logarithms over the query", points=1)
def soft_counts(implementation: Proxy, random: Random) -> Any:
    similarity, query, document = cosines(random)
    given = similarity, query | True, document | True
    many = [np.tile(array, (LONG // 4, *[1] * (array.ndim - 1))) for array in given]
    return {
        "eleven kernels": implementation(similarity[:, :, :6], np.ones_like(query), np.ones_like(document[:, :6])),
        **implementation.with_one(*given, CENTERS, WIDTHS),
        "three kernels, of many pairs": implementation(*many, CENTERS, WIDTHS),
        "a single kernel": implementation(*given, CENTERS[1:2], WIDTHS[1:2]),
    }


@kernels.check("keeps document padding out of the kernels", points=0.5)
def padded_documents(implementation: Proxy, random: Random) -> Any:
    similarity, query, document = cosines(random)
    zeros = np.where(document[:, None], similarity, 0).astype("float32")  # the usual cosine of padding
    return {
        "the kernels": implementation(similarity, query | True, document, CENTERS, WIDTHS),
        "the kernels if padding has a similarity of 0": implementation(zeros, query | True, document),
        "wide kernels": implementation(similarity, query | True, document, CENTERS, [30 * width for width in WIDTHS]),
    }


@kernels.check("keeps query padding out of the sum, and handles texts without words", points=0.5)
def padded_queries(implementation: Proxy, random: Random) -> Any:
    similarity, query, document = cosines(random)
    query[2], document[0] = False, False
    return implementation(similarity, query, document)


@kernels.check("is computed in float32, in a compiled step, and passes a gradient on", points=1)
def kernels_in_use(implementation: Proxy, random: Random) -> Any:
    similarity, query, document = cosines(random)
    given = similarity, query, document, CENTERS, WIDTHS  # most words have nothing near the first center
    return {
        "in half precision": with_dtypes(implementation(similarity.astype("float16"), query, document)),
        "in double precision": with_dtypes(implementation(similarity.astype("float64"), query, document)),
        "in a compiled step": implementation.in_graph(similarity, query, document),
        **implementation.gradients(
            *given, along=random.standard_normal((4, 3)).astype("float32"), by=("similarity", "", "", "", "")
        ),
    }


# matching_histogram ----------------------------------------------------------------------------------------


@histogram.check("counts in bins from -1 to 1 for each query word, and takes log(1 + n)", points=1)
def counts(implementation: Proxy, random: Random) -> Any:
    similarity, _, document = cosines(random)
    similarity = np.maximum(similarity - np.float32(0.002), -1)  # nothing is exact
    long = np.tile(similarity, (1, LONG // similarity.shape[1], 1))
    return {
        "ten bins": implementation(similarity, document | True),
        "four bins": implementation(similarity, document | True, bins=4),
        "two bins": implementation(similarity, document | True, bins=2),
        "forty bins": implementation(similarity, document | True, bins=40),
        "a long query": implementation(long, document | True),
    }


@histogram.check("reserves the last bin for exact matches, up to rounding", points=0.5)
def exact(implementation: Proxy, random: Random) -> Any:
    ends = [1, 1 - 1e-6, 1 + 1e-6, 1 + 1e-3, 1 - 9e-6, 1 - 15e-6, 0.999, 0.95, -1, -1 - 1e-6]
    near = np.array([[[*ends, random.uniform(-0.42, -0.36)]]], "float32")  # of ten bins, above the middle of the third
    words = np.ones((1, len(ends) + 1), bool)
    return {
        Message("the histogram in {count} bins", plural="the histogram in {count} bins", count=bins): implementation(
            near, words, bins=bins
        )
        for bins in (10, 6)
    }


@histogram.check("includes the lower bound of each bin", points=0.25)
def lower_bounds(implementation: Proxy, random: Random) -> Any:
    bounds = np.array([-1, -0.5, 0, 0.5, -0.25, random.choice([0.25, 0.75])], "float32")
    return implementation(bounds[None, None], np.ones((1, 6), bool), bins=5)


@histogram.check("counts no padding, returns float32, and can be compiled", points=0.25)
def padded_histogram(implementation: Proxy, random: Random) -> Any:
    similarity, _, document = cosines(random)
    document[1] = False
    along = random.standard_normal((4, 5, 10)).astype("float32")
    learned = implementation.gradients(similarity, document, along=along, by=("similarity", ""))
    of_similarity = learned["the gradient by the similarity"]
    return {
        "with padding": implementation(similarity, document),
        "in half precision": with_dtypes(implementation(similarity.astype("float16"), document)),
        "in double precision": with_dtypes(implementation(similarity.astype("float64"), document)),
        # No gradient, or one of zeros.
        "whether a gradient reaches the similarities": of_similarity is not None and bool(np.any(of_similarity)),
        # In float16, rounding moves each of these into another of ten bins.
        "near the bounds, in half precision": implementation(
            np.array([[[0.77734375, 0.3330078125, 0.111083984375, -0.33349609375, -0.77783203125]]], "float16"),
            np.ones((1, 5), bool),
        ),
        # float16 has no odd number above 2,048.
        "of 2,051 words in half precision": implementation(
            np.full((1, 1, 2051), 0.25, "float16"), np.ones((1, 2051), bool)
        ),
        "in a compiled step": implementation.in_graph(similarity, document),
    }


# TermGating ------------------------------------------------------------------------------------------------


def fresh_gate(implementation: Proxy, dtype: str = "float32") -> Proxy:
    made = implementation(dtype=dtype)
    made.build(np.zeros((4, 5, 6), "float32"), np.ones((4, 5), bool))
    return made


def gate(implementation: Proxy, random: Random, dtype: str = "float32") -> Proxy:
    made = fresh_gate(implementation, dtype)
    made.load({"kernel": random.standard_normal(6).astype("float32")})
    return made


@gating.check("is a softmax over the words of a query", points=0.5)
def over_words(implementation: Proxy, random: Random) -> Any:
    made, every = gate(implementation, random), np.ones((4, 5), bool)
    vectors = random.standard_normal((4, 5, 6)).astype("float32")
    return {**made.with_one(vectors, every), "of words with large logits": far_apart(implementation, random, every)}


def far_apart(implementation: Proxy, random: Random, every: np.ndarray) -> Any:
    """Return the weights for logits whose exp is infinite or 0; integers, so that sums in any order are exact."""
    kernel = random.choice([-9, -7, -6, 5, 6, 8], 6).astype("float32")
    vectors = random.randint(-9, 10, (4, 5, 6)).astype("float32")
    vectors[0, 2], vectors[1] = 9 * np.sign(kernel), -9 * np.sign(kernel)
    made = gate(implementation, random)
    made.load({"kernel": kernel})
    return made(vectors, every)


def far_below_0(implementation: Proxy, random: Random, words: np.ndarray) -> Any:
    """Return the weights for logits of words of about -27,000 to -15,000, and of 0 at padding.

    They are quarters, so sums in any order are exact.
    """
    kernel = random.choice([-9, -7, -6, 5, 6, 8], 6).astype("float32")
    vectors = random.randint(0, 2, (4, 5, 6)) / 4 - 500 * np.sign(kernel)
    vectors[~words] = 0
    made = gate(implementation, random)
    made.load({"kernel": kernel})
    return made(vectors.astype("float32"), words)


@gating.check("gives padding no weight and the words all of it, even in a compiled model", points=0.5)
def gated_padding(implementation: Proxy, random: Random) -> Any:
    vectors = (3 * random.standard_normal((4, 5, 6))).astype("float32")
    words = words_behind_cls(5, 5, 1, 0, 3)
    made = gate(implementation, random)
    alike = (0.1 * random.standard_normal((60, 5, 6))).astype("float32"), np.tile(words, (15, 1))
    mixed = with_dtypes(gate(implementation, random, "mixed_float16")(*alike))
    # The logits depend on float16 rounding; the sum of 1 does not.
    mixed["the result"] = np.round(1000 * np.sum(mixed["the result"], axis=1), 1)
    long = np.tile(vectors, (1, LONG // 5, 1)), np.tile(words, (1, LONG // 5))
    return {
        "the weights": made(vectors, words),
        "of long queries": made(*long),
        "of words with very low logits": far_below_0(implementation, random, words),
        "of queries of one token": made(vectors[:, :1], words[:, :1]),
        "in mixed precision, 1000 times the sums": mixed,
        "in double precision": with_dtypes(gate(implementation, random, "float64")(vectors.astype("float64"), words)),
        **fresh_gate(implementation).at_first(),
        "in a compiled model": made.in_graph(vectors, words),
        **made.gradients(vectors, words, along=random.standard_normal((4, 5)).astype("float32"), by=("vectors", "")),
    }


# CedrRanker ------------------------------------------------------------------------------------------------


@cedr.check("scores each query word by its histogram and [CLS], and sums with the gate's weights", points=1)
def whole_ranker(implementation: Proxy, random: Random) -> Any:
    return ranker(implementation, random).with_one(pairs(random))


@cedr.check("compares query words with document words, and nothing else", points=0.5)
def histogram_alone(implementation: Proxy, random: Random) -> Any:
    return ranker(implementation, random, reads="histogram")(pairs(random))


@cedr.check("takes [CLS] of both texts read together", points=0.5)
def cls_alone(implementation: Proxy, random: Random) -> Any:
    return ranker(implementation, random, reads="cls")(pairs(random))


@cedr.check("ignores the contents of padding", points=0.5)
def ranker_padding(implementation: Proxy, random: Random) -> Any:
    given = pairs(random)
    longer = {name: np.concatenate([array, array[:, :3] & 0], axis=1) for name, array in given.items()}
    made = ranker(implementation, random)
    without_query = {**given, "segment_ids": given["segment_ids"].copy()}
    without_query["segment_ids"][1, 2] = 1  # the second token ends its query
    return {
        "the scores": made(given),
        "the scores with more padding": made(longer),
        "the scores with a query without words": made(without_query),
    }


@cedr.check("sends a gradient to the blocks only through [CLS]", points=0.5)
def gradients(implementation: Proxy, random: Random) -> Any:
    given, along = pairs(random), random.standard_normal(3).astype("float32")
    return {
        Message("if {reads} counts: {name}", reads=reads, name=named(name)): value
        for reads in ("all", "histogram")
        for name, value in ranker(implementation, random, reads=reads).gradients(given, along=along, by=[""]).items()
    }


@cedr.check("is right in mixed precision, and in a compiled model", points=1, tolerance=5e-2, slow=True)
def ranker_in_use(implementation: Proxy, random: Random) -> Any:
    given = pairs(random)
    many = {name: np.tile(array, (LONG // 3, 1)) for name, array in given.items()}
    mixed = ranker(implementation, random, "mixed_float16", reads="cls")
    return {
        "in mixed precision": with_dtypes(mixed(given), mixed),
        "in double precision": implementation.once(built_ranker, dtype="float64").dtypes_of_weights(),
        "in a compiled model": ranker(implementation, random).in_graph(many),
        **ranker_with_its_encoder(implementation),
    }


# SplitEncoder ----------------------------------------------------------------------------------------------


def both(random: Random) -> dict[str, np.ndarray]:
    """Return three pairs: queries of 5, 3 and 2 tokens, documents of 6, 8 and 2."""
    query, query_mask = texts(random, QUERY_LENGTH, 5, 3, 2)
    document, document_mask = texts(random, DOCUMENT_LENGTH, 6, 8, 2)
    return {"query": query, "query_mask": query_mask, "document": document, "document_mask": document_mask}


def states(made: Proxy, given: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    query = made.method("encode_query")(given["query"], given["query_mask"])
    document = made.method("encode_document")(given["document"], given["document_mask"])
    return query, given["query_mask"], document, given["document_mask"]


def at_words(array: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Return the array with 0 at padding, whose contents do not matter."""
    return np.where(words[..., None], array, 0)


def joined(made: Proxy, query: Any, query_mask: Any, document: Any, document_mask: Any) -> dict[str, np.ndarray]:
    outputs = made.method("join")(query, query_mask, document, document_mask)
    words = np.concatenate([query_mask, document_mask], axis=1)
    return {**outputs, "sequence_output": at_words(outputs["sequence_output"], words)}


@split_encoder.check("reads a query with only the first blocks", points=1, slow=True)
def of_queries(implementation: Proxy, random: Random) -> Any:
    given = both(random)
    return {
        Message("after {count} blocks", plural="after {count} blocks", count=split): at_words(
            reader(implementation, random, split).method("encode_query")(given["query"], given["query_mask"]),
            given["query_mask"],
        )
        for split in (0, 1, 2)
    }


@split_encoder.check("reads a document in its own segment, at its own positions", points=1.5)
def of_documents(implementation: Proxy, random: Random) -> Any:
    given = both(random)
    return {
        Message("after {count} blocks", plural="after {count} blocks", count=split): at_words(
            reader(implementation, random, split).method("encode_document")(given["document"], given["document_mask"]),
            given["document_mask"],
        )
        for split in (0, 1, 2)
    }


@split_encoder.check(
    "joins both with the remaining blocks, and attends to the padding of neither", points=1.5, slow=True
)
def joining(implementation: Proxy, random: Random) -> Any:
    query, document = random.standard_normal((3, QUERY_LENGTH, 12)), random.standard_normal((3, DOCUMENT_LENGTH, 12))
    given = both(random)
    parts = query.astype("float32"), given["query_mask"], document.astype("float32"), given["document_mask"]
    return {
        Message("joined after {count} blocks", plural="joined after {count} blocks", count=split): joined(
            reader(implementation, random, split), *parts
        )
        for split in (0, 1, 2)
    }


@split_encoder.check(
    "gives the same result for a document encoded ahead of time, even in a compiled model", points=0.5, slow=True
)
def kept_documents(implementation: Proxy, random: Random) -> Any:
    given, made = both(random), reader(implementation, random, 2)
    short = {name: array[2:] for name, array in given.items()}
    short["document"], short["document_mask"] = short["document"][:, :2], short["document_mask"][:, :2]
    padded = {f"{name}_ids": np.where(given[f"{name}_mask"], given[name], 0) for name in ("query", "document")}
    many = {name: np.tile(array, (LONG // 3, 1)) for name, array in padded.items()}
    return {
        "joined, with padding": joined(made, *states(made, given)),
        "joined, one without padding": joined(made, *states(made, short)),
        "pooled, of one pair": made({name: array[:1] for name, array in padded.items()})["pooled_output"],
        "pooled, of many pairs in a compiled model": made.in_graph(many)["pooled_output"],
        **read_twice(implementation, random, given),
    }


def read_twice(implementation: Proxy, random: Random, given: dict[str, np.ndarray]) -> dict[str, Any]:
    """Return the states of a document before and after the weights change: no old state may remain."""
    document = implementation.make("numpy.array", given["document"].tolist())
    states: dict[str, Any] = {}
    for name in (Message("a document"), Message("a document with other weights")):
        read = reader(implementation, random, 2).method("encode_document")(document, given["document_mask"])
        states[name] = at_words(read, given["document_mask"])
    return states


@split_encoder.check("applies no dropout when documents are encoded ahead, and can be trained", points=0.5, slow=True)
def reader_in_use(implementation: Proxy, random: Random) -> Any:
    query, document = texts(random, QUERY_LENGTH, 5, 3)[0], texts(random, DOCUMENT_LENGTH, 6, 8)[0]
    given = {"query_ids": query, "document_ids": document}
    dropping = reader(implementation, random, 1, dropout=0.4)
    made = reader(implementation, random, 1)
    along = random.standard_normal((2, 12)).astype("float32")
    return {
        "a document, with dropout": dropping.method("encode_document")(document, np.ones_like(document, bool)),
        **made.gradients(given, along=along, by=[""], of="pooled_output"),
    }


# max_sim ---------------------------------------------------------------------------------------------------


@late.check("sums each query word's highest cosine, for all pairs", points=1)
def likest(implementation: Proxy, random: Random) -> Any:
    queries, documents, query_mask, document_mask = word_vectors(random)
    queries[0], documents[1] = np.abs(queries[0]), -np.abs(documents[1])  # even their highest cosines are negative
    many = np.tile(documents, (LONG // 4, 1, 1)), np.tile(document_mask | True, (LONG // 4, 1))
    return {
        **implementation.with_one(queries, documents, query_mask | True, document_mask | True),
        "many documents": implementation(queries, many[0], query_mask | True, many[1]),
        "documents of one word": implementation(
            queries, -np.abs(documents[:, :1]), query_mask | True, document_mask[:, :1] | True
        ),
    }


@late.check("lets no padding win or count, even if all cosines are negative", points=1)
def no_padding(implementation: Proxy, random: Random) -> Any:
    queries, documents, query_mask, document_mask = word_vectors(random)
    against = -np.abs(documents)
    zeros = np.where(document_mask[..., None], against, 0).astype("float32")
    return {
        "the scores": implementation(queries, documents, query_mask, document_mask),
        "the scores of opposite documents": implementation(np.abs(queries), against, query_mask, document_mask),
        "the same with zeros for padding": implementation(np.abs(queries), zeros, query_mask, document_mask),
        "all vectors times 0.001": implementation(queries / 1000, documents / 1000, query_mask, document_mask),
    }


@late.check("returns the lowest score, and a finite one, for a document without words", points=0.5)
def empty(implementation: Proxy, random: Random) -> Any:
    queries, documents, query_mask, document_mask = word_vectors(random)
    document_mask[1], query_mask[2], queries[0, 1] = False, False, 0
    return implementation(queries, documents, query_mask, document_mask)


@late.check("is computed in float32, runs in a compiled step, and trains both sides", points=0.5)
def late_in_use(implementation: Proxy, random: Random) -> Any:
    queries, documents, query_mask, document_mask = word_vectors(random)
    along = random.standard_normal((3, 4)).astype("float32")
    masks = query_mask, document_mask
    half = (100 * queries).astype("float16"), documents.astype("float16")
    by = ("query_vectors", "document_vectors", "", "")
    zeros = queries.copy(), np.where(document_mask[..., None], documents, 0).astype("float32")
    zeros[0][0, 1] = zeros[1][0, 2] = 0  # the vector of a word may be zero, too
    at_zeros = implementation.gradients(*zeros, *masks, along=along, by=by)
    return {
        "in half precision": with_dtypes(implementation(*half, *masks)),
        "in double precision": with_dtypes(
            implementation(queries.astype("float64"), documents.astype("float64"), *masks)
        ),
        "in a compiled step": implementation.in_graph(queries, documents, *masks),
        # Their size there depends on how the division by 0 is prevented.
        "whether gradients are finite, with vectors of zeros": all(
            np.isfinite(np.asarray(gradient, "float64")).all() for gradient in at_zeros.values()
        ),
        **implementation.gradients(queries, documents, *masks, along=along, by=by),
    }


# late_interaction_search -----------------------------------------------------------------------------------


def searched(
    implementation: Proxy, query: np.ndarray, vectors: list[np.ndarray], per_token: int, k: int, **of_index: int
) -> Any:
    given = Documents(implementation, vectors, **of_index)
    return implementation(
        implementation.make("numpy.array", query), given.index, given.owners, given.vectors, per_token, k
    )


@searching.check("finds the same as scoring all documents, if each word asks for all vectors", points=1)
def through_all(implementation: Proxy, random: Random) -> Any:
    query, *vectors = document_vectors(random, 4, 3, 6, 2, 5, 1, 7)
    query[:, 0], vectors[2][:, 0] = 9, -9  # a document that no word finds unless it asks for nearly all vectors
    answers = {
        Message("the best {k}, {per_token} for each word", k=k, per_token=per_token): searched(
            implementation, query, vectors, per_token, k
        )
        for per_token, k in ((24, 3), (1000, 6), (24, 11))
    }
    _, scores = alone = searched(implementation, query[:1], vectors, per_token=24, k=1)
    vectors[2][1] = 0  # the vector of a word may be zero, and nearer than all others of its document
    return {
        **answers,
        "the scores where the vector of a word is zero": searched(implementation, query, vectors, per_token=24, k=6),
        "the best one, of a query of one word": alone,
        "its score": with_dtypes(scores),
    }


@searching.check("scores only documents found by a word, with all words of the query", points=1)
def candidates(implementation: Proxy, random: Random) -> Any:
    query, *vectors = document_vectors(random, 3, 4, 6, 1, 5, 3, 7, 8)
    query[1], vectors[2] = -1.3 * query[0], 2 * query[:1]  # one word's best match is the worst of another
    answers = {
        Message("{per_token} for each word", per_token=per_token): searched(
            implementation, query, vectors, per_token, 7
        )
        for per_token in (1, 2, 4, 6)
    }
    # What is nearest by two features is not what is nearest by all six.
    others, *short = document_vectors(random, 3, *random.permutation([1] * 20 + [2] * 10))
    rough = searched(implementation, others, short, 4, 5, first=7, features=2)
    return {
        **answers,
        # Nine vectors belong to two documents or more.
        "the best one, 9 for each word": searched(implementation, query, vectors, 9, 1),
        "the best 5, 4 for each word, from an index in another order that knows two features": rough,
    }


@searching.check("keeps the order of equal documents, and handles documents without words", points=1)
def equal_and_empty(implementation: Proxy, random: Random) -> Any:
    query, other = document_vectors(random, 2, 4)
    query[1], one = -query[0], 3 * query[:1]  # padding of the shorter document would be a better match
    nothing = np.zeros((0, 6), "float32")
    axes = np.eye(6, dtype="float32")[random.permutation(6)]
    # Equal scores are 0: only 0 is exact for every way to compute a cosine, anywhere in an array.
    first, alike, half, whole = axes[:2], axes[[2, 3, 4]], axes[[0, 3]], axes[[1, 0, 5, 4]]
    five, many = [alike, half, alike, alike, whole], [alike, half, *[alike] * LONG, whole]
    return {
        "three equal documents": searched(implementation, first, five, 99, 4),
        "three equal documents, the first of which is the last in the index": searched(
            implementation, first, five, 99, 4, first=2
        ),
        "many equal documents": searched(implementation, first, many, 999, LONG),
        "half of many equal documents": searched(implementation, first, many, 999, LONG // 2),
        # In a Python set, 16 comes before 15.
        "the equal documents 15 and 16": searched(
            implementation, first[:1], [*[-axes[:1]] * 15, alike, alike], 2 * len(alike), 2
        ),
        "some empty documents": searched(implementation, query, [nothing, other, nothing, one], 99, 4),
    }


# duo_rank --------------------------------------------------------------------------------------------------


def compared(implementation: Proxy, table: np.ndarray, ids: list[int], **options: int) -> dict[str, Any]:
    """Return the ranking, and the comparisons that it asked for."""
    compare = implementation.make("course.applications.retrieval.preferences.Preferences", table)
    # What counts the comparisons is out of reach of what makes them.
    result = implementation(implementation.make("numpy.array", ids), compare.method("__call__"), **options)
    return {"the ranking": result, "asked": compare.method("asked")(), "most": compare.method("most_at_a_time")()}


@duo.check("sums the probabilities that a candidate is the better one", points=1)
def sums(implementation: Proxy, random: Random) -> Any:
    return {
        case: compared(implementation, random.random_sample((30, 30)), random.permutation(30)[:count].tolist())[
            "the ranking"
        ]
        for case, count in (
            (Message("4 candidates"), 4),
            (Message("10 candidates"), 10),
            (Message("10 other candidates"), 10),
        )
    }


@duo.check("compares every ordered pair once, in batches", points=1)
def every_pair(implementation: Proxy, random: Random) -> Any:
    answers = {}
    for count, batch_size in ((10, 32), (6, 7), (9, 4), (3, 1)):
        asked = compared(
            implementation,
            random.random_sample((12, 12)),
            random.permutation(12)[:count].tolist(),
            batch_size=batch_size,
        )
        answers[
            Message(
                "the compared pairs of {count} candidates",
                plural="the compared pairs of {count} candidates",
                count=count,
            )
        ] = asked["asked"]
        answers[Message("of {count}, more than {batch_size} at a time", count=count, batch_size=batch_size)] = bool(
            asked["most"] > batch_size
        )
    return answers


@duo.check("keeps the earlier order of equal candidates, and accepts a single one", points=1)
def ties(implementation: Proxy, random: Random) -> Any:
    table = np.full((LONG, LONG), 0.5)
    table[4] = 0.75
    table[7, 2] += 3e-4
    equal, many = random.permutation(9).tolist(), random.permutation(LONG).tolist()
    cases = {"equal candidates": equal, "many equal candidates": many, Message("one"): [3], Message("two"): [7, 2]}
    return {case: compared(implementation, table, ids)["the ranking"] for case, ids in cases.items()}


# DeTextRanker ----------------------------------------------------------------------------------------------


@detext.check("concatenates cosines, products, vectors and numbers, in this order", points=0.5)
def side_by_side(implementation: Proxy, random: Random) -> Any:
    given = known_pairs(random)
    features = feature_ranker(implementation, random).method("features")
    return {
        "the features": features(*given.values()),
        "of many pairs": features(*(np.tile(array, (LONG // 5, *[1] * (array.ndim - 1))) for array in given.values())),
    }


@detext.check("standardizes each number with the training statistics, and turns a constant one into 0", points=0.5)
def standardized(implementation: Proxy, random: Random) -> Any:
    numbers = known_pairs(random)["numbers"]
    numbers[1, 0] = MEANS[0] + 12 * DEVIATIONS[0]  # an outlier is standardized, too
    # Equal vectors of length 1: their cosine is their product, so only the numbers matter.
    query = np.tile(np.eye(WIDTH, dtype="float32")[:1], (5, 1))
    fields = np.tile(query[:, None], (1, FIELDS, 1))
    as_ever, features = numbers.copy(), feature_ranker(implementation, random, CONSTANT_LAST).method("features")
    as_ever[:, -1], numbers[0, -1], numbers[2, -1], numbers[3, -1] = MEANS[-1], 1e8, np.inf, np.nan
    return {
        "a constant number with its value of training": features(query, fields, as_ever),
        "a constant number that has changed since": features(query, fields, numbers),
    }


@detext.check("handles empty fields and queries, and passes a gradient on to the vectors", points=0.5)
def empty_fields(implementation: Proxy, random: Random) -> Any:
    given = known_pairs(random)
    features = feature_ranker(implementation, random).method("features")
    along = random.standard_normal((5, FIELDS + (2 * FIELDS + 1) * WIDTH + len(MEANS))).astype("float32")
    learned = features.gradients(*given.values(), along=along, by=("query", "fields", ""))
    given["query"][1], given["fields"][2, 0], given["fields"][3] = 0, 0, 0
    empty = features.gradients(*given.values(), along=along, by=("query", "fields", ""))
    # A cosine has no gradient at a vector of zeros: its value depends on how the division by 0 is avoided.
    is_finite = {
        Message("{name} of empty ones is finite", name=named(name)): value is not None
        and bool(np.isfinite(value).all())
        for name, value in empty.items()
        if name.startswith("the gradient by")
    }
    return {**learned, "the features of empty ones": empty["the output that is differentiated"], **is_finite}


@detext.check("is computed in float32, runs in a compiled model, and can be trained", points=0.5)
def features_in_use(implementation: Proxy, random: Random) -> Any:
    given, made = known_pairs(random), feature_ranker(implementation, random)
    mixed = feature_ranker(implementation, random, dtype="mixed_float16")
    half = (50 * given["query"]).astype("float16"), given["fields"].astype("float16")
    many = {name: np.tile(array, (LONG // 5, *[1] * (array.ndim - 1))) for name, array in given.items()}
    return {
        "in half precision": with_dtypes(made.method("features")(*half, given["numbers"])),
        "the features in mixed precision": with_dtypes(mixed.method("features")(*given.values())),
        "the score of one pair": made({name: array[:1] for name, array in given.items()}),
        "the scores of a compiled model": made.in_graph(many),
        **made.gradients(given, along=random.standard_normal(5).astype("float32"), by=[""]),
    }
