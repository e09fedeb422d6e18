"""What goes wrong in TermGating."""

from __future__ import annotations

from grading.exercises.ranking.checks import gating

PRODUCTS = "vectors * self.kernel"
LOGITS = f'logits = ops.cast(ops.sum({PRODUCTS}, axis=-1), "float32")'
MASKED = "ops.where(query_mask, logits, -1e9)"
WEIGHTS = f"weights = ops.softmax({MASKED}, axis=-1)"
OF_WORDS = "ops.where(query_mask, weights, 0.0)"

gating.mistake(
    "PaddingCompetes",
    "The softmax includes padding, which takes weight from the real words.",
    hint="Sum the weights of the real words. How much is missing?",
    change={MASKED: "logits"},
)
gating.mistake(
    "MaskForgotten",
    "`query_mask` is not used, so padding gets weights.",
    hint="How much should a missing word weigh?",
    change={MASKED: "logits", OF_WORDS: "weights"},
)
gating.mistake(
    "PaddingAtZero",
    "The logits of padding are 0 instead of very low: e⁰ is 1.",
    hint="Which logit gets a weight of 0?",
    change={"-1e9": "0.0", OF_WORDS: "weights"},
)
gating.mistake(
    "PaddingAtZeroCompetes",
    "Padding has a logit of 0 in the softmax. It gets 0 afterwards, but its share is missing from the words' weights.",
    hint="What is e⁰? Sum the weights of the words: is it 1?",
    change={"-1e9": "0.0"},
)
gating.mistake(
    "PaddingAtMinus10000",
    "Padding gets a logit such as -10,000, which takes the weight of words whose logits are lower still.",
    hint="If the logits of all words are -20,000, which position gets the most weight?",
    change={"-1e9": "-1e4"},
)
gating.mistake(
    "EmptyShared",
    "In a query without words, padding gets all the weight: the weights sum to 1.",
    hint="The softmax of equal logits is uniform, however low they are. What should the weights of an empty query be?",
    change={OF_WORDS: "weights"},
)
gating.mistake(
    "EmptyIsNan",
    "In a query without words, the weights are NaN.",
    hint="A softmax over nothing but minus infinity divides 0 by 0.",
    change={"-1e9": "-math.inf", OF_WORDS: "weights"},
)
gating.mistake(
    "Sigmoid",
    "Each word is gated separately with a sigmoid, so the words do not compete.",
    hint="What should the weights of a query sum to?",
    change={WEIGHTS: "weights = ops.sigmoid(logits)"},
)
gating.mistake(
    "OverBatch",
    "The softmax runs over the queries of the batch instead of the words of a query.",
    hint="The weight of a word must not depend on the other queries. Which axis holds the words?",
    change={f"{MASKED}, axis=-1": f"{MASKED}, axis=0"},
)
gating.mistake(
    "OverFeatures",
    "The softmax runs over the features of each word, before they are summed.",
    hint="A word has one logit, w · e. What is the shape of the softmax's input?",
    change={PRODUCTS: f"ops.softmax({PRODUCTS}, axis=-1) * vectors"},
)
gating.mistake(
    "Scaled",
    "The logits are divided by the square root of the width, as in attention.",
    hint="The gate is w · e, without another factor.",
    change={LOGITS: f"{LOGITS} / math.sqrt(vectors.shape[-1])"},
)
gating.mistake(
    "OfUnitVectors",
    "The vectors are normalised to length 1 first.",
    hint="A longer vector may mean more weight. The equation uses e as it is.",
    change={PRODUCTS: "unit_vectors(vectors) * self.kernel"},
)
gating.mistake(
    "Logits",
    "The logits are returned without a softmax.",
    hint="What should the weights of all words of a query sum to?",
    change={WEIGHTS: "weights = logits"},
)
gating.mistake(
    "LogWeights",
    "The result holds the logarithms of the weights.",
    hint="log_softmax is for losses. Can a weight be negative?",
    change={"ops.softmax(": "ops.log_softmax("},
)
gating.mistake(
    "Column",
    "The result has an extra axis, (batch, query_length, 1).",
    hint="Each word has one number. How many axes does that need?",
    change={OF_WORDS: f"{OF_WORDS}[..., None]"},
)
gating.mistake(
    "Averaged",
    "The weights are divided by the number of words.",
    hint="A softmax already sums to 1.",
    change={
        f"return {OF_WORDS}": f"""
            count = ops.sum(ops.cast(query_mask, "float32"), axis=-1, keepdims=True)
            return {OF_WORDS} / ops.maximum(count, 1.0)
        """
    },
)
gating.mistake(
    "WinnerTakesAll",
    "The word with the highest logit gets all the weight.",
    hint="A maximum gives the others no gradient, and more than one word of a query matters.",
    change={
        WEIGHTS: f"""
            highest = ops.max({MASKED}, axis=-1, keepdims=True)
            weights = ops.cast(ops.equal(logits, highest), "float32")
        """
    },
)
gating.mistake(
    "Stopped",
    "No gradient reaches the words or the weights.",
    hint="The gate learns which words matter. What does `ops.stop_gradient` do?",
    change={OF_WORDS: f"ops.stop_gradient({OF_WORDS})"},
)
gating.mistake(
    "PowersOverflow",
    "The softmax divides exp by its sum: above 88, exp is infinite in float32, and the weights are NaN.",
    hint="`ops.softmax` subtracts the highest logit first. Why does that change nothing else?",
    change={
        WEIGHTS: """
            powers = ops.where(query_mask, ops.exp(logits), 0.0)
            weights = powers / ops.maximum(ops.sum(powers, axis=-1, keepdims=True), 1e-9)
        """
    },
)
gating.mistake(
    "SoftmaxInHalf",
    "The softmax is computed in the precision of the vectors, and the cast comes after it.",
    hint="Digits lost in half precision do not come back. When must you cast?",
    change={
        LOGITS: f"logits = ops.sum({PRODUCTS}, axis=-1)",
        "-1e9": "ops.cast(-6e4, logits.dtype)",
        OF_WORDS: 'ops.where(query_mask, ops.cast(weights, "float32"), 0.0)',
    },
)
