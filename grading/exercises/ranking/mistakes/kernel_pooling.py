"""What goes wrong in kernel_pooling."""

from __future__ import annotations

from grading.exercises.ranking.checks import kernels

SIMILARITY = 'ops.cast(similarity, "float32")'
POWERS = "ops.exp(-distances * distances / (2 * sigma * sigma))"
NEAR = f"near = {POWERS}"
MASKED = "near = ops.where(document_mask[:, None, :, None], near, 0.0)"
SOFT_COUNTS = "soft_counts = ops.sum(near, axis=2)"
LOGS = "ops.log(ops.maximum(soft_counts, 1e-10))"
OF_WORDS = "ops.where(query_mask[..., None], logs, 0.0)"
SUMMED = f"ops.sum({OF_WORDS}, axis=1)"

kernels.mistake(
    "without_log",
    "The logarithm is missing: the soft counts of all query words are summed directly.",
    hint="One word found ten times should count less than ten words found. What dampens it?",
    change={LOGS: "soft_counts"},
)
kernels.mistake(
    "log_first",
    "The logarithm is taken before the sum over the document, so it cancels the exponential.",
    hint="log exp(x) is x. Which of the two sums is inside the logarithm, and which is outside?",
    change={POWERS: f"ops.log(ops.maximum({POWERS}, 1e-10))", LOGS: "soft_counts"},
)
kernels.mistake(
    "log_last",
    "The logarithm is taken last, of the sum over the query.",
    hint="Each query word has its own soft count. A word that is never found should cost something.",
    change={LOGS: "soft_counts", SUMMED: f"ops.log(ops.maximum({SUMMED}, 1e-10))"},
)
kernels.mistake(
    "query_first",
    "The soft counts are summed over the query first, and their logarithms over the document.",
    hint="K_k(i) belongs to query word i. Which axis does it no longer have?",
    change={
        "document_mask[:, None, :, None]": "query_mask[:, :, None, None]",
        "ops.sum(near, axis=2)": "ops.sum(near, axis=1)",
        "query_mask[..., None]": "document_mask[..., None]",
    },
)
kernels.mistake(
    "document_padding_counts",
    "Document padding is counted: its similarities fall into the kernels.",
    hint="The cosine of padding is often near 0, where there are kernels. What does that do to a short document?",
    change={MASKED: ""},
)
kernels.mistake(
    "padding_is_zero",
    "The similarities of padding are set to 0 and counted by the kernels around 0.",
    hint="0 is a similarity like any other. What padding adds to a soft count must be 0.",
    change={SIMILARITY: f"ops.where(document_mask[:, None, :], {SIMILARITY}, 0.0)", MASKED: ""},
)
kernels.mistake(
    "padding_far_away",
    "Padding of the document gets a similarity far from all kernels, such as -10; a wide kernel still counts it.",
    hint="exp(-x² / (2σ²)) at a distance of 10 is 0 for a width of 0.1. What is it for a width of 10?",
    change={SIMILARITY: f"ops.where(document_mask[:, None], {SIMILARITY}, -10.0)", MASKED: ""},
)
kernels.mistake(
    "query_padding_counts",
    "Query padding counts as words: each place adds the logarithm of its own soft counts.",
    hint="A short query is padded to the longest one. Which places of the row are words?",
    change={OF_WORDS: "logs"},
)
kernels.mistake(
    "log_of_nothing",
    "The soft counts of query padding are set to 0 before the logarithm, so each place adds log 1e-10, about -23.",
    hint="What does a place with a soft count of 0 add? What should padding add?",
    change={
        SOFT_COUNTS: f"{SOFT_COUNTS}\nsoft_counts = ops.where(query_mask[..., None], soft_counts, 0.0)",
        OF_WORDS: "logs",
    },
)
kernels.mistake(
    "without_the_two",
    "The squared distances are divided by σ² instead of 2 σ².",
    hint="Compare with the exponent of a normal distribution.",
    change={"(2 * sigma * sigma)": "(sigma * sigma)"},
)
kernels.mistake(
    "width_not_squared",
    "The width is not squared: the squared distances are divided by 2 σ.",
    hint="σ is a width in units of similarity. What should divide a squared distance?",
    change={"(2 * sigma * sigma)": "(2 * sigma)"},
)
kernels.mistake(
    "away_from_the_kernel",
    "The exponent has the wrong sign, so similarities far from the kernel count most.",
    hint="At its centre a kernel is 1. Is it larger or smaller everywhere else?",
    change={POWERS: f"1 / ops.maximum({POWERS}, 1e-30)"},
)
kernels.mistake(
    "one_sided",
    "Distances are not squared, so the kernel falls on one side only.",
    hint="A similarity below μ should count as little as one above it, at the same distance.",
    change={POWERS: "ops.exp(ops.minimum(-distances / (2 * sigma * sigma), 50.0))"},
)
kernels.mistake(
    "mean_of_document",
    "The soft counts are means over the document instead of sums.",
    hint="A word that occurs twice counts twice. What does a mean divide by?",
    change={
        SOFT_COUNTS: f"""
            {SOFT_COUNTS}
            words = ops.maximum(ops.sum(ops.cast(document_mask, "float32"), axis=1), 1.0)
            soft_counts = soft_counts / words[:, None, None]
        """
    },
)
kernels.mistake(
    "mean_of_query",
    "The result is a mean over the query words instead of a sum.",
    hint="The equation has Σ over i, and does not divide by the number of words.",
    change={
        SUMMED: f'{SUMMED} / ops.maximum(ops.sum(ops.cast(query_mask, "float32"), axis=1, keepdims=True), 1.0)',
    },
)
kernels.mistake(
    "softmax_over_kernels",
    "A softmax runs over the kernels, so each similarity is shared among them.",
    hint="Kernels overlap and do not compete. What is the sum of all kernels at one similarity?",
    change={NEAR: f"{NEAR}\nnear = near / ops.maximum(ops.sum(near, axis=-1, keepdims=True), 1e-30)"},
)
kernels.mistake(
    "log_of_one_more",
    "1 is added before the logarithm, log(1 + K), instead of a lower limit.",
    hint="A word that is never found should cost much. What does log(1 + 0) cost?",
    change={LOGS: "ops.log1p(soft_counts)"},
)
kernels.mistake(
    "without_floor",
    "The logarithm has no lower limit: a kernel that no word comes near gives minus infinity.",
    hint="No training survives log 0. What does the max in the equation contain?",
    change={LOGS: "ops.log(soft_counts)"},
)
kernels.mistake(
    "one_width_for_all",
    "All kernels have the width of the second one, so the exact match is blurred.",
    hint="The kernel at 1 counts only exact matches, with a width of its own.",
    change={"in (means, widths)": "in (means, [widths[1]] * len(means))"},
)
kernels.mistake(
    "always_eleven",
    "`means` and `widths` are not used: there are always the eleven kernels of the paper.",
    hint="What happens if the caller passes three kernels?",
    change={"in (means, widths)": "in (KERNEL_MEANS, KERNEL_WIDTHS)"},
)
kernels.mistake(
    "stopped",
    "No gradient reaches the similarities.",
    hint="K-NRM was made so that word vectors learn through the kernels. What stops the gradient here?",
    change={SIMILARITY: f"ops.stop_gradient({SIMILARITY})"},
)
kernels.mistake(
    "floor_added",
    "1e-10 is added to the soft counts instead of being their least value, so those near 1e-10 come out too high.",
    hint="The docstring has a max in its logarithm. What differs between max(K, 1e-10) and K + 1e-10?",
    change={LOGS: "ops.log(soft_counts + 1e-10)"},
)
kernels.mistake(
    "words_come_first",
    "As many words as `document_mask` has are taken from the start of the row, wherever it is True.",
    hint="`words_of_pairs` gives masks for a row that holds both texts. Where in it do the document's words begin?",
    change={
        MASKED: f"""
            lengths = ops.sum(ops.cast(document_mask, "int32"), axis=1, keepdims=True)
            document_mask = ops.arange(ops.shape(similarity)[2]) < lengths
            {MASKED}
        """
    },
)
kernels.mistake(
    "log_of_0_replaced",
    "log 0 is computed and then replaced: the features are right, but where nothing is found, their gradient is NaN.",
    hint="`ops.where` sends gradients through both sides, and 0 · ∞ is NaN. Which number must the logarithm never get?",
    change={LOGS: "ops.where(soft_counts > 1e-10, ops.log(soft_counts), math.log(1e-10))"},
)
