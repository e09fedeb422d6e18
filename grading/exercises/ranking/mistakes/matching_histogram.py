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
    "There is no logarithm: the counts themselves are returned.",
    hint="What should stand in a bin with n words?",
    change={LOGS: COUNTS},
)
histogram.mistake(
    "shares",
    "The counts are divided by the number of words: shares instead of log(1 + n).",
    hint="DRMM's paper tries three histograms. Which one is asked for?",
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
    hint="Most bins are empty. What is the logarithm of 1 more?",
    change={LOGS: f"ops.log(ops.maximum({COUNTS}, 1e-10))"},
)
histogram.mistake(
    "equal_bins",
    "All bins are equally wide: exact matches share the last one with near ones.",
    hint="A number or a name is either the same or another. Which bin tells that?",
    change={PLACES: "ops.clip(ops.floor((similarity + 1) / 2 * bins), 0, bins - 1)", EXACT: ""},
)
histogram.mistake(
    "one_bin_more",
    "Exact matches have a bin beyond the others: there are `bins` + 1 of them.",
    hint="With 10 bins, CEDR puts 10 features beside [CLS]. How many are left for what is not exact?",
    change={SIMILARITY: f"{SIMILARITY}\nbins = bins + 1"},
)
histogram.mistake(
    "exact_lost",
    "Exact matches fall out of all bins.",
    hint="What becomes of a similarity of exactly 1? It is the most important one.",
    change={"bins - 1.0": "float(bins)"},
)
histogram.mistake(
    "exact_to_the_digit",
    "Only what is 1 to the last digit counts as exact; rounding makes less of most of them.",
    hint="The cosine of a vector with itself is 0.9999999 as often as 1. How near is near enough?",
    change={"similarity >= 1 - 1e-5": "ops.equal(similarity, 1.0)"},
)
histogram.mistake(
    "generous",
    "Too much counts as exact: everything from 0.99 on.",
    hint="Exact is what differs from 1 by rounding alone.",
    change={"1 - 1e-5": "0.99"},
)
histogram.mistake(
    "from_zero",
    "The bins go from 0 to 1: all negative similarities are in the first one.",
    hint="Cosines are as low as -1. Which bin should -0.9 be in, and which one -0.1?",
    change={FLOOR: "ops.floor(similarity * (bins - 1))"},
)
histogram.mistake(
    "negatives_dropped",
    "Negative similarities are dropped.",
    hint="A word that says the contrary is in the document, too. How many words do all bins hold together?",
    change={EXACT: f"{EXACT}\nplaces = ops.where(similarity < 0, -1.0, places)"},
)
histogram.mistake(
    "rounded_to_zero",
    "Places are rounded towards 0, as int() does: two bins around 0 become one.",
    hint="int(-0.5) is 0, and so is int(0.5). What does ops.floor give?",
    change={FLOOR: "ops.floor(ops.trunc(similarity / 2 * (bins - 1)) + (bins - 1) / 2)"},
)
histogram.mistake(
    "rounded",
    "Places are rounded to the nearest one: each bin begins half a bin too early.",
    hint="A bin holds all from its lower bound up. Which function never rounds up?",
    change={"ops.floor(": "ops.round("},
)
histogram.mistake(
    "upper_bounds",
    "Bins hold their upper bounds, not their lower ones.",
    hint="Where is a similarity of exactly 0, with two bins from -1 to 1?",
    change={FLOOR: "ops.ceil((similarity + 1) / 2 * (bins - 1)) - 1"},
)
histogram.mistake(
    "below_lost",
    "What rounding puts below -1 falls out of all bins.",
    hint="-1.0000001 is a cosine that was rounded. Which bin is it nearest to?",
    change={"0, bins - 2": "-1, bins - 2"},
)
histogram.mistake(
    "padding_counts",
    "Padding is counted like words.",
    hint="A short document stands in a row as long as the longest one. Who says where it ends?",
    change={MASKED: "is_in"},
)
histogram.mistake(
    "padding_at_zero",
    "Padding gets a similarity of 0, and is counted in the bin of 0.",
    hint="0 is in a bin, too. What falls into none?",
    change={
        SIMILARITY: f"{SIMILARITY}\nsimilarity = ops.where(document_mask[:, None, :], similarity, 0.0)",
        MASKED: "is_in",
    },
)
histogram.mistake(
    "one_for_all",
    "There is one histogram for the pair, not one for each word of the query.",
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
    "The counts are shared between neighbouring bins, as kernels do.",
    hint="A word falls into one bin, or does not. That is why no gradient goes through a histogram.",
    change={
        PLACES: "(similarity + 1) / 2 * (bins - 1) - 0.5",
        EXACT: "",
        IS_IN: 'ops.relu(1 - ops.abs(places[..., None] - ops.arange(bins, dtype="float32")))',
        MASKED: "ops.where(document_mask[:, None, :, None], is_in, 0.0)",
    },
)
histogram.mistake(
    "in_half_precision",
    "The result keeps the precision of the similarities, here float16.",
    hint="The contract names the dtype.",
    change={
        SIMILARITY: f"dtype = ops.convert_to_tensor(similarity).dtype\n{SIMILARITY}",
        LOGS: f"ops.cast({LOGS}, dtype)",
    },
)
