"""Known mistakes in scaled_dot_product_attention."""

from __future__ import annotations

from grading.exercises.attention.checks import attention

SCALED = "query = ops.divide(query, math.sqrt(head_dim))"
IN_FLOAT32 = 'scores = ops.cast(scores, keras.backend.result_type(scores.dtype, "float32"))'
SOFTMAX = "weights = ops.softmax(scores, axis=-1)"
MASKED = "scores = ops.where(mask, scores, -1e9)"
RETURNED = "return ops.matmul(weights, value), weights"

attention.mistake(
    "unscaled",
    "The scores are not divided by √d_k.",
    hint="The variance of q · k grows with the width of the head. What keeps it at 1?",
    change={SCALED: ""},
)
attention.mistake(
    "scaled_by_length",
    "The scores are divided by √(number of keys) instead of √d_k.",
    hint="Which axis of the key is its width, and which its length? Print key.shape.",
    change={"head_dim = query.shape[-1]": "head_dim = key.shape[-2]"},
)
attention.mistake(
    "scaled_by_query_length",
    "The scores are divided by √(number of queries) instead of √d_k.",
    hint="Which axis of the query is its width, and which its length? Print query.shape.",
    change={"head_dim = query.shape[-1]": "head_dim = query.shape[-2]"},
)
attention.mistake(
    "scaled_by_width",
    "The scores are divided by d_k instead of √d_k.",
    hint="The variance of a sum of d_k terms is d_k. What is its standard deviation?",
    change={"math.sqrt(head_dim)": "head_dim"},
)
attention.mistake(
    "scaled_by_constant",
    "The scores are divided by 8, which is √d_k only where heads are 64 wide.",
    hint="BERT's heads are 64 wide, but yours need not be. Which argument shows their width?",
    change={"math.sqrt(head_dim)": "8.0"},
)
attention.mistake(
    "scaled_up",
    "The scores are multiplied by √d_k instead of divided.",
    hint="Should scaling make the softmax sharper or flatter?",
    change={"ops.divide(query, ": "ops.multiply(query, "},
)
attention.mistake(
    "softmax_over_queries",
    "The softmax runs over the queries instead of the keys.",
    hint="Each query's weights must sum to 1 over the keys. Which axis of the scores is that?",
    change={"softmax(scores, axis=-1)": "softmax(scores, axis=-2)"},
)
attention.mistake(
    "no_softmax",
    "The softmax is missing: the raw scores are used as weights.",
    hint="Weights are positive and sum to 1. What turns any numbers into such weights?",
    change={"ops.softmax(scores, axis=-1)": "scores"},
)
attention.mistake(
    "not_normalised",
    "The exponentials are not divided by their sum.",
    hint="Weights sum to 1 over the keys. By what must each exponential be divided?",
    change={"ops.softmax(scores, axis=-1)": "ops.exp(scores)"},
)
attention.mistake(
    "overflowing_softmax",
    "The softmax overflows: the largest score is not subtracted before the exponential.",
    hint="exp(1000) is infinite. Subtracting a constant from all scores does not change the softmax. Which one helps?",
    change={"ops.softmax(scores, axis=-1)": "ops.exp(scores) / ops.sum(ops.exp(scores), axis=-1, keepdims=True)"},
)
attention.mistake(
    "scores_times_mask",
    "The scores are multiplied by the mask, so a forbidden key has the score 0 and keeps weight.",
    hint="exp(0) is 1, not 0. Which score gives a weight of 0 after the softmax?",
    change={MASKED: "scores = scores * ops.cast(mask, scores.dtype)"},
)
attention.mistake(
    "weights_times_mask",
    "The weights are masked after the softmax, so they no longer sum to 1.",
    hint="The weight that forbidden keys lose must go to the others. Which function shares it out?",
    change={
        MASKED: "",
        SOFTMAX: f"{SOFTMAX}\nif mask is not None:\n    weights = weights * ops.cast(mask, weights.dtype)",
    },
)
attention.mistake(
    "fixed_penalty",
    "A forbidden key's score is only lowered, by a fixed number, so a key that fits very well keeps weight.",
    hint="Scores can be as large as you like. What must the new score not depend on?",
    change={MASKED: "scores = scores - 10000.0 * ops.cast(ops.logical_not(mask), scores.dtype)"},
)
attention.mistake(
    "mask_inverted",
    "The mask is inverted: it forbids what it should allow, and allows what it should forbid.",
    hint="True means that attention is allowed. Which branch of `where` do the True places take?",
    change={"where(mask, scores, -1e9)": "where(mask, -1e9, scores)"},
)
attention.mistake(
    "mask_added",
    "The mask is added to the scores: allowed ones grow by 1, and none is forbidden.",
    hint="A score that is lower by 1 still gets weight. How low must the score of a forbidden key be?",
    change={MASKED: "scores = scores + ops.cast(mask, scores.dtype)"},
)
attention.mistake(
    "mask_ignored",
    "The mask is ignored.",
    hint="Where in your code does `mask` change a score?",
    change={MASKED: ""},
)
attention.mistake(
    "mask_transposed",
    "The mask is transposed: it forbids queries instead of keys.",
    hint="A row of the mask belongs to a query, a column to a key, just as in the scores.",
    change={"where(mask, scores": "where(ops.swapaxes(mask, -1, -2), scores"},
)
attention.mistake(
    "mask_of_the_first_query",
    "All queries get the mask of the first one.",
    hint="Padding is the same for all queries; a causal mask is not. Which axis of the mask is the query's?",
    change={"where(mask, scores": "where(mask[..., :1, :], scores"},
)
attention.mistake(
    "causal_left_in",
    "A causal mask is left in: no query sees the keys that come after it.",
    hint="An encoder looks both ways. Only the mask that is passed in forbids anything.",
    change={
        "if mask is not None:": "past = np.arange(query.shape[-2])[:, None] >= np.arange(key.shape[-2])\n"
        "mask = past if mask is None else ops.logical_and(mask, past)\n"
        "if mask is not None:"
    },
)
attention.mistake(
    "minus_infinity",
    "A query that may attend to nothing gets NaN: its scores are -inf, or its weights are divided by a sum of 0.",
    hint="-inf - (-inf) is NaN, and so is 0 / 0. What are the scores and the weights of this query, line by line?",
    change={"-1e9": "-math.inf"},
)
attention.mistake(
    "overflow_in_half",
    "In float16, -1e9 is -infinity, and a query that may attend to nothing gets NaN.",
    hint="float16 ends at 65504. Which dtype must the scores have before you mask them?",
    change={IN_FLOAT32: ""},
)
attention.mistake(
    "added_overflow_in_half",
    "In float16, -1e9 is -infinity, and -infinity times 0 is NaN, so every mask gives NaN.",
    hint="float16 ends at 65504. Which dtype holds -1e9, and which operation masks without a product?",
    change={
        IN_FLOAT32: "",
        MASKED: "scores = scores + (1 - ops.cast(mask, scores.dtype)) * ops.cast(-1e9, scores.dtype)",
    },
)
attention.mistake(
    "output_only",
    "Only the output is returned; the weights must be returned, too.",
    hint="How many values does the docstring return?",
    change={RETURNED: "return ops.matmul(weights, value)"},
)
attention.mistake(
    "wrong_order",
    "Output and weights are returned in the wrong order.",
    hint="Which of the two comes first in the docstring?",
    change={RETURNED: "return weights, ops.matmul(weights, value)"},
)
attention.mistake(
    "weighted_keys",
    "The weights are applied to the keys instead of the values.",
    hint="Keys decide how much is taken from each token. What is taken?",
    change={"ops.matmul(weights, value)": "ops.matmul(weights, key)"},
)
attention.mistake(
    "looks_into_the_mask",
    "A Python `if` looks at the numbers of the mask, which a compiled model does not know.",
    hint="In a compiled model there are no numbers yet, only tensors. Do you need the question?",
    change={"if mask is not None:": "if mask is not None and not ops.all(mask):"},
)
attention.mistake(
    "nan_backwards",
    "A query that may attend to nothing gets weights of 0 in place of NaN, but its gradient is NaN all the same.",
    hint="In the gradient, 0 times NaN is NaN, whatever `where` selects. How do you avoid NaN in the softmax itself?",
    change={
        MASKED: "scores = scores + ops.where(mask, 0.0, -math.inf)",
        SOFTMAX: f"{SOFTMAX}\nweights = ops.where(ops.isnan(weights), 0.0, weights)",
    },
)
attention.mistake(
    "clipped",
    "Large scores are clipped, so those above the bound all get the same weight.",
    hint="softmax(x) = softmax(x - c) for every c. Which c makes the largest score 0, however large it was?",
    change={IN_FLOAT32: f"{IN_FLOAT32}\nscores = ops.clip(scores, -80.0, 80.0)"},
)
