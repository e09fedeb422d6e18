"""What goes wrong in matching_histogram."""

from __future__ import annotations

from grading.exercises.ranking.checks import histogram

SIMILARITY = 'similarity = ops.stop_gradient(ops.cast(similarity, "float32"))'
FLOOR = "ops.floor((similarity + 1) / 2 * (bins - 1))"
PLACES = f"ops.clip({FLOOR}, 0, bins - 2)"
EXACT = "places = ops.where(similarity >= 1 - 1e-5, bins - 1.0, places)"
IS_IN = 'ops.equal(places[..., None], ops.arange(bins, dtype="float32"))'
MASKED = "ops.logical_and(is_in, document_mask[:, None, :, None])"
COUNTS = 'ops.sum(ops.cast(is_in, "float32"), axis=2)'
LOGS = f"ops.log1p({COUNTS})"

histogram.mistake(
    "raw_counts",
    "The logarithm is missing: the plain counts are returned.",
    hint="What does a bin with n words hold?",
    change={LOGS: COUNTS},
)
histogram.mistake(
    "shares",
    "The counts are divided by the number of words, which gives shares instead of log(1 + n).",
    hint="DRMM's paper tries three histograms. Which one does the docstring give?",
    change={
        f"return {LOGS}": f"""
            words = ops.maximum(ops.sum(ops.cast(document_mask, "float32"), axis=1), 1.0)
            return {COUNTS} / words[:, None, None]
        """
    },
)
histogram.mistake(
    "log_of_count",
    "An empty bin holds log 0: minus infinity, or a very small number.",
    hint="Most bins are empty. What must you add before the logarithm?",
    change={LOGS: f"ops.log(ops.maximum({COUNTS}, 1e-10))"},
)
histogram.mistake(
    "equal_bins",
    "All bins are equally wide, so exact matches share the last one with near matches.",
    hint="A number or a name is either the same or another. Which bin shows that?",
    change={PLACES: "ops.clip(ops.floor((similarity + 1) / 2 * bins), 0, bins - 1)", EXACT: ""},
)
histogram.mistake(
    "one_bin_more",
    "Exact matches get an additional bin, so there are `bins` + 1.",
    hint="With 10 bins, CEDR joins 10 features with [CLS]. How many are left for inexact matches?",
    change={SIMILARITY: f"{SIMILARITY}\nbins = bins + 1"},
)
histogram.mistake(
    "exact_lost",
    "Exact matches are in no bin.",
    hint="Where does a similarity of exactly 1 go? It is the most important one.",
    change={"bins - 1.0": "float(bins)"},
)
histogram.mistake(
    "bins_in_half",
    "The bins are found in the dtype of the similarities: in half precision, rounding moves some into the next bin.",
    hint="The docstring says what is computed in float32. Where does your code first need it?",
    change={
        SIMILARITY: "similarity = ops.stop_gradient(ops.convert_to_tensor(similarity))",
        PLACES: f'ops.cast({PLACES}, "float32")',
    },
)
histogram.mistake(
    "exact_to_the_digit",
    "Only a similarity of precisely 1 counts as exact; rounding puts most exact matches below.",
    hint="The cosine of a vector with itself may well be 0.9999999. How near is near enough?",
    change={"similarity >= 1 - 1e-5": "ops.equal(similarity, 1.0)"},
)
histogram.mistake(
    "generous",
    "Too much counts as exact: everything from 0.99 up.",
    hint="An exact match differs from 1 only by rounding.",
    change={"1 - 1e-5": "0.99"},
)
histogram.mistake(
    "from_zero",
    "The bins go from 0 to 1, so all negative similarities are in the first one.",
    hint="Cosines go down to -1. Which bin should hold -0.9, and which one -0.1?",
    change={FLOOR: "ops.floor(similarity * (bins - 1))"},
)
histogram.mistake(
    "negatives_dropped",
    "Negative similarities are dropped.",
    hint="A word of the opposite meaning is in the document, too. How many words do all bins hold together?",
    change={EXACT: f"{EXACT}\nplaces = ops.where(similarity < 0, -1.0, places)"},
)
histogram.mistake(
    "rounded_to_zero",
    "Places are rounded towards 0, as int() does, so the two bins around 0 become one.",
    hint="int(-0.5) is 0, and so is int(0.5). What does ops.floor return?",
    change={FLOOR: "ops.floor(ops.trunc(similarity / 2 * (bins - 1)) + (bins - 1) / 2)"},
)
histogram.mistake(
    "rounded",
    "Places are rounded to the nearest integer, so each bin begins half a bin too early.",
    hint="A bin begins at its lower bound. Which function never rounds up?",
    change={"ops.floor(": "ops.round("},
)
histogram.mistake(
    "upper_bounds",
    "Bins include their upper bounds instead of their lower bounds.",
    hint="With two bins from -1 to 1, where does a similarity of exactly 0 go?",
    change={FLOOR: "ops.ceil((similarity + 1) / 2 * (bins - 1)) - 1"},
)
histogram.mistake(
    "below_lost",
    "Similarities that rounding puts below -1 are in no bin.",
    hint="-1.0000001 is a rounded cosine. Which bin is nearest?",
    change={"0, bins - 2": "-1, bins - 2"},
)
histogram.mistake(
    "padding_counts",
    "Padding counts like words.",
    hint="A short document is padded to the longest one. What says where it ends?",
    change={MASKED: "is_in"},
)
histogram.mistake(
    "padding_at_zero",
    "Padding gets a similarity of 0, and so counts in the bin of 0.",
    hint="0 is in a bin, too. Which value is in none?",
    change={
        SIMILARITY: f"{SIMILARITY}\nsimilarity = ops.where(document_mask[:, None, :], similarity, 0.0)",
        MASKED: "is_in",
    },
)
histogram.mistake(
    "one_for_all",
    "The pair has one histogram instead of one per query word.",
    hint="The gate weighs the words of the query one by one. What does it weigh here?",
    change={
        f"return {LOGS}": f"""
            counts = {COUNTS}
            return ops.log1p(ops.broadcast_to(ops.sum(counts, axis=1, keepdims=True), ops.shape(counts)))
        """
    },
)
histogram.mistake(
    "soft",
    "The counts are shared between neighbouring bins, as with kernels.",
    hint="A word is in one bin only. That is why a histogram has no gradient.",
    change={
        PLACES: "(similarity + 1) / 2 * (bins - 1) - 0.5",
        EXACT: "",
        IS_IN: 'ops.relu(1 - ops.abs(places[..., None] - ops.arange(bins, dtype="float32")))',
        MASKED: "ops.where(document_mask[:, None, :, None], is_in, 0.0)",
    },
)
histogram.mistake(
    "in_half_precision",
    "The result has the precision of the similarities, here float16.",
    hint="Which dtype does the docstring name?",
    change={
        SIMILARITY: f"dtype = ops.convert_to_tensor(similarity).dtype\n{SIMILARITY}",
        LOGS: f"ops.cast({LOGS}, dtype)",
    },
)
histogram.mistake(
    "straight_through",
    "A gradient reaches the similarities, as if each count grew with them.",
    hint="A similarity changes a little, and its word stays in its bin. By how much does the count change?",
    change={
        SIMILARITY: f"""
            sums = ops.sum(
                ops.where(document_mask[:, None, :], ops.cast(similarity, "float32"), 0.0), axis=2, keepdims=True
            )
            {SIMILARITY}
        """,
        LOGS: f"{LOGS} + sums - ops.stop_gradient(sums)",
    },
)
