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
    "There is no logarithm: the soft counts of all words of the query are summed.",
    hint="A word that is found ten times should not count as much as ten words that are found. What dampens it?",
    change={LOGS: "soft_counts"},
)
kernels.mistake(
    "log_first",
    "The logarithm is taken before the sum over the document, so the exponential is undone.",
    hint="log exp(x) is x. Which of the two sums has the logarithm in it, and which is inside of it?",
    change={POWERS: f"ops.log(ops.maximum({POWERS}, 1e-10))", LOGS: "soft_counts"},
)
kernels.mistake(
    "log_last",
    "The logarithm is taken at the end, of the sum over the query.",
    hint="Each word of the query has a soft count of its own. A word that is never found should cost something.",
    change={LOGS: "soft_counts", SUMMED: f"ops.log(ops.maximum({SUMMED}, 1e-10))"},
)
kernels.mistake(
    "query_first",
    "The soft counts are summed over the query first, and their logarithms over the document.",
    hint="K_k(i) belongs to a word i of the query. Which axis is gone when it is computed?",
    change={
        "document_mask[:, None, :, None]": "query_mask[:, :, None, None]",
        "ops.sum(near, axis=2)": "ops.sum(near, axis=1)",
        "query_mask[..., None]": "document_mask[..., None]",
    },
)
kernels.mistake(
    "document_padding_counts",
    "Padding of the document is counted: its similarities fall into the kernels.",
    hint="The cosine of padding is often near 0, and there are kernels near 0. What does a long document win by that?",
    change={MASKED: ""},
)
kernels.mistake(
    "padding_is_zero",
    "The similarities of padding are set to 0, and counted: they fall into the kernels around 0.",
    hint="0 is a similarity like others. What must be 0 is what padding adds to a soft count.",
    change={SIMILARITY: f"ops.where(document_mask[:, None, :], {SIMILARITY}, 0.0)", MASKED: ""},
)
kernels.mistake(
    "query_padding_counts",
    "Padding of the query is counted as words: each adds the logarithm of its own soft counts.",
    hint="A short query stands in a row as long as the longest one. Which places of the row are words?",
    change={OF_WORDS: "logs"},
)
kernels.mistake(
    "log_of_nothing",
    "The soft counts of the query's padding are set to 0 before the logarithm: each adds log 1e-10, about -23.",
    hint="What does a place add whose soft count is 0? What should padding add?",
    change={
        SOFT_COUNTS: f"{SOFT_COUNTS}\nsoft_counts = ops.where(query_mask[..., None], soft_counts, 0.0)",
        OF_WORDS: "logs",
    },
)
kernels.mistake(
    "without_the_two",
    "The distances are divided by σ², not by 2 σ².",
    hint="Compare with the exponent of a normal distribution.",
    change={"(2 * sigma * sigma)": "(sigma * sigma)"},
)
kernels.mistake(
    "width_not_squared",
    "The width is not squared: the distances are divided by 2 σ.",
    hint="σ is the width as it stands on the axis. What stands under a squared distance?",
    change={"(2 * sigma * sigma)": "(2 * sigma)"},
)
kernels.mistake(
    "away_from_the_kernel",
    "The exponent has the wrong sign: what is far from the kernel counts most.",
    hint="At its middle a kernel is 1. Is it larger or smaller everywhere else?",
    change={POWERS: f"1 / ops.maximum({POWERS}, 1e-30)"},
)
kernels.mistake(
    "one_sided",
    "Distances are not squared: the kernel falls to one side only.",
    hint="A similarity below μ should count as little as one above it, at the same distance.",
    change={POWERS: "ops.exp(ops.minimum(-distances / (2 * sigma * sigma), 50.0))"},
)
kernels.mistake(
    "mean_of_document",
    "The soft counts are means over the document, not sums.",
    hint="A word that stands there twice is twice as much. By what is a mean divided?",
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
    "The result is a mean over the words of the query, not their sum.",
    hint="The equation has Σ over i, and no number of words under it.",
    change={
        SUMMED: f'{SUMMED} / ops.maximum(ops.sum(ops.cast(query_mask, "float32"), axis=1, keepdims=True), 1.0)',
    },
)
kernels.mistake(
    "softmax_over_kernels",
    "A softmax goes over the kernels: each similarity is shared out among them.",
    hint="Kernels overlap, and do not compete. What is the sum of all kernels at one similarity?",
    change={NEAR: f"{NEAR}\nnear = near / ops.maximum(ops.sum(near, axis=-1, keepdims=True), 1e-30)"},
)
kernels.mistake(
    "log_of_one_more",
    "1 is added before the logarithm instead of a floor below it: log(1 + K).",
    hint="A word that is never found should cost a lot. What does log(1 + 0) cost?",
    change={LOGS: "ops.log1p(soft_counts)"},
)
kernels.mistake(
    "without_floor",
    "There is no floor under the logarithm: what no word comes near to becomes minus infinity.",
    hint="log 0 is no number that a training survives. What stands in the max of the equation?",
    change={LOGS: "ops.log(soft_counts)"},
)
kernels.mistake(
    "one_width_for_all",
    "All kernels have the width of the second one: the exact match is blurred.",
    hint="The kernel at 1 counts exact matches alone, by a width of its own.",
    change={"in (means, widths)": "in (means, [widths[1]] * len(means))"},
)
kernels.mistake(
    "always_eleven",
    "`means` and `widths` are not used: there are always the eleven kernels of the paper.",
    hint="What if somebody asks for three kernels?",
    change={"in (means, widths)": "in (KERNEL_MEANS, KERNEL_WIDTHS)"},
)
kernels.mistake(
    "stopped",
    "No gradient reaches the similarities.",
    hint="K-NRM was made so that word vectors learn through the kernels. What cuts them off here?",
    change={SIMILARITY: f"ops.stop_gradient({SIMILARITY})"},
)
