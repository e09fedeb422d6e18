"""Known mistakes in layer_normalization."""

from __future__ import annotations

from grading.exercises.encoder.checks import normalization

MEAN = "mean = ops.mean(features, axis=-1, keepdims=True)"
VARIANCE = "variance = ops.mean(ops.square(features - mean), axis=-1, keepdims=True)"
DIVIDED = "* ops.rsqrt(variance + epsilon)"
SCALED = "gamma * normalized + beta"


def over(axis: str) -> dict[str, str]:
    """The change that takes mean and variance over another axis."""
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
    hint="σ² is the mean of the squares. Some libraries estimate it in another way by default.",
    change={VARIANCE: "variance = ops.sum(ops.square(features - mean), axis=-1, keepdims=True) / (x.shape[-1] - 1)"},
)
normalization.mistake(
    "no_gamma",
    "The output is not multiplied by γ.",
    hint="Each feature has a scale of its own.",
    change={SCALED: "normalized + beta"},
)
normalization.mistake(
    "no_beta",
    "β is not added to the output.",
    hint="Each feature has a shift of its own.",
    change={SCALED: "gamma * normalized"},
)
normalization.mistake(
    "no_gamma_no_beta",
    "Neither γ nor β is used.",
    hint="Where do you use the second and the third argument?",
    change={SCALED: "normalized"},
)
normalization.mistake(
    "exchanged",
    "γ and β are swapped.",
    hint="One scales and one shifts. Which is multiplied?",
    change={SCALED: "beta * normalized + gamma"},
)
normalization.mistake(
    "shifted_first",
    "β is added before the multiplication by γ.",
    hint="In the equation, does γ scale β, too?",
    change={SCALED: "gamma * (normalized + beta)"},
)
normalization.mistake(
    "over_tokens",
    "Mean and variance are taken over the tokens (axis 0 or 1) instead of over each token's features.",
    hint="No token may change another token's mean. Which axis holds the features?",
    change=over("max(len(x.shape) - 2, 0)"),
)
normalization.mistake(
    "over_batch",
    "Mean and variance are taken over the batch (axis 0): this is batch normalization.",
    hint="A text must have the same output in any batch. Which axis holds the features?",
    change=over("0"),
)
normalization.mistake(
    "over_everything",
    "Mean and variance are taken over all numbers at once.",
    hint="Each token has a mean of its own. Which `axis` does your mean have?",
    change=over("None"),
)
normalization.mistake(
    "not_centred",
    "The mean is not subtracted.",
    hint="What should the mean of a token's features be after normalizing?",
    change={MEAN: "mean = 0.0"},
)
normalization.mistake(
    "by_variance",
    "The features are divided by the variance instead of by its root.",
    hint="If x is in metres, then σ² is in square metres. What unit should the result have?",
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
    "epsilon is ignored: it is always 1e-12.",
    hint="Other models were trained with another epsilon.",
    change={"variance + epsilon": "variance + 1e-12"},
)
normalization.mistake(
    "in_its_own_dtype",
    "For float16 inputs, it computes in float16: squares overflow, and 1e-12 is 0.",
    hint="Which dtype should the mean and the variance be computed in?",
    change={'keras.backend.result_type(x.dtype, "float32")': "x.dtype"},
)
normalization.mistake(
    "not_cast_back",
    "For float16 inputs, the output is float32.",
    hint="Computing in float32 is right. But which dtype should the next layer get?",
    change={f"ops.cast({SCALED}, x.dtype)": SCALED},
)
normalization.mistake(
    "mean_in_its_own_dtype",
    "For float16 inputs, the mean is rounded to float16 before it is subtracted.",
    hint="Above 2,048, float16 has even numbers only. What becomes of a mean of 2,057?",
    change={MEAN: "mean = ops.cast(ops.mean(x, axis=-1, keepdims=True), precise)"},
)
normalization.mistake(
    "scaled_in_its_own_dtype",
    "The features are normalized in float32, but scaled and shifted in the dtype of x.",
    hint="Of 1000.3, float16 keeps 1000.5. When do you cast back to the dtype of x?",
    change={
        f"ops.cast({SCALED}, x.dtype)": (
            "ops.cast(gamma, x.dtype) * ops.cast(normalized, x.dtype) + ops.cast(beta, x.dtype)"
        )
    },
)
