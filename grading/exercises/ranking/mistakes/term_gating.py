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
    "The softmax goes over padding, too: real words share what is theirs with it.",
    hint="Sum the weights of the real words. What is missing?",
    change={MASKED: "logits"},
)
gating.mistake(
    "MaskForgotten",
    "`query_mask` is not used: padding gets weights.",
    hint="What does a word weigh that is not there?",
    change={MASKED: "logits", OF_WORDS: "weights"},
)
gating.mistake(
    "PaddingAtZero",
    "The logits of padding are set to 0, not to something very low: e⁰ is 1.",
    hint="Which logit has a share of nothing?",
    change={"-1e9": "0.0", OF_WORDS: "weights"},
)
gating.mistake(
    "EmptyShared",
    "In a query without a word, padding shares the weights: they are 1 in sum.",
    hint="The softmax of equal logits is even, however low they are. What should nothing weigh?",
    change={OF_WORDS: "weights"},
)
gating.mistake(
    "EmptyIsNan",
    "In a query without a word, the weights are NaN.",
    hint="A softmax over nothing but minus infinity divides 0 by 0.",
    change={"-1e9": "-math.inf", OF_WORDS: "weights"},
)
gating.mistake(
    "Sigmoid",
    "Each word is gated by itself, with a sigmoid: the words do not compete.",
    hint="What is the sum of the weights of a query to be?",
    change={WEIGHTS: "weights = ops.sigmoid(logits)"},
)
gating.mistake(
    "OverBatch",
    "The softmax goes over the queries of the batch, not over the words of a query.",
    hint="What a word weighs cannot depend on who else is in the batch. Which axis holds the words?",
    change={f"{MASKED}, axis=-1": f"{MASKED}, axis=0"},
)
gating.mistake(
    "OverFeatures",
    "The softmax goes over the features of each word, before they are summed.",
    hint="A word has one logit, w · e. What is the shape of what goes into the softmax?",
    change={PRODUCTS: f"ops.softmax({PRODUCTS}, axis=-1) * vectors"},
)
gating.mistake(
    "Scaled",
    "The logits are divided by the root of the width, as in attention.",
    hint="The gate is w · e, and has no other number in it.",
    change={LOGITS: f"{LOGITS} / math.sqrt(vectors.shape[-1])"},
)
gating.mistake(
    "OfUnitVectors",
    "The vectors are brought to length 1 first.",
    hint="A word may weigh more because its vector is longer. The equation has e as it is.",
    change={PRODUCTS: "unit_vectors(vectors) * self.kernel"},
)
gating.mistake(
    "Logits",
    "The logits are returned, without a softmax.",
    hint="How much are all words of a query to weigh together?",
    change={WEIGHTS: "weights = logits"},
)
gating.mistake(
    "LogWeights",
    "The weights are the logarithms of what they should be.",
    hint="log_softmax is for losses. Weights are positive.",
    change={"ops.softmax(": "ops.log_softmax("},
)
gating.mistake(
    "Column",
    "The answer has an axis too many, (batch, query_length, 1).",
    hint="One number for each word: how many axes are that?",
    change={OF_WORDS: f"{OF_WORDS}[..., None]"},
)
gating.mistake(
    "Averaged",
    "The weights are divided by the number of words.",
    hint="A softmax sums to 1 already.",
    change={
        f"return {OF_WORDS}": f"""
            count = ops.sum(ops.cast(query_mask, "float32"), axis=-1, keepdims=True)
            return {OF_WORDS} / ops.maximum(count, 1.0)
        """
    },
)
gating.mistake(
    "WinnerTakesAll",
    "The word with the highest logit gets everything.",
    hint="A maximum has no gradient for the others, and a query has more than one word that counts.",
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
    hint="The gate learns which words matter. What does `ops.stop_gradient` take away?",
    change={OF_WORDS: f"ops.stop_gradient({OF_WORDS})"},
)
gating.mistake(
    "PowersOverflow",
    "The softmax is written as exp over its sum: above 88, exp is infinite in float32, and the weights are NaN.",
    hint="`ops.softmax` takes the highest logit off first. Why does that change nothing else?",
    change={
        WEIGHTS: """
            powers = ops.where(query_mask, ops.exp(logits), 0.0)
            weights = powers / ops.maximum(ops.sum(powers, axis=-1, keepdims=True), 1e-9)
        """
    },
)
gating.mistake(
    "SoftmaxInHalf",
    "The softmax is computed in the precision of the vectors, and cast afterwards.",
    hint="What has been rounded to half precision stays rounded. When must the cast come?",
    change={
        LOGITS: f"logits = ops.sum({PRODUCTS}, axis=-1)",
        "-1e9": "ops.cast(-1e4, logits.dtype)",
        OF_WORDS: 'ops.where(query_mask, ops.cast(weights, "float32"), 0.0)',
    },
)
