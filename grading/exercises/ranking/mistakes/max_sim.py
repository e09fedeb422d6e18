"""What goes wrong in max_sim."""

from __future__ import annotations

from grading.exercises.ranking.checks import late

QUERIES, DOCUMENTS = "unit_vectors(query_vectors)", "unit_vectors(document_vectors)"
COSINES = 'ops.einsum("qiw,djw->qdij", queries, documents)'
MASKED = "cosines = ops.where(document_mask[None, :, None, :], cosines, -1.0)"
LIKEST = "likest = ops.max(cosines, axis=-1)"
OF_WORDS = "ops.where(query_mask[:, None, :], likest, 0.0)"
SUMMED = f"ops.sum({OF_WORDS}, axis=-1)"
# Dot products may be lower than -1. A document without words still gets -1.
BELOW_PRODUCTS = {
    "cosines, -1.0": "cosines, -1e9",
    LIKEST: f"{LIKEST}\nlikest = ops.where(ops.any(document_mask, axis=1)[None, :, None], likest, -1.0)",
}

late.mistake(
    "padding_at_zero",
    "Document padding has a cosine of 0, and wins if all others are negative.",
    hint="ColBERT's first program had this bug. Which number is below every cosine?",
    change={"cosines, -1.0": "cosines, 0.0"},
)
late.mistake(
    "document_mask_forgotten",
    "`document_mask` is not used, so padding may be the most similar word.",
    hint="Padding has vectors, too.",
    change={MASKED: ""},
)
late.mistake(
    "query_mask_forgotten",
    "`query_mask` is not used, so query padding adds its best match.",
    hint="Two queries that differ only in padding must have the same score.",
    change={OF_WORDS: "likest"},
)
late.mistake(
    "query_padding_is_low",
    "Each place of query padding adds -1.",
    hint="What should a missing word add?",
    change={"likest, 0.0": "likest, -1.0"},
)
late.mistake(
    "mean_of_query",
    "The score is a mean over the query words instead of a sum.",
    hint="The equation has Σ over i, and no denominator.",
    change={
        SUMMED: f'{SUMMED} / ops.maximum(ops.sum(ops.cast(query_mask, "float32"), axis=1, keepdims=True), 1.0)',
    },
)
late.mistake(
    "mean_of_document",
    "The mean over the document words is taken instead of the maximum.",
    hint="One good match is enough. What does a long document do to a mean?",
    change={
        MASKED: 'words = ops.cast(document_mask, "float32")[None, :, None, :]',
        LIKEST: "likest = ops.sum(cosines * words, axis=-1) / ops.maximum(ops.sum(words, axis=-1), 1.0)",
    },
)
late.mistake(
    "swapped",
    "The two sides are swapped: each document word looks for the most similar query word.",
    hint="Should a longer document get a higher score for its length?",
    change={
        "document_mask[None, :, None, :]": "query_mask[:, None, :, None]",
        "ops.max(cosines, axis=-1)": "ops.max(cosines, axis=-2)",
        "query_mask[:, None, :]": "document_mask[None, :, :]",
    },
)
late.mistake(
    "turned",
    "The result is (documents, queries), transposed.",
    hint="Each query has one row. Which axis comes first?",
    change={SUMMED: f"ops.transpose({SUMMED})"},
)
late.mistake(
    "not_normalised",
    "The vectors are not normalised to length 1, so the scores are dot products instead of cosines.",
    hint="A long vector would be similar to everything. What divides a cosine?",
    change={
        QUERIES: 'ops.cast(query_vectors, "float32")',
        DOCUMENTS: 'ops.cast(document_vectors, "float32")',
        **BELOW_PRODUCTS,
    },
)
late.mistake(
    "one_side_normalised",
    "Only the documents are normalised to length 1.",
    hint="A cosine is divided by both lengths.",
    change={QUERIES: 'ops.cast(query_vectors, "float32")', **BELOW_PRODUCTS},
)
late.mistake(
    "normalised_over_words",
    "Vectors are normalised over the words of a text instead of over their features.",
    hint="Each word gets length 1 on its own. Which axis holds its features?",
    instead="""
        def unit_vectors(vectors):
            vectors = ops.cast(vectors, "float32")
            return vectors / ops.sqrt(ops.maximum(ops.sum(vectors * vectors, axis=1, keepdims=True), 1e-12))
    """,
)
late.mistake(
    "longer_by_a_little",
    "A small number, such as 1e-8, is added to the squared length, so short vectors do not get length 1.",
    hint="A vector of length 0.001 has a squared length of 1e-6. How much do you add to it?",
    change={
        side: f"({vectors} / ops.sqrt(ops.sum({vectors} * {vectors}, axis=-1, keepdims=True) + 1e-8))"
        for side, vectors in (
            (QUERIES, 'ops.cast(query_vectors, "float32")'),
            (DOCUMENTS, 'ops.cast(document_vectors, "float32")'),
        )
    },
)
late.mistake(
    "negative_distances",
    "The similarity is the negative distance of the vectors instead of the cosine.",
    hint="The nearest vector is the most similar one only at length 1, and the score is a cosine.",
    change={COSINES: f"-(2 - 2 * {COSINES})"},
)
late.mistake(
    "lowest",
    "The lowest cosine is taken instead of the highest.",
    hint="Each query word looks for its most similar document word.",
    change={"cosines, -1.0": "cosines, 1.0", "ops.max(": "ops.min("},
)
late.mistake(
    "relu",
    "Negative maxima are cut off at 0.",
    hint="A document that contradicts the query should not score as well as one that says nothing.",
    change={LIKEST: "likest = ops.relu(ops.max(cosines, axis=-1))"},
)
late.mistake(
    "best_word_only",
    "Only one query word counts: the best of the maxima instead of their sum.",
    hint="A document should match all words of the query.",
    change={SUMMED: "ops.max(ops.where(query_mask[:, None, :], likest, -1.0), axis=-1)"},
)
late.mistake(
    "softly",
    "A softmax replaces the maximum, so every document word contributes.",
    hint="That would be attention. How many words win here?",
    change={
        MASKED: "weights = ops.softmax(ops.where(document_mask[None, :, None, :], cosines, -1e9), axis=-1)",
        LIKEST: "likest = ops.sum(weights * cosines, axis=-1)",
    },
)
late.mistake(
    "empty_is_infinite",
    "A document without words gets minus infinity.",
    hint="What is infinity minus infinity? And which cosine is the lowest?",
    change={"cosines, -1.0": "cosines, -math.inf"},
)
late.mistake(
    "empty_is_zero",
    "A document without words gets a score of 0, which is better than one that contradicts the query.",
    hint="What is the lowest possible cosine?",
    change={SUMMED: f"ops.where(ops.any(document_mask, axis=1), {SUMMED}, 0.0)"},
)
late.mistake(
    "no_floor",
    "The vectors are divided by their lengths without a lower limit, so a vector of zeros gives NaN.",
    hint="0 / 0 is NaN. What is the smallest length that you may divide by?",
    instead="""
        def unit_vectors(vectors):
            vectors = ops.cast(vectors, "float32")
            return vectors / ops.sqrt(ops.sum(vectors * vectors, axis=-1, keepdims=True))
    """,
)
late.mistake(
    "documents_stopped",
    "No gradient reaches the documents.",
    hint="Both sides learn from a batch. What does `ops.stop_gradient` do?",
    change={DOCUMENTS: f"ops.stop_gradient({DOCUMENTS})"},
)
late.mistake(
    "replaced_afterwards",
    "A vector of zeros is divided by 0 and replaced afterwards: its score is right, but its gradient is NaN.",
    hint="`ops.where` sends gradients through both sides, and 0 times NaN is NaN. Which side must not divide by 0?",
    instead="""
        def unit_vectors(vectors):
            vectors = ops.cast(vectors, "float32")
            squares = ops.sum(vectors * vectors, axis=-1, keepdims=True)
            return ops.where(squares > 0, vectors / ops.sqrt(squares), 0.0)
    """,
)
late.mistake(
    "in_double",
    "Vectors in float64 get scores in float64.",
    hint="The docstring says in which dtype everything is computed. Does it except any vectors?",
    change={
        "cosines, -1.0": "cosines, ops.full_like(cosines, -1.0)",
        "likest, 0.0": "likest, ops.zeros_like(likest)",
    },
    instead="""
        def unit_vectors(vectors):
            vectors = ops.cast(vectors, keras.backend.result_type(vectors.dtype, "float32"))
            return vectors / ops.sqrt(ops.maximum(ops.sum(vectors * vectors, axis=-1, keepdims=True), 1e-12))
    """,
)
