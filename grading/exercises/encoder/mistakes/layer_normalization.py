"""What goes wrong in layer_normalization."""

from __future__ import annotations

from grading.exercises.encoder.checks import normalization

MEAN = "mean = ops.mean(features, axis=-1, keepdims=True)"
VARIANCE = "variance = ops.mean(ops.square(features - mean), axis=-1, keepdims=True)"
DIVIDED = "* ops.rsqrt(variance + epsilon)"
SCALED = "gamma * normalized + beta"


def over(axis: str) -> dict[str, str]:
    """Mean and variance are those of another axis."""
    return {line: line.replace("axis=-1", f"axis={axis}") for line in (MEAN, VARIANCE)}


normalization.mistake(
    "epsilon_outside",
    "Epsilon is added outside the root, to the standard deviation.",
    hint="What stands under the root in the equation?",
    change={DIVIDED: "/ (ops.sqrt(variance) + epsilon)"},
)
normalization.mistake(
    "unbiased",
    "The variance is divided by hidden_dim - 1 instead of hidden_dim.",
    hint="σ² is the mean of the squares. Some libraries estimate it in another way unless they are told.",
    change={VARIANCE: "variance = ops.sum(ops.square(features - mean), axis=-1, keepdims=True) / (x.shape[-1] - 1)"},
)
normalization.mistake(
    "no_gamma",
    "γ is left out.",
    hint="Each feature has a scale of its own.",
    change={SCALED: "normalized + beta"},
)
normalization.mistake(
    "no_beta",
    "β is left out.",
    hint="Each feature has a shift of its own.",
    change={SCALED: "gamma * normalized"},
)
normalization.mistake(
    "no_gamma_no_beta",
    "γ and β are both left out.",
    hint="What do you do with the second and the third argument?",
    change={SCALED: "normalized"},
)
normalization.mistake(
    "exchanged",
    "γ and β are exchanged.",
    hint="One scales and one shifts. Which is multiplied?",
    change={SCALED: "beta * normalized + gamma"},
)
normalization.mistake(
    "shifted_first",
    "β is added before γ is multiplied.",
    hint="In the equation, does γ scale β, too?",
    change={SCALED: "gamma * (normalized + beta)"},
)
normalization.mistake(
    "over_tokens",
    "The features are normalized over the tokens (axis 0 or 1) instead of over each token's features.",
    hint="No token may have a part in another one's mean. Which axis are the features?",
    change=over("max(len(x.shape) - 2, 0)"),
)
normalization.mistake(
    "over_batch",
    "Mean and variance are those of the batch, over axis 0: that is batch normalization.",
    hint="A text must give the same in any batch. Which axis are the features?",
    change=over("0"),
)
normalization.mistake(
    "over_everything",
    "Mean and variance are taken over all numbers at once.",
    hint="Each token has a mean of its own. Is there an `axis`?",
    change=over("None"),
)
normalization.mistake(
    "not_centred",
    "The mean is not taken away.",
    hint="What is the mean of a token's features after normalizing?",
    change={MEAN: "mean = 0.0"},
)
normalization.mistake(
    "by_variance",
    "The features are divided by the variance instead of by its root.",
    hint="If x is in metres, then σ² is in square metres. In what should the result be?",
    change={DIVIDED: "/ (variance + epsilon)"},
)
normalization.mistake(
    "no_epsilon",
    "Epsilon is left out: a token without variance gives NaN.",
    hint="What is 0 / 0?",
    change={"variance + epsilon": "variance"},
)
normalization.mistake(
    "epsilon_fixed",
    "Epsilon is always 1e-12: the argument is ignored.",
    hint="Other models were trained with another epsilon.",
    change={"variance + epsilon": "variance + 1e-12"},
)
normalization.mistake(
    "in_its_own_dtype",
    "In float16 it computes in float16: squares overflow, and 1e-12 is 0.",
    hint="Which dtype should the mean and the variance be computed in?",
    change={'keras.backend.result_type(x.dtype, "float32")': "x.dtype"},
)
normalization.mistake(
    "not_cast_back",
    "float32 comes back where float16 came in.",
    hint="Compute in float32. And what should the next layer get?",
    change={f"ops.cast({SCALED}, x.dtype)": SCALED},
)
