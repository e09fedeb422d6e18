"""What goes wrong in max_sim."""

from __future__ import annotations

from grading.exercises.ranking.checks import late

QUERIES, DOCUMENTS = "unit_vectors(query_vectors)", "unit_vectors(document_vectors)"
COSINES = 'ops.einsum("qiw,djw->qdij", queries, documents)'
MASKED = "cosines = ops.where(document_mask[None, :, None, :], cosines, -1.0)"
LIKEST = "likest = ops.max(cosines, axis=-1)"
OF_WORDS = "ops.where(query_mask[:, None, :], likest, 0.0)"
SUMMED = f"ops.sum({OF_WORDS}, axis=-1)"
# Products may be lower than -1. Only what a document without a word gets does not change.
BELOW_PRODUCTS = {
    "cosines, -1.0": "cosines, -1e9",
    LIKEST: f"{LIKEST}\nlikest = ops.where(ops.any(document_mask, axis=1)[None, :, None], likest, -1.0)",
}

late.mistake(
    "padding_at_zero",
    "Padding of a document has a cosine of 0, and wins where all others are negative.",
    hint="ColBERT's first program did so, too. Which number can no cosine be below?",
    change={"cosines, -1.0": "cosines, 0.0"},
)
late.mistake(
    "document_mask_forgotten",
    "`document_mask` is not used: padding may be the most similar word.",
    hint="At padding there are vectors, too.",
    change={MASKED: ""},
)
late.mistake(
    "query_mask_forgotten",
    "`query_mask` is not used: padding of the query adds its best match.",
    hint="Two queries that differ in padding alone must have the same score.",
    change={OF_WORDS: "likest"},
)
late.mistake(
    "query_padding_is_low",
    "Padding of the query adds -1 for each of its places.",
    hint="What does a word add that is not there?",
    change={"likest, 0.0": "likest, -1.0"},
)
late.mistake(
    "mean_of_query",
    "The scores are means over the words of the query, not sums.",
    hint="The equation has Σ over i, and nothing under it.",
    change={
        SUMMED: f'{SUMMED} / ops.maximum(ops.sum(ops.cast(query_mask, "float32"), axis=1, keepdims=True), 1.0)',
    },
)
late.mistake(
    "mean_of_document",
    "The mean over the words of the document is taken, not the most similar one.",
    hint="One good match is enough. What does a long document do to a mean?",
    change={
        MASKED: 'words = ops.cast(document_mask, "float32")[None, :, None, :]',
        LIKEST: "likest = ops.sum(cosines * words, axis=-1) / ops.maximum(ops.sum(words, axis=-1), 1.0)",
    },
)
late.mistake(
    "swapped",
    "The two sides are swapped: for each word of the document the most similar word of the query is found.",
    hint="Should a long document have a higher score because it is long?",
    change={
        "document_mask[None, :, None, :]": "query_mask[:, None, :, None]",
        "ops.max(cosines, axis=-1)": "ops.max(cosines, axis=-2)",
        "query_mask[:, None, :]": "document_mask[None, :, :]",
    },
)
late.mistake(
    "turned",
    "The result is (documents, queries).",
    hint="A row for each query. Which axis comes first?",
    change={SUMMED: f"ops.transpose({SUMMED})"},
)
late.mistake(
    "not_normalised",
    "The vectors are not brought to length 1: the scores are products, not cosines.",
    hint="A long vector would be like everything. What is a cosine divided by?",
    change={
        QUERIES: 'ops.cast(query_vectors, "float32")',
        DOCUMENTS: 'ops.cast(document_vectors, "float32")',
        **BELOW_PRODUCTS,
    },
)
late.mistake(
    "one_side_normalised",
    "Only the documents are brought to length 1.",
    hint="A cosine is divided by both lengths.",
    change={QUERIES: 'ops.cast(query_vectors, "float32")', **BELOW_PRODUCTS},
)
late.mistake(
    "normalised_over_words",
    "Vectors are normalised over the words of a text, not over their features.",
    hint="Each word gets length 1 for itself. Which axis holds its features?",
    instead="""
        def unit_vectors(vectors):
            vectors = ops.cast(vectors, "float32")
            return vectors / ops.sqrt(ops.maximum(ops.sum(vectors * vectors, axis=1, keepdims=True), 1e-12))
    """,
)
late.mistake(
    "negative_distances",
    "The distances between vectors are compared, not the angles.",
    hint="The nearest vector and the most similar one are the same only at length 1; and the score is a cosine.",
    change={COSINES: f"-(2 - 2 * {COSINES})"},
)
late.mistake(
    "lowest",
    "The lowest cosine is taken, not the highest.",
    hint="For each word of the query: which word of the document is most similar to it?",
    change={"cosines, -1.0": "cosines, 1.0", "ops.max(": "ops.min("},
)
late.mistake(
    "relu",
    "Negative maxima are cut off at 0.",
    hint="A document that says the contrary should not be as good as one that says nothing.",
    change={LIKEST: "likest = ops.relu(ops.max(cosines, axis=-1))"},
)
late.mistake(
    "best_word_only",
    "Only one word of the query counts: the best of its maxima, not their sum.",
    hint="A document should answer all words of the query.",
    change={SUMMED: "ops.max(ops.where(query_mask[:, None, :], likest, -1.0), axis=-1)"},
)
late.mistake(
    "softly",
    "A softmax takes the place of the maximum: every word of the document has a part in it.",
    hint="That would be attention. Here one word wins.",
    change={
        MASKED: "weights = ops.softmax(ops.where(document_mask[None, :, None, :], cosines, -1e9), axis=-1)",
        LIKEST: "likest = ops.sum(weights * cosines, axis=-1)",
    },
)
late.mistake(
    "empty_is_infinite",
    "A document without a word gets minus infinity.",
    hint="What is minus infinity, added to another one with the opposite sign? And which cosine is the lowest?",
    change={"cosines, -1.0": "cosines, -math.inf"},
)
late.mistake(
    "empty_is_zero",
    "A document without a word gets a score of 0: it is better than one that says the contrary.",
    hint="What is the lowest cosine that there is?",
    change={SUMMED: f"ops.where(ops.any(document_mask, axis=1), {SUMMED}, 0.0)"},
)
late.mistake(
    "no_floor",
    "The vectors are divided by their lengths without a floor: a vector of zeros makes NaN.",
    hint="0 / 0 is NaN. How long must a vector be at least, to be divided by?",
    instead="""
        def unit_vectors(vectors):
            vectors = ops.cast(vectors, "float32")
            return vectors / ops.sqrt(ops.sum(vectors * vectors, axis=-1, keepdims=True))
    """,
)
late.mistake(
    "documents_stopped",
    "No gradient goes to the documents.",
    hint="Both sides learn from a batch. What does `ops.stop_gradient` take away?",
    change={DOCUMENTS: f"ops.stop_gradient({DOCUMENTS})"},
)
late.mistake(
    "replaced_afterwards",
    "A vector of zeros is divided by 0 first and replaced afterwards: its score is right, and its gradient is NaN.",
    hint="`ops.where` sends gradients through both sides, and 0 times NaN is NaN. Which side must not divide by 0?",
    instead="""
        def unit_vectors(vectors):
            vectors = ops.cast(vectors, "float32")
            squares = ops.sum(vectors * vectors, axis=-1, keepdims=True)
            return ops.where(squares > 0, vectors / ops.sqrt(squares), 0.0)
    """,
)
